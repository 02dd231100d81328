#include "lint/memo.h"

#include <stdlib.h>

/* The number of what few kernels have: rare metrics, and those of the link. */
static uint32_t rare_number(struct memo *memo, const struct model *model, const struct rare_metrics *rare)
{
    struct {
        struct rare_metrics rare;
        int32_t registers, barriers, stack_bytes, smem_bytes;
        uint32_t producer, flags, dynamic_smem;
    } key = {.rare = *rare};
    key.rare.source_line = 0; /* places are not metrics */
    key.rare.line_from = 0;
    key.rare.code = 0;
    key.rare.link = rare->link != NO_INDEX;
    if (rare->link != NO_INDEX) {
        const struct kernel *link = &model->kernels[rare->link];
        key.registers = link->registers;
        key.barriers = link->barriers;
        key.stack_bytes = kernel_link_stack(link);
        key.smem_bytes = link->smem_bytes;
        key.producer = link->producer;
        key.flags = link->flags;
        key.dynamic_smem = kernel_rare(model, link)->dynamic_smem;
    }
    return intern_add(&memo->rare, (struct str){(const char *)&key, sizeof key}) + 1;
}

#define OF_KERNEL(name, ...) .name = kernel->name,
struct metric_key memo_key(struct memo *memo, const struct model *model, const struct kernel *kernel, uint32_t launch,
                           uint8_t name_marks)
{
    return (struct metric_key){
        .launch = launch,
        .arch = kernel->arch_inferred,
        .rare = kernel->rare == NO_INDEX ? 0 : rare_number(memo, model, &model->rare_metrics[kernel->rare]),
        .kind = kernel->kind,
        .producer = kernel->producer,
        .flags = kernel->flags,
        .name_marks = name_marks,
        METRICS(OF_KERNEL, NO_METRIC, NO_METRIC, NO_METRIC)};
}

uint32_t memo_find(struct memo *memo, const struct metric_key *key, bool *known)
{
    size_t before = memo->keys.count;
    uint32_t number = intern_add(&memo->keys, (struct str){(const char *)key, sizeof *key});
    *known = number < before;
    if (*known)
        return number;
    *MEM_AT(memo->entries, memo->entry_cap, number) = (struct memo_entry){.first = (uint32_t)memo->result_count};
    return number;
}

void memo_add(struct memo *memo, uint32_t entry, const struct rule_result *result)
{
    *MEM_ADD(memo->results, memo->result_count, memo->result_cap) = *result;
    memo->entries[entry].count++;
}

void memo_free(struct memo *memo)
{
    intern_free(&memo->keys);
    intern_free(&memo->rare);
    free(memo->entries);
    free(memo->results);
    *memo = (struct memo){0};
}
