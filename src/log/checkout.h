/* checkout: names of source files that are the same on every machine. */
#ifndef LOG_CHECKOUT_H
#define LOG_CHECKOUT_H

#include "log/model.h"

/* Sources of a model that lie outside of the root, or whose name begins outside of it, and how much of their paths is
 * their name. */
struct outside {
    struct intern paths;
    size_t *from;         /* by path: where its name begins */
    struct intern inside; /* names of sources below the root */
    size_t cap;
};

/* The checkout that sources are named in. */
struct checkout {
    struct str root; /* its folder, with a slash at its end; empty: not known */
    struct str here; /* the working directory as seen from the root, with a slash at its end; empty: they are one */
    const struct outside *outside; /* NULL: none is known */
    bool keeps_outside;            /* paths outside of the root stay whole, without the slash at their top, and those
                                      below it are named from there */
};

/*
 * Appends the path of a source as it is the same on every machine: slashes, no "." and "..", relative to the root. A
 * path outside of the root keeps its file's name, and its folder's where that is not near the top of the file system;
 * where `outside` has several sources of that name, or one below the root, as many folders as tell them apart.
 */
void checkout_path(struct str path, struct checkout checkout, struct buf *out);
/* Finds these sources of kernels and messages; release with outside_free. One whose path ends with a known name, as of
 * a baseline, that is longer than its own has that name. */
void outside_find(struct outside *outside, const struct model *model, struct checkout checkout,
                  const struct intern *known);
void outside_free(struct outside *outside);
/* The name is that of a source outside of the root, and others lie below it. */
bool outside_has(const struct outside *outside, struct str name);
/* The same of a path that one of the model's logs (a number of model.logs, or more) names, as seen from the folder that
 * the log says. */
void checkout_path_of_log(const struct model *model, uint16_t log, struct str path, struct checkout checkout,
                          struct buf *out);
/* The same of a word of the command of that log's compile. */
void checkout_path_of_word(const struct model *model, uint16_t log, struct str word, struct checkout checkout,
                           struct buf *out);

#endif
