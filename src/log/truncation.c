#include "log/truncation.h"

/* To add one: a row here, a word of it in log/prefilter.c, and a group in tests/log.test. */
static const struct str sayings[] = {
    STR_INIT("[output clipped, log limit "),                                     /* docker */
    STR_INIT("Job's log exceeded limit of "),                                    /* GitLab */
    STR_INIT("exceeded the maximum log length"),                                 /* Travis */
    STR_INIT("[...truncated "),                                                  /* Jenkins */
    STR_INIT(" exceeds maximum size of --experimental_ui_max_stdouterr_bytes="), /* Bazel, of one action */
};

bool truncation_is(struct str line)
{
    for (size_t at = 0; at < sizeof sayings / sizeof *sayings; at++)
        if (str_find(line, sayings[at]) != STR_NONE)
            return true;
    return false;
}
