/*
 * launch_config: what is known of a launch from outside of the log. Each number of it is a row of launch_facts, by
 * which the configuration, `config show`, `init` and `with` of a rule know it.
 */
#ifndef LINT_LAUNCH_CONFIG_H
#define LINT_LAUNCH_CONFIG_H

#include "lint/value.h"

enum threads_from { THREADS_UNKNOWN, THREADS_CLI, THREADS_CONFIG, THREADS_PROFILE, THREADS_REQUIRED, THREADS_BOUND };
const char *threads_from_name(enum threads_from from); /* "cli" ... "launch-bounds"; NULL when unknown */

/* launch_config_none() is "nothing". */
struct launch_config {
    int32_t threads;            /* per block; 0 unknown */
    int32_t min_blocks;         /* per SM, promised in __launch_bounds__ or asked for; 0 unknown */
    int64_t dynamic_smem_bytes; /* per block; -1 unknown, then counted as 0 */
    int64_t grid;               /* blocks; 0 unknown */
    int32_t carveout;           /* percent of shared memory that the launch prefers; -1 unknown, then the maximum */
    int32_t ilp;                /* independent operations per thread; 0 unknown */
    int32_t sms;                /* SMs of the product; 0 unknown */
    int32_t profile_registers;  /* per thread, as a profiler saw the launch; 0 unknown */
    int32_t budget_registers;   /* per thread; this and the next three: what the configuration allows, -1 not set */
    int32_t budget_smem_bytes;  /* per block, static and dynamic */
    int32_t budget_spill_bytes; /* per thread, stores and loads */
    int32_t budget_stack_bytes; /* per thread */
    float min_occupancy;        /* 0..1; 0 unknown */
    float achieved_occupancy;   /* 0..1, as a profiler measured it of this launch; -1 unknown */
    enum threads_from threads_from;
};
struct launch_config launch_config_none(void); /* its padding is 0: equal ones are equal as bytes */

/* What numbers a key of a configuration takes. */
struct value_kind {
    const char *name;     /* of the key */
    const char *expected; /* "a whole number from 1 to 1024": for messages */
    double least, most;
    bool whole;
    bool by_chip; /* an architecture that is not named has no value; else it inherits that of an older one */
    uint8_t unit; /* enum unit that numbers with a unit must have */
};

struct launch_fact {
    struct value_kind key;
    const char *sample, *what; /* as `init` writes it; NULL: no key of `kernels:`, only of `with` */
    uint8_t type;              /* enum fact_type of the member */
    int8_t unknown;            /* what the member is where nothing is known; less than any other */
    bool percent;              /* the member counts hundredths of the number */
    uint16_t at;               /* of the member in struct launch_config */
};
extern const struct launch_fact launch_facts[];
extern const size_t launch_fact_count;
const struct launch_fact *launch_fact_find(struct str key); /* NULL: none */

/* Numbers are in the unit of the key: a carveout of 50 % is 0.5. from: says so, where it is the block size. */
void launch_config_set(struct launch_config *config, const struct launch_fact *fact, double number,
                       enum threads_from from);
double launch_config_get(const struct launch_config *config, const struct launch_fact *fact); /* NAN: not known */

#endif
