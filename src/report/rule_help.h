/* rule_help: the documentation of a rule as parts of a page: why it exists, what to do, its parameters, links. */
#pragma once

#include "rules/rule.h"

/* The prose of a rule without the line ends that YAML leaves after it. */
struct str rule_prose(struct str text);

/* Appends prose piece by piece: `code` writes text between two backticks of one line, without the backticks; `plain`
 * writes all other text. */
void prose(struct str text, void (*plain)(struct str text, struct buf *out),
           void (*code)(struct str text, struct buf *out), struct buf *out);

/* Appends prose as Markdown: text between backticks is code, other markup characters are escaped, and lines are
 * kept. */
void markdown_prose(struct str text, struct buf *out);

/* Appends the rule's severity and the lower severities of its cases, without "off": "error, warning". */
void rule_severities(const struct rule *rule, struct buf *out);

/* Append why, what to do and the parameters; and the links. Each part follows an empty line. */
void rule_help_markdown(const struct rule *rule, struct buf *out);
void rule_links_markdown(const struct rule *rule, struct buf *out);

/* The first entry of `see` that is a URL; empty if there is none. Entries may be other text. */
struct str rule_url(const struct rule *rule);

/* Appends the reason, what to do and the links as plain text. */
void rule_help_text(const struct rule *rule, struct buf *out);

/* A sentence about the code places that reports list with findings of the rule; empty if they list none. */
struct str rule_sites_sentence(const struct rule *rule);
