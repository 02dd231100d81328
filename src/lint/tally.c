#include "lint/tally.h"

#include <stdlib.h>

struct tally *tally_new(const struct model *model)
{
    struct tally *tally = mem_alloc(sizeof *tally);
    tally->older = mem_alloc((model->kernel_count + 1) * sizeof *tally->older);
    tally->units_of_name = mem_alloc((model->names.count + 1) * sizeof *tally->units_of_name);
    return tally;
}

void tally_free(struct tally *tally)
{
    if (!tally)
        return;
    free(tally->older);
    free(tally->units_of_name);
    mem_release(tally->units, tally->unit_cap, sizeof *tally->units);
    free(tally);
}

/* Sources have numbers in the order of the log, so the one that is looked for stands in front. */
struct tally_unit *tally_unit(struct tally *tally, uint32_t name, uint32_t source)
{
    enum { AHEAD = 2048 };
    uint32_t *at = &tally->units_of_name[name];
    while (*at && tally->units[*at - 1].source > source)
        at = &tally->units[*at - 1].next;
    const uint32_t next = *at;
    if (next && tally->units[next - 1].source == source)
        return &tally->units[next - 1];
    *at = (uint32_t)tally->unit_count + 1;
    tally->units = mem_extend(tally->units, &tally->unit_cap, tally->unit_count + 1, sizeof *tally->units);
    if (tally->unit_count % AHEAD == 0)
        mem_ahead(tally->units, tally->unit_cap, tally->unit_count, AHEAD, sizeof *tally->units);
    tally->units[tally->unit_count] = (struct tally_unit){.source = source, .next = next, .worst = NO_INDEX};
    return &tally->units[tally->unit_count++];
}

uint32_t tally_name(const struct model *model, uint32_t kernel)
{
    uint32_t name = model->kernels[kernel].name;
    return name == NO_INDEX ? (uint32_t)model->names.count : name;
}

uint64_t tally_rank(const struct tally_unit *unit, const struct verdict_table *table)
{
    return unit->worst == NO_INDEX ? 0 : table->verdicts[unit->worst].rank;
}
