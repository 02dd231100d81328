/*
 * merge: joins a model that was read from several streams (of machines, architectures or jobs) to one build. The result
 * does not depend on the order of reading, and merging it again changes nothing.
 *
 * Logs with the same path, working directory and toolkit become one, unless their sources have different exceptions.
 * Records that are equal in identity, architecture, source (with its working directory), toolkit and every number
 * become one: that of the first log remains. If the source is unknown, equal records of one log may be several kernels
 * with one name, so all such records remain of the log that has the most of them. Equal messages, exceptions and
 * unknown lines at one place become one.
 */
#pragma once

#include "log/model.h"

/* Two records with equal identity, architecture, source and toolkit, but different numbers. Both remain in the model.
 */
struct merge_conflict {
    uint32_t first, second;              /* indices in the model before merging */
    struct kernel first_was, second_was; /* the records before merging */
};

struct merge_result {
    struct merge_conflict *conflicts;
    size_t conflict_count, conflict_cap;
    struct merge_conflict unsure; /* the first unsure pair */
    size_t unsure_count; /* kernels without a source and with other numbers in another log: each may be two kernels */
};

/* Merges the model in place. Must be called before model_link. */
void model_merge(struct model *model, struct merge_result *result);
void merge_result_free(struct merge_result *result);

/* A metric in which two records differ; INT64_MIN: not stated. */
struct merge_difference {
    const char *key;
    int64_t a, b;
};
/* Finds the next difference of two records of the model; *at must be 0 for the first one. False if there are no
 * more. */
bool merge_difference(const struct model *model, const struct kernel *a, const struct kernel *b, size_t *at,
                      struct merge_difference *difference);
