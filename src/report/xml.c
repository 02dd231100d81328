#include "report/xml.h"

#include "report/markup.h"

void xml_declaration(struct buf *out)
{
    buf_add(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
}

void xml_attribute(const char *name, struct str value, struct buf *out)
{
    buf_fmt(out, " %s=\"", name);
    html_text(value, out);
    buf_char(out, '"');
}

void xml_number(const char *name, uint64_t value, struct buf *out)
{
    buf_fmt(out, " %s=\"%llu\"", name, (unsigned long long)value);
}
