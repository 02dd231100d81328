#include "lint/tally.h"

#include <stdlib.h>
#include <string.h>

struct tally *tally_new(const struct model *model)
{
    struct tally *tally = mem_alloc(sizeof *tally);
    tally->records = mem_alloc((model->kernel_count + 1) * sizeof *tally->records);
    tally->units_of_name = mem_alloc((model->names.count + 1) * sizeof *tally->units_of_name);
    memset(tally->records, 0xFF, model->kernel_count * sizeof *tally->records);
    return tally;
}

void tally_free(struct tally *tally)
{
    if (!tally)
        return;
    free(tally->records);
    free(tally->units_of_name);
    mem_release(tally->units, tally->unit_cap, sizeof *tally->units);
    free(tally);
}

static void add_rules(struct tally *tally, uint32_t name, uint32_t source, uint64_t rules)
{
    uint32_t *at = &tally->units_of_name[name];
    for (; *at; at = &tally->units[*at - 1].next) {
        struct tally_unit *unit = &tally->units[*at - 1];
        if (unit->source != source)
            continue;
        unit->rules |= rules;
        return;
    }
    *at = (uint32_t)tally->unit_count + 1;
    tally->units = mem_extend(tally->units, &tally->unit_cap, tally->unit_count + 1, sizeof *tally->units);
    tally->units[tally->unit_count++] = (struct tally_unit){.rules = rules, .source = source};
}

void tally_add(struct tally *tally, const struct model *model, uint32_t kernel, uint32_t verdict, uint64_t rules)
{
    const struct kernel *record = &model->kernels[kernel];
    uint32_t name = record->name == NO_INDEX ? (uint32_t)model->names.count : record->name;
    tally->records[kernel] = (struct tally_record){verdict, name};
    add_rules(tally, name, record->source, rules);
}
