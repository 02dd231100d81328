#include "cli/yaml_text.h"

#include "base/escape.h"
#include "log/name.h"

static bool is_plain(struct str text)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        bool word = is_ascii_letter(c) || is_digit(c) || c == '_';
        if (!word && !(at > 0 && (c == '-' || c == '.' || c == '/' || c == '%')))
            return false;
    }
    return text.len > 0;
}

/* The length of a character that a terminal or a CI system would interpret; 0 for other characters. */
static size_t unsafe_length(struct str text, size_t at)
{
    struct str rest = str_from(text, at);
    size_t length = utf8_length(rest);
    bool hashes = rest.ptr[0] == '#' && at && text.ptr[at - 1] == '#';
    return hashes || !visible_length(rest) ? length : 0;
}

static bool is_unsafe(struct str text)
{
    for (size_t at = 0; at < text.len; at++)
        if (unsafe_length(text, at))
            return true;
    return false;
}

void yaml_scalar(struct str text, struct buf *out)
{
    bool escaped = is_unsafe(text);
    if (is_plain(text)) {
        buf_add(out, text);
        return;
    }
    buf_char(out, escaped ? '"' : '\'');
    for (size_t at = 0, length; at < text.len; at += length ? length : 1) {
        char c = text.ptr[at];
        length = unsafe_length(text, at);
        if (length)
            buf_fmt(out, "\\U%08x", utf8_code(str_from(text, at)));
        else if (escaped ? c == '"' || c == '\\' : c == '\'')
            buf_fmt(out, "%c%c", escaped ? '\\' : '\'', c);
        else
            buf_char(out, c);
    }
    buf_char(out, escaped ? '"' : '\'');
}

void yaml_list(const struct str *items, size_t count, struct buf *out)
{
    for (size_t at = 0; at < count; at++) {
        buf_add(out, at ? STR(", ") : STR("["));
        yaml_scalar(items[at], out);
    }
    buf_char(out, ']');
}

bool yaml_pattern(const char *before, struct str name, const char *behind, struct buf *out)
{
    SCOPED(buf) pattern = {0};
    buf_add(&pattern, str_of(before));
    bool ok = name_pattern(name, &pattern);
    buf_add(&pattern, str_of(behind));
    yaml_scalar(buf_str(&pattern), out);
    return ok;
}

void yaml_value(const struct value *value, struct buf *out)
{
    SCOPED(buf) text = {0};
    if (value->type == VALUE_BOOL)
        buf_add(&text, value->boolean ? STR("true") : STR("false"));
    else if (value->type == VALUE_NUMBER)
        value_decimals(value->number, 1000000, &text); /* rules read the same number back; a ratio of 0.5 is 0.5 */
    else
        buf_add(&text, value_text(value));
    yaml_scalar(buf_str(&text), out);
}
