/*
 * The grammar of logs as data: tests/log.test holds pieces of logs and the records that a correct reader makes of them.
 * Every group is read whole and in pieces of 1, 2, 3, 7 and 4096 bytes. Some group must use every row of the phrase
 * table and of the metric table.
 *
 * A group is "=== title", lines of a log, "---", and the model as text (see dump). \e \r \0 \t \\ \xHH stand for bytes,
 * \{N} for N more of the byte before it; a log line that ends in \c has no line end. WARPLINT_UPDATE=1 writes what the
 * reader says into the file: to be used only after reading the difference.
 */
#include "log/line.h"
#include "log/phrase.h"
#include "log/reader.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* ---- the model as text ------------------------------------------------------------------------------------------ */

static void add_number(struct buf *out, const char *name, int64_t value)
{
    if (value != UNKNOWN && value != INT64_MIN)
        buf_fmt(out, " %s=%lld", name, (long long)value);
}

static void add_string(struct buf *out, const char *name, struct str value)
{
    if (value.len)
        buf_fmt(out, " %s=%.*s", name, STR_ARG(value));
}

static void dump_kernel(const struct model *model, const struct kernel *kernel, struct buf *out)
{
    const struct kernel *k = kernel;
    buf_fmt(out, "%s%s ", k->producer == PRODUCER_PTXAS ? kernel_kind_names[k->kind] : producer_names[k->producer],
            k->producer == PRODUCER_CUOBJDUMP && k->kind == KERNEL_FUNCTION ? "-function" : "");
    buf_fmt(out, "%.*s line=%u", STR_ARG(kernel_name(model, k)), k->log_line);
    add_string(out, "arch", model_string(model, k->arch));
    if (k->arch != k->arch_inferred)
        add_string(out, "inferred", model_string(model, k->arch_inferred));
    add_string(out, "source", model_string(model, k->source));
    const struct rare_metrics *rare = kernel_rare(model, k);
    add_number(out, "registers", k->registers);
    add_number(out, "barriers", k->barriers);
    add_number(out, "stack", k->stack_bytes);
    add_number(out, "stores", k->spill_store_bytes);
    add_number(out, "loads", k->spill_load_bytes);
    add_number(out, "cumulative", k->cumulative_stack_bytes);
    add_number(out, "smem", k->smem_bytes);
    add_number(out, "lmem", rare->lmem_bytes);
    for (size_t bank = 0; bank < k->bank_count; bank++)
        buf_fmt(out, " cmem%u=%d", model->banks[k->first_bank + bank].bank, model->banks[k->first_bank + bank].bytes);
    add_number(out, "textures", rare->textures);
    add_number(out, "surfaces", rare->surfaces);
    add_number(out, "samplers", rare->samplers);
    add_number(out, "gmem", k->gmem_bytes);
    add_number(out, "constant", k->constant_bytes);
    add_number(out, "us", k->compile_us);
    add_number(out, "cap", rare->register_cap);
    add_string(out, "cap_from", str_of(cap_from_names[rare->register_cap_from]));
    if (rare->bound_from == BOUND_TRITON)
        add_number(out, "threads", rare->bound_threads);
    add_number(out, "dynamic", rare->dynamic_smem_bytes);
    if (rare->link != NO_INDEX)
        buf_fmt(out, " link=%u", rare->link);
    static const char *const flags[] = {NULL, "ambiguous", "debug", "headless"};
    for (int flag = 1; flag < 4; flag++)
        if (k->flags >> flag & 1)
            buf_fmt(out, " %s", flags[flag]);
    buf_add(out, k->flags & KERNEL_USED_LINE ? STR("\n") : STR(" unused\n"));
}

static void dump_event(const struct model *model, const struct event *e, struct buf *out)
{
    buf_fmt(out, "event %.*s line=%u", STR_ARG(model_string(model, e->id)), e->log_line);
    add_string(out, "function", intern_get(&model->names, e->name));
    add_string(out, "arch", model_string(model, e->arch));
    add_string(out, "file", model_string(model, e->file));
    if (e->line)
        buf_fmt(out, ":%u", e->line);
    if (e->column)
        buf_fmt(out, ":%u", e->column);
    for (unsigned n = 0; n < e->number_count; n++)
        add_number(out, n ? "n2" : "n1", e->number[n]);
    if (e->count > 1)
        buf_fmt(out, " times=%u", e->count);
    buf_fmt(out, " | %.*s\n", STR_ARG(model_string(model, e->text)));
}

static void dump(const struct model *model, struct buf *out)
{
    for (size_t k = 0; k < model->kernel_count; k++)
        dump_kernel(model, &model->kernels[k], out);
    for (size_t e = 0; e < model->event_count; e++)
        dump_event(model, &model->events[e], out);
    for (size_t u = 0; u < model->unknown_count; u++)
        buf_fmt(out, "unknown line=%u\n", model->unknown[u].line);
    const struct log_info *log = &model->logs[0];
    buf_fmt(out, "lines=%llu unknown=%llu%s%s%s%s", (unsigned long long)log->lines,
            (unsigned long long)log->unknown_lines, log->interleaved ? " interleaved" : "", log->torn ? " torn" : "",
            log->cut ? " cut" : "", log->verbose ? "" : " silent");
    add_number(out, "unoptimised", log->unoptimised_line ? (int64_t)log->unoptimised_line : UNKNOWN);
    add_number(out, "unowned", log->unowned_line ? (int64_t)log->unowned_line : UNKNOWN);
    add_number(out, "wrapped", log->wrapped_line ? (int64_t)log->wrapped_line : UNKNOWN);
    add_number(out, "amd", log->amd_line ? (int64_t)log->amd_line : UNKNOWN);
    add_number(out, "clipped", log->clipped_line ? (int64_t)log->clipped_line : UNKNOWN);
    buf_char(out, '\n');
    if (log->toolkit.major)
        buf_fmt(out, "toolkit=%d.%d\n", log->toolkit.major, log->toolkit.minor);
}

static void read_log(struct str log, size_t piece, struct buf *out)
{
    struct model model = {0};
    struct log_reader *reader = log_reader_new(&model, STR("log"));
    for (size_t at = 0; at < log.len; at += piece)
        log_reader_feed(reader, str_sub(log, at, at + piece));
    log_reader_finish(reader);
    model_link(&model);
    dump(&model, out);
    model_free(&model);
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

/* The bytes of a log line, including its end, from their form in the file. */
static void unescape(struct str line, struct buf *out)
{
    for (size_t at = 0; at < line.len; at++) {
        char c = line.ptr[at], next = at + 1 < line.len ? line.ptr[at + 1] : '\0';
        if (c != '\\') {
            buf_char(out, c);
            continue;
        }
        at++;
        if (next == 'c')
            return;
        if (next == '{') {
            struct str digits = str_sub(line, at + 1, at + 1 + str_find_char(str_from(line, at + 1), '}'));
            uint64_t count = 0;
            ck_assert(str_to_uint(digits, &count));
            for (c = out->ptr[out->len - 1]; count > 0; count--)
                buf_char(out, c);
            at += digits.len + 1;
        } else if (next == 'x') {
            struct str digits = str_sub(line, at + 1, at + 3);
            uint64_t byte = 0;
            ck_assert(str_hex(&digits, &byte));
            buf_char(out, (char)byte);
            at += 2;
        } else {
            buf_char(out, next == 'e' ? '\033' : next == 'r' ? '\r' : next == '0' ? '\0' : next == 't' ? '\t' : next);
        }
    }
    buf_char(out, '\n');
}

struct group {
    struct str title, source, expected; /* slices of the file; source: as written there */
    struct buf log;
};

struct groups {
    struct buf file;
    struct group *items;
    size_t count, cap;
};

static struct groups load(void)
{
    struct groups groups = {.file = read_file(source_path("tests/log.test"))};
    struct str rest = buf_str(&groups.file), line;
    struct group *group = NULL;
    bool expecting = false;
    while (str_split(&rest, '\n', &line)) {
        if (str_starts(line, STR("=== "))) {
            groups.items = mem_reserve(groups.items, &groups.cap, groups.count + 1, sizeof *groups.items);
            group = &groups.items[groups.count++];
            *group = (struct group){.title = str_from(line, 4), .source = {line.ptr + line.len + 1, 0}};
            expecting = false;
        } else if (group && str_eq(line, STR("---"))) {
            group->source.len = (size_t)(line.ptr - group->source.ptr);
            group->expected = (struct str){line.ptr + 4, 0};
            expecting = true;
        } else if (group && expecting && rest.ptr) {
            group->expected.len = (size_t)(line.ptr + line.len + 1 - group->expected.ptr);
        } else if (group && !expecting) {
            unescape(line, &group->log);
        }
    }
    return groups;
}

static void unload(struct groups *groups)
{
    for (size_t at = 0; at < groups->count; at++)
        buf_free(&groups->items[at].log);
    free(groups->items);
    buf_free(&groups->file);
}

/* The expected text without the blank lines before the next group. */
static struct str trim_lines(struct str text)
{
    while (text.len > 1 && text.ptr[text.len - 1] == '\n' && text.ptr[text.len - 2] == '\n')
        text.len--;
    return text;
}

static void update(const struct groups *groups)
{
    FILE *file = fopen(source_path("tests/log.test"), "wb");
    ck_assert(file != NULL);
    size_t head = groups->count ? (size_t)(groups->items[0].title.ptr - 4 - groups->file.ptr) : 0;
    fwrite(groups->file.ptr, 1, head, file);
    for (size_t at = 0; at < groups->count; at++) {
        const struct group *group = &groups->items[at];
        struct buf seen = {0};
        read_log(buf_str(&group->log), SIZE_MAX / 2, &seen);
        fprintf(file, "=== %.*s\n%.*s---\n%.*s%s", STR_ARG(group->title), STR_ARG(group->source),
                STR_ARG(buf_str(&seen)), at + 1 < groups->count ? "\n" : "");
        buf_free(&seen);
    }
    fclose(file);
}

START_TEST(groups_are_read_as_expected)
{
    static const size_t pieces[] = {SIZE_MAX / 2, 1, 2, 3, 7, 4096};
    struct groups groups = load();
    size_t wrong = 0;
    ck_assert_uint_ge(groups.count, 40);
    if (getenv("WARPLINT_UPDATE"))
        update(&groups);
    for (size_t at = 0; at < groups.count && !getenv("WARPLINT_UPDATE"); at++) {
        const struct group *group = &groups.items[at];
        for (size_t p = 0; p < sizeof pieces / sizeof *pieces; p++) {
            struct buf seen = {0};
            read_log(buf_str(&group->log), pieces[p], &seen);
            if (!str_eq(buf_str(&seen), trim_lines(group->expected))) {
                printf("%.*s, pieces of %zu:\n%.*sexpected:\n%.*s\n", STR_ARG(group->title), pieces[p],
                       STR_ARG(buf_str(&seen)), STR_ARG(trim_lines(group->expected)));
                wrong++;
                p = sizeof pieces / sizeof *pieces;
            }
            buf_free(&seen);
        }
    }
    printf("%zu groups of logs, %zu wrong\n", groups.count, wrong);
    unload(&groups);
    ck_assert_uint_eq(wrong, 0);
}
END_TEST

/* ---- every row is exercised ------------------------------------------------------------------------------------- */

static bool row_seen[256], metric_seen[64];

static void mark(enum phrase_group group, struct str text)
{
    struct captures captures;
    struct buf blanks = {0};
    int row = phrasebook_match(group, text, &blanks, &captures);
    buf_free(&blanks);
    if (row < 0)
        return;
    row_seen[row] = true;
    for (size_t at = 0; at < metric_phrase_count && phrase_table[row].kind != PHRASE_EVENT; at++)
        metric_seen[at] |= str_find(text, metric_phrases[at].words) != STR_NONE;
}

static void mark_line(struct str line)
{
    struct buf scratch = {0};
    struct tag tag;
    struct source_message placed;
    line = clean_line(line, line_is_escaped(line), &scratch);
    if (tag_find(line, &tag)) {
        struct str target = str_sub(tag.text, str_rfind(tag.text, STR(" (target:")), tag.text.len);
        tag.text.len -= str_ends(tag.text, STR(")")) && target.len > 9 ? target.len : 0;
        mark(tag.tool == TOOL_DRIVER                               ? GROUP_LINKER
             : tag.tool == TOOL_NVCC || tag.tool == TOOL_FATBINARY ? GROUP_NVCC
                                                                   : GROUP_TOOL,
             tag.text);
    } else if (place_find(prefix_skip(line), &placed)) {
        mark(GROUP_PLACE, placed.text);
        mark(GROUP_SOURCE_ERROR, placed.text);
    } else {
        mark(GROUP_STACK, prefix_skip(line));
        mark(GROUP_FAILURE, prefix_skip(line));
    }
    buf_free(&scratch);
}

START_TEST(every_row_has_a_group)
{
    struct groups groups = load();
    size_t missing = 0;
    for (size_t at = 0; at < groups.count; at++) {
        struct str rest = buf_str(&groups.items[at].log), line, piece;
        while (str_split(&rest, '\n', &line))
            while (str_split(&line, '\r', &piece))
                mark_line(piece);
    }
    for (size_t row = 0; row < phrase_count; row++) {
        if (!row_seen[row])
            printf("no group exercises the phrase: %s\n", phrase_table[row].template);
        missing += !row_seen[row];
    }
    for (size_t row = 0; row < metric_phrase_count; row++) {
        if (!metric_seen[row])
            printf("no group exercises the metric: %.*s\n", STR_ARG(metric_phrases[row].words));
        missing += !metric_seen[row];
    }
    unload(&groups);
    ck_assert_uint_eq(missing, 0);
}
END_TEST

/* ---- the fast path says what the table says --------------------------------------------------------------------- */

/* ---- more open entries than can be told apart -------------------------------------------------------------------- */

static void add_entry(struct buf *log, const char *name, int number)
{
    buf_fmt(log, "ptxas info    : Compiling entry function '%s%d' for 'sm_80'\n", name, number);
}

static void add_properties(struct buf *log, const char *name, int number, int stack)
{
    buf_fmt(log, "ptxas info    : Function properties for %s%d\n", name, number);
    buf_fmt(log, "    %d bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n", stack);
}

static void add_used(struct buf *log, int registers)
{
    buf_fmt(log, "ptxas info    : Used %d registers, used 0 barriers, 360 bytes cmem[0]\n", registers);
}

static const struct kernel *find_record(const struct model *model, const char *name)
{
    for (size_t at = 0; at < model->kernel_count; at++)
        if (str_eq(kernel_name(model, &model->kernels[at]), str_of(name)))
            return &model->kernels[at];
    ck_abort_msg("no record of %s", name);
}

static void read_whole(struct model *model, struct buf *log)
{
    struct log_reader *reader = log_reader_new(model, STR("log"));
    log_reader_feed(reader, buf_str(log));
    log_reader_finish(reader);
    buf_free(log);
}

/* If Used lines are missing (a filter, another format), their entries stay open; the other entries keep their
 * numbers. */
START_TEST(missing_used_lines_do_not_affect_other_entries)
{
    struct model model = {0};
    struct buf log = {0};
    for (int at = 0; at < 200; at++) {
        add_entry(&log, "lost", at);
        add_properties(&log, "lost", at, 8);
    }
    add_entry(&log, "last", 0);
    add_properties(&log, "last", 0, 16);
    add_used(&log, 40);
    read_whole(&model, &log);
    ck_assert_uint_eq(model.kernel_count, 201);
    ck_assert_int_eq(find_record(&model, "lost7")->registers, UNKNOWN);
    ck_assert_int_eq(find_record(&model, "last0")->stack_bytes, 16);
    model_free(&model);
}
END_TEST

/* 100 compilers at once: no number goes to any kernel, no record is lost, and device functions are not taken for
 * entries. */
START_TEST(too_many_open_kernels_are_ambiguous)
{
    enum { MANY = 100 };
    struct model model = {0};
    struct buf log = {0};
    add_entry(&log, "twice", 0);
    add_entry(&log, "twice", 0);
    add_properties(&log, "twice", 0, 0);
    add_entry(&log, "first", 0);
    add_properties(&log, "first", 0, 0);
    add_entry(&log, "second", 0);
    add_properties(&log, "second", 0, 0);
    add_used(&log, 20);
    for (int at = 0; at < MANY; at++)
        add_entry(&log, "many", at);
    add_properties(&log, "device", 0, 48);
    for (int at = MANY - 1; at >= 0; at--)
        add_properties(&log, "many", at, 8 * at);
    for (int at = 0; at < MANY; at++)
        add_used(&log, 100 + at);
    read_whole(&model, &log);
    ck_assert_uint_eq(model.kernel_count, MANY + 5);
    for (size_t at = 0; at < model.kernel_count; at++) {
        const struct kernel *kernel = &model.kernels[at];
        if (kernel->kind == KERNEL_ENTRY) {
            ck_assert_int_eq(kernel->registers, UNKNOWN);
            ck_assert(kernel->flags & KERNEL_AMBIGUOUS);
        } else {
            ck_assert(str_eq(kernel_name(&model, kernel), STR("device0")));
            ck_assert_int_eq(kernel->stack_bytes, 48);
        }
    }
    ck_assert(model.logs[0].interleaved);
    model_free(&model);
}
END_TEST

/* A Used line that was read only in part does not show how the toolkit prints constant banks. */
START_TEST(a_partly_read_line_shows_no_bank_rule)
{
    struct model model = {0};
    struct buf log = {0};
    add_entry(&log, "new", 0);
    add_properties(&log, "new", 0, 0);
    buf_add(&log, STR("ptxas info    : Used 20 registers, used 0 barriers, 5 novelties\n"));
    for (int at = 1; at < 3; at++) {
        add_entry(&log, "new", at);
        add_properties(&log, "new", at, 0);
        buf_add(&log, STR("ptxas info    : Used 30 registers, used 0 barriers\n"));
    }
    read_whole(&model, &log);
    ck_assert_int_eq(find_record(&model, "new1")->registers, 30);
    ck_assert_int_eq(find_record(&model, "new2")->registers, 30);
    model_free(&model);
}
END_TEST

/* A progress bar without a line feed must not grow the buffer without limit, and the text after it is read. */
START_TEST(long_lines_of_carriage_returns_are_cut)
{
    struct model model = {0};
    struct buf log = {0};
    for (int at = 0; at < 20000; at++)
        buf_fmt(&log, "[%d] done\r", at);
    buf_add(&log, STR("\rptxas info    : Compiling entry function 'k' for 'sm_80'\r"));
    buf_pad(&log, 'x', 100000);
    buf_char(&log, '\r');
    struct buf rest = {0};
    add_properties(&rest, "k", 0, 8);
    buf_add(&log, buf_str(&rest));
    buf_free(&rest);
    struct log_reader *reader = log_reader_new(&model, STR("log"));
    for (size_t at = 0; at < log.len; at += 1000)
        log_reader_feed(reader, str_sub(buf_str(&log), at, at + 1000));
    log_reader_finish(reader);
    buf_free(&log);
    ck_assert_uint_eq(find_record(&model, "k")->log_line, 1);
    ck_assert_int_eq(find_record(&model, "k0")->stack_bytes, 8);
    model_free(&model);
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("log");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, groups_are_read_as_expected);
    tcase_add_test(tcase, every_row_has_a_group);
    tcase_add_test(tcase, missing_used_lines_do_not_affect_other_entries);
    tcase_add_test(tcase, too_many_open_kernels_are_ambiguous);
    tcase_add_test(tcase, a_partly_read_line_shows_no_bank_rule);
    tcase_add_test(tcase, long_lines_of_carriage_returns_are_cut);
    return run_suite("log", &tcase, 1);
}
