/*
 * launch_config: what options, configuration and profiles state about a launch. Each number is one row. The member of
 * struct launch_config, the key of an entry of `kernels:`, `config show`, `init`, `with` of a rule, the option of that
 * name and the field of rules are made from the row.
 *
 * KEY(name, type, unknown, key, unit, least, most, expected, sample, what, doc)
 * GIVEN(name, type, unknown, key, unit, least, most, expected, doc)    no key of `kernels:`
 *
 * name: of the member and of the field. unknown: the value of the member if nothing is stated, less than any valid one.
 * unit, least, most: of the key; expected: the same in words. sample, what: what `init` writes. doc: of the field.
 */
#pragma once

#include "rules/value.h"

#define GIB 1073741824.0
#define LAUNCH_FACTS(KEY, GIVEN)                                                                                       \
    KEY(threads, int32_t, 0, "threads", THREADS, 1, 1024, "a whole number from 1 to 1024", "'$1 * 2'",                 \
        "block size; + - * / min max", "threads per block, where something says so")                                   \
    KEY(dynamic_smem_bytes, int64_t, -1, "dynamic-smem", BYTES, 0, GIB, "bytes per block from 0 to 1 GiB, like 48KiB", \
        "{sm_80: 96KiB, sm_90: 128KiB}", "per block", "dynamic shared memory per block of the launch")                 \
    KEY(carveout, float, -1, "carveout", RATIO, 0, 1, "a share from 0 to 100 %, like 50%", "50%",                      \
        "preferred, of shared memory",                                                                                 \
        "the preferred share of the shared memory that an SM can have, as configured; unknown: the maximum")           \
    KEY(grid, int64_t, 0, "grid", BLOCKS, 1, 9e15, "a whole number of blocks from 1", "1024", "blocks of the grid",    \
        "blocks of the launch")                                                                                        \
    KEY(ilp, int32_t, 0, "ilp", NONE, 1, 1024, "a whole number from 1 to 1024", "4", "operations at once in a thread", \
        "independent operations per thread, as configured")                                                            \
    KEY(min_blocks, int32_t, 0, "min-blocks", BLOCKS, 1, 32, "a whole number of blocks per SM from 1 to 32",           \
        "{sm_80: 2}", "per SM, wanted",                                                                                \
        "blocks per SM that __launch_bounds__ promises, or the configuration asks for")                                \
    KEY(min_occupancy, float, 0, "min-occupancy", RATIO, 1e-6, 1, "a ratio above 0 and up to 100 %, like 50% or 0.5",  \
        "25%", "wanted", "the lowest occupancy that the configuration accepts")                                        \
    KEY(budget_registers, int32_t, -1, "max-registers", REGISTERS, 1, 255,                                             \
        "a whole number of registers from 1 to 255", "{sm_80: 128, sm_90: 168}", "budget, per thread",                 \
        "the most registers per thread that the configuration allows")                                                 \
    KEY(budget_smem_bytes, int32_t, -1, "max-smem", BYTES, 0, GIB, "bytes per block from 0 to 1 GiB, like 48KiB",      \
        "96KiB", "budget, static plus dynamic",                                                                        \
        "the most shared memory per block, static plus dynamic, that the configuration allows")                        \
    KEY(budget_spill_bytes, int32_t, -1, "max-spill", BYTES, 0, GIB, "bytes per thread from 0 to 1 GiB, like 64B",     \
        "0B", "budget, stores plus loads",                                                                             \
        "the most spill stores plus spill loads per thread that the configuration allows")                             \
    KEY(budget_stack_bytes, int32_t, -1, "max-stack", BYTES, 0, GIB, "bytes per thread from 0 to 1 GiB, like 64B",     \
        "64B", "budget, per thread", "the largest stack frame per thread that the configuration allows")               \
    KEY(budget_barriers, int32_t, -1, "max-barriers", NONE, 0, 16, "a whole number from 0 to 16", "8",                 \
        "budget, named barriers", "the most named barriers that the configuration allows")                             \
    GIVEN(sms, int32_t, 0, "sms", NONE, 1, 4096, "a whole number from 1 to 4096", "SMs of the product, as configured") \
    GIVEN(profile_registers, int32_t, 0, "profile-registers", REGISTERS, 1, 255, "registers per thread",               \
          "registers per thread that the profile of --launches states")                                                \
    GIVEN(achieved_occupancy, float, -1, "achieved-occupancy", RATIO, 0, 1, "a ratio",                                 \
          "occupancy of the launch as the profile of --launches measured it")

enum threads_from {
    THREADS_UNKNOWN,
    THREADS_CLI,
    THREADS_CONFIG,
    THREADS_PROFILE,
    THREADS_REQUIRED,
    THREADS_BOUND,
    THREADS_TRITON
};
extern const char *const threads_from_names[]; /* "cli" ... "launch-bounds"; NULL: unknown */
extern const char *const threads_from_texts[]; /* for people: "--threads" */

#define LAUNCH_MEMBER(name, type, ...) type name;
struct launch_config {
    LAUNCH_FACTS(LAUNCH_MEMBER, LAUNCH_MEMBER)
    enum threads_from threads_from;
};
struct launch_config launch_config_none(void); /* all numbers unknown */
/* The preferred carveout in percent; -1: unknown, the launch gets the maximum. */
int launch_carveout(const struct launch_config *config);

/* The numbers that a key of the configuration accepts. */
struct value_kind {
    const char *name;     /* of the key */
    const char *expected; /* "a whole number from 1 to 1024": for messages */
    double least, most;
    bool whole;
    uint8_t unit; /* enum unit that numbers with a unit must have */
};

/* The number is within the limits, and whole if it must be. */
bool value_kind_fits(const struct value_kind *kind, double number);

struct launch_fact {
    struct value_kind key;
    const char *sample, *what; /* as `init` writes it; NULL: no key of `kernels:` */
    int unknown;
    void (*set)(struct launch_config *config, double number);
    double (*get)(const struct launch_config *config);
};

#define LAUNCH_NUMBER(name, ...) LAUNCH_##name,
enum launch_number { LAUNCH_FACTS(LAUNCH_NUMBER, LAUNCH_NUMBER) LAUNCH_COUNT };
extern const struct launch_fact launch_facts[LAUNCH_COUNT];
const struct launch_fact *launch_fact_find(struct str key); /* NULL: none */

/* Sets a number; a carveout of 50 % is 0.5. from: the origin of the block size, used if the number is that. */
void launch_config_set(struct launch_config *config, const struct launch_fact *fact, double number,
                       enum threads_from from);
double launch_config_get(const struct launch_config *config, const struct launch_fact *fact); /* NAN: not known */
