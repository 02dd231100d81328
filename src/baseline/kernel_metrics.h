/*
 * kernel_metrics: what a baseline and a comparison know of a kernel: a few numbers by identity, architecture and
 * toolkit, free of everything that another checkout or machine changes. A set comes from a judged model or from a file.
 *
 * Kernels of one identity and architecture may be several: static functions of one name in several translation units,
 * or one template that several units hold. The source tells them apart; where it is not known they stand side by side,
 * and those that agree in every number are one entry with a count of copies.
 */
#ifndef BASELINE_KERNEL_METRICS_H
#define BASELINE_KERNEL_METRICS_H

#include "rules/context.h"

#define MEASURE_ID(id, ...) MEASURE_##id,

enum measure { MEASURES(MEASURE_ID, MEASURE_ID) MEASURE_COUNT };

/* Bytes of local memory have a sum that says something to people. */
enum measure_sum { SUM_NONE, SUM_IN_JSON, SUM_SHOWN };
struct measure_row {
    const char *key, *noun, *head;
    enum measure_sum sum;
    size_t offset;             /* in struct context; 0: it follows from the others */
    enum metric_number metric; /* METRIC_COUNT: likewise */
};
extern const struct measure_row measure_table[MEASURE_COUNT]; /* by enum measure */

/* Whose numbers an entry has: of relocatable code the link states what runs, it adds the registers, stack and shared
 * memory of called functions. A file does not tell CODE_WHOLE, no relocatable code, from what is not known. */
enum code_state { CODE_UNSTATED, CODE_RELOCATABLE, CODE_LINKED, CODE_WHOLE };
extern const char *const code_state_names[];

struct kernel_metrics {
    uint32_t id;     /* into set.strings: the kernel_id of log/name.h */
    uint32_t arch;   /* into set.strings; NO_INDEX: not known */
    uint32_t source; /* into set.strings: normalised, see log/checkout.h; NO_INDEX: not known */
    uint32_t object; /* into set.strings: of variants (variants.h) what was compiled; NO_INDEX: not known */
    uint32_t
        unit; /* into set.strings: the one file that was compiled, where the source is another; NO_INDEX: not known */
    uint32_t line;                 /* of the kernel in its source; 0: not known, and never in a file */
    uint32_t reason;               /* into set.strings: why a deterioration was accepted; NO_INDEX: there was none */
    uint32_t kernel;               /* into the model's kernels (of copies: the first); NO_INDEX: read from a file */
    int32_t values[MEASURE_COUNT]; /* UNKNOWN: not stated */
    int32_t max_warps;             /* per SM; UNKNOWN */
    int32_t threads;               /* the block size of blocks and warps; 0: not known, warps are those of the best */
    int32_t dynamic_smem_bytes;    /* that they were computed with */
    int32_t carveout;              /* likewise; -1: the maximum. A baseline does not store it */
    uint32_t copies;               /* entries that agree in everything: 1 or more */
    struct toolkit toolkit;
    uint8_t kind;    /* enum kernel_kind */
    uint8_t code;    /* enum code_state */
    bool debug;      /* compiled with -G or -O0 */
    bool ambiguous;  /* its numbers may be another kernel's and are not stated */
    bool elsewhere;  /* of a source that this part of the build does not compile: it is not gone */
    bool deselected; /* the options leave it out: it is neither compared nor missed */
};

/* What tells kernels apart beside their numbers and objects; compared as bytes. */
struct kernel_key {
    uint32_t id, arch, source, kind;
    struct toolkit toolkit;
};
struct kernel_key kernel_metrics_key(const struct kernel_metrics *entry);

/* Sets that are compared have one table of strings, so that numbers in it say whether their texts are equal. */
struct kernel_metrics_set {
    struct intern *strings;       /* of whoever made the set */
    struct kernel_metrics *items; /* in the order of the model; of a file: in its order */
    size_t count, cap;
};

/* Adds an entry with nothing known. The pointer holds until the next one. */
struct kernel_metrics *kernel_metrics_add(struct kernel_metrics_set *set);

/* Two records or entries that are one: it has a unit if both have that one. */
void kernel_metrics_join_unit(struct kernel_metrics *entry, uint32_t unit);

/* As a file has it. */
enum code_state kernel_metrics_written_code(const struct kernel_metrics *entry);

/* The order of files and reports: id, arch (by number), kind, source, toolkit, values, code, object. Strings are
 * compared as bytes.
 */
int kernel_metrics_order(const struct intern *strings, const struct kernel_metrics *a, const struct kernel_metrics *b);

/* Stores and loads together; INT64_MIN: not known. */
int64_t kernel_metrics_spills(const struct kernel_metrics *entry);

/* Warps per SM that the entry reaches at the block size (0: at the best one), dynamic shared memory and carveout of
 * `like`; UNKNOWN for device functions, unknown architectures and unknown registers. */
int32_t kernel_metrics_warps(const struct intern *strings, const struct kernel_metrics *entry,
                             const struct kernel_metrics *like);

#endif
