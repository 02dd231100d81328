/*
 * name: what a kernel's name says. All of it works on the name as printed (usually mangled), without a demangler, so
 * that an identity never depends on the C++ runtime; only name_demangle asks the one demangler of the program.
 */
#ifndef LOG_NAME_H
#define LOG_NAME_H

#include "base/buf.h"

/*
 * Appends the identity (kernel_id): the name with everything taken out that changes between two builds of the same
 * code: the hash of anonymous namespaces and of the namespace `_INTERNAL_` of static device functions, the module
 * prefix of `__nv_static_`, clang's suffix `__intern__`, clone suffixes `$1`, CUB's and Thrust's namespace of version
 * and architecture list, the lines and files of regions (log/directive_kernel.h). Length prefixes are put right, so
 * that the identity of a mangled name still demangles.
 */
void name_identity(struct str name, struct buf *out);

/*
 * Appends the template that the name is an instance of: qualified name without template arguments and parameters,
 * "ns::kernel" for `_ZN2ns6kernelIfLi4EEEvPT_`, and a name of Triton without its configuration (log/triton_name.h). The
 * whole identity where the name is not mangled or not understood.
 */
void name_template(struct str name, struct buf *out);

/* Appends a pattern for readable names that contain this one, which may be a template's: the namespaces of CUB and
 * Thrust, whose version a template does not have, match in any version. False, with a part of it: nothing matches. */
bool name_pattern(struct str name, struct buf *out);

/* The same as name_template with "<>" behind it where the name is an instance of a template: so kernels are told apart
 * that a source declares under one name. */
void name_declared(struct str name, struct buf *out);

/* The name without what -rdc adds to internal linkage and without a clone's number: what demangles. */
struct str name_proper(struct str name);

/* Appends the readable name, or the name itself, and returns false, where it does not demangle. */
bool name_demangle(struct str name, struct buf *out);

/* Appends the readable name without return type and parameters, at a third of the work; returns false and appends
 * nothing where it does not demangle. */
bool name_demangle_short(struct str name, struct buf *out);

/* For a pattern that matches no name: the first of the names in which its longest word is, or an empty one. */
struct str name_near(const struct str *names, size_t count, struct str pattern);

/* Where in a readable name its parameter list begins; the length of the name when it has none. */
size_t name_parameters_at(struct str readable);

/* A readable name without its return type and its parameters. */
struct str name_alone(struct str readable);

/* A small function of the CUDA and C++ headers, std::isnan, sqrtf, a constructor of __half: optimised code has it
 * inlined wherever it is used, so a record of its own is of a compile with -G or without optimisation. */
bool name_is_unoptimised(struct str name);

/*
 * What the character does to the depth of brackets in a readable name: 1 where one of ( [ { < opens, -1 where it is
 * closed, else 0. The characters of an operator ("operator>>", "->") are no brackets.
 */
int name_nesting(struct str readable, size_t at);

/* The length of the first member of a list of arguments or parameters, "b<c, d>, e)": what stands before the next comma
 * that is in no brackets, or before the end of the list. */
size_t name_member(struct str list);

#endif
