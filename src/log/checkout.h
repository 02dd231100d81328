/* checkout: names of source files that are the same on every machine. */
#ifndef LOG_CHECKOUT_H
#define LOG_CHECKOUT_H

#include "log/model.h"

/* The checkout that sources are named in. */
struct checkout {
    struct str root; /* its folder, with a slash at its end; empty: not known */
    struct str here; /* the working directory as seen from the root, with a slash at its end; empty: they are one */
};

/*
 * Appends the path of a source as it is the same on every machine: slashes, no "." and "..", relative to the root. A
 * path outside of the root keeps its file's name, and its folder's where that is not near the top of the file system.
 */
void checkout_path(struct str path, struct str root, struct buf *out);
/* The same of a path that one of the model's logs (a number of model.logs, or more) names, as seen from the folder that
 * the log says. */
void checkout_path_of_log(const struct model *model, uint16_t log, struct str path, struct checkout checkout,
                          struct buf *out);

#endif
