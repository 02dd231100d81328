/*
 * name: derives identities, templates and demangled names from the name of a kernel. Functions work on the name as
 * printed (usually mangled) without a demangler, so that an identity does not depend on the C++ runtime; only
 * name_demangle and name_demangle_short use the demangler.
 */
#pragma once

#include "base/buf.h"
#include "base/regex.h"

/*
 * Appends the identity (kernel_id): the name without the parts that change between two builds of the same code. These
 * are the hash of anonymous namespaces and of the namespace `_INTERNAL_` of static device functions, the module prefix
 * `__nv_static_`, clang's suffix `__intern__`, clone suffixes `$1`, the namespace of CUB and Thrust with version and
 * architectures, the lines and files of directive kernels (log/directive_kernel.h). Length prefixes are corrected, so
 * the identity of a mangled name can be demangled.
 */
void name_identity(struct str name, struct buf *out);

/*
 * Appends the template of which the name is an instance: the qualified name without template arguments and parameters,
 * "ns::kernel" for `_ZN2ns6kernelIfLi4EEEvPT_`, or a name of Triton without its configuration (log/triton_name.h).
 * Appends the whole identity if the name is not mangled or cannot be parsed.
 */
void name_template(struct str name, struct buf *out);

/* Appends a regular expression that matches demangled names that contain this name. The name may be a result of
 * name_template or a demangled name. The namespaces of CUB and Thrust match with any version. False if there is no such
 * expression; `out` may contain a part of one. */
bool name_pattern(struct str name, struct buf *out);

/* Appends the result of name_template, followed by "<>" if the name is an instance of a template: a source may declare
 * a function and a template with one name. */
void name_declared(struct str name, struct buf *out);

/* The name without the parts that -rdc adds for internal linkage and without the number of a clone: the part that can
 * be demangled. */
struct str name_proper(struct str name);

/* Appends the demangled name. If the name cannot be demangled, appends the name itself and returns false. */
bool name_demangle(struct str name, struct buf *out);

/* Appends the demangled name without return type and parameters, in a third of the time. If the name cannot be
 * demangled, appends nothing and returns false. */
bool name_demangle_short(struct str name, struct buf *out);

/* For a pattern that matches no name: the first name that contains the longest word of the pattern; empty if there is
 * none. */
struct str name_near(const struct str *names, size_t count, struct str pattern);

/* The position of the parameter list in a demangled name; the length of the name if it has none. */
size_t name_parameters_at(struct str readable);

/* Matches a pattern that selects kernels. The demangled name of a template begins with "void ", which reports do not
 * show: if the pattern does not match the name, it is matched with the rest. groups: as in regex_match. */
enum regex_result name_match(struct regex *pattern, struct str readable, struct str *groups);

/* A demangled name without its return type and its parameters. */
struct str name_alone(struct str readable);

/* True for a small function of the CUDA and C++ headers: std::isnan, sqrtf, a constructor of __half. Optimised code
 * inlines it everywhere, so a record of it is of a compile with -G or without optimisation. */
bool name_is_unoptimised(struct str name);

/*
 * The change of the depth of brackets at a character of a demangled name: 1 for an opening ( [ { <, -1 for a closing
 * one, else 0. The characters of an operator ("operator>>", "->") are not brackets.
 */
int name_nesting(struct str readable, size_t at);

/* The length of the first member of a list of arguments or parameters ("b<c, d>, e)"): the text before the next comma
 * outside of brackets, or before the end of the list. */
size_t name_member(struct str list);
