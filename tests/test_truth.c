/*
 * The records of the shared logs equal their truth files: every field of every record, with no record missing and none
 * added. Both sides become one line of text per record; the sorted lists must be equal.
 */
#include "log/reader.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>

struct lines {
    struct str *items;
    size_t count, cap;
};

static void lines_add(struct lines *lines, struct str line)
{
    lines->items = mem_reserve(lines->items, &lines->cap, lines->count + 1, sizeof *lines->items);
    lines->items[lines->count++] = line;
}

static int compare_lines(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static void lines_sort(struct lines *lines)
{
    if (lines->count)
        qsort(lines->items, lines->count, sizeof *lines->items, compare_lines);
}

/* The columns of a truth file that are compared, in this order; the files of builds/ have "cmem0" for "cmem". */
enum column {
    NAME,
    ARCH,
    REGISTERS,
    STACK,
    STORES,
    LOADS,
    SMEM,
    BARRIERS,
    CUMULATIVE,
    CMEM,
    KIND,
    EXTRA,
    COLUMN_COUNT
};
static const char *const column_names[COLUMN_COUNT] = {
    "kernel", "arch", "regs", "stack", "spill_st", "spill_ld", "smem", "barriers", "cumstack", "cmem", "kind", "extra"};

struct truth {
    struct arena arena;
    struct lines lines;
    size_t entries; /* records of compiled kernels */
};

static struct str known(struct str cell)
{
    return cell.len ? cell : STR("-");
}

/* Old releases print "A+B": the value is the sum. */
static struct str total(struct truth *truth, struct str cell)
{
    struct str rest = cell;
    uint64_t declared = 0, system = 0;
    if (str_find_char(cell, '+') == STR_NONE)
        return known(cell);
    ck_assert(str_uint(&rest, &declared));
    rest = str_from(rest, 1);
    ck_assert(str_uint(&rest, &system) && rest.len == 0);
    return arena_fmt(&truth->arena, "%llu", (unsigned long long)(declared + system));
}

/* The value of "key=value" in "key=value;...", "-" if absent. */
static struct str extra_value(struct str rare, struct str key)
{
    struct str pair;
    while (str_split(&rare, ';', &pair))
        if (str_starts(pair, key) && pair.len > key.len && pair.ptr[key.len] == '=')
            return str_from(pair, key.len + 1);
    return STR("-");
}

static void add_truth_row(struct truth *truth, const struct str *cell, bool only_bank_0)
{
    struct str kind = cell[KIND].len ? cell[KIND] : STR("entry");
    struct buf line = {0};
    buf_add(&line, kind);
    for (size_t at = NAME; at < CMEM; at++) {
        buf_char(&line, ' ');
        buf_add(&line, at == SMEM ? total(truth, cell[at]) : known(cell[at]));
    }
    buf_char(&line, ' ');
    if (only_bank_0 && cell[CMEM].len)
        buf_add(&line, STR("0:"));
    buf_add(&line, known(cell[CMEM]));
    static const char *const keys[] = {"lmem", "textures", "surfaces", "samplers"};
    for (size_t at = 0; at < 4; at++) {
        buf_char(&line, ' ');
        buf_add(&line, extra_value(cell[EXTRA], str_of(keys[at])));
    }
    lines_add(&truth->lines, arena_str(&truth->arena, buf_str(&line)));
    buf_free(&line);
    truth->entries += str_eq(kind, STR("entry"));
}

static enum column find_column(struct str title)
{
    if (str_eq(title, STR("cmem0")))
        return CMEM;
    for (size_t at = 0; at < COLUMN_COUNT; at++)
        if (str_eq(title, str_of(column_names[at])))
            return (enum column)at;
    ck_abort_msg("a truth file has a column \"%.*s\" that this test does not know", STR_ARG(title));
    return COLUMN_COUNT;
}

static void read_truth(struct truth *truth, struct str text, bool only_bank_0)
{
    struct str row, title;
    ck_assert(str_split(&text, '\n', &row));
    enum column columns[COLUMN_COUNT];
    size_t count = 0;
    while (str_split(&row, '\t', &title))
        columns[count++] = find_column(title);
    while (str_split(&text, '\n', &row)) {
        if (row.len == 0)
            continue;
        struct str cells[COLUMN_COUNT] = {{0}}, cell;
        for (size_t at = 0; at < count && str_split(&row, '\t', &cell); at++)
            cells[columns[at]] = str_eq(cell, STR("-")) ? (struct str){0} : cell;
        add_truth_row(truth, cells, only_bank_0);
    }
}

static const char *kind_name(const struct kernel *kernel)
{
    if (kernel->producer == PRODUCER_NVLINK || kernel->producer == PRODUCER_DRIVER_LINKER)
        return "link";
    if (kernel->kind == KERNEL_FUNCTION)
        return "func";
    return kernel->flags & KERNEL_NO_ENTRY ? "headless" : "entry";
}

static void print_banks(const struct model *model, const struct kernel *kernel, bool only_bank_0, struct buf *line)
{
    size_t start = line->len;
    for (size_t at = 0; at < kernel->bank_count; at++) {
        const struct bank *bank = &model->banks[kernel->first_bank + at];
        if (only_bank_0 && bank->bank != 0)
            continue;
        buf_fmt(line, "%s%u:%d", line->len > start ? ";" : "", bank->bank, bank->bytes);
    }
    if (line->len == start)
        buf_char(line, '-');
}

static void add_record(struct truth *found, const struct model *model, const struct kernel *kernel, bool only_bank_0)
{
    struct buf line = {0};
    buf_fmt(&line, "%s ", kind_name(kernel));
    buf_add(&line, kernel_name(model, kernel));
    buf_char(&line, ' ');
    buf_add(&line, known(model_string(model, kernel->arch)));
    const int32_t metrics[] = {
        kernel->registers,  kernel->stack_bytes, kernel->spill_store_bytes,      kernel->spill_load_bytes,
        kernel->smem_bytes, kernel->barriers,    kernel->cumulative_stack_bytes,
    };
    for (size_t at = 0; at < sizeof metrics / sizeof *metrics; at++) {
        buf_char(&line, ' ');
        print_metric(&line, metrics[at]);
    }
    buf_char(&line, ' ');
    print_banks(model, kernel, only_bank_0, &line);
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const int32_t seldom_printed[] = {rare->lmem_bytes, rare->textures, rare->surfaces, rare->samplers};
    for (size_t at = 0; at < sizeof seldom_printed / sizeof *seldom_printed; at++) {
        buf_char(&line, ' ');
        print_metric(&line, seldom_printed[at]);
    }
    lines_add(&found->lines, arena_str(&found->arena, buf_str(&line)));
    buf_free(&line);
}

/* Prints the records that only one side has; returns how many records of the truth were found. */
static size_t compare(const char *path, struct truth *truth, struct truth *found)
{
    lines_sort(&truth->lines);
    lines_sort(&found->lines);
    size_t left = 0, right = 0, matched = 0;
    while (left < truth->lines.count || right < found->lines.count) {
        int order = left == truth->lines.count    ? 1
                    : right == found->lines.count ? -1
                                                  : str_cmp(truth->lines.items[left], found->lines.items[right]);
        if (order < 0)
            printf("%s\n  missing:  %.*s\n", path, STR_ARG(truth->lines.items[left]));
        else if (order > 0)
            printf("%s\n  invented: %.*s\n", path, STR_ARG(found->lines.items[right]));
        matched += order == 0;
        left += order <= 0;
        right += order >= 0;
    }
    return matched;
}

struct tally {
    size_t logs, records, entries, matched, invented;
};

/*
 * The truth of builds/ has only entries and constant bank 0; the other files also have functions, link records and
 * every bank.
 */
static void check_log(const char *log_path, bool builds, struct tally *tally)
{
    struct buf truth_path = {0};
    buf_add(&truth_path, str_sub(str_of(log_path), 0, str_of(log_path).len - 4));
    buf_add(&truth_path, STR(".truth.tsv"));
    buf_char(&truth_path, '\0');
    struct buf truth_text = read_file(truth_path.ptr), text = read_file(log_path);
    struct truth truth = {0}, found = {0};
    read_truth(&truth, buf_str(&truth_text), builds);

    struct model model = {0};
    read_in_pieces(&model, str_of(log_path), buf_str(&text), 0);
    for (size_t at = 0; at < model.kernel_count; at++) {
        const struct kernel *kernel = &model.kernels[at];
        if (!builds || (kernel->kind == KERNEL_ENTRY && kernel->producer == PRODUCER_PTXAS))
            add_record(&found, &model, kernel, builds);
    }
    size_t matched = compare(log_path, &truth, &found);
    tally->logs++;
    tally->records += truth.lines.count;
    tally->entries += truth.entries;
    tally->matched += matched;
    tally->invented += found.lines.count - matched;

    model_free(&model);
    free(truth.lines.items);
    free(found.lines.items);
    arena_free(&truth.arena);
    arena_free(&found.arena);
    buf_free(&text);
    buf_free(&truth_text);
    buf_free(&truth_path);
}

START_TEST(test_whole_builds)
{
    if (!shared_path("logs/builds"))
        return;
    struct paths paths = {0};
    paths_add(&paths, source_path("../shared/logs/builds/*.log"));
    struct tally tally = {0};
    for (size_t at = 0; at < paths.count; at++)
        check_log(paths.items[at], true, &tally);
    printf("builds: %zu of %zu entries in %zu logs, %zu invented\n", tally.matched, tally.records, tally.logs,
           tally.invented);
    ck_assert_uint_eq(tally.matched, tally.records);
    ck_assert_uint_eq(tally.invented, 0);
    ck_assert_uint_ge(tally.entries, 5374);
    paths_free(&paths);
}
END_TEST

START_TEST(test_single_logs)
{
    const char *index_path = shared_path("logs/INDEX.tsv");
    if (!index_path)
        return;
    struct buf index = read_file(index_path);
    struct str rest = buf_str(&index), row;
    struct tally tally = {0};
    size_t doubtful = 0;
    str_split(&rest, '\n', &row);
    while (str_split(&rest, '\n', &row)) {
        struct str file, cell, certainty = {0};
        if (!str_split(&row, '\t', &file))
            continue;
        for (size_t column = 0; column < 4 && str_split(&row, '\t', &cell); column++)
            certainty = cell;
        if (!str_eq(certainty, STR("sure"))) {
            doubtful++;
            continue;
        }
        struct buf path = {0};
        buf_fmt(&path, "../shared/logs/%.*s", STR_ARG(file));
        check_log(source_path(path.ptr), false, &tally);
        buf_free(&path);
    }
    printf("single logs: %zu of %zu records (%zu entries) in %zu logs, %zu invented; %zu doubtful left out\n",
           tally.matched, tally.records, tally.entries, tally.logs, tally.invented, doubtful);
    ck_assert_uint_eq(tally.matched, tally.records);
    ck_assert_uint_eq(tally.invented, 0);
    ck_assert_uint_ge(tally.logs, 50);
    buf_free(&index);
}
END_TEST

int main(void)
{
    TCase *truth = tcase_create("truth");
    tcase_set_timeout(truth, 300);
    tcase_add_test(truth, test_whole_builds);
    tcase_add_test(truth, test_single_logs);
    return run_suite("truth", &truth, 1);
}
