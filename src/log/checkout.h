/* checkout: names of source files that do not depend on the machine. */
#pragma once

#include "log/model.h"

/* The sources of a model that are outside of the root, or whose name begins outside of it, each with the part of its
 * path that is its name. */
struct outside {
    struct intern paths;
    size_t *from;         /* by path: the position in it where the name begins */
    struct intern inside; /* names of sources below the root */
    size_t cap;
};

/* The checkout to which names of sources are relative. */
struct checkout {
    struct str root; /* its folder, with a slash at the end; empty: unknown */
    struct str here; /* the working directory relative to the root, with a slash at the end; empty: it is the root */
    const struct outside *outside; /* NULL: none */
    bool keeps_outside;            /* paths outside of the root are not shortened, but lose their first slash */
};

/*
 * Appends the name of a source: its path relative to the root, with slashes, without "." and "..". For a path outside
 * of the root, the name consists of the file and its folder, or of the file alone if the folder is near the root of the
 * file system. If `outside` has several sources with that name, or one below the root, the name begins with as many
 * folders as make the names different.
 */
void checkout_path(struct str path, struct checkout checkout, struct buf *out);
/* Finds the sources of kernels and messages that are outside of the root; the caller calls outside_free. If the path of
 * such a source ends with a known name (of a baseline) that is longer than the name above, the source gets the known
 * name. */
void outside_find(struct outside *outside, const struct model *model, struct checkout checkout,
                  const struct intern *known);
void outside_free(struct outside *outside);
/* True if a source outside of the root has this name, and there are sources below the root too. */
bool outside_has(const struct outside *outside, struct str name);
/* checkout_path for a path in a log (index in model.logs, or a larger number for none), which is relative to the
 * working directory of that log. */
void checkout_path_of_log(const struct model *model, uint16_t log, struct str path, struct checkout checkout,
                          struct buf *out);
/* checkout_path for a word in the command of a log. */
void checkout_path_of_word(const struct model *model, uint16_t log, struct str word, struct checkout checkout,
                           struct buf *out);
