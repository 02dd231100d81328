/* profile_index: which launches of a profile are of which kernel of a model. */
#ifndef CONFIG_PROFILE_INDEX_H
#define CONFIG_PROFILE_INDEX_H

#include "config/profile.h"
#include "log/model.h"

struct profile_index;
/* Borrows both; the model must be complete. */
struct profile_index *profile_index_new(const struct profile *profile, const struct model *model);
void profile_index_free(struct profile_index *index);

/*
 * The launches of the kernel on a device that runs this record: of its architecture, or of a later one with the same
 * major number, or of a device that the profile does not name; the most frequent first. A name that names several
 * kernels gives nothing. Writes at most `most` pointers and returns how many there are.
 */
size_t profile_index_launches(const struct profile_index *index, const struct kernel *kernel,
                              const struct profile_launch **launches, size_t most);

/* Appends one warning with what of the profile belongs to no kernel of the model, if anything does. */
void profile_index_report(const struct profile_index *index, struct diags *diags);

#endif
