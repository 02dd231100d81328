/*
 * kernel_metrics: the values of a kernel that a baseline stores and a comparison compares, by identity, architecture
 * and toolkit. They do not depend on the machine or the checkout. A set is made of a judged model or read from a file.
 *
 * Several kernels may have one identity and architecture: static functions with one name in several translation units,
 * or one template that several units instantiate. They are told apart by source. If it is unknown, they are separate
 * entries; entries with equal values are one entry with a count of copies.
 */
#pragma once

#include "rules/context.h"

#define MEASURE_ID(id, ...) MEASURE_##id,

enum measure { MEASURES(MEASURE_ID, MEASURE_ID) MEASURE_COUNT };

/* Whether reports show the sum over all kernels; it is meaningful only for bytes of local memory. */
enum measure_sum { SUM_NONE, SUM_IN_JSON, SUM_SHOWN };
struct measure_row {
    const char *key, *noun, *head;
    enum measure_sum sum;
    size_t offset;             /* in struct context; 0: computed from other measures */
    enum metric_number metric; /* METRIC_COUNT: computed from other measures */
};
extern const struct measure_row measure_table[MEASURE_COUNT]; /* by enum measure */

/* The code that the values of an entry are of. The link of relocatable code adds the registers, stack and shared memory
 * of called functions, so its values are those that run. CODE_WHOLE is code that needs no link; a file does not store
 * it. */
enum code_state { CODE_UNSTATED, CODE_RELOCATABLE, CODE_LINKED, CODE_WHOLE };
extern const char *const code_state_names[];

struct kernel_metrics {
    /* Strings are numbers in set.strings; NO_INDEX: unknown. */
    uint32_t id;                   /* the kernel_id of log/name.h */
    uint32_t arch;                 /* "sm_90" */
    uint32_t source;               /* the file that defines the kernel, normalised, see log/checkout.h */
    uint32_t object;               /* the object file of a variant, see variants.h */
    uint32_t units;                /* the files that were compiled, if none is the source itself: a text with a name in
                                      each line, sorted; NO_INDEX also for more than MOST_UNITS */
    uint32_t reason;               /* why worse values were accepted; NO_INDEX: none */
    uint32_t line;                 /* of the kernel in its source; 0: unknown; not stored in a file */
    uint32_t kernel;               /* index in the kernels of the model (the first of copies); NO_INDEX: from a file */
    int32_t values[MEASURE_COUNT]; /* UNKNOWN: not stated */
    int32_t max_warps;             /* per SM; UNKNOWN */
    int32_t threads;               /* the block size of blocks and warps; 0: unknown, they are of the best block size */
    int32_t dynamic_smem_bytes;    /* per block, used to compute blocks and warps */
    int32_t carveout;              /* in percent, used likewise; -1: the maximum; not stored in a file */
    uint32_t copies;               /* entries that are equal in everything: 1 or more */
    struct toolkit toolkit;
    uint8_t kind;    /* enum kernel_kind */
    uint8_t code;    /* enum code_state */
    bool debug;      /* compiled with -G, -O0 or -Ofc=max */
    bool ambiguous;  /* its values may be another kernel's, so they are unknown */
    bool elsewhere;  /* its source is not in this part of the build: it is not gone */
    bool deselected; /* excluded by options: it is neither compared nor missing */
};

/* What identifies a kernel besides its values and objects; keys are compared as bytes. */
struct kernel_key {
    uint32_t id, arch, source, kind;
    struct toolkit toolkit;
};
struct kernel_key kernel_metrics_key(const struct kernel_metrics *entry);

/* Sets that are compared share one table of strings, so texts are equal if their numbers are. */
struct kernel_metrics_set {
    struct intern *strings;       /* owned by the caller */
    struct kernel_metrics *items; /* in the order of the model or of the file */
    size_t count, cap;
};

/* Adds an entry with all values unknown. The pointer is valid until the next call. */
struct kernel_metrics *kernel_metrics_add(struct kernel_metrics_set *set);

enum { MOST_UNITS = 32 };
/* Adds the units of another record to those of the entry. If those of one are unknown, all are. */
void kernel_metrics_join_units(struct intern *strings, struct kernel_metrics *entry, uint32_t units);
/* Gives the units their new names: by string, for the first `count` strings. */
void kernel_metrics_rename_units(struct intern *strings, struct kernel_metrics *entry, const uint32_t *names,
                                 uint32_t count);
/* The unit of an entry that has one; NO_INDEX: it has none or several. */
uint32_t kernel_metrics_unit(const struct intern *strings, const struct kernel_metrics *entry);

/* The code state that a file stores for the entry. */
enum code_state kernel_metrics_written_code(const struct kernel_metrics *entry);

/* The order of files and reports: id, arch (numerically), kind, source, toolkit, values, code, object. Strings are
 * compared as bytes. */
int kernel_metrics_order(const struct intern *strings, const struct kernel_metrics *a, const struct kernel_metrics *b);

/* Bytes of spill stores and loads together; INT64_MIN: unknown. */
int64_t kernel_metrics_spills(const struct kernel_metrics *entry);

/* Warps per SM of the entry at the block size (0: the best one), dynamic shared memory and carveout of `like`; UNKNOWN
 * for device functions, unknown architectures and unknown registers. */
int32_t kernel_metrics_warps(const struct intern *strings, const struct kernel_metrics *entry,
                             const struct kernel_metrics *like);
