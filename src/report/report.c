#include "report/report.h"

#include "log/triton_name.h"

#include <stdlib.h>

#define FORMAT_ROW(name, holds, diff, what) {#name, holds, what, report_##name, diff},
const struct format format_table[] = {FORMATS(FORMAT_ROW)};
const size_t format_count = sizeof format_table / sizeof *format_table;

const struct format *format_find(struct str name)
{
    for (size_t at = 0; at < format_count; at++)
        if (str_eq(name, str_of(format_table[at].name)))
            return &format_table[at];
    return NULL;
}

/* The sort key of a record, copied out of the record so that sorting touches little memory. */
struct order_key {
    int64_t costs[4]; /* spills, stack, registers, shared memory; larger is worse */
    uint32_t kernel;
    const struct model *model;
};

static int by_weight(const void *left, const void *right)
{
    const struct order_key *a = left, *b = right;
    int order = numbers_cmp(b->costs, a->costs, 4);
    const struct kernel *ka = &a->model->kernels[a->kernel], *kb = &a->model->kernels[b->kernel];
    if (!order)
        order = str_cmp(kernel_name(a->model, ka), kernel_name(a->model, kb));
    if (!order)
        order = arch_order(kernel_arch(a->model, ka), kernel_arch(a->model, kb));
    return order ? order : number_cmp(a->kernel, b->kernel);
}

static struct order_key order_key(const struct model *model, uint32_t number)
{
    const struct kernel *kernel = &model->kernels[number];
    uint32_t link = kernel_rare(model, kernel)->link;
    const struct kernel *counts = link == NO_INDEX ? kernel : &model->kernels[link];
    int32_t stack = link == NO_INDEX ? UNKNOWN : kernel_link_stack(counts);
    const int64_t stores = kernel->spill_store_bytes == UNKNOWN ? -1 : kernel->spill_store_bytes;
    const int64_t loads = kernel->spill_load_bytes == UNKNOWN ? 0 : kernel->spill_load_bytes;
    return (struct order_key){
        .costs = {stores + loads, stack != UNKNOWN ? stack : kernel->stack_bytes, counts->registers,
                  counts->smem_bytes},
        .kernel = number,
        .model = model,
    };
}

uint32_t *report_order(const struct report *report, struct arena *arena, size_t *count)
{
    const struct model *model = report->model;
    struct order_key *keys = mem_alloc((model->kernel_count + 1) * sizeof *keys);
    size_t kept = 0;
    for (uint32_t k = 0; k < model->kernel_count; k++)
        if (!context_is_secondary(model, &model->kernels[k]) && linter_selects(report->linter, k))
            keys[kept++] = order_key(model, k);
    mem_sort(keys, kept, sizeof *keys, by_weight);
    uint32_t *order = arena_alloc(arena, (kept + 1) * sizeof *order);
    for (size_t at = 0; at < kept; at++)
        order[at] = keys[at].kernel;
    free(keys);
    *count = kept;
    return order;
}

bool report_configuration(const struct model *model, uint32_t record, struct str *name, struct str *members)
{
    const struct kernel *kernel = &model->kernels[record];
    return kernel->kind == KERNEL_ENTRY && kernel_rare(model, kernel)->bound_from == BOUND_TRITON &&
           triton_name_split(kernel_name(model, kernel), name, members);
}

struct kernel_findings report_kernel_findings(const struct report *report, struct arena *arena)
{
    const struct linter *linter = report->linter;
    const size_t kernels = (report->model->kernel_count + 1) * sizeof(uint32_t);
    const size_t findings = (linter->finding_count + 1) * sizeof(uint32_t);
    struct kernel_findings lists = {arena_alloc(arena, kernels), arena_alloc(arena, findings)};
    memset(lists.first_of, 0xff, kernels);
    memset(lists.next_of, 0xff, findings);
    for (size_t at = linter->finding_count; at-- > 0;) {
        uint32_t kernel = linter->findings[at].kernel;
        if (kernel == NO_INDEX)
            continue;
        lists.next_of[at] = lists.first_of[kernel];
        lists.first_of[kernel] = (uint32_t)at;
    }
    return lists;
}

size_t report_shown_findings(const struct report *report)
{
    const struct linter_counts *counts = &report->linter->counts;
    return report->linter->finding_count - counts->suppressed - counts->unchanged;
}

bool log_lacks_resource_lines(const struct log_info *log)
{
    return !log->verbose && !log->no_code && !log->unread;
}

enum doubt log_doubt(const struct log_info *log)
{
    return log->wrapped_line  ? DOUBT_WRAPPED /* a wrapped line looks like a torn line */
           : log->torn        ? DOUBT_TORN
           : log->interleaved ? DOUBT_INTERLEAVED
           : log->compiled    ? DOUBT_QUOTED
                              : DOUBT_MISSING;
}

enum doubt logs_doubt(const struct model *model)
{
    enum doubt worst = DOUBT_MISSING;
    for (size_t at = 0; at < model->log_count; at++)
        worst = log_doubt(&model->logs[at]) > worst ? log_doubt(&model->logs[at]) : worst;
    return worst;
}

const struct doubt_text doubt_texts[] = {
    [DOUBT_MISSING] = {"lines of the compiler are missing", "keep all output of the compiler"},
    [DOUBT_QUOTED] = {"a message of the compiler quotes lines like those of ptxas",
                      "take these lines out of the message"},
    [DOUBT_INTERLEAVED] = {"several compilers wrote at once", "make -O, or warplint wrap"},
    [DOUBT_TORN] = {"several compilers wrote at once and cut each other's lines", "make -O, or warplint wrap"},
    [DOUBT_WRAPPED] = {"messages are wrapped into the next line, as a terminal does it",
                       "write the build's output to a file"},
};

struct totals report_totals(const struct report *report)
{
    const struct model *model = report->model;
    struct totals totals = {0};
    EACH(const struct log_info, log, model->logs, model->log_count) {
        totals.lines += log->lines;
        totals.unknown_lines += log->unknown_lines;
        totals.unread_members += log->unread_members;
        totals.unread_entries += log->unread_entries;
        totals.interleaved |= log->interleaved;
        totals.cut |= log->cut;
        totals.without_code += log->no_code;
        totals.silent += log_lacks_resource_lines(log);
    }
    return totals;
}
