/* template: a message with holes, 'spills {spill_store_bytes} B at {registers} registers'; '{{' is a brace. */
#ifndef RULES_TEMPLATE_H
#define RULES_TEMPLATE_H

#include "rules/expr.h"

struct template;

/* All errors are appended; NULL when there was one. Lives in the arena; template_free frees regular expressions. */
struct template *template_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                                struct diags *diags);
void template_free(struct template *template);

/* What is unknown is a question mark; false where something was. A field that is an upper bound is "at most 4", and the
 * end of the message says why and what to state. */
bool template_render(const struct template *template, struct context *context, const struct str *captures,
                     struct buf *out);

/*
 * Appends ", was 144 B and 12 B": the numbers that the message has with the context as it is and would not have with
 * it as it was, each with the word behind it. Nothing where there is none.
 */
void template_was(const struct template *template, struct context *is, struct context *was, struct buf *out);

/* A regular expression in a hole that ran into its limits, or NULL. */
const struct regex *template_exploded(const struct template *template);

#endif
