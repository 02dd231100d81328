/*
 * compare: two measured sets side by side: which kernels got better or worse, which are new and which are gone. Kernels
 * pair by identity, architecture and kind; the source tells those of one identity apart where both sides know it. Where
 * it does not, they are compared as a multiset: equal ones pair first, then what is left, in the order of its numbers.
 * Variants of one source (variants.h) pair by their objects, where both sides know these.
 *
 * A set may hold columns for several toolkits. Each toolkit of the head is compared with its own column of the base,
 * or, where there is none, with the nearest one, and the comparison says so (drift).
 */
#ifndef BASELINE_COMPARE_H
#define BASELINE_COMPARE_H

#include "baseline/kernel_metrics.h"
#include "baseline/missing.h"

struct family;

enum compare_state {
    COMPARE_SAME,     /* in every measure that both sides know */
    COMPARE_IMPROVED, /* better in some, worse in none */
    COMPARE_WORSE,    /* worse in some by more than is tolerated */
    COMPARE_CHANGED,  /* different, and neither of these: within the tolerance, or only in what has no direction */
    COMPARE_NEW,
    COMPARE_GONE,
    COMPARE_STATES,
};
const char *compare_state_name(enum compare_state state); /* "same" "improved" ... "gone" */

/* By how much a measure may grow before it counts as worse. Zeroed: not at all. */
struct tolerances {
    int32_t registers;
    bool registers_of_block; /* more registers count only where warps are lost, as far as those are known */
    int32_t spill_bytes;     /* stores and loads together */
    int32_t spill_bytes_in_loops;
    int32_t stack_bytes, smem_bytes;
    int32_t warps; /* lost per SM */
};

struct pair {
    uint32_t base, head;           /* into the items of their sets; NO_INDEX: there is none */
    int32_t deltas[MEASURE_COUNT]; /* head - base; UNKNOWN where either is */
    int32_t base_warps;            /* those of the base at the block size that the head knows, for deltas and rules */
    uint32_t family;               /* of a gone or new one: into families; NO_INDEX: it is in none */
    uint32_t member;               /* in a family: the index in its gone or new ones */
    uint16_t worse, better;        /* bits 1 << enum measure; worse: by more than is tolerated */
    uint8_t state;                 /* enum compare_state */
    bool renamed;                  /* base and head have different identities and are taken as one kernel */
    bool partial;                  /* the head states a measure that the base does not, or only one is a debug build */
    bool unanswered;    /* that it did not get worse is not known: the base does not state such a measure, or one of the
                           two is not linked */
    bool other_variant; /* it may be another variant than the one of the base, and worse than that one was */
    bool copy;          /* a further entry of the head for an entry of the base that has its own pair */
};

/* The column of the base that a toolkit of the head was compared with. */
struct column_pair {
    struct toolkit base, head;
    bool drift;  /* both are known and differ */
    bool unsure; /* the head's is not known and the base has several: the newest was taken */
};

struct comparison_counts {
    size_t expected;                 /* entries of the base in the columns compared, without deselected ones */
    size_t seen;                     /* of them, those with a head entry */
    size_t by_state[COMPARE_STATES]; /* pairs; a copy counts as same */
    size_t renamed;
    size_t replaced; /* of the gone ones, those of which others took the place */
};

struct comparison {
    const struct kernel_metrics_set *base, *head;
    const struct intern *strings; /* of both */
    struct tolerances tolerances;
    bool any_optimised; /* some kernel of the head is no debug build */
    bool part;          /* the head is a part of the build: nothing is missing, and gone is only what its sources had */
    struct pair
        *pairs; /* pairs[0 .. head->count) in the order of the head (deselected ones are same), then gone ones */
    size_t count, cap;
    struct column_pair *columns;
    size_t column_count, column_cap;
    struct missing_list missing; /* architectures, sources, objects, targets, each by name */
    struct missing_list moved;   /* sources that the head does not name, some entries of which are there all the same:
                                    how many are gone */
    struct {
        size_t seen, gone;
    } unsourced; /* kernels of the base that name no source: whether gone ones were compiled is not known */
    struct comparison_counts counts;
    uint8_t *seen;           /* by item of the base: 1 where an entry of the head is it or took its place */
    uint8_t *in_play;        /* by item of the base: 1 in the columns compared, without deselected ones */
    uint32_t *sources;       /* what the base calls a source of the head, see checkouts.h */
    uint32_t source_count;   /* strings that there were */
    uint32_t *item_of;       /* by kernel of the head's model: into head->items, NO_INDEX; NULL: the head is a file */
    struct family *families; /* see family_find */
    size_t family_count;
    struct arena arena; /* for them */
};

/* Compares; both sets, which have one table of strings, are borrowed and must outlive it. item_of becomes the
 * comparison's. */
void compare_make(struct comparison *comparison, const struct kernel_metrics_set *base,
                  const struct kernel_metrics_set *head, struct tolerances tolerances, bool part, uint32_t *item_of);
void compare_free(struct comparison *comparison);

/* The pair of a record of the head's model, or NULL. */
const struct pair *compare_of_kernel(const struct comparison *comparison, uint32_t kernel);

/* The column that was compared with a toolkit of the head, or that is of a toolkit of the base; NULL: none was. */
const struct column_pair *compare_head_column(const struct comparison *comparison, struct toolkit head);
const struct column_pair *compare_base_column(const struct comparison *comparison, struct toolkit base);
/* The toolkit of the base that one of the head was compared with; where it was not, itself. */
struct toolkit compare_base_toolkit(const struct comparison *comparison, struct toolkit head);
/* Any column with drift. */
bool compare_drifts(const struct comparison *comparison);

/* The source of an entry as the base calls it; NO_INDEX: it is not known. */
uint32_t compare_source(const struct comparison *comparison, const struct kernel_metrics *entry);

/* Sets what a pair says of its entry of the head and this one of the base: its deltas, marks and state. */
void compare_classify(const struct comparison *comparison, struct pair *pair, uint32_t base_item);

/* Makes one pair of a gone and a new one (indices into pairs): the kernel got another name. The gone pair stays as an
 * empty one until compare_drop_joined, which has to follow. */
void compare_join(struct comparison *comparison, uint32_t gone, uint32_t new);
void compare_drop_joined(struct comparison *comparison);

/* Kernels of the head that are not known to be worse, but may be, see pair.unanswered. */
struct unanswered {
    size_t count;
    size_t lost_link; /* of these, those of compare_lost_link */
    size_t compared;  /* kernels that have one in the base */
};
struct unanswered compare_unanswered(const struct comparison *comparison);

/* The warps of the base are as it states them, and at another block size, dynamic shared memory or carveout. */
bool compare_is_other_launch(const struct kernel_metrics *base, const struct kernel_metrics *head);

/* The base states what the link of relocatable code took, the head what its compile needed. */
bool compare_lost_link(const struct kernel_metrics *base, const struct kernel_metrics *head);

/* The warps of an entry of the base that those of the head's compare with: at one block size; where only one side knows
 * it, or knows none, the base is asked at the head's. */
int32_t compare_warps(const struct comparison *comparison, const struct kernel_metrics *base,
                      const struct kernel_metrics *head);

/* The values (MEASURE_COUNT) of two entries as they compare, the warps of the base as compare_warps has them; UNKNOWN
 * where one is not known, all of an entry that is NULL, and those of the base that a link changes, where one entry is
 * linked and the other one is relocatable. */
void compare_values(const struct comparison *comparison, const struct kernel_metrics *base,
                    const struct kernel_metrics *head, int32_t *was, int32_t *is);

#endif
