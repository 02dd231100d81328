/*
 * mangled: walks a name of the Itanium C++ ABI (section 5.1 of its specification) far enough to know where each
 * identifier with its length prefix stands, and which of them make up the qualified name. It builds nothing and
 * demangles nothing. What it does not understand it refuses.
 *
 * Why not libiberty's tree: identities are kept in baselines, and would change with the version of a library that
 * understands more names; its node of an anonymous namespace, which is what an identity replaces first, does not say
 * where in the name it is; and it refuses names of more than 1,024 bytes unless its guard against deep nesting is
 * switched off, which is safe only because this walk (log/demangle.c) has refused those before. The walk takes half the
 * time of building that tree.
 */
#ifndef LOG_MANGLED_H
#define LOG_MANGLED_H

#include "base/buf.h"

struct identifier {
    size_t digits;  /* where its length prefix begins */
    size_t at, len; /* the identifier itself */
    bool qualified; /* a part of the name of the function itself, not of its template arguments or parameters */
};

/* Called for each identifier from left to right; NULL: nothing is. */
typedef void identifier_visitor(void *context, struct identifier identifier);

/* False when the name is not mangled ("_Z...") or not understood to its end; visits may have happened by then. */
bool mangled_walk(struct str name, identifier_visitor *visit, void *context);

/* The same for the name alone, without what follows it (the types of the parameters): enough for the qualified name. */
bool mangled_walk_name(struct str name, identifier_visitor *visit, void *context);

/* Appends the name without the numbers of its lambdas to `rest`, and the numbers to `numbers`: ten digits each, so that
 * texts of one length are ordered as the lambdas stand in the source. False when the name has no lambda, or is not
 * understood; then neither may be used. */
bool mangled_split_lambdas(struct str name, struct buf *rest, struct buf *numbers);

#endif
