/* template: a message with placeholders, 'spills {spill_store_bytes} B at {registers} registers'; '{{' is a brace. */
#pragma once

#include "rules/expr.h"

struct template;

/* NULL after errors, all of which are in diags. The arena owns it. */
struct template *template_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                                struct diags *diags);

/* Appends the message. Unknown values are printed as "?"; returns false if there was one. An upper bound is printed as
 * "at most 4", and the message ends with the reason and with what to state. */
bool template_render(const struct template *template, struct context *context, const struct str *captures,
                     struct buf *out);

/*
 * Appends ", was 144 B and 12 B": the former numbers of the message that differ from the present ones, each with the
 * word after it. Nothing if none differs.
 */
void template_was(const struct template *template, struct context *is, struct context *was, struct buf *out);
