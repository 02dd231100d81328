/*
 * Batches: a CSV of launches in, the same with four columns more out. Rows pass through byte for byte (less
 * the carriage return), so that columns that mean nothing here may hold anything that keeps to one line. An
 * answer names its limiters in one field, joined by '|'.
 */
#include "cli/calculator.h"

#include <stdlib.h>

enum meaning { MEANS_NOTHING = -1, MEANS_ARCH = -2 };

static struct place place_of(const struct batch *batch)
{
    return (struct place){.path = batch->path, .line = batch->line};
}

static struct str without_return(struct str line)
{
    return str_ends(line, STR("\r")) ? str_sub(line, 0, line.len - 1) : line;
}

/* The bytes of a field that starts with a quote, into batch->field; false when it does not end on this line.
 */
static bool take_quoted(struct batch *batch, struct str *rest, struct str *field, bool *more)
{
    size_t at = 1;
    buf_clear(&batch->field);
    for (; at < rest->len; at++) {
        if (rest->ptr[at] == '"' && (at + 1 >= rest->len || rest->ptr[at + 1] != '"'))
            break;
        at += rest->ptr[at] == '"';
        buf_char(&batch->field, rest->ptr[at]);
    }
    if (at >= rest->len)
        return false;
    *field = buf_str(&batch->field);
    *more = at + 1 < rest->len;
    if (*more && rest->ptr[at + 1] != ',')
        return false;
    *rest = str_from(*rest, at + 2);
    return true;
}

/* Takes one field off the line. False: a quote is not closed, or text follows it. *more: a comma stood behind
 * it. */
static bool take_field(struct batch *batch, struct str *rest, struct str *field, bool *more)
{
    if (rest->len && rest->ptr[0] == '"')
        return take_quoted(batch, rest, field, more);
    size_t comma = str_find_char(*rest, ',');
    *more = comma != STR_NONE;
    *field = str_sub(*rest, 0, comma);
    *rest = *more ? str_from(*rest, comma + 1) : (struct str){NULL, 0};
    return true;
}

static bool complain_quote(const struct batch *batch, struct diags *diags)
{
    return diag_error(diags, place_of(batch), "a quoted field does not end with a quote and a comma on this line");
}

static int meaning_of(struct str column)
{
    if (str_eq(column, STR("arch")))
        return MEANS_ARCH;
    for (size_t at = 0; at < number_field_count; at++)
        if (number_fields[at].column && str_eq(column, str_of(number_fields[at].column)))
            return (int)at;
    return MEANS_NOTHING;
}

static bool has_meaning(const struct batch *batch, int meaning)
{
    for (size_t at = 0; at < batch->columns; at++)
        if (batch->meanings[at] == meaning)
            return true;
    return false;
}

static bool add_column(struct batch *batch, struct str name, struct diags *diags)
{
    int meaning = meaning_of(name);
    if (meaning != MEANS_NOTHING && has_meaning(batch, meaning))
        return diag_error(diags, place_of(batch), "column '%.*s' stands there twice", STR_ARG(name));
    *MEM_ADD(batch->meanings, batch->columns, batch->cap) = meaning;
    return true;
}

static bool check_columns(const struct batch *batch, struct str line, struct diags *diags)
{
    static const char *const needed[] = {"arch", "threads", "registers"};
    for (size_t at = 0; at < sizeof needed / sizeof *needed; at++)
        if (!has_meaning(batch, meaning_of(str_of(needed[at]))))
            return diag_error(diags, place_of(batch),
                              "the header has no column '%s', found '%.*s', expected "
                              "arch,threads,registers[,smem_bytes,dynamic_smem_bytes,barriers,carveout]",
                              needed[at], STR_ARG(line));
    return true;
}

bool batch_header(struct batch *batch, struct str line, struct buf *out, struct diags *diags)
{
    bool more = true;
    line = without_return(line);
    if (str_starts(line, STR("\xEF\xBB\xBF"))) /* spreadsheets write a byte order mark */
        line = str_from(line, 3);
    struct str rest = line, field = {0};
    while (more) {
        if (!take_field(batch, &rest, &field, &more))
            return complain_quote(batch, diags);
        if (!add_column(batch, str_trim(field), diags))
            return false;
    }
    if (!check_columns(batch, line, diags))
        return false;
    buf_add(out, line);
    buf_add(out, STR(",blocks_per_sm,warps_per_sm,max_warps_per_sm,limiters\n"));
    return true;
}

struct row {
    const struct arch *arch;
    struct numbers numbers;
};

/* An empty field is a number that is not given; threads and registers must be. */
static bool read_number(const struct batch *batch, const struct number_field *field, struct str text, struct row *row,
                        struct diags *diags)
{
    if (text.len == 0 && field->offset != offsetof(struct numbers, threads) &&
        field->offset != offsetof(struct numbers, registers))
        return true;
    return number_read(field, field->column, text, &row->numbers, diags, place_of(batch));
}

static bool read_field(const struct batch *batch, size_t column, struct str text, struct row *row, struct diags *diags)
{
    int meaning = column < batch->columns ? batch->meanings[column] : MEANS_NOTHING;
    if (meaning == MEANS_ARCH) {
        row->arch = calculator_arch(text, diags, place_of(batch));
        return row->arch != NULL;
    }
    return meaning == MEANS_NOTHING || read_number(batch, &number_fields[meaning], text, row, diags);
}

static bool read_row(struct batch *batch, struct str line, struct row *row, struct diags *diags)
{
    struct str field = {0};
    size_t columns = 0;
    bool more = true;
    for (; more; columns++) {
        if (!take_field(batch, &line, &field, &more))
            return complain_quote(batch, diags);
        if (!read_field(batch, columns, str_trim(field), row, diags))
            return false;
    }
    if (columns != batch->columns)
        return diag_error(diags, place_of(batch), "the row has %zu columns, expected the %zu of the header", columns,
                          batch->columns);
    return true;
}

bool batch_row(struct batch *batch, struct str line, struct buf *out, struct diags *diags)
{
    struct row row = {.numbers = NUMBERS_NONE};
    line = without_return(line);
    if (!read_row(batch, line, &row, diags))
        return false;
    struct launch launch = calculator_launch(&row.numbers);
    struct occupancy o = calculator_compute(row.arch, &launch);
    buf_add(out, line);
    buf_fmt(out, ",%d,%d,%d,", o.blocks, o.warps, o.max_warps);
    limiter_names(o.limiters, "|", out);
    buf_char(out, '\n');
    return true;
}

void batch_free(struct batch *batch)
{
    free(batch->meanings);
    buf_free(&batch->field);
    *batch = (struct batch){0};
}
