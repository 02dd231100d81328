#include "report/xml.h"

#include "report/label.h"

void xml_declaration(struct buf *out)
{
    buf_add(out, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n"));
}

void xml_text(struct str text, struct buf *out)
{
    struct buf safe = {0};
    safe_text(text, &safe);
    for (size_t at = 0; at < safe.len; at++) {
        switch (safe.ptr[at]) {
        case '&': buf_add(out, STR("&amp;")); break;
        case '<': buf_add(out, STR("&lt;")); break;
        case '>': buf_add(out, STR("&gt;")); break;
        case '"': buf_add(out, STR("&quot;")); break;
        case '\'': buf_add(out, STR("&apos;")); break;
        default: buf_char(out, safe.ptr[at]); break;
        }
    }
    buf_free(&safe);
}

void xml_attribute(const char *name, struct str value, struct buf *out)
{
    buf_fmt(out, " %s=\"", name);
    xml_text(value, out);
    buf_char(out, '"');
}

void xml_number(const char *name, uint64_t value, struct buf *out)
{
    buf_fmt(out, " %s=\"%llu\"", name, (unsigned long long)value);
}
