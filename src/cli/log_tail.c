#include "cli/log_tail.h"

#include "cli/doctor/doctor.h"

enum { LAST_LINES = 12 }; /* a build tool says it at the end; the shell or a CI system may add a few lines */

void log_tail_add(struct log_tail *ending, struct str bytes)
{
    size_t room = sizeof ending->bytes;
    if (bytes.len > room)
        bytes = str_from(bytes, bytes.len - room);
    size_t kept = ending->len < room - bytes.len ? ending->len : room - bytes.len;
    memmove(ending->bytes, ending->bytes + ending->len - kept, kept);
    memcpy(ending->bytes + kept, bytes.ptr, bytes.len);
    ending->len = kept + bytes.len;
}

/* Most logs end so. */
static bool is_of_record(struct str line)
{
    return str_starts(line, STR("ptxas info ")) || str_ends(line, STR(" bytes spill loads"));
}

bool ending_is_error(const struct log_tail *ending, size_t *lines_from_end)
{
    struct str text = {ending->bytes, ending->len};
    if (str_ends(text, STR("\n")))
        text.len--;
    for (size_t line = 1; line <= LAST_LINES && text.len; line++) {
        size_t before = str_rfind(text, STR("\n"));
        struct str last = str_from(text, before == STR_NONE ? 0 : before + 1);
        bool of_record = is_of_record(last);
        *lines_from_end = line;
        if (!of_record && evidence_says(last, SIGN_STOPPED))
            return true;
        if (!of_record && evidence_says(last, SIGN_UP_TO_DATE)) /* what failed was built again */
            return false;
        text.len = before == STR_NONE ? 0 : before;
    }
    return false;
}
