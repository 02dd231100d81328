/* rule_page: all rules as one Markdown page; rules/README.md is the page of the built-in rules. */
#pragma once

#include "rules/rule.h"

void rule_page(const struct ruleset *rules, struct buf *out);
