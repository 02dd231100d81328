/* The batch of the calculator. Each launch is one line, so that an invalid line does not affect the others. */
#include "base/csv.h"
#include "cli/occupancy/calculator.h"

#include <stdlib.h>

enum { MEANS_NOTHING = -1, MEANS_ARCH = -2, MOST_ERRORS = 100 };

struct batch {
    struct csv csv; /* of the current line */
    struct place place;
    struct diags *diags;
    int *meanings; /* by column: an index into number_fields, MEANS_ARCH or MEANS_NOTHING */
    size_t columns, cap;
};

/* Splits the line into batch->csv.fields. */
static bool split(struct batch *batch, struct str line)
{
    batch->csv.rest = line;
    return (csv_next(&batch->csv) && !batch->csv.quote_open && !batch->csv.text_behind_quote) ||
           diag_error(batch->diags, batch->place, "a quoted field does not end with a quote and a comma on this line");
}

static int meaning_of(struct str column)
{
    if (str_eq(column, STR("arch")))
        return MEANS_ARCH;
    for (size_t at = 0; at < number_field_count; at++)
        if (str_eq(column, str_of(number_fields[at].column)) || str_eq(column, str_of(number_fields[at].option)))
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

static bool read_header(struct batch *batch, struct str line)
{
    static const char *const needed[] = {"arch", "threads", "registers"};
    if (!split(batch, line))
        return false;
    for (size_t at = 0; at < batch->csv.count; at++) {
        struct str name = str_trim(batch->csv.fields[at]);
        int meaning = meaning_of(name);
        if (meaning != MEANS_NOTHING && has_meaning(batch, meaning))
            return diag_error(batch->diags, batch->place, "column '%.*s' is there twice", STR_ARG(name));
        *MEM_ADD(batch->meanings, batch->columns, batch->cap) = meaning;
    }
    for (size_t at = 0; at < sizeof needed / sizeof *needed; at++)
        if (!has_meaning(batch, meaning_of(str_of(needed[at]))))
            return diag_error(batch->diags, batch->place,
                              "the header has no column '%s', found '%.*s', expected "
                              "arch,threads,registers[,smem_bytes,dynamic_smem_bytes,barriers,carveout]",
                              needed[at], STR_ARG(line));
    return true;
}

/* An empty field means that the number is not given; a required number must be given. */
static bool read_row(struct batch *batch, struct str line, struct question *row)
{
    *row = (struct question){.launch.carveout = -1};
    if (!split(batch, line))
        return false;
    for (size_t at = 0; at < batch->csv.count && at < batch->columns; at++) {
        struct str text = str_trim(batch->csv.fields[at]);
        int meaning = batch->meanings[at];
        if (meaning == MEANS_ARCH && !(row->arch = calculator_arch(text, batch->diags, batch->place)))
            return false;
        if (meaning < 0)
            continue;
        const struct number_field *field = &number_fields[meaning];
        bool required =
            field->offset == offsetof(struct launch, threads) || field->offset == offsetof(struct launch, registers);
        if ((text.len || required) &&
            !number_read(field, field->column, text, &row->launch, batch->diags, batch->place))
            return false;
    }
    return batch->csv.count == batch->columns ||
           diag_error(batch->diags, batch->place, "the row has %zu columns, expected the %zu of the header",
                      batch->csv.count, batch->columns);
}

bool calculator_batch(struct str path, struct str text, struct buf *out, struct diags *diags)
{
    struct batch batch = {.place.path = path, .diags = diags};
    struct str line;
    bool has_header = false;
    size_t wrong = 0; /* number of rows with an error */
    while (text.len && str_split(&text, '\n', &line)) {
        struct question row;
        batch.place.line++;
        if (str_ends(line, STR("\r")))
            line.len--;
        if (str_trim(line).len == 0)
            continue;
        if (!has_header) {
            has_header = read_header(&batch, line);
            if (!has_header)
                break;
            buf_fmt(out, "%.*s,blocks_per_sm,warps_per_sm,max_warps_per_sm,limiters\n", STR_ARG(line));
        } else if (read_row(&batch, line, &row)) {
            const struct occupancy o = calculator_compute(row.arch, &row.launch);
            buf_add(out, line);
            buf_fmt(out, ",%d,%d,%d,", o.blocks, o.warps, o.max_warps);
            limiter_names(o.limiters, "|", out);
            buf_char(out, '\n');
        } else if (++wrong == MOST_ERRORS) {
            batch.diags = NULL; /* errors of further rows are only counted */
        }
    }
    if (wrong > MOST_ERRORS)
        diag_error(diags, (struct place){.path = path}, "%zu more rows like these", wrong - MOST_ERRORS);
    csv_free(&batch.csv);
    free(batch.meanings);
    return diags->errors == 0;
}
