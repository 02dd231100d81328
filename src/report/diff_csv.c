/* diff as CSV: a row for each kernel and architecture that changed; what is not known is empty. */
#include "report/delta.h"
#include "report/markup.h"

static void add_row(struct delta *delta, const struct pair *pair, struct buf *out)
{
    static const char *const states[] = {"renamed", "better", "worse", "changed", "new", "gone"};
    const struct kernel_metrics *base = delta_base(delta, pair), *head = delta_head(delta, pair);
    const struct str cells[] = {str_of(states[pair->state]),
                                delta_id(delta, pair),
                                label_of(&delta->labels, delta_id(delta, pair)),
                                delta_arch(delta, pair),
                                delta_source(delta, pair),
                                pair->renamed ? delta_base_id(delta, pair) : (struct str){"", 0}};
    for (size_t at = 0; at < sizeof cells / sizeof *cells; at++) {
        if (at)
            buf_char(out, ',');
        csv_text(cells[at], out);
    }
    for (int at = 0; at < MEASURE_COUNT; at++) {
        const int32_t was = base ? base->values[at] : UNKNOWN, is = head ? head->values[at] : UNKNOWN;
        csv_number(was, was != UNKNOWN, out);
        csv_number(is, is != UNKNOWN, out);
        csv_number(pair->deltas[at], base && head && pair->deltas[at] != UNKNOWN, out);
    }
    buf_add(out, STR("\r\n"));
}

void diff_csv(const struct report *report, struct out *out)
{
    struct delta delta;
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
    delta_free(&delta);
}
