/*
 * rdc_join: with -rdc a kernel has two records, ptxas's and nvlink's. The link's registers, stack and shared memory are
 * what runs; the spills are only in ptxas's. Here the two find each other: same name, same architecture. nvlink names
 * its architecture only when it links for several; for one it follows when every ptxas record of the log that has the
 * name is for that one. The driver's linker names none, and neither does the ptxas of a JIT when it states properties
 * alone: in one log these find each other by name.
 */
#include "log/reader.h"

#include <stdlib.h>

/* Entries of ptxas by name: a list for each name, newest first. */
struct by_name {
    uint32_t *first; /* by name; NO_INDEX: none */
    uint32_t *next;  /* by kernel */
};

static struct by_name index_entries(const struct model *model)
{
    struct by_name index = {
        .first = mem_alloc((model->names.count + 1) * sizeof *index.first),
        .next = mem_alloc((model->kernel_count + 1) * sizeof *index.next),
    };
    for (size_t name = 0; name < model->names.count; name++)
        index.first[name] = NO_INDEX;
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        const struct kernel *kernel = &model->kernels[k];
        if (kernel->producer != PRODUCER_PTXAS || kernel->kind != KERNEL_ENTRY || kernel->name == NO_INDEX)
            continue;
        index.next[k] = index.first[kernel->name];
        index.first[kernel->name] = k;
    }
    return index;
}

/* The one architecture of the name's ptxas records; NO_INDEX when there are several, or none. */
static uint32_t only_arch(const struct model *model, const struct by_name *index, uint32_t name)
{
    uint32_t arch = NO_INDEX;
    for (uint32_t k = index->first[name]; k != NO_INDEX; k = index->next[k]) {
        uint32_t other = model->kernels[k].arch_inferred;
        if (arch != NO_INDEX && other != arch)
            return NO_INDEX;
        arch = other;
    }
    return arch;
}

/* The one record of ptxas with this name and architecture that has no partner; NO_INDEX when several could be meant. */
static uint32_t partner(const struct model *model, const struct by_name *index, const struct kernel *link)
{
    uint32_t found = NO_INDEX;
    for (uint32_t k = index->first[link->name]; k != NO_INDEX; k = index->next[k]) {
        const struct kernel *kernel = &model->kernels[k];
        if (kernel->arch_inferred != link->arch_inferred || kernel_rare(model, kernel)->link != NO_INDEX)
            continue;
        if (kernel->arch_inferred == NO_INDEX && kernel->log != link->log)
            continue;
        if (found != NO_INDEX)
            return NO_INDEX;
        found = k;
    }
    return found;
}

void model_link(struct model *model)
{
    if (!model->has_links)
        return;
    struct by_name index = index_entries(model);
    for (uint32_t k = 0; k < model->kernel_count; k++) {
        struct kernel *link = &model->kernels[k];
        if (!kernel_is_link(link))
            continue;
        if (link->arch_inferred == NO_INDEX)
            link->arch_inferred = only_arch(model, &index, link->name);
        bool known = link->arch_inferred != NO_INDEX || link->producer == PRODUCER_DRIVER_LINKER;
        uint32_t other = known ? partner(model, &index, link) : NO_INDEX;
        if (other == NO_INDEX)
            continue;
        kernel_set_link(model, other, k);
        model->kernels[other].flags |= link->flags & KERNEL_AMBIGUOUS; /* what runs is not known */
    }
    free(index.first);
    free(index.next);
}
