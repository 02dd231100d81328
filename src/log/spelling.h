/*
 * spelling: writes readable names in one spelling, independent of the demangler that printed them (128ul, (int)4, const
 * T, > >), and shortens long names.
 */
#pragma once

#include "base/buf.h"

/* True for a byte of an identifier or a number. */
static inline bool is_word(char c)
{
    return c == '_' || is_digit(c) || is_ascii_letter(c) || (c & 0x80);
}

/* The word at the front of a text; may be empty. */
struct str first_word(struct str text);

/* True for a namespace that compilers or libraries insert and no source contains: that of CUB and Thrust for version
 * and architectures, and that of nvcc for a file. Spelled names omit it. */
bool is_made_namespace(struct str word);

/* Appends a readable name without return type and parameters, in the spelling of warplint. */
void spell_name(struct str readable, struct buf *out);

/* The same for a name as printed in the log, mangled or demangled; for any other name appends its identity. */
void spell_kernel(struct str name, struct buf *out);

/* Shortens a spelled name that is longer than width: removes the types of enumerators ("(ggml_type)2" becomes "2") and,
 * if that is not enough, the namespaces of its arguments. */
void spell_shorter(struct buf *name, size_t width);
