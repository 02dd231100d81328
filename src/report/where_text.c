#include "report/where_text.h"

#include "base/escape.h"
#include "report/label.h"
#include "report/location.h"
#include "report/site.h"
#include "report/site_listing.h"
#include "report/table.h"

/* ---- a file ----------------------------------------------------------------------------------------------------- */

/* Columns of accesses: stores and loads of each kind of site. */
enum { COUNTS = 2 * SITE_KINDS };
static const char *const heads[COUNTS] = {"spill stores", "spill loads", "array stores", "array loads"};

struct count {
    int32_t accesses, bytes;
};

static struct count count_of(const struct site_line *line, int column)
{
    const struct code_site *site = &line->sites[column / 2];
    return column % 2 ? (struct count){site->loads, site->load_bytes} : (struct count){site->stores, site->store_bytes};
}

static void add_number(struct table *table, bool known, uint32_t number)
{
    if (known)
        buf_int(&table->cell, number);
    table_end(table);
}

/* Tabs would count as one column of a terminal. */
static void add_code(struct str code, bool terminal, struct buf *out)
{
    enum { TAB = 8 };
    SCOPED(buf) text = {0};
    escape_keeping(code, "\t", terminal ? &text : out);
    for (size_t at = 0, column = 0; at < text.len; at++) {
        size_t blanks = text.ptr[at] == '\t' ? TAB - column % TAB : 0;
        if (blanks)
            buf_pad(out, ' ', blanks);
        else
            buf_char(out, text.ptr[at]);
        column += blanks ? blanks : 1;
    }
}

static void add_row(const bool *shown, const struct site_row *row, struct table *table)
{
    static const struct site_line none;
    const struct site_line *line = row->hit ? row->hit : &none;
    add_number(table, row->hit, line->depth);
    for (int column = 0; column < COUNTS; column++) {
        const struct count count = count_of(line, column);
        if (count.accesses)
            buf_fmt(&table->cell, "%d B in %d", count.bytes, count.accesses);
        if (shown[column])
            table_end(table);
    }
    add_number(table, row->number, row->number);
    add_code(row->code, table->width > 0, &table->cell);
    table_end(table);
}

/* shown: the columns in which some line of the listing has accesses. */
static void add_file(const struct report *report, const bool *shown, const struct site_file *file, struct buf *out)
{
    static const char *const states[SOURCE_STATES] = {
        [SOURCE_SHOWN] = "",
        [SOURCE_UNREADABLE] = " (cannot be read from here)",
        [SOURCE_REFUSED] = " (not shown: hidden, or outside of the checkout or working directory)",
        [SOURCE_CHANGED] = " (it has changed since it was compiled)",
    };
    SCOPED(table) table = {.width = report->width, .cut = true};
    buf_char(out, '\n');
    if (file->path == NO_INDEX) {
        buf_add(out, STR("without a line"));
    } else {
        location_path(report, model_string(report->model, file->path), out);
        buf_add(out, str_of(states[file->source]));
    }
    buf_char(out, '\n');
    table_column(&table, "depth", true);
    for (int column = 0; column < COUNTS; column++)
        if (shown[column])
            table_column(&table, heads[column], true);
    table_column(&table, "line", true);
    table_column(&table, "", false);
    for (size_t at = 0; at < file->count; at++)
        add_row(shown, &file->rows[at], &table);
    table_render(&table, out);
}

/* ---- the record ------------------------------------------------------------------------------------------------- */

static void add_header(struct context *context, struct buf *out)
{
    const struct kernel *kernel = context->kernel;
    const struct rare_metrics *rare = context->rare;
    const struct str arch = kernel_arch(context->model, kernel);
    buf_add(out, arch.len ? arch : STR("architecture not stated"));
    if (kernel->registers != UNKNOWN)
        buf_fmt(out, ": %d registers", kernel->registers);
    if (context->register_cap != UNKNOWN)
        buf_fmt(out, " at a cap of %d by %.*s", context->register_cap, STR_ARG(context_cap_by(context)));
    if (kernel->stack_bytes != UNKNOWN)
        buf_fmt(out, ", stack frame %d B", kernel->stack_bytes);
    if (kernel->flags & KERNEL_DEBUG)
        buf_add(out, STR(", compiled with -G or without optimisation"));
    buf_char(out, '\n');
    if (kernel->spill_store_bytes == 0 && kernel->spill_load_bytes == 0)
        buf_add(out, STR("spills nothing"));
    else if (kernel->spill_store_bytes != UNKNOWN && kernel->spill_load_bytes != UNKNOWN)
        buf_fmt(out, "spills %d B stores and %d B loads per thread", kernel->spill_store_bytes,
                kernel->spill_load_bytes);
    else if (rare->local_store_bytes != UNKNOWN)
        buf_fmt(out, "local memory: %d B stores and %d B loads per thread", rare->local_store_bytes,
                rare->local_load_bytes);
    else
        buf_add(out, STR("spills are not known"));
    if (rare->spill_bytes_in_loops > 0)
        buf_fmt(out, "; %d B in loops, up to depth %d", rare->spill_bytes_in_loops, rare->spill_depth);
    else if (rare->spill_bytes_in_loops == 0 && kernel->spill_store_bytes > 0)
        buf_add(out, STR("; none in a loop"));
    if (kernel_next_callee(context->model, kernel, kernel))
        buf_add(out, STR("; its frame holds arrays and spills of functions that it calls"));
    else if (rare->array_bytes > 0)
        buf_fmt(out, "; local arrays %d B", rare->array_bytes);
    buf_char(out, '\n');
}

/* Appends the numbers of the linked kernel, which is what runs: the link adds what called functions need. One object
 * can be linked into several programs. */
static void add_link(const struct report *report, const struct context *context, struct buf *out)
{
    const struct kernel *link = context->link;
    if (!link || link->registers == UNKNOWN)
        return;
    int32_t stack = kernel_link_stack(link);
    buf_add(out, STR("as linked ("));
    location_path(report, model_string(report->model, report->model->logs[link->log].path), out);
    if (link->log_line)
        buf_fmt(out, ":%u", link->log_line);
    buf_fmt(out, "): %d registers", link->registers);
    if (stack != UNKNOWN)
        buf_fmt(out, ", stack %d B with the functions it calls", stack);
    buf_char(out, '\n');
}

/* Appends that the record's own code has no accesses with an offset in its frame, and the called functions that spill:
 * its frame holds their data. Code of -G accesses its frame through pointers. */
static void add_no_accesses(const struct report *report, const struct kernel *kernel, struct buf *out)
{
    const char *before = "";
    if (kernel_spills_from(report->model, kernel) == SPILLS_UNKNOWN &&
        kernel_rare(report->model, kernel)->local_store_bytes == UNKNOWN)
        return; /* the header already states that spills are unknown */
    if (kernel_rare(report->model, kernel)->array_bytes > 0 && !kernel_next_callee(report->model, kernel, kernel))
        buf_add(out, STR("the lines are not known: its code accesses the stack frame through pointers only"));
    else
        buf_add(out, STR("its own code does not access local memory"));
    for (const struct kernel *callee = kernel; (callee = kernel_next_callee(report->model, kernel, callee));) {
        buf_add(out, *before ? str_of(before) : STR("; functions that spill, for `warplint where FUNCTION`: "));
        buf_add(out, label_of(report->labels, kernel_name(report->model, callee)));
        before = ", ";
    }
    buf_char(out, '\n');
}

void where_text(const struct report *report, uint32_t kernel, struct buf *out)
{
    enum { CONTINUED = 4 };
    struct context *context = linter_record(report->linter, kernel);
    const enum unlocated unlocated = local_memory_unlocated(report->model, context->kernel);
    SCOPED(site_listing) listing = {.report = report, .from_here = true};
    SCOPED(buf) head = {0};
    bool shown[COUNTS] = {false};
    add_header(context, &head);
    add_link(report, context, &head);
    site_listing_add(&listing, context->kernel, SITE_SPILL);
    site_listing_add(&listing, context->kernel, SITE_ARRAY);
    if (unlocated != LOCATED)
        buf_fmt(&head, "the lines are not known: %s; %s\n", unlocated_texts[unlocated].why,
                unlocated_texts[unlocated].fix);
    else if (listing.count == 0)
        add_no_accesses(report, context->kernel, &head);
    buf_fold_lines(out, buf_str(&head), CONTINUED, report->width);
    for (size_t at = 0; at < listing.count; at++)
        for (int column = 0; column < COUNTS; column++)
            shown[column] |= count_of(&listing.lines[at], column).accesses > 0;
    for (const struct site_file *file; (file = site_listing_next(&listing));)
        add_file(report, shown, file, out);
}
