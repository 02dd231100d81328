/*
 * declaration: finds the kernels that a C++ text defines and declares, and the exceptions that its comments make for
 * them.
 *
 * The text is read, not compiled. Both branches of an #if are read unless its condition is 0 or 1. Macros are not
 * expanded, so a kernel that a macro generates is not found. Every kernel that is found exists.
 */
#pragma once

#include "nvcc/suppression.h"

struct declaration {
    struct str name;    /* without namespaces; with "<>" for a template or a specialisation: "kernel<>" */
    uint32_t line;      /* of the name, from 1 */
    uint32_t file;      /* number of the file, assigned by the caller */
    bool is_definition; /* it has a body */
};

/* An #include that no condition leaves out. */
struct inclusion {
    struct str name; /* as written, without the quotes or angle brackets */
    bool quoted;     /* "..." */
};

struct declarations {
    struct declaration *items; /* in the order in which the texts were read */
    size_t count, cap;
    struct suppressions suppressions; /* each has its declaration or a problem */
    struct inclusion *inclusions;
    size_t inclusion_count, inclusion_cap;
};

/* Appends the declarations, exceptions and inclusions of the text. The resulting texts are in the arena or point into
 * `text`. */
void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena);
void declarations_free(struct declarations *list);
