/* rule_page: all rules as a page of Markdown; rules/README.md is that of the built-in ones. */
#ifndef CLI_RULE_PAGE_H
#define CLI_RULE_PAGE_H

#include "rules/rule.h"

void rule_page(const struct ruleset *rules, struct buf *out);

#endif
