/*
 * spelling: readable names in one spelling, whatever demangler wrote them (128ul, (int)4, const T, > >), and what is
 * left out of long ones first.
 */
#ifndef LOG_SPELLING_H
#define LOG_SPELLING_H

#include "base/buf.h"

/* A byte of a word: of an identifier or a number. */
static inline bool is_word(char c)
{
    return c == '_' || is_digit(c) || is_ascii_letter(c) || (c & 0x80);
}

/* The word at the front of a text; may be empty. */
struct str first_word(struct str text);

/* A namespace that compilers and libraries put in and nobody wrote, which no spelled name has: CUB's and Thrust's of
 * version and architecture list, nvcc's of a file. */
bool is_made_namespace(struct str word);

/* Appends a readable name without return type and parameters, in our spelling. */
void spell_name(struct str readable, struct buf *out);

/* The same of a name as printed, mangled or demangled in the log; the identity of a name that is neither. */
void spell_kernel(struct str name, struct buf *out);

/* Replaces a spelled name that is longer than width by one without the types of enumerations' numbers,
 * (ggml_type)2: 2, and, where that is not enough, without the namespaces of its arguments. */
void spell_shorter(struct buf *name, size_t width);

#endif
