#include "nvcc/kernel_source.h"

#include "log/directive_kernel.h"
#include "log/name.h"
#include "nvcc/source_files.h"

/* The definitions of one name in the files, or, if there are none, its declarations. */
struct candidate {
    bool is_known;   /* false: all other fields are 0 */
    bool is_several; /* several definitions or declarations, or several kernels of the compile */
    uint32_t last;   /* index in unit.found of the last one */
    uint32_t kernel; /* number of the full name, with namespaces, of the compile's kernel; INTERN_NONE: there is none */
};

struct search {
    struct source_files unit;
    struct intern names;          /* names of declarations, and of kernels in the form of name_declared (log/name.h) */
    struct candidate *candidates; /* by number of a declaration's name */
    uint32_t declared;            /* names of declarations have smaller numbers, names of kernels do not */
};

static void note_declaration(struct search *search, uint32_t at)
{
    const struct declaration *items = search->unit.found.items;
    uint32_t name = intern_add(&search->names, items[at].name);
    struct candidate *candidate = &search->candidates[name];
    if (!candidate->is_known || (items[at].is_definition && !items[candidate->last].is_definition))
        *candidate = (struct candidate){.is_known = true, .last = at, .kernel = INTERN_NONE};
    else
        candidate->is_several |= items[at].is_definition == items[candidate->last].is_definition;
}

/* The candidate for the last part of a kernel's name; NULL: the files contain none. *full: the number of the full
 * name. */
static struct candidate *find_candidate(struct search *search, struct str kernel, uint32_t *full)
{
    SCOPED(buf) text = {0};
    name_declared(kernel, &text);
    struct str name = buf_str(&text);
    size_t scope = str_rfind(name, STR("::"));
    uint32_t last = intern_find(&search->names, scope == STR_NONE ? name : str_from(name, scope + 2));
    if (last >= search->declared) /* INTERN_NONE too */
        return NULL;
    *full = intern_add(&search->names, name);
    return &search->candidates[last];
}

/* The search does not track namespaces: it cannot distinguish kernels with the same last part of the name. */
static void note_kernel(struct search *search, struct str kernel)
{
    uint32_t full;
    struct candidate *candidate = find_candidate(search, kernel, &full);
    if (!candidate)
        return;
    candidate->is_several |= candidate->kernel != INTERN_NONE && candidate->kernel != full;
    candidate->kernel = full;
}

static void note_kernels(struct search *search, const struct model *model)
{
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count)
        if (kernel->kind == KERNEL_ENTRY)
            note_kernel(search, kernel_name(model, kernel));
    EACH(const struct event, event, model->events, model->event_count)
        if (event->name != NO_INDEX)
            note_kernel(search, intern_get(&model->names, event->name));
}

static void set_source(const struct search *search, struct model *model, struct kernel *kernel, uint32_t file,
                       uint32_t line, enum line_from from)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    kernel->source = intern_add(&model->strings, source_files_path(&search->unit, file));
    rare->source_line = line;
    rare->line_from = (uint8_t)from;
}

/* Sets the source line from a kernel's name; false if the name is not that of a directive's region, or identifies no
 * file that was compiled. */
static bool place_region(const struct search *search, struct model *model, struct kernel *kernel)
{
    struct directive_kernel region;
    uint64_t line = 0;
    if (!directive_kernel_of(kernel_name(model, kernel), &region) || !region.has_file ||
        !str_to_uint(region.line, &line))
        return false;
    uint32_t file = source_files_find(&search->unit, region.device, region.inode);
    if (file == NO_INDEX || line == 0 || line > INT32_MAX)
        return false;
    set_source(search, model, kernel, file, (uint32_t)line, LINE_REGION);
    return true;
}

static void place_kernels(struct search *search, struct model *model)
{
    EACH(struct kernel, kernel, model->kernels, model->kernel_count) {
        if (kernel_rare(model, kernel)->source_line || place_region(search, model, kernel) ||
            kernel->kind != KERNEL_ENTRY)
            continue;
        uint32_t full;
        const struct candidate *candidate = find_candidate(search, kernel_name(model, kernel), &full);
        if (!candidate || candidate->is_several)
            continue;
        const struct declaration *found = &search->unit.found.items[candidate->last];
        set_source(search, model, kernel, found->file, found->line, LINE_DECLARATION);
    }
}

/* If several kernels have one name, the kernel of an exception is unknown. An exception for a kernel that the compile
 * does not have is ignored here. */
static void add_suppression(const struct search *search, struct model *model, const struct suppression *suppression)
{
    struct str problem = suppression->problem;
    uint32_t kernel = INTERN_NONE;
    if (!problem.len) {
        struct str name = search->unit.found.items[suppression->declaration].name;
        const struct candidate *candidate = &search->candidates[intern_find(&search->names, name)];
        kernel = candidate->kernel;
        if (candidate->is_several)
            problem =
                STR("this exception allows nothing: several kernels here have this name, expected an exception in "
                    "the configuration, which can tell them apart");
        else if (kernel == INTERN_NONE)
            return;
    }
    struct source_exception *comment = model_add_source_exception(model);
    comment->file = intern_add(&model->strings, source_files_path(&search->unit, suppression->file));
    comment->line = suppression->line;
    comment->column = suppression->column;
    if (problem.len) {
        comment->problem = intern_add(&model->strings, problem);
        return;
    }
    comment->kernel = intern_add(&model->strings, intern_get(&search->names, kernel));
    comment->rule = intern_add(&model->strings, suppression->rule);
    comment->reason = intern_add(&model->strings, suppression->reason);
    if (suppression->until.len)
        comment->until = intern_add(&model->strings, suppression->until);
}

/* Files that the compiler names in its messages are files that it has read. */
static void read_named_files(struct search *search, const struct model *model)
{
    uint32_t last = NO_INDEX;
    for (size_t at = 0; !search->unit.complete && at < model->event_count; at++) {
        uint32_t file = model->events[at].file;
        if (file != NO_INDEX && file != last)
            source_files_add(&search->unit, model_string(model, file));
        last = file;
    }
}

void locate_kernels(const struct invocation *invocation, struct model *model, struct diags *diags)
{
    struct search search = {0};
    const struct suppressions *suppressions = &search.unit.found.suppressions;
    source_files_read(&search.unit, invocation);
    read_named_files(&search, model);
    if (search.unit.unread.len)
        diag_warning(diags, (struct place){.path = search.unit.unread},
                     "%.*s; kernels may lack their lines and exceptions", STR_ARG(search.unit.unread_why));
    search.candidates = arena_alloc(&search.unit.arena, (search.unit.found.count + 1) * sizeof *search.candidates);
    for (uint32_t at = 0; at < search.unit.found.count; at++)
        note_declaration(&search, at);
    search.declared = (uint32_t)search.names.count;
    note_kernels(&search, model);
    place_kernels(&search, model);
    EACH(const struct suppression, suppression, suppressions->items, suppressions->count)
        add_suppression(&search, model, suppression);
    intern_free(&search.names);
    source_files_free(&search.unit);
}
