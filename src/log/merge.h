/*
 * merge: a model that was read from many streams (shards of machines, architectures, jobs) as one build. The result
 * does not depend on the order in which they were read, and merging it again changes nothing.
 *
 * Logs of one path, working directory and toolkit become one, unless other exceptions stand in their sources. Of
 * records that agree in identity, architecture, source (with the working directory that it is seen from), toolkit and
 * every number one stays: the one of the first log. Where the source is not known, equal records of one log may be
 * several kernels of one name, so the log with the most of them keeps all of its own. Messages, exceptions and lines
 * that were not understood stay once for each place.
 */
#ifndef LOG_MERGE_H
#define LOG_MERGE_H

#include "log/model.h"

/* Two records of one identity, architecture, source and toolkit with different numbers. Both stay in the model. */
struct merge_conflict {
    uint32_t first, second;              /* their numbers in the model before merging */
    struct kernel first_was, second_was; /* as they were */
};

struct merge_result {
    struct merge_conflict *conflicts;
    size_t conflict_count, conflict_cap;
    struct merge_conflict unsure; /* the first of these: */
    size_t
        unsure_count; /* kernels without a source that have other numbers in another log: they may be two of a name */
};

/* Merges the model in place; before model_link. */
void model_merge(struct model *model, struct merge_result *result);
void merge_result_free(struct merge_result *result);

/* A metric in which two records differ; INT64_MIN: not stated. */
struct merge_difference {
    const char *key;
    int64_t a, b;
};
/* The next one of two records of the model, from *at = 0 on; false: no more. */
bool merge_difference(const struct model *model, const struct kernel *a, const struct kernel *b, size_t *at,
                      struct merge_difference *difference);

#endif
