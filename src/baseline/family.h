/*
 * family: kernels that are gone and kernels that are new under one base name on one architecture: a template that got
 * other arguments, or a kernel that became a template. Which new one took the place of which gone one is known as far
 * as the template arguments say it: without some positions of the list of arguments the gone list is the new one. These
 * are positions of the longer list (arguments were added or removed), or as few as possible of both lists (arguments
 * were changed), and the same for the whole family: those with which the most gone kernels have a new one of their own.
 * Where several sets of positions are as good, what any of them says counts. Of the kernels that have none then, each
 * new one may have taken the place of each gone one. So a gone kernel has successors, and no identity is claimed.
 *
 * Kernels of other names are a family where both sides know the place in the source, it is the same, and no other name
 * stands there; or where only the namespace or class differs, both are of one source that is known, and no other kernel
 * of that name and source is on either side; or where they alone are gone and new with these parameters in a source
 * that is known. That last one is not sure: the new kernel may have nothing to do with the old one, so it is compared,
 * but nothing that was known of the old one excuses it.
 */
#ifndef BASELINE_FAMILY_H
#define BASELINE_FAMILY_H

#include "baseline/compare.h"
#include "rules/context.h"

/* What one set of positions says: gone and new ones of one class are alike in their other arguments. */
struct mapping {
    uint32_t *class_of_gone, *class_of_new; /* by index; of a gone one INTERN_NONE: it has no counterpart */
    bool changed; /* arguments were: a new one took the place of one, so of a class with more gone ones than new ones
                     some are only gone */
};

/* How much worse a new kernel is than a gone one; ordered by its members. */
struct loss {
    int64_t worse; /* 1: it has fewer warps or more spilled bytes, by more than is tolerated */
    int64_t spill_bytes, warps, registers;
};

struct family {
    struct str name;      /* the base name; of the base, where the head's is another one */
    uint32_t *gone, *new; /* items of the base and of the head, by their names */
    size_t gone_count, new_count;
    bool unsure; /* only the parameters are equal */
    struct mapping *mappings;
    size_t mapping_count; /* at least 1: the last one is of those of which the arguments say nothing */
    bool *undecided;      /* by index of the gone ones: the arguments do not say which new ones took its place */

    uint32_t *nearest; /* by index of the new ones: of the gone ones that it may have replaced the item that comes
                          nearest to it in warps and spilled bytes, of the shown one that which it is shown with;
                          NO_INDEX: none */
    /* What rules see: the gone kernel that lost the most and the best of its successors; where none lost, the worst of
     * the new kernels and the nearest one that it may have replaced. */
    struct succession shown;
    uint32_t shown_new; /* item of that new kernel; NO_INDEX: nothing is worse */
};

/* Finds the families of a comparison of which renamed kernels were joined, and judges them. In a comparison with a part
 * of a build the pairs of gone kernels are taken out behind it. */
void family_find(struct comparison *comparison);

/* What a pair is compared with: its entry of the base, or of a kernel that took the place of others the one that comes
 * nearest to it; NULL: none. */
const struct kernel_metrics *family_base(const struct comparison *comparison, const struct pair *pair);

/* How much worse the new kernel is than the gone one; what is not known is not worse. */
struct loss family_loss(const struct comparison *comparison, const struct kernel_metrics *gone,
                        const struct kernel_metrics *new);

/* The family that a pair of a gone or a new kernel is in; NULL: none. */
const struct family *family_of(const struct comparison *comparison, const struct pair *pair);
/* The pair is in a family, and in one that is sure. */
bool family_is_sure(const struct comparison *comparison, const struct pair *pair);

/* The new kernel may have taken the place of the gone one (indices into new and gone). */
bool family_replaces(const struct family *family, size_t gone, size_t new);
/* The template arguments say which new ones did. */
bool family_says_successors(const struct family *family, size_t gone);

#endif
