#include "cli/advise/tuning.h"

#include "cli/yaml_text.h"
#include "report/markup.h"

#include <stdlib.h>

/* The values that are written for a kernel. Threads and blocks are 0 if it cannot launch; dynamic shared memory (bytes)
 * is 0 if there is none or its size is unknown. */
enum figure { THREADS, BLOCKS, DYNAMIC_SMEM, FIGURES };
static const char *const figure_keys[FIGURES] = {"threads", "min-blocks", "dynamic-smem"};

/* One kernel on one architecture. */
struct row {
    struct str arch;
    int64_t figures[FIGURES];
    int warps, max_warps;
    uint64_t seen, of; /* number of launches with these values, and of all launches; 0: a candidate */
};

struct rows {
    struct row *items; /* sorted by architecture */
    size_t count, cap;
    bool disagree; /* two kernels of this name have different values */
};

/* ---- choosing --------------------------------------------------------------------------------------------------- */

static void keep_if_better(const struct context *context, const struct launch *launch, struct row *row)
{
    const struct rare_metrics *rare = context->rare;
    const int bound = rare->bound_threads, threads = launch->threads;
    const bool fits = bound == 0 || (rare->bound_from == BOUND_REQUIRED ? threads == bound : threads <= bound);
    struct occupancy o = {0};
    if (!fits || !occupancy_compute(context->arch, launch, &o) || o.blocks == 0 || o.warps <= row->warps)
        return;
    row->figures[THREADS] = launch->threads;
    row->figures[BLOCKS] = o.blocks;
    row->warps = o.warps;
}

/* Takes the most frequent launch of the profile. Returns false if the profile has none of this kernel. */
static bool take_profiled(struct linter *linter, uint32_t kernel, const struct context *context, struct row *row)
{
    enum { MOST = 256 };
    const struct profile_launch *seen[MOST];
    size_t count = linter->options.profile ? linter_launches(linter, kernel, seen, MOST) : 0;
    for (size_t at = 0; at < count && at < MOST; at++)
        row->of += seen[at]->count;
    if (count == 0)
        return false;
    struct launch launch = context_launch(context, (int)seen[0]->threads);
    if (seen[0]->dynamic_smem_bytes >= 0)
        launch.dynamic_smem_bytes = seen[0]->dynamic_smem_bytes;
    row->seen = seen[0]->count;
    row->figures[DYNAMIC_SMEM] = launch.dynamic_smem_bytes;
    keep_if_better(context, &launch, row);
    return true;
}

static bool make_row(struct linter *linter, const struct candidates *candidates, uint32_t kernel, struct row *row)
{
    const struct context *context = linter_record(linter, kernel);
    if (!context->arch || context->registers == UNKNOWN || context->smem_bytes == UNKNOWN)
        return false;
    *row =
        (struct row){.arch = kernel_arch(linter->model, context->kernel), .max_warps = context->arch->max_warps_per_sm};
    if (take_profiled(linter, kernel, context, row))
        return true;
    for (int threads = 1; threads <= MOST_THREADS; threads++) {
        struct launch launch = context_launch(context, threads);
        if (candidates->has[threads])
            keep_if_better(context, &launch, row);
    }
    return candidates->count > 0;
}

static void add_row(struct rows *rows, const struct row *row)
{
    EACH(const struct row, known, rows->items, rows->count) {
        if (!str_eq(known->arch, row->arch))
            continue;
        rows->disagree |= memcmp(known->figures, row->figures, sizeof row->figures) != 0;
        return;
    }
    size_t at = rows->count++;
    rows->items = mem_reserve(rows->items, &rows->cap, rows->count, sizeof *rows->items);
    for (; at > 0 && arch_order(row->arch, rows->items[at - 1].arch) < 0; at--)
        rows->items[at] = rows->items[at - 1];
    rows->items[at] = *row;
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

/* The row whose value the configuration would inherit for this row: the nearest lower one that is written and has no
 * letter in its architecture. NULL if there is none. */
static const struct row *heir_of(const struct rows *rows, const bool *written, size_t row)
{
    for (size_t at = row; at-- > 0;) {
        char last = rows->items[at].arch.ptr[rows->items[at].arch.len - 1];
        if (written[at] && is_digit(last))
            return &rows->items[at];
    }
    return NULL;
}

static void add_map(enum figure figure, const struct rows *rows, struct buf *out)
{
    bool *written = mem_alloc(rows->count + 1);
    const char *separator = "{";
    buf_fmt(out, "    %s: ", figure_keys[figure]);
    for (size_t at = 0; at < rows->count; at++) {
        const struct row *row = &rows->items[at], *heir = heir_of(rows, written, at);
        if (row->figures[THREADS] == 0 || (heir && heir->figures[figure] == row->figures[figure]))
            continue;
        written[at] = true;
        buf_fmt(out, "%s%.*s: %lld", separator, STR_ARG(row->arch), (long long)row->figures[figure]);
        separator = ", ";
    }
    buf_add(out, STR("}\n"));
    free(written);
}

static void add_comment(const struct row *row, struct buf *out)
{
    buf_fmt(out, "  # %.*s: ", STR_ARG(row->arch));
    const long long blocks = row->figures[BLOCKS];
    if (blocks == 0) {
        buf_add(out, row->seen ? STR("the launch of the profile does not fit this build\n")
                               : STR("none of the block sizes can launch\n"));
        return;
    }
    buf_fmt(out, "%lld threads, %lld block%s per SM, %.1f %%", (long long)row->figures[THREADS], blocks, PLURAL(blocks),
            100.0 * row->warps / row->max_warps);
    if (row->seen)
        buf_fmt(out, ", %llu of %llu launches", (unsigned long long)row->seen, (unsigned long long)row->of);
    buf_char(out, '\n');
}

/* If an architecture has no value, it would inherit one. To prevent that, the entry lists the architectures that it is
 * for. */
static void add_archs(const struct rows *rows, struct buf *out)
{
    struct str_list archs = {0};
    for (size_t at = 0; at < rows->count; at++)
        if (rows->items[at].figures[THREADS])
            str_list_add(&archs, rows->items[at].arch);
    if (archs.count < rows->count) {
        buf_add(out, STR("    arch: "));
        yaml_list(archs.items, archs.count, out);
        buf_char(out, '\n');
    }
    free(archs.items);
}

/* The reason why a kernel gets no entry; empty if it gets one. */
static struct str reason_against(const struct rows *rows, bool is_text)
{
    bool none = true;
    for (size_t at = 0; at < rows->count; at++)
        none &= rows->items[at].figures[THREADS] == 0;
    if (rows->disagree)
        return STR("several kernels have this name, and what is right for one is not for the others");
    if (none)
        return STR("none of the block sizes can launch");
    return is_text ? (struct str){"", 0} : STR("a name that is no text");
}

static bool add_entry(struct str name, const struct rows *rows, struct buf *out)
{
    SCOPED(buf) match = {0};
    struct str reason = reason_against(rows, yaml_pattern("^", name, "$", &match));
    bool smem = false;
    if (reason.len) {
        text_fmt(out, "  # %.*s:\n  #   %.*s\n", STR_ARG(name), STR_ARG(reason));
        return false;
    }
    for (size_t at = 0; at < rows->count; at++) {
        add_comment(&rows->items[at], out);
        smem |= rows->items[at].figures[DYNAMIC_SMEM] > 0;
    }
    buf_fmt(out, "  - match: %.*s\n", STR_ARG(buf_str(&match)));
    add_archs(rows, out);
    for (enum figure figure = 0; figure < FIGURES; figure++)
        if (figure != DYNAMIC_SMEM || smem)
            add_map(figure, rows, out);
    return true;
}

/* Collects the rows of every readable name. `names` gets the names in the order of the log. */
static struct rows *gather(struct linter *linter, const struct candidates *candidates, struct intern *names)
{
    const struct model *model = linter->model;
    struct rows *rows = NULL;
    size_t cap = 0;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        struct row row;
        if (kernel->kind != KERNEL_ENTRY || context_is_secondary(model, kernel) || !linter_selects(linter, at) ||
            !make_row(linter, candidates, at, &row))
            continue;
        uint32_t number = intern_add(names, context_name(linter_record(linter, at)));
        add_row(MEM_AT(rows, cap, number), &row);
    }
    return rows;
}

size_t tuning_yaml(struct linter *linter, const struct candidates *candidates, struct buf *out)
{
    SCOPED(intern) names = {0};
    struct rows *rows = gather(linter, candidates, &names);
    size_t entries = 0;
    if (names.count)
        buf_add(out, STR("# block sizes, and the blocks per SM that fit at them now:\n"
                         "# what __launch_bounds__(threads, min-blocks) would promise\n"
                         "kernels:\n"));
    for (uint32_t at = 0; at < names.count; at++) {
        entries += add_entry(intern_get(&names, at), &rows[at], out);
        free(rows[at].items);
    }
    free(rows);
    return entries;
}
