/*
 * Every record becomes a row of numbers. A string is replaced by its rank among all strings, so that rows are compared
 * as numbers and the result does not depend on the order of reading.
 */
#include "log/merge.h"

#include "log/local_memory.h"
#include "log/name.h"

#include <stddef.h>
#include <stdlib.h>

/* ---- the numbers of a record ------------------------------------------------------------------------------------ */

/* True for a metric in which two records of one build do not differ. The metrics of machine code may have been read for
 * one stream and not for another; their rows in the table are adjacent. */
static bool is_compared(const struct metric *metric)
{
    bool is_of_code =
        metric >= &metric_table[METRIC_spill_bytes_in_loops] && metric <= &metric_table[METRIC_local_load_bytes];
    return (metric->holder == METRIC_COMMON || metric->holder == METRIC_RARE) && !is_of_code;
}

bool merge_difference(const struct model *model, const struct kernel *a, const struct kernel *b, size_t *at,
                      struct merge_difference *difference)
{
    while (*at < METRIC_COUNT) {
        const struct metric *metric = &metric_table[(*at)++];
        if (!is_compared(metric))
            continue;
        *difference =
            (struct merge_difference){metric->key, metric_get(model, a, metric), metric_get(model, b, metric)};
        if (difference->a != difference->b)
            return true;
    }
    return false;
}

enum column {
    COLUMN_ID,
    COLUMN_ARCH,
    COLUMN_KIND,
    COLUMN_PRODUCER,
    COLUMN_SOURCE,
    COLUMN_PLACE, /* see place_of */
    COLUMN_TOOLKIT,
    COLUMN_FLAGS,
    COLUMN_NUMBERS,                              /* by metric; 0 for those that are not compared */
    COLUMN_CODE = COLUMN_NUMBERS + METRIC_COUNT, /* how much of the machine code is unknown: the least remains */
    COLUMN_LOG,
    COLUMN_LINE,
    COLUMN_REST, /* from here on: values in which two builds of one kernel may differ */
    COLUMN_METRICS = COLUMN_REST + 14,
    COLUMNS = COLUMN_METRICS + METRIC_COUNT,
};

struct record_row {
    int64_t column[COLUMNS];
    uint32_t kernel;
};

static int compare(const struct record_row *a, const struct record_row *b, size_t from, size_t to)
{
    return numbers_cmp(&a->column[from], &b->column[from], to - from);
}

/* Equal records become adjacent; the first one remains. */
static int by_record(const void *left, const void *right)
{
    return compare(left, right, 0, COLUMNS);
}

/* The log of a record without a line, which is the record of an object: different objects are different compiles. */
static int64_t object_of(const struct record_row *row)
{
    return row->column[COLUMN_LINE] ? -1 : row->column[COLUMN_LOG];
}

static int by_compilation(const struct record_row *a, const struct record_row *b)
{
    int order = compare(a, b, 0, COLUMN_NUMBERS);
    return order ? order : number_cmp(object_of(a), object_of(b));
}

static int by_conflict(const void *left, const void *right)
{
    int order = by_compilation(left, right);
    return order ? order : compare(left, right, COLUMN_NUMBERS, COLUMNS);
}

static int by_line(const void *left, const void *right)
{
    int order = compare(left, right, COLUMN_LOG, COLUMN_REST);
    return order ? order : compare(left, right, 0, COLUMNS);
}

/* ---- ranks ------------------------------------------------------------------------------------------------------ */

struct ranked {
    struct str text; /* the first member, because str_order compares it */
    uint32_t number;
};

/* The rank of each string of the table in alphabetical order; the caller frees the array. */
static uint32_t *ranks_of(const struct intern *table)
{
    struct ranked *sorted = mem_alloc((table->count + 1) * sizeof *sorted);
    uint32_t *ranks = mem_alloc((table->count + 1) * sizeof *ranks);
    for (uint32_t at = 0; at < table->count; at++)
        sorted[at] = (struct ranked){intern_get(table, at), at};
    mem_sort(sorted, table->count, sizeof *sorted, str_order);
    for (uint32_t at = 0; at < table->count; at++)
        ranks[sorted[at].number] = at;
    free(sorted);
    return ranks;
}

static int64_t rank(const uint32_t *ranks, uint32_t number)
{
    return number == NO_INDEX ? -1 : (int64_t)ranks[number];
}

struct merging {
    struct model *model;
    uint32_t *names, *strings;              /* ranks */
    int64_t here;                           /* rank of ".", the working directory of logs with from_here */
    uint32_t *id_of_name, *banks_of_kernel; /* ranks of identities and of banks */
    uint16_t *log_of;                       /* by log before merging: its log after merging */
    uint32_t *source_exceptions_of_log;     /* by log: rank of the text of all its exceptions */
    struct record_row *rows;
    size_t count;
    struct merge_result *result;
};

/* The rank of the working directory of a log, as it is written; -1: unknown. */
static int64_t folder_rank(const struct merging *m, const struct log_info *log)
{
    return log->from_here ? m->here : log->compiled ? rank(m->strings, log->working_directory) : -1;
}

/* The same for a path of the log; -1 for an absolute path too. */
static int64_t source_folder(const struct merging *m, uint32_t path, uint16_t log)
{
    struct str text = model_string(m->model, path);
    return text.len && text.ptr[0] != '/' ? folder_rank(m, &m->model->logs[log]) : -1;
}

/* By item: the rank of its text among the texts of all items; the caller frees the array. */
static uint32_t *rank_texts(const struct merging *m, size_t count,
                            void (*add)(const struct merging *m, size_t item, struct buf *text))
{
    SCOPED(intern) texts = {0};
    SCOPED(buf) text = {0};
    uint32_t *numbers = mem_alloc((count + 1) * sizeof *numbers);
    for (size_t at = 0; at < count; at++) {
        buf_clear(&text);
        add(m, at, &text);
        numbers[at] = intern_add(&texts, buf_str(&text));
    }
    uint32_t *ranks = ranks_of(&texts);
    for (size_t at = 0; at < count; at++)
        numbers[at] = ranks[numbers[at]];
    free(ranks);
    return numbers;
}

static void add_identity(const struct merging *m, size_t name, struct buf *text)
{
    name_identity(intern_get(&m->model->names, (uint32_t)name), text);
}

static void add_banks(const struct merging *m, size_t number, struct buf *text)
{
    const struct kernel *kernel = &m->model->kernels[number];
    for (uint32_t at = 0; at < kernel->bank_count; at++) {
        const struct bank *bank = &m->model->banks[kernel->first_bank + at];
        buf_fmt(text, "%08x:%08x ", bank->bank, (unsigned)bank->bytes);
    }
}

/* ---- messages, exceptions, lines that were not understood ---------------------------------------------------------
 */

enum { PLACE_COLUMNS = 2, ROW_COLUMNS = 15 };

struct row {
    int64_t column[ROW_COLUMNS]; /* the first two are the log and its line */
    uint32_t item;               /* index in the model */
    uint32_t *count;             /* of a message; the largest count of equal messages remains; NULL: no count */
    bool anywhere;               /* a message about a source place: equal in every log */
};

static int by_place(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    return numbers_cmp(a->column, b->column, ROW_COLUMNS);
}

static int by_text(const void *left, const void *right)
{
    const struct row *a = left, *b = right;
    int order = numbers_cmp(&a->column[PLACE_COLUMNS], &b->column[PLACE_COLUMNS], ROW_COLUMNS - PLACE_COLUMNS);
    return order ? order : by_place(left, right);
}

/* Sorts the rows by place and removes equal ones; returns how many remain. */
static size_t merge_rows(struct row *rows, size_t count)
{
    size_t kept = 0;
    mem_sort(rows, count, sizeof *rows, by_text);
    for (size_t at = 0; at < count; at++) {
        size_t from = rows[at].anywhere ? PLACE_COLUMNS : 0;
        if (kept == 0 || numbers_cmp(&rows[kept - 1].column[from], &rows[at].column[from], ROW_COLUMNS - from) != 0)
            rows[kept++] = rows[at];
        else if (rows[at].count && *rows[kept - 1].count < *rows[at].count)
            *rows[kept - 1].count = *rows[at].count;
    }
    mem_sort(rows, kept, sizeof *rows, by_place);
    return kept;
}

/* Returns a new array of the items, sorted by place, without equal ones; frees the old array. */
static void *merge_items(const struct merging *m, struct row (*row_of)(const struct merging *m, uint32_t number),
                         void *items, size_t item_bytes, size_t *count, size_t *cap)
{
    struct row *rows = mem_alloc(*count * sizeof *rows);
    for (uint32_t at = 0; at < *count; at++)
        rows[at] = row_of(m, at);
    *count = *cap = merge_rows(rows, *count);
    char *kept = mem_alloc(*count * item_bytes);
    for (size_t at = 0; at < *count; at++)
        memcpy(kept + at * item_bytes, (const char *)items + rows[at].item * item_bytes, item_bytes);
    free(rows);
    free(items);
    return kept;
}

static struct row source_exception_row(const struct merging *m, uint32_t number)
{
    const struct source_exception *comment = &m->model->source_exceptions[number];
    return (struct row){.column = {comment->log, 0, rank(m->strings, comment->file), comment->line, comment->column,
                                   rank(m->strings, comment->kernel), rank(m->strings, comment->rule),
                                   rank(m->strings, comment->reason), rank(m->strings, comment->until),
                                   rank(m->strings, comment->problem)},
                        .item = number};
}

/* Appends the exceptions of a log as text. They are for the kernels of that log, so logs with different exceptions are
 * not joined. */
static void add_source_exceptions(const struct merging *m, size_t log, struct buf *text)
{
    for (uint32_t at = 0; at < m->model->source_exception_count; at++) {
        if (m->model->source_exceptions[at].log != log)
            continue;
        const struct row row = source_exception_row(m, at);
        for (int column = PLACE_COLUMNS; column < ROW_COLUMNS; column++)
            buf_fmt(text, "%016llx ", (unsigned long long)row.column[column]);
    }
}

static struct row unknown_row(const struct merging *m, uint32_t number)
{
    const struct unknown_line *line = &m->model->unknown[number];
    return (struct row){.column = {line->log, line->line, rank(m->strings, line->text)}, .item = number};
}

static struct row event_row(const struct merging *m, uint32_t number)
{
    struct event *event = &m->model->events[number];
    return (struct row){
        .column = {event->log, event->log_line, rank(m->strings, event->id), rank(m->strings, event->text),
                   rank(m->names, event->name), rank(m->strings, event->arch), rank(m->strings, event->file),
                   source_folder(m, event->file, event->log), event->line, event->column, event->severity,
                   event->arch_inferred, event->number_count, event->number_count > 0 ? event->number[0] : 0,
                   event->number_count > 1 ? event->number[1] : 0},
        .item = number,
        .count = &event->count,
        .anywhere = event->file != NO_INDEX && event->line};
}

static void merge_notes(struct merging *m)
{
    struct model *model = m->model;
    EACH(struct event, event, model->events, model->event_count)
        event->log = m->log_of[event->log];
    EACH(struct source_exception, comment, model->source_exceptions, model->source_exception_count)
        comment->log = m->log_of[comment->log];
    EACH(struct unknown_line, line, model->unknown, model->unknown_count)
        line->log = m->log_of[line->log];
    model->events =
        merge_items(m, event_row, model->events, sizeof *model->events, &model->event_count, &model->event_cap);
    model->source_exceptions =
        merge_items(m, source_exception_row, model->source_exceptions, sizeof *model->source_exceptions,
                    &model->source_exception_count, &model->source_exception_cap);
    model->unknown =
        merge_items(m, unknown_row, model->unknown, sizeof *model->unknown, &model->unknown_count, &model->unknown_cap);
}

/* ---- logs ------------------------------------------------------------------------------------------------------- */

static int64_t toolkit_number(struct toolkit toolkit)
{
    return (int64_t)toolkit.major << 16 | toolkit.minor;
}

static uint64_t larger(uint64_t a, uint64_t b)
{
    return a > b ? a : b;
}

#define LARGER_LINE(name) into->name = larger(into->name, other->name);
static void join_logs(struct log_info *into, const struct log_info *other)
{
    into->interleaved |= other->interleaved;
    into->torn |= other->torn;
    into->cut |= other->cut;
    into->verbose |= other->verbose;
    into->no_code &= other->no_code;
    into->asks_verbose |= other->asks_verbose;
    into->loop_remarks &= other->loop_remarks;
    if (into->object_code != other->object_code) /* two builds of one object */
        into->object_code = NO_INDEX;
    into->lines = larger(into->lines, other->lines);
    into->unknown_lines = larger(into->unknown_lines, other->unknown_lines);
    LOG_LINES(LARGER_LINE)
}

static void merge_logs(struct merging *m)
{
    enum {
        JOINED = 4
    }; /* logs with equal columns before this one become one; the others select whose command remains */
    struct model *model = m->model;
    struct row *rows = mem_alloc(model->log_count * sizeof *rows);
    struct log_info *logs = mem_alloc(model->log_count * sizeof *logs);
    size_t kept = 0;
    m->log_of = mem_alloc(model->log_count * sizeof *m->log_of);
    for (uint32_t at = 0; at < model->log_count; at++) {
        const struct log_info *log = &model->logs[at];
        rows[at] =
            (struct row){.column = {rank(m->strings, log->path), folder_rank(m, log), m->source_exceptions_of_log[at],
                                    toolkit_number(log->toolkit), log->compiled, rank(m->strings, log->command),
                                    rank(m->strings, log->flags), rank(m->strings, log->nvcc),
                                    rank(m->strings, log->ptxas), rank(m->strings, log->linked_code), at},
                         .item = at};
    }
    mem_sort(rows, model->log_count, sizeof *rows, by_place);
    for (size_t at = 0; at < model->log_count; at++) {
        const struct log_info *log = &model->logs[rows[at].item];
        if (at && numbers_cmp(rows[at - 1].column, rows[at].column, JOINED) == 0)
            join_logs(&logs[kept - 1], log);
        else
            logs[kept++] = *log;
        m->log_of[rows[at].item] = (uint16_t)(kept - 1);
    }
    free(model->logs);
    model->logs = logs;
    model->log_count = model->log_cap = kept;
    free(rows);
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

/* A number that keeps equal records separate. For records of `wrap` it is that of the object or program, because each
 * of them is compared with itself, even if another target has the same numbers. For other records it is that of the
 * folder of a relative source. */
static int64_t place_of(const struct merging *m, const struct kernel *kernel, uint16_t log)
{
    enum { OBJECTS = UINT16_MAX + 1 };
    return m->model->logs[log].compiled ? -OBJECTS + log : source_folder(m, kernel->source, log);
}

static void fill_row(const struct merging *m, uint32_t number)
{
    const struct kernel *kernel = &m->model->kernels[number];
    const struct rare_metrics *rare = kernel_rare(m->model, kernel);
    struct record_row *row = &m->rows[number];
    int64_t *c = row->column;
    uint16_t log = m->log_of[kernel->log];
    row->kernel = number;
    c[COLUMN_ID] = m->id_of_name[kernel->name];
    c[COLUMN_ARCH] = rank(m->strings, kernel->arch_inferred);
    c[COLUMN_KIND] = kernel->kind;
    c[COLUMN_PRODUCER] = kernel->producer;
    c[COLUMN_SOURCE] = rank(m->strings, kernel->source);
    c[COLUMN_PLACE] = place_of(m, kernel, log);
    c[COLUMN_TOOLKIT] = toolkit_number(m->model->logs[log].toolkit);
    c[COLUMN_FLAGS] = kernel->flags & (KERNEL_DEBUG | KERNEL_AMBIGUOUS);
    c[COLUMN_CODE] = (rare->spill_depth == UNKNOWN) + !kernel_code(m->model, kernel)->spills.known;
    for (size_t at = 0; at < METRIC_COUNT; at++) {
        c[COLUMN_METRICS + at] = metric_get(m->model, kernel, &metric_table[at]);
        c[COLUMN_NUMBERS + at] = is_compared(&metric_table[at]) ? c[COLUMN_METRICS + at] : 0;
    }
    c[COLUMN_LOG] = log;
    c[COLUMN_LINE] = kernel->log_line;
    const int64_t rest[] = {
        rank(m->names, kernel->name),
        rank(m->strings, kernel->arch),
        rare->source_line,
        kernel->flags,
        rare->register_cap_from,
        rare->min_blocks,
        rare->bound_from,
        rare->line_from,
        rare->bound_threads,
        rare->cluster_blocks,
        rare->dynamic_smem_bytes,
        rare->spills_from,
        rare->dynamic_smem,
        m->banks_of_kernel[number],
    };
    _Static_assert(sizeof rest == (COLUMN_METRICS - COLUMN_REST) * sizeof *rest, "a column for each");
    memcpy(&c[COLUMN_REST], rest, sizeof rest);
}

/* True if the row is the first one of its log among those that are equal up to COLUMN_REST. */
static bool is_first(const struct merging *m, size_t from, size_t at)
{
    return at == from || compare(&m->rows[at - 1], &m->rows[at], COLUMN_LOG, COLUMN_REST + 1) != 0;
}

/* Rows [from, to) are equal except for their places. Keeps the first row or, if the source is unknown, the rows of the
 * log that has the most. The kept rows are moved to *kept. */
static void keep_rows(struct merging *m, size_t from, size_t to, size_t *kept)
{
    const bool known = m->rows[from].column[COLUMN_SOURCE] >= 0;
    size_t most = 0, best = from, best_end = from + 1;
    for (size_t at = from, next = from; !known && at < to; at = next) {
        size_t count = 0;
        for (; next < to && m->rows[next].column[COLUMN_LOG] == m->rows[at].column[COLUMN_LOG]; next++)
            count += is_first(m, at, next);
        if (count > most) {
            most = count;
            best = at;
            best_end = next;
        }
    }
    for (size_t at = best; at < best_end; at++)
        if (is_first(m, best, at))
            m->rows[(*kept)++] = m->rows[at];
}

static void drop_duplicates(struct merging *m)
{
    size_t kept = 0;
    mem_sort(m->rows, m->count, sizeof *m->rows, by_record);
    for (size_t from = 0, to; from < m->count; from = to) {
        to = from + 1;
        while (to < m->count && compare(&m->rows[from], &m->rows[to], 0, COLUMN_CODE) == 0)
            to++;
        keep_rows(m, from, to, &kept);
    }
    m->count = kept;
}

static struct merge_conflict conflict_of(const struct merging *m, const struct record_row *a,
                                         const struct record_row *b)
{
    return (struct merge_conflict){a->kernel, b->kernel, m->model->kernels[a->kernel], m->model->kernels[b->kernel]};
}

/* True if two records with one name have different numbers, and nothing shows that they are of different compiles. */
static bool may_conflict(const struct record_row *first, const struct record_row *row)
{
    const int64_t a = first->column[COLUMN_TOOLKIT], b = row->column[COLUMN_TOOLKIT];
    return row->column[COLUMN_LOG] != first->column[COLUMN_LOG] && (a == b || a < 0 || b < 0) &&
           !(row->column[COLUMN_FLAGS] & KERNEL_AMBIGUOUS) && compare(first, row, COLUMN_NUMBERS, COLUMN_CODE) != 0;
}

/* Counts the kernels without a source, from `first` up to `end`, whose numbers differ from those of another record with
 * the same name. Records with a known source follow at `end`. */
static void count_unsure(struct merging *m, const struct record_row *first, const struct record_row *end)
{
    const struct record_row *last = m->rows + m->count;
    for (const struct record_row *row = first + 1; row < last && compare(first, row, 0, COLUMN_SOURCE) == 0; row++) {
        if (row < end ? row->column[COLUMN_LOG] == first->column[COLUMN_LOG]
                      : row->column[COLUMN_SOURCE] < 0 || !may_conflict(first, row))
            continue;
        if (m->result->unsure_count++ == 0)
            m->result->unsure = conflict_of(m, first, row);
        return;
    }
}

static void find_conflicts(struct merging *m)
{
    struct merge_result *result = m->result;
    mem_sort(m->rows, m->count, sizeof *m->rows, by_conflict);
    for (size_t at = 0, end; at < m->count; at = end) {
        const struct record_row *first = &m->rows[at];
        for (end = at + 1; end < m->count && by_compilation(first, &m->rows[end]) == 0;)
            end++;
        if (first->column[COLUMN_FLAGS] & KERNEL_AMBIGUOUS)
            continue;
        if (first->column[COLUMN_SOURCE] < 0)
            count_unsure(m, first, &m->rows[end]);
        for (size_t next = at + 1; first->column[COLUMN_SOURCE] >= 0 && next < end; next++)
            *MEM_ADD(result->conflicts, result->conflict_count, result->conflict_cap) =
                conflict_of(m, &m->rows[next - 1], &m->rows[next]);
    }
}

static void merge_kernels(struct merging *m)
{
    struct model *model = m->model;
    m->count = model->kernel_count;
    m->rows = mem_alloc(m->count * sizeof *m->rows);
    for (uint32_t at = 0; at < m->count; at++)
        fill_row(m, at);
    drop_duplicates(m);
    find_conflicts(m);
    mem_sort(m->rows, m->count, sizeof *m->rows, by_line);
    struct kernel *kept = mem_alloc(m->count * sizeof *kept);
    for (size_t at = 0; at < m->count; at++) {
        kept[at] = model->kernels[m->rows[at].kernel];
        kept[at].log = (uint16_t)m->rows[at].column[COLUMN_LOG];
    }
    free(model->kernels);
    model->kernels = kept;
    model->kernel_count = model->kernel_cap = m->count;
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

void model_merge(struct model *model, struct merge_result *result)
{
    struct merging m = {.model = model, .result = result};
    uint32_t here = intern_add(&model->strings, STR("."));
    *result = (struct merge_result){0};
    m.names = ranks_of(&model->names);
    m.strings = ranks_of(&model->strings);
    m.here = rank(m.strings, here);
    m.id_of_name = rank_texts(&m, model->names.count, add_identity);
    m.banks_of_kernel = rank_texts(&m, model->kernel_count, add_banks);
    m.source_exceptions_of_log = rank_texts(&m, model->log_count, add_source_exceptions);
    merge_logs(&m);
    merge_kernels(&m);
    merge_notes(&m);
    free(m.names);
    free(m.strings);
    free(m.id_of_name);
    free(m.banks_of_kernel);
    free(m.log_of);
    free(m.source_exceptions_of_log);
    free(m.rows);
}

void merge_result_free(struct merge_result *result)
{
    free(result->conflicts);
    *result = (struct merge_result){0};
}
