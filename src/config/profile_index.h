/* profile_index: finds the launches in a profile for each kernel of a model. */
#pragma once

#include "config/profile.h"
#include "log/model.h"

struct profile_index;
/* Borrows both; the model must be complete. */
struct profile_index *profile_index_new(const struct profile *profile, const struct model *model);
void profile_index_free(struct profile_index *index);

/*
 * The launches of the kernel on devices that can run this record: of its architecture, of a later one with the same
 * major number, or of an unknown device; the most frequent first. A name that several kernels have gives no launches.
 * Stores at most `most` pointers and returns how many launches there are.
 */
size_t profile_index_launches(const struct profile_index *index, const struct kernel *kernel,
                              const struct profile_launch **launches, size_t most);

/* Appends one warning about the launches that belong to no kernel of the model, if there are any. */
void profile_index_report(const struct profile_index *index, struct diags *diags);
