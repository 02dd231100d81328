/*
 * instances: templates of which some instances went and others came, as a changed list of template parameters gives.
 * Which instance took whose place is not known; what is known is the worst that went and the worst that came.
 */
#ifndef REPORT_INSTANCES_H
#define REPORT_INSTANCES_H

#include "report/delta.h"

/* What went, or what came. */
struct instances_side {
    size_t count;
    int32_t worst[MEASURE_COUNT]; /* of each measure: the most, of warps the fewest; UNKNOWN: of none is it known */
};

struct instances {
    struct str key;  /* of instances_list.keys: it orders what is alike */
    struct str arch; /* empty: not known */
    uint32_t id;     /* of an instance that came, into the strings of the head */
    struct instances_side went, came;
};

struct instances_list {
    struct intern keys; /* template and architecture */
    struct instances *items;
    size_t count, cap; /* most warps lost first, then most registers, then by name and architecture */
};

void instances_make(struct instances_list *list, const struct comparison *comparison);
void instances_free(struct instances_list *list);

/* Appends a table with a line above it; nothing where there is none. most: so many rows, and how many others; width:
 * columns of the terminal. */
void instances_text(const struct instances_list *list, const struct comparison *comparison, size_t most, size_t width,
                    struct buf *out);
void instances_markdown(const struct instances_list *list, const struct comparison *comparison, size_t most,
                        struct buf *out);

/* Appends "topk_moe_cuda (sm_86): 30 went, 22 came, regs 56 +8, warps 36 -4; ..." with the first few; nothing where
 * there is none. */
void instances_line(const struct instances_list *list, const struct comparison *comparison, size_t most,
                    struct buf *out);

#endif
