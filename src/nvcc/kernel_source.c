#include "nvcc/kernel_source.h"

#include "log/directive_kernel.h"
#include "log/name.h"
#include "nvcc/source_files.h"

#include <stdlib.h>

/* What the files hold under one name: definitions, or where there is none declarations. */
struct candidate {
    uint32_t last;  /* of them, into unit.found */
    uint32_t count; /* how many */
};

struct search {
    struct source_files unit;
    struct intern names;          /* of the declarations */
    struct candidate *candidates; /* by number of the name */
    size_t candidate_cap;
};

static void note(struct search *search, uint32_t at)
{
    const struct declaration *items = search->unit.found.items;
    uint32_t name = intern_add(&search->names, items[at].name);
    struct candidate *candidate = MEM_AT(search->candidates, search->candidate_cap, name);
    if (candidate->count == 0 || (items[at].is_definition && !items[candidate->last].is_definition))
        *candidate = (struct candidate){.last = at, .count = 1};
    else if (items[at].is_definition == items[candidate->last].is_definition)
        candidate->count++;
}

/* The one that can be meant, or NO_INDEX. */
static uint32_t choose(const struct search *search, uint32_t name)
{
    const struct candidate *candidate = name == INTERN_NONE ? NULL : &search->candidates[name];
    bool sure = candidate && candidate->count == 1 && !search->unit.found.items[candidate->last].is_unsure;
    return sure ? candidate->last : NO_INDEX;
}

static void place(const struct search *search, struct model *model, struct kernel *kernel, uint32_t file, uint32_t line,
                  enum line_from from)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    kernel->source = intern_add(&model->strings, source_files_path(&search->unit, file));
    rare->source_line = line;
    rare->line_from = (uint8_t)from;
}

/* False: its name is not that of a region, or says no file that was compiled. */
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
    place(search, model, kernel, file, (uint32_t)line, LINE_REGION);
    return true;
}

static void place_kernels(const struct search *search, struct model *model)
{
    SCOPED(buf) name = {0};
    EACH(struct kernel, kernel, model->kernels, model->kernel_count) {
        if (kernel_rare(model, kernel)->source_line || place_region(search, model, kernel) ||
            kernel->kind != KERNEL_ENTRY)
            continue;
        buf_clear(&name);
        name_declared(kernel_name(model, kernel), &name);
        uint32_t chosen = choose(search, intern_find(&search->names, buf_str(&name)));
        if (chosen == NO_INDEX)
            continue;
        const struct declaration *found = &search->unit.found.items[chosen];
        place(search, model, kernel, found->file, found->line, LINE_DECLARATION);
    }
}

/* An exception above one of several kernels of a name cannot be told from one above the others. */
static struct str problem_of(const struct search *search, const struct suppression *suppression)
{
    const struct declaration *items = search->unit.found.items;
    if (suppression->problem.len)
        return suppression->problem;
    uint32_t name = intern_find(&search->names, items[suppression->declaration].name);
    const struct candidate *candidate = &search->candidates[name];
    if (candidate->count == 1 || !items[candidate->last].is_definition)
        return (struct str){"", 0};
    return STR("this exception allows nothing: several kernels here have this name, expected an exception in the "
               "configuration, which can tell them apart");
}

static void add_suppressions(const struct search *search, struct model *model)
{
    const struct declarations *found = &search->unit.found;
    EACH(const struct suppression, suppression, found->suppressions.items, found->suppressions.count) {
        struct str problem = problem_of(search, suppression);
        struct allow *allow = model_add_allow(model);
        allow->file = intern_add(&model->strings, source_files_path(&search->unit, suppression->file));
        allow->line = suppression->line;
        allow->column = suppression->column;
        if (problem.len) {
            allow->problem = intern_add(&model->strings, problem);
            continue;
        }
        allow->kernel = intern_add(&model->strings, found->items[suppression->declaration].name);
        allow->rule = intern_add(&model->strings, suppression->rule);
        allow->reason = intern_add(&model->strings, suppression->reason);
        if (suppression->until.len)
            allow->until = intern_add(&model->strings, suppression->until);
    }
}

/* Files that the compiler names in its messages are files that it read. */
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
    source_files_read(&search.unit, invocation);
    read_named_files(&search, model);
    if (search.unit.unread.len)
        diag_warning(diags, (struct place){.path = search.unit.unread},
                     "%.*s; kernels may lack their lines and exceptions", STR_ARG(search.unit.unread_why));
    for (uint32_t at = 0; at < search.unit.found.count; at++)
        note(&search, at);
    place_kernels(&search, model);
    add_suppressions(&search, model);
    intern_free(&search.names);
    free(search.candidates);
    source_files_free(&search.unit);
}
