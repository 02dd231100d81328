/* diff as CSV: a row for each kernel and architecture that changed; unknown values are empty. */
#include "report/delta.h"
#include "report/markup.h"

static void add_row(struct delta *delta, const struct pair *pair, struct buf *out)
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
    for (size_t at = 0; at < sizeof cells / sizeof *cells; at++) {
        if (at)
            buf_char(out, ',');
        csv_text(cells[at], out);
    }
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
        add_row(&delta, delta.rows[at], &out->text);
        out_spill(out);
    }
}
