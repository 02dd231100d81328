/*
 * Any bytes as a baseline. A refusal has a message with a place in the text. An accepted baseline, written, read and
 * written again, has the same bytes.
 */
#include "baseline/baseline.h"
#include "fuzz.h"

static bool read_baseline(struct baseline *baseline, struct str text, struct buf *said)
{
    struct diags diags = {0};
    bool ok = baseline_parse(baseline, STR("baseline.json"), text, &diags);
    fuzz_check(ok == (diags.errors == 0), "refused without a word, or taken with one");
    fuzz_check_places(&diags, text);
    diags_render(&diags, said);
    diags_free(&diags);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct intern strings = {0};
    struct baseline read = {.kernels.strings = &strings}, again = {.kernels.strings = &strings};
    struct buf written = {0}, rewritten = {0}, said = {0};
    if (read_baseline(&read, text, &said)) {
        baseline_print(&read, &written);
        fuzz_check(read_baseline(&again, buf_str(&written), &said), "its own writing is refused: %.*s",
                   STR_ARG(buf_str(&said)));
        baseline_print(&again, &rewritten);
        fuzz_check(str_eq(buf_str(&written), buf_str(&rewritten)), "written otherwise:\n%.*s--\n%.*s",
                   STR_ARG(buf_str(&written)), STR_ARG(buf_str(&rewritten)));
        fuzz_check(read.kernels.count == again.kernels.count && read.accepted_count == again.accepted_count,
                   "another number of entries");
    }
    baseline_free(&read);
    baseline_free(&again);
    intern_free(&strings);
    buf_free(&written);
    buf_free(&rewritten);
    buf_free(&said);
    return 0;
}
