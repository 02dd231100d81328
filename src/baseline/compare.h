/*
 * compare: compares two sets of kernel metrics, the base and the head: which kernels got better or worse, which are new
 * and which are gone. An entry of the head is paired with the entry of the base that has the same identity,
 * architecture and kind. Several entries with these are paired by source, if both sides state it; otherwise equal ones
 * are paired first, then the rest in the order of their values. Variants of one source (variants.h) are paired by their
 * objects, if both sides state these.
 *
 * A set may have columns for several toolkits. Each toolkit of the head is compared with its own column of the base,
 * or, if the base has none, with the nearest one; the comparison reports that (drift).
 */
#pragma once

#include "baseline/kernel_metrics.h"
#include "baseline/missing.h"

struct family;

enum compare_state {
    COMPARE_SAME,     /* equal in every measure that both sides state */
    COMPARE_IMPROVED, /* some measures are better, none is worse */
    COMPARE_WORSE,    /* some measure is worse by more than its tolerance */
    COMPARE_CHANGED, /* different, but worse only within the tolerances, or only in measures without better and worse */
    COMPARE_NEW,
    COMPARE_GONE,
    COMPARE_STATES,
};
const char *compare_state_name(enum compare_state state); /* "same" "improved" ... "gone" */

/* By how much a measure may grow before it counts as worse. Zeroed: any growth counts. */
struct tolerances {
    int32_t registers;
    bool registers_of_block; /* more registers count only if warps are lost, or if the warps are unknown */
    int32_t spill_bytes;     /* stores and loads together */
    int32_t spill_bytes_in_loops;
    int32_t stack_bytes, smem_bytes;
    int32_t warps; /* how many may be lost per SM */
};

struct pair {
    uint32_t base, head;           /* indices of items in their sets; NO_INDEX: none */
    int32_t deltas[MEASURE_COUNT]; /* head - base; UNKNOWN if either is */
    int32_t base_warps;            /* warps per SM of the base at the block size of the head, for deltas and rules */
    uint32_t family;               /* gone and new entries: index in families; NO_INDEX: in no family */
    uint32_t member;               /* in a family: the index among its gone or new ones */
    uint16_t worse, better;        /* bits 1 << enum measure; worse: by more than the tolerance */
    uint8_t state;                 /* enum compare_state */
    bool renamed;                  /* base and head have different identities and count as one kernel */
    bool only;                     /* neither side has a further entry of the kernel and architecture */
    bool moved;                    /* the kernel is in another file now, see missing.h */
    bool partial;                  /* the head states a measure that the base does not, or only one is a debug build */
    bool unanswered;               /* whether it got worse is unknown: the base lacks such a measure, or only one of the
                                      two is linked */
    bool other_variant;            /* it may be a variant other than that of the base, and worse than its own was */
    bool copy;                     /* a further entry of the head for an entry of the base that has its own pair */
};

/* A toolkit of the head, and the column of the base that it was compared with. */
struct column_pair {
    struct toolkit base, head;
    bool drift;  /* both toolkits are known and differ */
    bool unsure; /* the toolkit of the head is unknown and the base has several: the newest was taken */
};

/* Whether the head has a kernel of the base. */
enum entry_seen {
    NOT_SEEN,
    SEEN,           /* it has a partner, or a new kernel of its file replaces it */
    SEEN_ELSEWHERE, /* a kernel of another file is its partner, while further files have it too, or replaces it: this
                       does not show that its own file was compiled */
};

struct comparison_counts {
    size_t expected;                 /* selected entries of the base in the columns compared */
    size_t seen;                     /* expected entries with a partner in the head */
    size_t by_state[COMPARE_STATES]; /* pairs; a copy counts as same */
    size_t renamed;
    size_t replaced; /* gone entries that new ones replace */
};

struct comparison {
    const struct kernel_metrics_set *base, *head;
    const struct intern *strings; /* of both sets */
    struct tolerances tolerances;
    bool any_optimised; /* some kernel of the head is not a debug build */
    bool by_unit;       /* one side states the compiled files of headers, the other one does not: see compare_file */
    bool base_measured; /* of --baseline: it is no baseline file, see struct baseline */
    bool part; /* the head is a part of the build: nothing is missing, and only kernels of its sources are gone */
    struct pair
        *pairs; /* pairs[0 .. head->count) in the order of the head (deselected ones are same), then gone ones */
    size_t count, cap;
    struct column_pair *columns;
    size_t column_count, column_cap;
    struct missing_list missing; /* architectures, sources, objects, targets, each by name */
    struct missing_list moved;   /* sources that the head does not name although some of their entries have partners;
                                    with the number of gone entries that nothing replaces */
    struct {
        size_t seen, gone;
    } unsourced; /* kernels of the base without a source: whether the gone ones were compiled is unknown */
    struct comparison_counts counts;
    uint8_t *seen;         /* by item of the base: enum entry_seen */
    uint8_t *in_play;      /* by item of the base: 1 if it is selected and in a column that was compared */
    uint32_t *sources;     /* by string: the base's name of a source of the head, see files.h */
    uint32_t source_count; /* strings in that array */
    uint32_t *item_of; /* by kernel of the head's model: index in head->items or NO_INDEX; NULL: the head is a file */
    struct family *families; /* see family_find */
    size_t family_count;
    struct arena arena; /* for them */
};

/* Compares two sets with one table of strings. Both must outlive the comparison, which takes over item_of. */
void compare_make(struct comparison *comparison, const struct kernel_metrics_set *base,
                  const struct kernel_metrics_set *head, struct tolerances tolerances, bool part, uint32_t *item_of);
void compare_free(struct comparison *comparison);

/* The pair of a record of the head's model, or NULL. */
const struct pair *compare_of_kernel(const struct comparison *comparison, uint32_t kernel);

/* The column pair of a toolkit of the head or of the base; NULL: that toolkit was not compared. */
const struct column_pair *compare_head_column(const struct comparison *comparison, struct toolkit head);
const struct column_pair *compare_base_column(const struct comparison *comparison, struct toolkit base);
/* The toolkit of the base that a toolkit of the head was compared with; `head` itself if it was not compared. */
struct toolkit compare_base_toolkit(const struct comparison *comparison, struct toolkit head);
/* True if some column has drift. */
bool compare_drifts(const struct comparison *comparison);

/* The base's name of the source of an entry; NO_INDEX: unknown. */
uint32_t compare_source(const struct comparison *comparison, const struct kernel_metrics *entry);
/* The file by which kernels with different names may be one kernel: the source, as the base names it. Records state the
 * header that defines a kernel and the compiled file, a log states only the compiled file, as the source. If one side
 * is a log, it is the compiled file, the first of several ones. NO_INDEX: unknown. */
uint32_t compare_file(const struct comparison *comparison, const struct kernel_metrics *entry);

/* Sets what a pair says of its entry of the head and this one of the base: its deltas, marks and state. */
void compare_classify(const struct comparison *comparison, struct pair *pair, uint32_t base_item);

/* Makes one pair of a gone and a new one (indices into pairs): the kernel was renamed. The gone pair stays as an empty
 * one until the caller calls compare_drop_joined. */
void compare_join(struct comparison *comparison, uint32_t gone, uint32_t new);
void compare_drop_joined(struct comparison *comparison);

/* Kernels of the head that may be worse, see pair.unanswered. */
struct unanswered {
    size_t count;
    size_t lost_link; /* how many of them are because of compare_lost_link */
    size_t compared;  /* all kernels with a partner in the base */
};
struct unanswered compare_unanswered(const struct comparison *comparison);

/* True if the base states its warps at a block size, dynamic shared memory or carveout that differs from the head's. */
bool compare_is_other_launch(const struct kernel_metrics *base, const struct kernel_metrics *head);

/* True if the base has the numbers of linked code and the head those of relocatable code, or may have them. */
bool compare_lost_link(const struct kernel_metrics *base, const struct kernel_metrics *head);

/* Warps per SM of an entry of the base that are comparable with those of the head: as the base states them if both or
 * neither has a block size, otherwise computed at the launch of the head. */
int32_t compare_warps(const struct comparison *comparison, const struct kernel_metrics *base,
                      const struct kernel_metrics *head);

/* Sets was and is (arrays of MEASURE_COUNT) to the values of two entries as they are compared; the warps of the base
 * are those of compare_warps. UNKNOWN: unknown values, all values of an entry that is NULL, and, if only one entry is
 * linked, the values of the base that a link changes. */
void compare_values(const struct comparison *comparison, const struct kernel_metrics *base,
                    const struct kernel_metrics *head, int32_t *was, int32_t *is);
