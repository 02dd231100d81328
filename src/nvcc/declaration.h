/*
 * declaration: which kernels a text in C++ defines and declares, with the exceptions that its comments make for them.
 *
 * The text is read, not compiled: both sides of an #if are read where its condition is not 0 or 1, what stands in a
 * macro is not seen, and so a kernel that a macro makes is not there. What is listed is there.
 */
#ifndef NVCC_DECLARATION_H
#define NVCC_DECLARATION_H

#include "nvcc/allow.h"

struct declaration {
    struct str name;    /* as name_declared (log/name.h) gives it: "ns::(anonymous namespace)::kernel<>" */
    uint32_t line;      /* of the name, from 1 */
    uint32_t file;      /* as the caller numbers files */
    bool is_definition; /* with a body */
};

/* An exception, and the declaration that it stands on or above. */
struct placed_allow {
    struct allow_note note;
    uint32_t declaration; /* into declarations.items; UINT32_MAX with a problem */
    uint32_t file;
};

/* An #include that is not left out. */
struct inclusion {
    struct str name; /* as written between the signs */
    bool quoted;     /* "..." */
};

struct declarations {
    struct declaration *items; /* in the order of the texts */
    size_t count, cap;
    struct placed_allow *allows;
    size_t allow_count, allow_cap;
    struct inclusion *inclusions;
    size_t inclusion_count, inclusion_cap;
};

/* Appends what the text holds. Texts that come out are the arena's or point into `text`. */
void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena);
void declarations_free(struct declarations *list);

#endif
