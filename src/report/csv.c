/*
 * csv: RFC 4180, quoted where needed. A text that a spreadsheet would interpret as a formula gets an apostrophe before
 * it; control characters and invalid bytes become visible escapes.
 */
#include "base/escape.h"
#include "report/column.h"
#include "report/delta.h"
#include "report/markup.h"

#include <stdlib.h>

/* A formula begins with one of these signs, or their full-width forms in some programs; blanks before it are ignored.
 */
static bool is_formula(struct str s)
{
    static const struct str signs[] = {STR_INIT("="),      STR_INIT("+"),      STR_INIT("-"),      STR_INIT("@"),
                                       STR_INIT("\uff1d"), STR_INIT("\uff0b"), STR_INIT("\uff0d"), STR_INIT("\uff20")};
    while (s.len && s.ptr[0] == ' ')
        s = str_from(s, 1);
    for (size_t at = 0; at < sizeof signs / sizeof *signs; at++)
        if (str_starts(s, signs[at]))
            return true;
    return false;
}

/* If a program separates cells at semicolons, a semicolon in a text begins a new cell. */
static void add_quoted(struct str s, struct buf *out)
{
    buf_char(out, '"');
    for (size_t at = 0; at < s.len; at++) {
        bool begins = at == 0 || s.ptr[at - 1] == ';';
        if (begins && is_formula(str_from(s, at)))
            buf_char(out, '\'');
        if (s.ptr[at] == '"')
            buf_char(out, '"');
        buf_char(out, s.ptr[at]);
    }
    buf_char(out, '"');
}

void csv_text(struct str s, struct buf *out)
{
    SCOPED(buf) safe = {0};
    escape_text(s, &safe);
    bool quote = is_formula(buf_str(&safe));
    for (size_t at = 0; at < safe.len && !quote; at++)
        quote = strchr(",;\"", safe.ptr[at]) != NULL; /* the text contains no NUL */
    if (quote)
        add_quoted(buf_str(&safe), out);
    else
        buf_add(out, buf_str(&safe));
}

void csv_number(int64_t number, bool known, struct buf *out)
{
    buf_char(out, ',');
    number_text(number, known, "", out);
}

/* Appends the first fields of a row. */
static void add_texts(const struct str *texts, size_t count, struct buf *out)
{
    for (size_t at = 0; at < count; at++) {
        buf_add(out, at ? STR(",") : STR(""));
        csv_text(texts[at], out);
    }
}

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static void add_banks(const struct context *context, struct buf *out)
{
    for (uint32_t at = 0; at < context->kernel->bank_count; at++) {
        const struct bank *bank = &context->model->banks[context->kernel->first_bank + at];
        buf_fmt(out, "%s%u:%d", at ? " " : "", bank->bank, bank->bytes);
    }
}

static void add_cell(struct cell cell, const struct context *context, struct buf *out)
{
    struct json json = {.out = out};
    switch (cell.type) {
    case CELL_NULL: break;
    case CELL_INT: buf_int(out, cell.number); break;
    case CELL_TEXT: csv_text(cell.text, out); break;
    case CELL_BOOL: json_bool(&json, cell.number != 0); break;
    case CELL_THOUSANDTHS: json_thousandths(&json, cell.number); break;
    case CELL_BANKS: add_banks(context, out); break;
    case CELL_LIMITERS: limiter_names((unsigned)cell.number, " ", out); break;
    }
}

static void kernels_csv(const struct report *report, struct out *out)
{
    for (size_t c = 0; c < column_count; c++)
        buf_fmt(&out->text, "%s%s", c ? "," : "", column_table[c].key);
    buf_add(&out->text, STR("\r\n"));
    for (uint32_t k = 0; k < report->model->kernel_count; k++) {
        if (!linter_selects(report->linter, k))
            continue;
        struct context *context = linter_record(report->linter, k);
        for (size_t c = 0; c < column_count; c++) {
            if (c)
                buf_char(&out->text, ',');
            add_cell(column_cell(&column_table[c], context), context, &out->text);
        }
        buf_add(&out->text, STR("\r\n"));
        out_spill(out);
    }
}

/* ---- findings --------------------------------------------------------------------------------------------------- */

static void finding_csv(const struct report *report, const struct finding *finding, struct buf *out)
{
    struct linter *linter = report->linter;
    SCOPED(buf) message = {0};
    finding_message(linter, finding, &message);
    struct context *context = linter_context(linter, finding);
    const struct finding_place place = finding_place(linter, finding);
    const struct str cells[] = {linter->rules->rules[finding->rule].id,
                                str_of(severity_names[finding->severity]),
                                buf_str(&message),
                                context_mangled(context),
                                context_name(context),
                                finding_arch(report->linter, finding),
                                place.path};
    add_texts(cells, sizeof cells / sizeof *cells, out);
    csv_number(place.line, place.line != 0, out);
    csv_number(place.column, place.column != 0, out);
    buf_char(out, ',');
    csv_text(place.log, out);
    csv_number(place.log_line, place.log_line != 0, out);
    buf_fmt(out, ",%s,", finding->exception != NO_INDEX ? "true" : "false");
    csv_text(finding_reason(linter, finding), out);
    buf_char(out, ',');
    csv_text(str_of(baseline_state_name((enum baseline_state)finding->baseline_state)), out);
    buf_add(out, STR("\r\n"));
}

static void findings_csv(const struct report *report, struct out *out)
{
    buf_add(&out->text, STR("rule,severity,message,mangled,name,arch,source,line,column,log,log_line,suppressed,"
                            "suppressed_reason,baseline_state\r\n"));
    uint32_t *order = findings_sorted(report->linter);
    for (size_t at = 0; at < report->linter->finding_count; at++) {
        finding_csv(report, &report->linter->findings[order[at]], &out->text);
        out_spill(out);
    }
    free(order);
}

void report_csv(const struct report *report, struct out *out)
{
    if (report->kind == REPORT_FINDINGS)
        findings_csv(report, out);
    else
        kernels_csv(report, out);
}

/* ---- diff ------------------------------------------------------------------------------------------------------- */

/* Appends a row for a kernel and architecture that changed; unknown values are empty. */
static void pair_csv(struct delta *delta, const struct pair *pair, struct buf *out)
{
    static const char *const states[] = {"renamed", "better", "worse", "changed", "new", "gone"};
    const struct delta_pair of = delta_pair(delta->comparison, pair);
    const struct str cells[] = {str_of(states[pair->state]),
                                of.id,
                                label_of(&delta->labels, of.id),
                                of.arch,
                                of.source,
                                pair->renamed ? of.base_id : (struct str){"", 0}};
    int32_t was[MEASURE_COUNT], is[MEASURE_COUNT];
    add_texts(cells, sizeof cells / sizeof *cells, out);
    compare_values(delta->comparison, of.base, of.head, was, is);
    for (int at = 0; at < MEASURE_COUNT; at++) {
        csv_number(was[at], was[at] != UNKNOWN, out);
        csv_number(is[at], is[at] != UNKNOWN, out);
        csv_number(pair->deltas[at], of.base && of.head && pair->deltas[at] != UNKNOWN, out);
    }
    buf_add(out, STR("\r\n"));
}

void diff_csv(const struct report *report, struct out *out)
{
    SCOPED(delta) delta = {0};
    delta_make(&delta, report);
    buf_add(&out->text, STR("state,kernel_id,name,arch,source,renamed_from"));
    for (int at = 0; at < MEASURE_COUNT; at++)
        buf_fmt(&out->text, ",base_%s,head_%s,delta_%s", measure_table[at].key, measure_table[at].key,
                measure_table[at].key);
    buf_add(&out->text, STR("\r\n"));
    for (size_t at = 0; at < delta.row_count; at++) {
        pair_csv(&delta, delta.rows[at], &out->text);
        out_spill(out);
    }
}
