#include "lint/launch_config.h"

#include <math.h>
#include <stddef.h>
#include <string.h>

enum fact_type { INT32, INT64, FLOAT };

#define GIB 1073741824.0

#define MEMBER(name)                                                                                                   \
    .at = offsetof(struct launch_config, name), .type = _Generic(((struct launch_config *)0)->name, int32_t            \
                                                                 : INT32, int64_t                                      \
                                                                 : INT64, float                                        \
                                                                 : FLOAT)

/* To add one: a member of struct launch_config, and a row here. What it means for a kernel is said where it is used,
 * mostly in subject.c or by a field. */
const struct launch_fact launch_facts[] = {
    {
        MEMBER(threads),
        .key = {"threads", "a whole number from 1 to 1024", 1, 1024, .whole = true, .unit = UNIT_THREADS},
        .sample = "'$1 * 2'",
        .what = "block size; + - * / min max",
    },
    {
        MEMBER(dynamic_smem_bytes),
        .unknown = -1,
        .key = {"dynamic-smem", "bytes per block from 0 to 1 GiB, like 48KiB", 0, GIB, .whole = true,
                .unit = UNIT_BYTES},
        .sample = "{sm_80: 96KiB, sm_90: 128KiB}",
        .what = "per block",
    },
    {
        MEMBER(carveout),
        .percent = true,
        .unknown = -1,
        .key = {"carveout", "a share from 0 to 100 %, like 50%", 0, 1, .unit = UNIT_RATIO},
        .sample = "50%",
        .what = "preferred, of shared memory",
    },
    {
        MEMBER(grid),
        .key = {"grid", "a whole number of blocks from 1", 1, 9e15, .whole = true, .unit = UNIT_BLOCKS},
        .sample = "1024",
        .what = "blocks of the grid",
    },
    {
        MEMBER(ilp),
        .key = {"ilp", "a whole number from 1 to 1024", 1, 1024, .whole = true},
        .sample = "4",
        .what = "operations at once in a thread",
    },
    {
        MEMBER(min_blocks),
        .key = {"min-blocks", "a whole number of blocks per SM from 1 to 32", 1, 32, .whole = true,
                .unit = UNIT_BLOCKS},
        .sample = "{sm_80: 2}",
        .what = "per SM, wanted",
    },
    {
        MEMBER(min_occupancy),
        .key = {"min-occupancy", "a ratio above 0 and up to 100 %, like 50% or 0.5", 1e-6, 1, .unit = UNIT_RATIO},
        .sample = "25%",
        .what = "wanted",
    },
    {
        MEMBER(budget_registers),
        .unknown = -1,
        .key = {"max-registers", "a whole number of registers from 1 to 255", 1, 255, .whole = true,
                .unit = UNIT_REGISTERS},
        .sample = "{sm_80: 128, sm_90: 168}",
        .what = "budget, per thread",
    },
    {
        MEMBER(budget_smem_bytes),
        .unknown = -1,
        .key = {"max-smem", "bytes per block from 0 to 1 GiB, like 48KiB", 0, GIB, .whole = true, .unit = UNIT_BYTES},
        .sample = "96KiB",
        .what = "budget, static plus dynamic",
    },
    {
        MEMBER(budget_spill_bytes),
        .unknown = -1,
        .key = {"max-spill", "bytes per thread from 0 to 1 GiB, like 64B", 0, GIB, .whole = true, .unit = UNIT_BYTES},
        .sample = "0B",
        .what = "budget, stores plus loads",
    },
    {
        MEMBER(budget_stack_bytes),
        .unknown = -1,
        .key = {"max-stack", "bytes per thread from 0 to 1 GiB, like 64B", 0, GIB, .whole = true, .unit = UNIT_BYTES},
        .sample = "64B",
        .what = "budget, per thread",
    },
    {MEMBER(sms), .key = {"sms", "a whole number from 1 to 4096", 1, 4096, .whole = true, .by_chip = true}},
    {MEMBER(profile_registers), .key = {.name = "profile-registers"}},
    {MEMBER(achieved_occupancy), .unknown = -1, .key = {.name = "achieved-occupancy"}},
};

const size_t launch_fact_count = sizeof launch_facts / sizeof *launch_facts;

const struct launch_fact *launch_fact_find(struct str key)
{
    for (size_t at = 0; at < launch_fact_count; at++)
        if (str_eq(key, str_of(launch_facts[at].key.name)))
            return &launch_facts[at];
    return NULL;
}

const char *threads_from_name(enum threads_from from)
{
    static const char *const names[] = {NULL, "cli", "config", "profile", "required", "launch-bounds"};
    return names[from];
}

/* The member as it is, whatever its unit. */
static void set_member(struct launch_config *config, const struct launch_fact *fact, double number)
{
    void *member = (char *)config + fact->at;
    if (fact->type == FLOAT)
        *(float *)member = (float)number;
    else if (fact->type == INT64)
        *(int64_t *)member = (int64_t)number;
    else
        *(int32_t *)member = (int32_t)number;
}

static double get_member(const struct launch_config *config, const struct launch_fact *fact)
{
    const void *member = (const char *)config + fact->at;
    if (fact->type == FLOAT)
        return (double)*(const float *)member;
    return fact->type == INT64 ? (double)*(const int64_t *)member : *(const int32_t *)member;
}

void launch_config_set(struct launch_config *config, const struct launch_fact *fact, double number,
                       enum threads_from from)
{
    set_member(config, fact, fact->percent ? number * 100 + 0.5 : number);
    if (fact->at == offsetof(struct launch_config, threads))
        config->threads_from = from;
}

double launch_config_get(const struct launch_config *config, const struct launch_fact *fact)
{
    double number = get_member(config, fact);
    if (number <= fact->unknown)
        return (double)NAN;
    return fact->percent ? number / 100 : number;
}

struct launch_config launch_config_none(void)
{
    struct launch_config config;
    memset(&config, 0, sizeof config);
    for (size_t at = 0; at < launch_fact_count; at++)
        set_member(&config, &launch_facts[at], launch_facts[at].unknown);
    return config;
}
