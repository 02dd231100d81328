/*
 * rdc_join: with -rdc a kernel has two records, ptxas's and nvlink's. The link's registers, stack and shared memory are
 * what runs; the spills are only in ptxas's. Here the two find each other: same name, same architecture. nvlink names
 * its architecture only when it links for several; for one it follows when every ptxas record of the log that has the
 * name is for that one. The driver's linker names none, and neither does the ptxas of a JIT when it states properties
 * alone: in one log these find each other by name.
 *
 * A program is read with the numbers of its link: its kernels are their own link.
 *
 * One object can be linked into several programs: where a second link states other numbers than the first, it gets a
 * copy of ptxas's record, or that of another object with the same code. Which of several objects a link took is known
 * where records of `wrap` state the objects and the command of the link.
 */
#include "log/reader.h"

#include <stdlib.h>

/* What records are sorted by: the kernel, those of ptxas first, then what they state; its number last. */
enum column {
    COLUMN_NAME,
    COLUMN_ARCH,
    COLUMN_LOG,
    COLUMN_IS_LINK,
    COLUMN_STATED,
    COLUMN_NUMBER = COLUMN_STATED + 5,
    COLUMNS
};

/* A record of a kernel. */
struct entry {
    int64_t column[COLUMNS]; /* of COLUMN_LOG: where no architecture is known; else 0 */
    uint32_t kernel;
};

static int stated_cmp(const struct entry *a, const struct entry *b)
{
    return numbers_cmp(&a->column[COLUMN_STATED], &b->column[COLUMN_STATED], COLUMN_NUMBER - COLUMN_STATED);
}

static int entry_cmp(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    return numbers_cmp(a->column, b->column, COLUMNS);
}

static bool is_entry_of_ptxas(const struct kernel *kernel)
{
    return kernel->producer == PRODUCER_PTXAS && kernel->kind == KERNEL_ENTRY && kernel->name != NO_INDEX;
}

/* What is no architecture: NO_INDEX, which all records of ptxas of a name can have, and these. */
enum { NOT_SEEN = -2, SEVERAL = -3 };

/* By name: the architecture that all of its records of ptxas have. */
static uint32_t *archs_of_names(const struct model *model)
{
    uint32_t *archs = mem_alloc((model->names.count + 1) * sizeof *archs);
    for (size_t name = 0; name < model->names.count; name++)
        archs[name] = (uint32_t)NOT_SEEN;
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count) {
        if (!is_entry_of_ptxas(kernel))
            continue;
        uint32_t *arch = &archs[kernel->name];
        *arch =
            *arch == (uint32_t)NOT_SEEN || *arch == kernel->arch_inferred ? kernel->arch_inferred : (uint32_t)SEVERAL;
    }
    return archs;
}

/* A link's record without an architecture gets that one. */
static void infer_archs(struct model *model, const uint32_t *archs)
{
    EACH(struct kernel, link, model->kernels, model->kernel_count)
        if (kernel_is_link(link) && link->arch_inferred == NO_INDEX && archs[link->name] != (uint32_t)NOT_SEEN &&
            archs[link->name] != (uint32_t)SEVERAL)
            link->arch_inferred = archs[link->name];
}

/* Without an architecture by name, where ptxas states none either, or the linker never does. */
static bool can_join(const struct kernel *kernel, const uint32_t *archs)
{
    if (!kernel_is_link(kernel))
        return is_entry_of_ptxas(kernel);
    return kernel->arch_inferred != NO_INDEX || kernel->producer == PRODUCER_DRIVER_LINKER ||
           archs[kernel->name] == NO_INDEX;
}

static struct entry *sorted_entries(const struct model *model, const uint32_t *archs, size_t *count)
{
    struct entry *entries = mem_alloc((model->kernel_count + 1) * sizeof *entries);
    *count = 0;
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        if (!can_join(kernel, archs))
            continue;
        entries[(*count)++] = (struct entry){
            .column = {kernel->name, kernel->arch_inferred, kernel->arch_inferred == NO_INDEX ? kernel->log : 0,
                       kernel_is_link(kernel), kernel->flags & KERNEL_AMBIGUOUS, /* these come last: copies get them */
                       kernel->registers, kernel_link_stack(kernel), kernel_smem(model, kernel), kernel->barriers, k},
            .kernel = k};
    }
    mem_sort(entries, *count, sizeof *entries, entry_cmp);
    return entries;
}

static uint32_t copy_record(struct model *model, uint32_t number, const struct kernel *original)
{
    struct rare_metrics rare = *kernel_rare(model, original);
    struct kernel *copy = model_add_kernel(model);
    *copy = *original;
    copy->rare = NO_INDEX;
    rare.copy_of = number;
    kernel_set_rare(model, copy, &rare);
    return (uint32_t)(model->kernel_count - 1);
}

static void join(struct model *model, uint32_t kernel, uint32_t link)
{
    kernel_set_link(model, kernel, link);
    model->kernels[kernel].flags |= model->kernels[link].flags & KERNEL_AMBIGUOUS; /* what runs is not known */
}

/* How many different ones equal neighbours leave. */
static size_t count_outcomes(const struct entry *entries, size_t count)
{
    size_t outcomes = 0;
    for (size_t at = 0; at < count; at++)
        outcomes += at == 0 || stated_cmp(&entries[at - 1], &entries[at]) != 0;
    return outcomes;
}

/* Which objects the links took, by what records of `wrap` state: paths as the compiler was given them. */
struct taken {
    uint32_t *object;    /* by log: the number of its object; NO_INDEX: not known */
    struct intern pairs; /* the log of a link, and the number of an object that its command names */
};

static struct str pair_key(const uint32_t pair[2])
{
    return (struct str){(const char *)pair, 2 * sizeof *pair};
}

static struct taken find_taken(const struct model *model)
{
    SCOPED(intern) objects = {0};
    SCOPED(buf) path = {0};
    struct taken taken = {.object = mem_alloc((model->log_count + 1) * sizeof *taken.object)};
    for (uint16_t at = 0; at < model->log_count; at++) {
        buf_clear(&path);
        path_clean(model_string(model, model->logs[at].path), false, &path);
        taken.object[at] = model->logs[at].compiled ? intern_add(&objects, buf_str(&path)) : NO_INDEX;
    }
    for (uint16_t at = 0; at < model->log_count; at++) {
        struct str rest = model_string(model, model->logs[at].flags), word; /* with those of option files */
        while (rest.len && str_split(&rest, '\0', &word)) {
            buf_clear(&path);
            path_clean(word, false, &path);
            const uint32_t pair[] = {at, intern_find(&objects, buf_str(&path))};
            if (pair[1] != INTERN_NONE)
                intern_add(&taken.pairs, pair_key(pair));
        }
    }
    return taken;
}

static void taken_free(struct taken *taken)
{
    free(taken->object);
    intern_free(&taken->pairs);
}

/* They are of one source, and their objects hold the same device code, as records of `wrap` state it: it makes no
 * difference which one a link took. */
static bool have_one_code(const struct model *model, const struct entry *compiled, size_t count)
{
    const struct kernel *first = &model->kernels[compiled->kernel];
    const uint32_t code = model->logs[first->log].object_code;
    for (size_t at = 0; at < count; at++) {
        const struct kernel *kernel = &model->kernels[compiled[at].kernel];
        const struct log_info *log = &model->logs[kernel->log];
        if (!log->compiled || log->object_code == NO_INDEX || log->object_code != code ||
            kernel->source != first->source)
            return false;
    }
    return true;
}

/* Leaves the links that can be of the kernel; returns their number. The link takes all that the kernel's own code
 * needs: with less it is another program's kernel of this name. */
static size_t keep_own_links(const struct model *model, const struct kernel *compiled, struct entry *links,
                             size_t count)
{
    size_t kept = 0;
    for (size_t at = 0; at < count; at++) {
        const struct kernel *link = &model->kernels[links[at].kernel];
        const int32_t stack = kernel_link_stack(link);
        if ((link->registers == UNKNOWN || link->registers >= compiled->registers) &&
            (stack == UNKNOWN || stack >= compiled->stack_bytes))
            links[kept++] = links[at];
    }
    return kept;
}

/* The links of records of ptxas of one code: each outcome has one of these, or a copy. */
static void join_links(struct model *model, const struct entry *compiled, size_t count, struct entry *links,
                       size_t link_count)
{
    const struct kernel original = model->kernels[compiled->kernel];
    link_count = keep_own_links(model, &original, links, link_count);
    size_t outcomes = count_outcomes(links, link_count), used = 0;
    uint32_t kernel = compiled->kernel;
    for (size_t at = 0; at < link_count; at++) {
        const bool differs = at == 0 || stated_cmp(&links[at - 1], &links[at]) != 0;
        outcomes -= differs;
        if (differs && used == count)
            kernel = copy_record(model, compiled->kernel, &original);
        else if (differs || used + outcomes < count)
            kernel = compiled[used++].kernel;
        join(model, kernel, links[at].kernel);
    }
    for (; link_count && used < count; used++)
        join(model, compiled[used].kernel, links->kernel);
}

/* The record of ptxas of the only object that the link took; `count`: it is not known. */
static size_t taken_by(const struct model *model, const struct taken *taken, const struct entry *compiled, size_t count,
                       const struct entry *link)
{
    size_t found = count, named = 0;
    for (size_t at = 0; at < count; at++) {
        const uint32_t object = taken->object[model->kernels[compiled[at].kernel].log];
        const uint32_t pair[] = {model->kernels[link->kernel].log, object};
        if (object == NO_INDEX || intern_find(&taken->pairs, pair_key(pair)) == INTERN_NONE)
            continue;
        found = at;
        named++;
    }
    return named == 1 ? found : count;
}

/* Records of ptxas of several codes, each with the links that took its object. */
static void join_objects(struct model *model, const struct taken *taken, const struct entry *compiled, size_t count,
                         const struct entry *links, size_t link_count)
{
    struct entry *own = mem_alloc((link_count + 1) * sizeof *own);
    size_t *object = mem_alloc((link_count + 1) * sizeof *object);
    for (size_t link = 0; link < link_count; link++)
        object[link] = taken_by(model, taken, compiled, count, &links[link]);
    for (size_t at = 0; at < count; at++) {
        size_t own_count = 0;
        for (size_t link = 0; link < link_count; link++)
            if (object[link] == at)
                own[own_count++] = links[link];
        join_links(model, &compiled[at], 1, own, own_count);
    }
    free(object);
    free(own);
}

/*
 * Joins the records of one kernel: `count` of ptxas, then those of links up to `end`. With several records of ptxas it
 * is not known which one a link took, unless it names the object; that makes no difference only where all of them and
 * the links state the same, or where they are of one code.
 */
static void join_kernel(struct model *model, const struct taken *taken, struct entry *compiled, size_t count,
                        const struct entry *end)
{
    struct entry *links = &compiled[count];
    const size_t link_count = (size_t)(end - links);
    if (count == 0 || link_count == 0)
        return;
    if (count == 1 || count_outcomes(compiled, count + link_count) == 1 || have_one_code(model, compiled, count))
        join_links(model, compiled, count, links, link_count);
    else
        join_objects(model, taken, compiled, count, links, link_count);
}

/* Code that nvlink made, and its functions have stack: the kernel states the outcome of its link itself. */
static bool is_own_link(const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    return kernel->producer == PRODUCER_BINARY && kernel->kind == KERNEL_ENTRY && kernel->stack_bytes != UNKNOWN &&
           kernel->cumulative_stack_bytes > kernel->stack_bytes && rare->object_registers != NO_OBJECT &&
           rare->link == NO_INDEX;
}

void model_link(struct model *model)
{
    /* Where the log of a compile is read too, the kernel's record there is joined with the binary's later. */
    for (uint32_t k = 0; k < model->kernel_count; k++)
        if (is_own_link(model, &model->kernels[k]))
            kernel_set_link(model, k, k);
    if (!model->has_links)
        return;
    uint32_t *archs = archs_of_names(model);
    infer_archs(model, archs);
    size_t count;
    struct entry *entries = sorted_entries(model, archs, &count);
    struct taken taken = find_taken(model);
    for (size_t first = 0, end = 0; first < count; first = end) {
        size_t compiled = 0;
        for (end = first; end < count && numbers_cmp(entries[first].column, entries[end].column, COLUMN_IS_LINK) == 0;
             end++)
            compiled += !entries[end].column[COLUMN_IS_LINK];
        join_kernel(model, &taken, &entries[first], compiled, &entries[end]);
    }
    taken_free(&taken);
    free(entries);
    free(archs);
}
