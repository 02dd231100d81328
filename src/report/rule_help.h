/* rule_help: what a rule says about itself, as parts of a page: why it exists, what to do, its parameters, where to
 * read on. */
#ifndef REPORT_RULE_HELP_H
#define REPORT_RULE_HELP_H

#include "rules/rule.h"

/* Prose of a rule without the line end that YAML leaves behind it. */
struct str rule_prose(struct str text);

/* Appends a rule's prose piece by piece: what stands between two backticks of one line, which are left out, as `code`
 * writes it, else as `plain` does. */
void prose(struct str text, void (*plain)(struct str text, struct buf *out),
           void (*code)(struct str text, struct buf *out), struct buf *out);

/* Appends prose as Markdown: what stands between backticks is code, what else would be markup is escaped, and lines
 * stay as they are. */
void markdown_prose(struct str text, struct buf *out);

/* Appends the rule's severity and the lower ones of its cases, but off: "error, warning". */
void rule_severities(const struct rule *rule, struct buf *out);

/* Append why, what to do and parameters, and the links; each part with an empty line before it. */
void rule_help_markdown(const struct rule *rule, struct buf *out);
void rule_links_markdown(const struct rule *rule, struct buf *out);

/* The first of the links that is one: people also write other things there. Empty: none. */
struct str rule_url(const struct rule *rule);

/* Appends all of it as plain text. */
void rule_help_text(const struct rule *rule, struct buf *out);

/* Which places in the code reports show with the rule's findings, a sentence; empty: none. */
struct str rule_sites_sentence(const struct rule *rule);

#endif
