/*
 * rdc_join: with -rdc a kernel has two records, one of ptxas and one of nvlink. The registers, stack and shared memory
 * of the link are the final ones; only the record of ptxas states the spills. This file joins the two records if they
 * have the same name and architecture. nvlink names its architecture only if it links for several. For one
 * architecture, it is inferred if all records of ptxas with the name have the same architecture. The driver's linker
 * names no architecture, and ptxas in a JIT names none if it prints only properties. Within one log, such records are
 * joined by name.
 *
 * A linked program is read with the numbers of its link: the record of such a kernel is its own link.
 *
 * One object can be linked into several programs. If a second link states other numbers than the first one, it gets a
 * copy of the record of ptxas, or the record of another object with the same code. If several objects have the kernel,
 * the object of a link is known only if records of `wrap` state the objects and the command of the link.
 */
#include "log/reader.h"

#include <stdlib.h>

/* The columns by which records are sorted: the kernel, then records of ptxas before links, then the values that they
 * state, at last the index of the record. */
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
    int64_t column[COLUMNS]; /* COLUMN_LOG: 0 if the architecture is known */
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

/* Values that are not an architecture. NO_INDEX is a third one: all records of ptxas with a name can have it. */
enum { NOT_SEEN = -2, SEVERAL = -3 };

/* By name: the architecture of all its records of ptxas, or one of the values above. */
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

/* Sets the architecture of links that state none, from the array of archs_of_names. */
static void infer_archs(struct model *model, const uint32_t *archs)
{
    EACH(struct kernel, link, model->kernels, model->kernel_count)
        if (kernel_is_link(link) && link->arch_inferred == NO_INDEX && archs[link->name] != (uint32_t)NOT_SEEN &&
            archs[link->name] != (uint32_t)SEVERAL)
            link->arch_inferred = archs[link->name];
}

/* True if the record can be joined. A link without an architecture is joined by name if ptxas states none either, or if
 * its linker never states one. */
static bool can_join(const struct kernel *kernel, const uint32_t *archs)
{
    if (!kernel_is_link(kernel))
        return is_entry_of_ptxas(kernel);
    return kernel->arch_inferred != NO_INDEX || kernel->producer == PRODUCER_DRIVER_LINKER ||
           archs[kernel->name] == NO_INDEX;
}

/* linked: by name, whether a link has it; only records with these names are joined. */
static struct entry *sorted_entries(const struct model *model, const uint32_t *archs, const bool *linked, size_t *count)
{
    struct entry *entries = mem_alloc((model->kernel_count + 1) * sizeof *entries);
    *count = 0;
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        if (!can_join(kernel, archs) || !linked[kernel->name])
            continue;
        entries[(*count)++] = (struct entry){
            .column = {kernel->name, kernel->arch_inferred, kernel->arch_inferred == NO_INDEX ? kernel->log : 0,
                       kernel_is_link(kernel), kernel->flags & KERNEL_AMBIGUOUS, /* last: copies get ambiguous links */
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
    model->kernels[kernel].flags |= model->kernels[link].flags & KERNEL_AMBIGUOUS; /* the final values are unknown */
}

/* The number of different outcomes; equal entries are adjacent. */
static size_t count_outcomes(const struct entry *entries, size_t count)
{
    size_t outcomes = 0;
    for (size_t at = 0; at < count; at++)
        outcomes += at == 0 || stated_cmp(&entries[at - 1], &entries[at]) != 0;
    return outcomes;
}

/* The objects that the links took, according to records of `wrap`. The paths are those that the compiler was given. */
struct taken {
    uint32_t *object;    /* by log: the number of its object; NO_INDEX: unknown */
    struct intern pairs; /* the log of a link, and the number of an object that its command names */
};

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
        struct str rest = model_string(model, model->logs[at].flags), word; /* includes options of option files */
        while (rest.len && str_split(&rest, '\0', &word)) {
            buf_clear(&path);
            path_clean(word, false, &path);
            const uint32_t object = intern_find(&objects, buf_str(&path));
            if (object != INTERN_NONE)
                intern_add(&taken.pairs, INTERN_PAIR(at, object));
        }
    }
    return taken;
}

static void taken_free(struct taken *taken)
{
    free(taken->object);
    intern_free(&taken->pairs);
}

/* True if the records are of one source and their objects have the same device code, according to records of `wrap`:
 * then it makes no difference which object a link took. */
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

/* Keeps the links that can be of the kernel, and returns their number. A link needs at least the registers and the
 * stack of the kernel's own code: a link with less is of another program's kernel with this name. */
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

/* Joins links to records of ptxas with the same code: each different outcome gets one of these records, or a copy. */
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

/* The index of the record of ptxas whose object the link took; `count` if it is unknown or there are several. */
static size_t taken_by(const struct model *model, const struct taken *taken, const struct entry *compiled, size_t count,
                       const struct entry *link)
{
    size_t found = count, named = 0;
    for (size_t at = 0; at < count; at++) {
        const uint32_t object = taken->object[model->kernels[compiled[at].kernel].log];
        const uint16_t log = model->kernels[link->kernel].log;
        if (object == NO_INDEX || intern_find(&taken->pairs, INTERN_PAIR(log, object)) == INTERN_NONE)
            continue;
        found = at;
        named++;
    }
    return named == 1 ? found : count;
}

/* Joins records of ptxas with different code, each to the links that took its object. */
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
 * Joins the records of one kernel: `count` records of ptxas, followed by those of links up to `end`. With several
 * records of ptxas it is unknown which one a link took, unless the link names the object. That makes no difference only
 * if all records and links state the same values, or if the records have the same code.
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

/* True for code that nvlink made and whose called functions have stack: the record states the outcome of its link
 * itself. */
static bool is_own_link(const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    return kernel->producer == PRODUCER_BINARY && kernel->kind == KERNEL_ENTRY && kernel->stack_bytes != UNKNOWN &&
           kernel->cumulative_stack_bytes > kernel->stack_bytes && rare->object_registers != NO_OBJECT &&
           rare->link == NO_INDEX;
}

void model_link(struct model *model)
{
    /* If the log of the compile is also an input, its record of the kernel is joined with that of the binary later. */
    bool has_links = false, *linked = mem_alloc((model->names.count + 1) * sizeof *linked);
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        if (is_own_link(model, &model->kernels[k]))
            kernel_set_link(model, k, k);
        if (kernel_is_link(&model->kernels[k]))
            has_links = linked[model->kernels[k].name] = true;
    }
    if (!has_links) {
        free(linked);
        return;
    }
    uint32_t *archs = archs_of_names(model);
    infer_archs(model, archs);
    size_t count;
    struct entry *entries = sorted_entries(model, archs, linked, &count);
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
    free(linked);
}
