/* xml: pieces of XML 1.0. Its text is html_text of report/markup.h: XML has no way at all to say a control character,
 * so those are visible escapes, \x1b. */
#ifndef REPORT_XML_H
#define REPORT_XML_H

#include "base/buf.h"

void xml_declaration(struct buf *out);
void xml_attribute(const char *name, struct str value, struct buf *out); /* ` name="value"` */
void xml_number(const char *name, uint64_t value, struct buf *out);

#endif
