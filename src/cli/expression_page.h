/* expression_page: the language of rules as a page for people who write them; what `explain expressions` says. */
#ifndef CLI_EXPRESSION_PAGE_H
#define CLI_EXPRESSION_PAGE_H

#include "base/buf.h"

void expression_page(struct buf *out);

#endif
