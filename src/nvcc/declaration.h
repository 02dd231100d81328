/*
 * declaration: which kernels a text in C++ defines and declares, with the exceptions that its comments make for them.
 *
 * The text is read, not compiled: both sides of an #if are read where its condition is not 0 or 1, the text of a macro
 * is not seen, and so a kernel that a macro makes is not found. What is found exists.
 */
#ifndef NVCC_DECLARATION_H
#define NVCC_DECLARATION_H

#include "nvcc/suppression.h"

struct declaration {
    struct str name;    /* without namespaces, with "<>" for a template or a specialisation: "kernel<>" */
    uint32_t line;      /* of the name, from 1 */
    uint32_t file;      /* as the caller numbers files */
    bool is_definition; /* with a body */
};

/* An #include that is not left out. */
struct inclusion {
    struct str name; /* as written between the signs */
    bool quoted;     /* "..." */
};

struct declarations {
    struct declaration *items; /* in the order of the texts */
    size_t count, cap;
    struct suppressions suppressions; /* each with its declaration or with a problem */
    struct inclusion *inclusions;
    size_t inclusion_count, inclusion_cap;
};

/* Appends what the text holds. Texts that come out are the arena's or point into `text`. */
void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena);
void declarations_free(struct declarations *list);

#endif
