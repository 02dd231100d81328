/*
 * mangled: parses a name of the Itanium C++ ABI (section 5.1 of its specification) to find the position of each
 * identifier and which identifiers form the qualified name. It builds no tree and does not demangle. A name that it
 * cannot parse is refused.
 *
 * Why not the tree of libiberty: identities are stored in baselines, and would change with a version of the library
 * that parses more names; its node of an anonymous namespace, which an identity replaces, does not have the position in
 * the name; and it refuses names of more than 1,024 bytes unless its guard against deep nesting is off, which is safe
 * only because this parser (see log/demangle.c) has refused deep nesting before. This parser takes half the time of
 * building that tree.
 */
#pragma once

#include "base/buf.h"

struct identifier {
    size_t digits;  /* position of its length prefix */
    size_t at, len; /* position and length of the identifier */
    bool qualified; /* a part of the name of the function itself, not of its template arguments or parameters */
};

/* Called for each identifier from left to right; may be NULL. */
typedef void identifier_visitor(void *context, struct identifier identifier);

/* Parses a name. False if it is not mangled ("_Z...") or cannot be parsed to its end; the visitor may have been called.
 */
bool mangled_walk(struct str name, identifier_visitor *visit, void *context);

/* The same without the types of the parameters, which follow the name: enough for the qualified name. */
bool mangled_walk_name(struct str name, identifier_visitor *visit, void *context);

/* Reads an identifier like 12kernel_name at *at, which becomes the position after it. Returns false if there is none.
 */
bool mangled_identifier(struct str name, size_t *at, struct str *identifier);

/* A hash of the values of the template arguments at a position of the name, up to the first argument that is no number
 * or enumerator; 0 if there are none. Equal arguments in a parameter pack have the same hash. */
uint32_t mangled_values(struct str name, size_t at);

/* Appends the name without the numbers of its lambdas to `rest`, and the numbers to `numbers`, each with ten digits, so
 * that texts of equal length have the order of the lambdas in the source. False if the name has no lambda or cannot be
 * parsed; then neither result is valid. */
bool mangled_split_lambdas(struct str name, struct buf *rest, struct buf *numbers);
