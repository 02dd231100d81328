/*
 * NDJSON is equivalent to the log that it was made from: reading it gives the same model, writing that again gives the
 * same bytes, and a damaged stream gives only an error message.
 */
#include "log/input.h"
#include "log/ndjson_reader.h"
#include "log/reader.h"
#include "logs.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>

/* ---- reading and writing ---- */

static void write_records(const struct model *model, struct buf *text)
{
    FILE *file = tmpfile();
    ck_assert(file != NULL);
    struct out out = {.fd = fileno(file)};
    struct diags diags = {0};
    struct ruleset rules = {0};
    struct linter_options options = {.launch_config = launch_config_none()};
    struct linter *linter = linter_new(&rules, model, &options);
    ck_assert(linter_run(linter, &diags));
    struct report report = {.kind = REPORT_KERNELS, .linter = linter, .model = model, .version = "1.2.3"};
    report_ndjson(&report, &out);
    ck_assert(out_close(&out, &diags));
    linter_free(linter);
    ruleset_free(&rules);
    diags_free(&diags);
    rewind(file);
    char block[65536];
    for (size_t got = 0; (got = fread(block, 1, sizeof block, file)) > 0;)
        buf_add(text, (struct str){block, got});
    fclose(file);
}

/* Reads in pieces of piece_bytes (0: all at once); errors go to *said. */
static bool read_records(struct model *model, struct str text, size_t piece_bytes, struct buf *said)
{
    struct diags diags = {0};
    struct input *input = input_new(model, STR("x.ndjson"), &diags);
    for (size_t at = 0; at < text.len;) {
        struct str piece = str_sub(text, at, piece_bytes ? at + piece_bytes : text.len);
        input_feed(input, piece);
        at += piece.len;
    }
    bool records = false, ok = input_finish(input, &records);
    ck_assert(records);
    diags_render(&diags, said);
    ck_assert_int_eq(ok, diags.errors == 0);
    diags_free(&diags);
    return ok;
}

static void read_log(struct model *model, const char *path)
{
    struct buf text = read_file(path);
    read_in_pieces(model, str_of(path), buf_str(&text), 0);
    buf_free(&text);
}

/* Asserts this property for one model; *records, if not NULL, gets the stream. */
static void check_round_trip(const struct model *model, const char *what, struct buf *records)
{
    struct buf first = {0}, again = {0}, before = {0}, after = {0}, said = {0};
    struct model copy = {0};
    write_records(model, &first);
    ck_assert_msg(read_records(&copy, buf_str(&first), 0, &said), "%s: %.*s", what, STR_ARG(buf_str(&said)));
    model_link(&copy);
    write_records(&copy, &again);
    print_model(model, &before);
    print_model(&copy, &after);
    if (!str_eq(buf_str(&before), buf_str(&after)))
        printf("%.*s-- became --\n%.*s\n", STR_ARG(buf_str(&before)), STR_ARG(buf_str(&after)));
    ck_assert_msg(str_eq(buf_str(&before), buf_str(&after)), "%s: another model", what);
    ck_assert_msg(str_eq(buf_str(&first), buf_str(&again)), "%s: other bytes", what);
    if (records)
        buf_add(records, buf_str(&first));
    buf_free(&first);
    buf_free(&again);
    buf_free(&before);
    buf_free(&after);
    buf_free(&said);
    model_free(&copy);
}

START_TEST(test_every_log_survives)
{
    struct paths paths = {0};
    struct model all = {0};
    paths_add(&paths, source_path("fixtures/*/log.txt"));
    ck_assert_uint_ge(paths.count, 40);
    paths_add(&paths, source_path("../shared/logs/*.log"));
    paths_add(&paths, source_path("../shared/logs/builds/*.log"));
    for (size_t at = 0; at < paths.count; at++) {
        struct model model = {0};
        read_log(&model, paths.items[at]);
        read_log(&all, paths.items[at]);
        model_link(&model);
        check_round_trip(&model, paths.items[at], NULL);
        model_free(&model);
    }
    model_link(&all);
    check_round_trip(&all, "all logs in one model", NULL);
    printf("%zu logs, %zu records, %zu messages\n", paths.count, all.kernel_count, all.event_count);
    model_free(&all);
    paths_free(&paths);
}
END_TEST

START_TEST(test_pieces_give_the_same_model)
{
    struct model model = {0};
    struct buf records = {0}, whole = {0}, pieces = {0}, said = {0};
    read_log(&model, source_path("fixtures/rdc-two-archs/log.txt"));
    model_link(&model);
    check_round_trip(&model, "rdc-two-archs", &records);
    print_model(&model, &whole);
    for (size_t size = 1; size < 20; size += 3) {
        struct model copy = {0};
        ck_assert(read_records(&copy, buf_str(&records), size, &said));
        model_link(&copy);
        buf_clear(&pieces);
        print_model(&copy, &pieces);
        ck_assert(str_eq(buf_str(&whole), buf_str(&pieces)));
        model_free(&copy);
    }
    buf_free(&records);
    buf_free(&whole);
    buf_free(&pieces);
    buf_free(&said);
    model_free(&model);
}
END_TEST

/* The two records of a linked kernel can come from two streams: the compile's and the link's. */
START_TEST(test_streams_one_after_the_other)
{
    static const char *const halves[] = {"ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
                                         "ptxas info    : Function properties for _Z1kPf\n"
                                         "    0 bytes stack frame, 4 bytes spill stores, 8 bytes spill loads\n"
                                         "ptxas info    : Used 20 registers, used 0 barriers\n",
                                         "nvlink info    : Function properties for '_Z1kPf':\n"
                                         "nvlink info    : used 30 registers, 0 stack, 1024 bytes smem\n"};
    struct buf both = {0}, said = {0};
    for (size_t at = 0; at < 2; at++) {
        struct model half = {0};
        read_in_pieces(&half, STR("half"), str_of(halves[at]), 0);
        model_link(&half);
        ck_assert_uint_eq(half.kernel_count, 1);
        ck_assert_uint_eq(kernel_rare(&half, half.kernels)->link, NO_INDEX);
        check_round_trip(&half, "half", &both);
        model_free(&half);
    }
    struct model model = {0};
    ck_assert(read_records(&model, buf_str(&both), 0, &said));
    model_link(&model);
    ck_assert_uint_eq(model.log_count, 2);
    ck_assert_uint_eq(model.kernel_count, 2);
    ck_assert_uint_eq(kernel_rare(&model, &model.kernels[0])->link, 1);
    ck_assert_uint_eq(kernel_rare(&model, &model.kernels[1])->link, 0);
    ck_assert_int_eq(model.kernels[0].spill_load_bytes, 8);
    ck_assert_int_eq(model.kernels[1].registers, 30);
    model_free(&model);
    buf_free(&both);
    buf_free(&said);
}
END_TEST

/* ---- names ---- */

/* Bytes that are not UTF-8, the code points that replace such bytes while JSON is parsed, and the code points next to
 * them. */
static const struct str names[] = {
    STR_INIT("plain"),
    STR_INIT("quote\" backslash\\ tab\t slash/ \\u0041 \\udc80 \\\\udc80"),
    STR_INIT("\x80"),
    STR_INIT("a\xff\xfe\x80z"),
    STR_INIT("cut \xee\xbe"),
    STR_INIT("\xee\xbe\x80 first private"),
    STR_INIT("\xee\xbf\xbf last private"),
    STR_INIT("\xee\xbd\xbf below private"),
    STR_INIT("\xef\x80\x80 above private"),
    STR_INIT("\xee\xbe\x80\x80\xee\xbf\xbf\xff mixed"),
    STR_INIT("\xf4\x8f\xbf\xbf last of Unicode"),
    STR_INIT("\xf4\x90\x80\x80 beyond Unicode"),
    STR_INIT("\xed\xa0\x80 a surrogate in UTF-8"),
    STR_INIT("\xf0\x9f\x92\x80 U+1F480 ends in dc80 in UTF-16"),
    STR_INIT("\xc3\xa4\xe2\x82\xac\x7f\x01"),
};
enum { NAMES = sizeof names / sizeof *names };

START_TEST(test_names_are_bytes)
{
    struct model model = {0};
    model.logs = mem_reserve(NULL, &model.log_cap, 1, sizeof *model.logs);
    model.logs[model.log_count++] = (struct log_info){.path = intern_add(&model.strings, STR("p\xffth"))};
    for (size_t at = 0; at < NAMES; at++) {
        model_add_kernel(&model)->name = intern_add(&model.names, names[at]);
        struct event *event = model_add_event(&model);
        event->id = intern_add(&model.strings, STR("advisory"));
        event->text = intern_add(&model.strings, names[at]);
    }
    check_round_trip(&model, "names", NULL);
    model_free(&model);
}
END_TEST

/* Names as other programs write them: every code point above ASCII escaped, hexadecimal digits in either case. */
START_TEST(test_names_escaped_by_others)
{
    static const struct {
        const char *json;
        struct str name;
    } cases[] = {
        {"\\uDBFF\\uDFFF \\uef7f", STR_INIT("\xf4\x8f\xbf\xbf \xee\xbd\xbf")},
        {"\\ud83d\\udc80", STR_INIT("\xf0\x9f\x92\x80")},
        {"\\uD83D\\uDC80\\uDC80", STR_INIT("\xf0\x9f\x92\x80\x80")},
        {"\\uDCFF\\u00e4\\\\udc80\\/", STR_INIT("\xff\xc3\xa4\\udc80/")},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct buf text = {0}, said = {0};
        struct model model = {0};
        buf_fmt(&text,
                "{\"type\":\"run\",\"schema\":1}\n{\"type\":\"log\",\"log\":\"l\",\"lines\":1,\"unknown_lines\":0}\n"
                "{\"type\":\"kernel\",\"mangled\":\"%s\",\"kind\":\"entry\",\"producer\":\"ptxas\"}\n"
                "{\"type\":\"end\",\"records\":2}",
                cases[at].json);
        ck_assert_msg(read_records(&model, buf_str(&text), 0, &said), "%s: %.*s", cases[at].json,
                      STR_ARG(buf_str(&said)));
        ck_assert_msg(str_eq(kernel_name(&model, &model.kernels[0]), cases[at].name), "%s", cases[at].json);
        model_free(&model);
        buf_free(&text);
        buf_free(&said);
    }
}
END_TEST

/* ---- streams that are broken ---- */

#define RUN          "{\"type\":\"run\",\"schema\":1}\n"
#define LOG          "{\"type\":\"log\",\"log\":\"l\",\"lines\":1,\"unknown_lines\":0}\n"
#define LOG_OF(more) "{\"type\":\"log\",\"log\":\"l\",\"lines\":1,\"unknown_lines\":0" more "}\n"
#define KERNEL(more) "{\"type\":\"kernel\",\"mangled\":\"k\",\"kind\":\"entry\",\"producer\":\"ptxas\"" more "}\n"
#define EVENT(more)  "{\"type\":\"event\",\"event\":\"advisory\",\"severity\":\"note\"" more "}\n"
#define ALLOW(more)  "{\"type\":\"allow\"," more "}\n"
#define END(count)   "{\"type\":\"end\",\"records\":" count "}\n"

static const struct {
    const char *text, *said;
} broken[] = {
    {"", "x.ndjson: error: the stream is empty, expected a record of type 'run'"},
    {"\n\n", "x.ndjson:3: error: the stream is empty, expected a record of type 'run'"},
    {"ptxas info    : 0 bytes gmem\n", "x.ndjson:1:5: error: not JSON: '[' or '{' expected near 'ptxas'"},
    {"[1]\n", "x.ndjson:1: error: the line is JSON but no object"},
    {LOG, "x.ndjson:1: error: a record of type 'log' is outside of a stream, expected type 'run'"},
    {"{\"type\":\"run\",\"schema\":2}\n", "x.ndjson:1: error: schema 2 is newer than this program"},
    {"{\"type\":\"run\"}\n", "x.ndjson:1: error: the record has no 'schema', expected the number of the schema"},
    {"{\"type\":\"run\",\"schema\":\"1\"}\n", "x.ndjson:1: error: 'schema' is \"1\", expected a whole number"},
    {RUN RUN, "x.ndjson:2: error: a stream begins inside another one"},
    {RUN LOG, "x.ndjson:3: error: the stream ends without an end record: it was cut"},
    {RUN LOG "{\"type\":\"ker", "x.ndjson:3:12: error: not JSON: premature end of input"},
    {RUN "{\"type\":\"line\"}\n", "x.ndjson:2: error: 'type' is \"line\", expected run, log, kernel"},
    {RUN "{\"kind\":\"entry\"}\n", "x.ndjson:2: error: the record has no 'type', expected run, log"},
    {RUN "{\"type\":\"log\",\"type\":\"log\"}\n",
     "x.ndjson:2:20: error: not JSON: duplicate object key near '\"type\"'"},
    {RUN "{\"type\":\"log\",\"lines\":1,\"unknown_lines\":0}\n", "x.ndjson:2: error: the record has no 'log'"},
    {RUN "{\"type\":\"log\",\"log\":\"l\",\"lines\":-1,\"unknown_lines\":0}\n",
     "x.ndjson:2: error: 'lines' is -1, expected"},
    {RUN "{\"type\":\"log\",\"log\":\"l\"}\n", "x.ndjson:2: error: the record has no 'lines', expected a count"},
    {RUN KERNEL(""), "x.ndjson:2: error: the record is before any log record"},
    {RUN LOG KERNEL(",\"log\":\"m\""), "x.ndjson:3: error: 'log' is 'm', expected 'l'"},
    {RUN LOG KERNEL(",\"registers\":\"many\""),
     "x.ndjson:3: error: 'registers' is \"many\", expected a whole number from 0 to 2147483647"},
    {RUN LOG KERNEL(",\"registers\":-40"), "x.ndjson:3: error: 'registers' is -40, expected a whole number from 0"},
    {RUN LOG KERNEL(",\"register_cap\":-1"), "x.ndjson:3: error: 'register_cap' is -1, expected a whole number from 0"},
    {RUN LOG KERNEL(",\"registers\":1.5"), "x.ndjson:3: error: 'registers' is 1.5, expected a whole number"},
    {RUN LOG KERNEL(",\"registers\":2147483648"), "x.ndjson:3: error: 'registers' is 2147483648, expected"},
    {RUN LOG KERNEL(",\"registers\":99999999999999999999"), "x.ndjson:3:"},
    {RUN LOG KERNEL(",\"log_line\":-1"), "x.ndjson:3: error: 'log_line' is -1, expected a whole number from 0"},
    {RUN LOG KERNEL(",\"ambiguous\":0"), "x.ndjson:3: error: 'ambiguous' is 0, expected true or false"},
    {RUN LOG KERNEL(",\"source\":7"), "x.ndjson:3: error: 'source' is 7, expected text or null"},
    {RUN LOG KERNEL(",\"cmem_bytes\":[1]"), "x.ndjson:3: error: 'cmem_bytes' is [1], expected an object"},
    {RUN LOG KERNEL(",\"cmem_bytes\":{\"zero\":1}"), "x.ndjson:3: error: 'cmem_bytes' is {\"zero\":1}, expected bytes"},
    {RUN LOG KERNEL(",\"cmem_bytes\":{\"0\":1,\"00\":2}"),
     "x.ndjson:3: error: 'cmem_bytes' is {\"0\":1,\"00\":2}, expected each bank once"},
    {RUN LOG KERNEL(",\"cmem_bytes\":{\"0\":\"1\"}"),
     "x.ndjson:3: error: 'cmem_bytes' is {\"0\":\"1\"}, expected bytes"},
    {RUN LOG KERNEL(",\"compile_ms\":-1.5"), "x.ndjson:3: error: 'compile_ms' is -1.5, expected milliseconds"},
    {RUN LOG KERNEL(",\"register_cap_from\":\"me\""), "x.ndjson:3: error: 'register_cap_from' is \"me\", expected"},
    {RUN LOG KERNEL(",\"min_blocks\":256"),
     "x.ndjson:3: error: 'min_blocks' is 256, expected a whole number from 0 to 255"},
    {RUN LOG "{\"type\":\"kernel\",\"producer\":\"ptxas\"}\n",
     "x.ndjson:3: error: the record has no 'kind', expected \"entry\""},
    {RUN LOG "{\"type\":\"kernel\",\"kind\":null,\"producer\":\"ptxas\"}\n",
     "x.ndjson:3: error: 'kind' is null, expected"},
    {RUN LOG "{\"type\":\"kernel\",\"kind\":\"entry\",\"producer\":\"gcc\"}\n",
     "x.ndjson:3: error: 'producer' is \"gcc\""},
    {RUN LOG EVENT(",\"numbers\":[1,2,3]"), "x.ndjson:3: error: 'numbers' is [1,2,3], expected an array of at most 2"},
    {RUN LOG EVENT(",\"numbers\":[\"1\"]"), "x.ndjson:3: error: 'numbers' is [\"1\"], expected whole numbers"},
    {RUN LOG EVENT(",\"arch\":80"), "x.ndjson:3: error: 'arch' is 80, expected text or null"},
    {RUN LOG KERNEL(",\"log\":7"), "x.ndjson:3: error: 'log' is 7, expected text or null"},
    {RUN LOG "{\"type\":\"unknown\",\"text\":[]}\n", "x.ndjson:3: error: 'text' is [], expected text or null"},
    {RUN LOG_OF(",\"toolkit\":\"13\""), "x.ndjson:2: error: 'toolkit' is \"13\", expected a version like \"13.0\""},
    {RUN LOG_OF(",\"toolkit\":13.0"), "x.ndjson:2: error: 'toolkit' is 13.0, expected a version like \"13.0\""},
    {RUN LOG_OF(",\"command\":\"nvcc\""), "x.ndjson:2: error: 'command' is \"nvcc\", expected an array of words"},
    {RUN LOG_OF(",\"command\":[],\"flags\":[7]"), "x.ndjson:2: error: 'flags' is 7, expected only words"},
    {RUN LOG "{\"type\":\"event\",\"severity\":\"note\"}\n", "x.ndjson:3: error: the record has no 'event'"},
    {RUN LOG "{\"type\":\"event\",\"event\":\"e\",\"severity\":\"fatal\"}\n",
     "x.ndjson:3: error: 'severity' is \"fatal\""},
    {RUN LOG KERNEL(",\"line_from\":\"me\""), "x.ndjson:3: error: 'line_from' is \"me\", expected \"loc\""},
    {RUN LOG ALLOW("\"rule\":\"r\",\"reason\":\"w\""), "x.ndjson:3: error: the record has no 'kernel', expected text"},
    {RUN LOG ALLOW("\"kernel\":\"k\",\"reason\":\"w\""), "x.ndjson:3: error: the record has no 'rule', expected text"},
    {RUN LOG ALLOW("\"kernel\":\"k\",\"rule\":\"r\",\"reason\":null"),
     "x.ndjson:3: error: 'reason' is null, expected text"},
    {RUN LOG ALLOW("\"kernel\":7,\"rule\":\"r\",\"reason\":\"w\""),
     "x.ndjson:3: error: 'kernel' is 7, expected text or null"},
    {RUN LOG ALLOW("\"kernel\":\"k\",\"rule\":\"r\",\"reason\":\"w\",\"until\":\"2027-02-30\""),
     "x.ndjson:3: error: 'until' is \"2027-02-30\", expected a day like 2027-06-30, or null"},
    {RUN LOG ALLOW("\"problem\":\"p\",\"line\":-1"), "x.ndjson:3: error: 'line' is -1, expected a whole number"},
    {RUN ALLOW("\"problem\":\"p\""), "x.ndjson:2: error: the record is before any log record"},
    {RUN LOG ALLOW("\"problem\":\"p\"") END("1"),
     "x.ndjson:4: error: the stream holds 2 records, its end record counts 1"},
    {RUN LOG KERNEL("") END("1"), "x.ndjson:4: error: the stream holds 2 records, its end record counts 1"},
    {RUN LOG "{\"type\":\"end\"}\n", "x.ndjson:3: error: the record has no 'records', expected a count"},
    {RUN LOG END("1") KERNEL(""), "x.ndjson:4: error: a record of type 'kernel' is outside of a stream"},
    {RUN LOG END("1") RUN LOG, "x.ndjson:6: error: the stream ends without an end record"},
    {RUN LOG "{\"type\":\"kernel\",\"mangled\":\"\\udc41\"}\n", "x.ndjson:3:"},
    {RUN LOG "{\"type\":\"kernel\",\"mangled\":\"\xff\"}\n", "x.ndjson:3:"},
};

START_TEST(test_broken_streams_leave_nothing)
{
    struct model model = {0};
    struct buf said = {0}, before = {0}, after = {0};
    read_log(&model, source_path("fixtures/rdc-two-archs/log.txt"));
    print_model(&model, &before);
    buf_clear(&said);
    ck_assert(!read_records(&model, str_of(broken[_i].text), 0, &said));
    ck_assert_msg(str_starts(buf_str(&said), str_of(broken[_i].said)), "said: %.*sexpected: %s",
                  STR_ARG(buf_str(&said)), broken[_i].said);
    ck_assert_msg(str_find_char(buf_str(&said), '\n') == said.len - 1, "more than one sentence: %.*s",
                  STR_ARG(buf_str(&said)));
    print_model(&model, &after);
    ck_assert(str_eq(buf_str(&before), buf_str(&after)));
    buf_free(&said);
    buf_free(&before);
    buf_free(&after);
    model_free(&model);
}
END_TEST

/* Every cut and every missing line is noticed. */
START_TEST(test_every_cut_is_noticed)
{
    struct model model = {0};
    struct buf records = {0}, rest = {0}, said = {0};
    read_log(&model, source_path("fixtures/unroll-sm90/log.txt"));
    check_round_trip(&model, "unroll-sm90", &records);
    struct str text = buf_str(&records);
    size_t cuts = 0, lines = 0;
    for (size_t len = 0; len + 2 < text.len; len += 1 + len % 5, cuts++) {
        struct model copy = {0};
        ck_assert_msg(!read_records(&copy, str_sub(text, 0, len), 0, &said), "cut at %zu bytes", len);
        ck_assert_uint_eq(copy.kernel_count + copy.event_count + copy.log_count, 0);
        model_free(&copy);
    }
    for (size_t from = 0; from < text.len; lines++) {
        struct model copy = {0};
        size_t length = str_find_char(str_from(text, from), '\n') + 1;
        buf_clear(&rest);
        buf_add(&rest, str_sub(text, 0, from));
        buf_add(&rest, str_from(text, from + length));
        ck_assert_msg(!read_records(&copy, buf_str(&rest), 0, &said), "without line %zu", lines + 1);
        model_free(&copy);
        from += length;
    }
    printf("%zu cuts, %zu lines left out\n", cuts, lines);
    ck_assert_uint_ge(lines, 4);
    buf_free(&records);
    buf_free(&rest);
    buf_free(&said);
    model_free(&model);
}
END_TEST

/* ---- which it is ---- */

static bool taken_for_records(const char *path, const char *text)
{
    struct model model = {0};
    struct diags diags = {0};
    bool records = false;
    struct input *input = input_new(&model, str_of(path), &diags);
    for (size_t at = 0; text[at]; at++)
        input_feed(input, (struct str){text + at, 1});
    input_finish(input, &records);
    ck_assert_uint_eq(model.log_count, records ? 0 : 1);
    diags_free(&diags);
    model_free(&model);
    return records;
}

START_TEST(test_known_by_content_and_name)
{
    ck_assert(taken_for_records("<stdin>", RUN));
    ck_assert(taken_for_records("build.log", "{ \"schema\": 1, \"type\" : \"run\" }"));
    ck_assert(taken_for_records("x.ndjson", ""));
    ck_assert(taken_for_records("x.warplint.ndjson", "ptxas info    : 0 bytes gmem\n"));
    ck_assert(!taken_for_records("<stdin>", ""));
    ck_assert(!taken_for_records("<stdin>", "\n" RUN));
    ck_assert(!taken_for_records("<stdin>", "{\"type\":\"kernel\"}\n" RUN));
    ck_assert(!taken_for_records("<stdin>", "{\"type\":\"run\""));
    ck_assert(!taken_for_records("<stdin>", "{ \"event\": \"docker\" }\nptxas info    : 0 bytes gmem\n"));
    ck_assert(!taken_for_records("<stdin>", "ptxas info    : 0 bytes gmem\n"));
}
END_TEST

int main(void)
{
    TCase *cases[] = {tcase_create("round trip"), tcase_create("names"), tcase_create("broken"), tcase_create("kinds")};
    tcase_set_timeout(cases[0], 300);
    tcase_add_test(cases[0], test_every_log_survives);
    tcase_add_test(cases[0], test_pieces_give_the_same_model);
    tcase_add_test(cases[0], test_streams_one_after_the_other);
    tcase_add_test(cases[1], test_names_are_bytes);
    tcase_add_test(cases[1], test_names_escaped_by_others);
    tcase_add_loop_test(cases[2], test_broken_streams_leave_nothing, 0, sizeof broken / sizeof *broken);
    tcase_set_timeout(cases[2], 120);
    tcase_add_test(cases[2], test_every_cut_is_noticed);
    tcase_add_test(cases[3], test_known_by_content_and_name);
    return run_suite("record", cases, sizeof cases / sizeof *cases);
}
