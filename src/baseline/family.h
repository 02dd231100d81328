/*
 * family: gone and new kernels with one base name on one architecture: a template whose arguments changed, or a kernel
 * that became a template. First kernels of one source file are compared, then those that are left. The template
 * arguments show which new kernel replaces which gone one: both lists are equal once some positions are removed. These
 * are positions of the longer list (arguments were added or removed), or as few positions as possible of both lists
 * (arguments were changed). They are the same for the whole family: the positions that give the most gone kernels a new
 * kernel of their own. If several sets of positions are equally good, each of them counts. Among the kernels that are
 * left without a counterpart, each new one may replace each gone one. So a gone kernel has successors; that they are
 * the same kernel is not claimed.
 *
 * Kernels with different names are a family in five cases: other kernels of the old name have the new one now, with
 * equal values (baseline/rename.h); both sides state the line of the source, it is the same, and no other name is at
 * that line; only the namespace or class differs, in one known source, and no kernel of that source keeps the name; the
 * same in any sources, or with several namespaces on a side; or they are the only gone and new kernels with these
 * parameters in a known source. The last two cases are unsure: the new kernel may be unrelated to the old one. It is
 * compared with the old one, but findings that were accepted for the old one are new.
 */
#pragma once

#include "baseline/compare.h"
#include "rules/context.h"

/* The result for one set of positions: gone and new kernels of one class have equal arguments at all other positions.
 */
struct mapping {
    uint32_t *class_of_gone, *class_of_new; /* by index; INTERN_NONE: not mapped, or a gone one without counterpart */
    struct mapping_class {
        uint32_t gone, new;
    } * classes;  /* how many kernels each one has */
    bool changed; /* arguments were changed: each new kernel replaces one gone kernel, so in a class with fewer new ones
                     some kernels are only gone */
};

struct family {
    struct str name;      /* the base name, as the base has it */
    uint32_t *gone, *new; /* items of the base and of the head, sorted by name */
    size_t gone_count, new_count;
    bool unsure;  /* only the parameters, or the names without their scopes, are equal */
    bool changed; /* no arguments were added or removed: each new kernel replaces a gone kernel of its own */
    struct mapping *mappings;
    size_t mapping_count; /* at least 1: the last one holds the kernels whose arguments do not decide */
    bool *undecided;      /* by index of the gone kernels: the arguments do not show which new ones replace it */

    uint32_t
        *nearest; /* by index of the new kernels: the item of the gone kernel that it may replace and that is nearest
                     to it in warps and spilled bytes (for shown_new: the one of `shown`); NO_INDEX: none */
    /* The fields of the rules: the gone kernel that lost the most and the best of its successors; if none lost, the
     * worst new kernel and the nearest gone one that it may replace. */
    struct succession shown;
    uint32_t shown_new; /* item of that new kernel; NO_INDEX: nothing is worse */
};

/* Finds the families of a comparison, after rename_join, and computes their losses. If the head is a part of a build,
 * the pairs of gone kernels are removed afterwards. */
void family_find(struct comparison *comparison);

/* The entry of the base that a pair is compared with: its own, or the nearest of those that its kernel may replace;
 * NULL: none. */
const struct kernel_metrics *family_base(const struct comparison *comparison, const struct pair *pair);

/* The family of the gone or new kernel of a pair; NULL: none. */
const struct family *family_of(const struct comparison *comparison, const struct pair *pair);
/* True if the pair is in a family that is not unsure. */
bool family_is_sure(const struct comparison *comparison, const struct pair *pair);

/* True if the class has fewer new kernels than gone ones, and each new one replaces only one of them. */
bool mapping_lacks_new(const struct mapping *mapping, uint32_t class);
/* True if the new kernel may replace the gone one (indices into new and gone). */
bool family_replaces(const struct family *family, size_t gone, size_t new);
/* True if the template arguments show which new kernels replace the gone one. */
bool family_says_successors(const struct family *family, size_t gone);
