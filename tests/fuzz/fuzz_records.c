/*
 * Any bytes as an input: our own NDJSON, or else a log. Reading it in pieces gives the same model or the same refusal;
 * a refusal has a message and leaves an empty model. A model that is written as NDJSON and read back is the same model,
 * which is written with the same bytes.
 */
#include "fuzz.h"
#include "log/input.h"
#include "log/reader.h"
#include "report/report.h"

#include <unistd.h>

static void feed(void *input, struct str piece)
{
    input_feed(input, piece);
}

static bool read_input(struct model *model, struct str text, struct dice *dice, struct buf *said)
{
    struct diags diags = {0};
    bool records = false;
    struct input *input = input_new(model, STR("input"), &diags);
    if (dice)
        fuzz_in_pieces(text, dice, feed, input);
    else
        input_feed(input, text);
    bool ok = input_finish(input, &records);
    fuzz_check(ok == (diags.errors == 0), "refused without a word, or taken with one");
    bool in_part = model->log_count == 1 && model->logs[0].foreign; /* kept up to a part that is no log */
    fuzz_check(ok || in_part || (model->kernel_count == 0 && model->event_count == 0 && model->log_count == 0),
               "something of what was refused is there");
    fuzz_check(ok || records || in_part, "a log was refused");
    fuzz_check_places(&diags, text);
    diags_render(&diags, said);
    diags_free(&diags);
    model_link(model);
    return ok;
}

static void write_records(const struct model *model, struct buf *text)
{
    int into = fuzz_output();
    struct out out = {.fd = into};
    struct diags diags = {0};
    struct ruleset rules = {0};
    struct linter_options options = {.launch_config = launch_config_none()};
    struct linter *linter = linter_new(&rules, model, &options);
    fuzz_check(linter_run(linter, &diags), "cannot be judged");
    struct report report = {.kind = REPORT_KERNELS, .linter = linter, .model = model, .version = "1.2.3"};
    report_ndjson(&report, &out);
    fuzz_check(out_close(&out, &diags), "cannot be written");
    close(into);
    linter_free(linter);
    ruleset_free(&rules);
    diags_free(&diags);
    fuzz_read_output(text);
}

static void check_round_trip(const struct model *model)
{
    struct buf first = {0}, again = {0}, said = {0};
    struct model copy = {0};
    write_records(model, &first);
    fuzz_check(read_input(&copy, buf_str(&first), NULL, &said), "its own records are refused: %.*s",
               STR_ARG(buf_str(&said)));
    fuzz_same_models(model, &copy, "written and read");
    write_records(&copy, &again);
    fuzz_check(str_eq(buf_str(&first), buf_str(&again)), "written otherwise:\n%.*s--\n%.*s", STR_ARG(buf_str(&first)),
               STR_ARG(buf_str(&again)));
    model_free(&copy);
    buf_free(&first);
    buf_free(&again);
    buf_free(&said);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct dice dice = dice_of(text);
    struct model whole = {0}, pieces = {0};
    struct buf said = {0}, said_of_pieces = {0};
    bool ok = read_input(&whole, text, NULL, &said);
    fuzz_check(read_input(&pieces, text, &dice, &said_of_pieces) == ok, "in pieces it is taken otherwise");
    fuzz_check(str_eq(buf_str(&said), buf_str(&said_of_pieces)), "in pieces something else is wrong");
    fuzz_same_models(&whole, &pieces, "in pieces");
    if (ok)
        check_round_trip(&whole);
    model_free(&whole);
    model_free(&pieces);
    buf_free(&said);
    buf_free(&said_of_pieces);
    return 0;
}
