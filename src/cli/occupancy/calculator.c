#include "cli/occupancy/calculator.h"

#include "gpu/gpu_model.h"
#include "rules/yaml_decoder.h"

#define MOST_COUNT (1 << 20)
#define MOST_SMEM  (INT64_C(1) << 40)
#define ALL        100 /* percent: the limit of a carveout; no other number has it */

#define FIELD(option, column, least, most, is_size, name)                                                              \
    {                                                                                                                  \
        option, column, least, most, is_size, offsetof(struct launch, name)                                            \
    }
/* To add one: a member of struct launch, a row here, and the option in cmd_occupancy.c. */
const struct number_field number_fields[] = {
    FIELD("threads", "threads", 1, MOST_COUNT, false, threads),
    FIELD("registers", "registers", 0, MOST_COUNT, false, registers),
    FIELD("smem", "smem_bytes", 0, MOST_SMEM, true, smem_bytes),
    FIELD("dynamic-smem", "dynamic_smem_bytes", 0, MOST_SMEM, true, dynamic_smem_bytes),
    FIELD("barriers", "barriers", 0, MOST_COUNT, false, barriers),
    FIELD("carveout", "carveout", -1, ALL, false, carveout),
};
const size_t number_field_count = sizeof number_fields / sizeof *number_fields;

bool number_read(const struct number_field *field, const char *name, struct str text, struct launch *launch,
                 struct diags *diags, struct place place)
{
    struct str rest = text;
    int64_t value = 0;
    if (field->most == ALL && str_ends(rest, STR("%"))) /* 50%, as in a configuration */
        rest = str_trim(str_sub(rest, 0, rest.len - 1));
    bool read = field->is_size ? decode_bytes(text, &value) : str_int(&rest, &value) && rest.len == 0;
    if (read && value >= field->least && value <= field->most) {
        void *member = (char *)launch + field->offset;
        if (field->is_size)
            *(int64_t *)member = value;
        else
            *(int *)member = (int)value;
        return true;
    }
    if (field->is_size)
        return diag_error(diags, place, "%s is '%.*s', expected bytes (1024) or a size in KiB or MiB (48KiB)", name,
                          STR_ARG(text));
    return diag_error(diags, place, "%s is '%.*s', expected a whole number from %lld to %lld", name, STR_ARG(text),
                      (long long)field->least, (long long)field->most);
}

const struct arch *calculator_arch(struct str name, struct diags *diags, struct place place)
{
    const struct arch *arch = arch_find(name), *last = &arch_table[arch_count - 1];
    if (arch)
        return arch;
    const char *of_product = arch_number(name) ? NULL : gpu_model_arch(name);
    if (of_product)
        diag_error(diags, place, "'%.*s' is a GPU, its architecture is %s", STR_ARG(name), of_product);
    else if (arch_number(name) == 0)
        diag_error(diags, place, "'%.*s' is not an architecture, expected one such as sm_80, compute_80 or 8.0",
                   STR_ARG(name));
    else
        diag_error(diags, place, "architecture '%.*s' is not known, expected one of the %zu from sm_%d%d to sm_%d%d",
                   STR_ARG(name), arch_count, arch_table->major, arch_table->minor, last->major, last->minor);
    return NULL;
}

struct occupancy calculator_compute(const struct arch *arch, const struct launch *launch)
{
    struct occupancy result = {.max_warps = arch->max_warps_per_sm};
    struct launch possible = *launch;
    bool too_many = launch->registers > arch->registers_per_thread;
    if (too_many)
        possible.registers = arch->registers_per_thread;
    occupancy_compute(arch, &possible, &result);
    if (too_many) {
        result.limit[LIMIT_REGISTERS] = 0;
        result.blocks = result.warps = 0;
        result.registers_per_block = -1;
        result.limiters = 0;
        for (int at = 0; at < LIMIT_COUNT; at++)
            if (result.limit[at] == 0)
                result.limiters |= 1u << at;
    }
    return result;
}
