#include "base/json.h"

static void separate(struct json *json)
{
    if (json->after_value)
        buf_char(json->out, ',');
    json->after_value = true;
}

void json_open(struct json *json, char bracket)
{
    separate(json);
    buf_char(json->out, bracket);
    json->after_value = false;
}

void json_close(struct json *json, char bracket)
{
    buf_char(json->out, bracket);
    json->after_value = true;
}

static bool is_plain(unsigned char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\';
}

static void add_escaped(struct buf *out, unsigned char c)
{
    if (c == '"' || c == '\\') {
        buf_char(out, '\\');
        buf_char(out, (char)c);
    } else if (c == '\n') {
        buf_add(out, STR("\\n"));
    } else if (c == '\t') {
        buf_add(out, STR("\\t"));
    } else {
        buf_fmt(out, "\\u%s%02x", c < 0x80 ? "00" : "dc", c);
    }
}

void json_str(struct json *json, struct str value)
{
    separate(json);
    buf_char(json->out, '"');
    while (value.len) {
        size_t plain = 0;
        while (plain < value.len && is_plain((unsigned char)value.ptr[plain]))
            plain++;
        buf_add(json->out, str_sub(value, 0, plain));
        value = str_from(value, plain);
        if (value.len == 0)
            break;
        size_t length = (unsigned char)value.ptr[0] >= 0x80 ? utf8_length(value) : 0;
        if (length)
            buf_add(json->out, str_sub(value, 0, length));
        else
            add_escaped(json->out, (unsigned char)value.ptr[0]);
        value = str_from(value, length ? length : 1);
    }
    buf_char(json->out, '"');
}

void json_key(struct json *json, const char *key)
{
    json_str(json, str_of(key));
    buf_char(json->out, ':');
    json->after_value = false;
}

void json_int(struct json *json, int64_t value)
{
    separate(json);
    buf_int(json->out, value);
}

void json_bool(struct json *json, bool value)
{
    separate(json);
    buf_add(json->out, value ? STR("true") : STR("false"));
}

void json_null(struct json *json)
{
    separate(json);
    buf_add(json->out, STR("null"));
}

void json_thousandths(struct json *json, int64_t thousandths)
{
    json_int(json, thousandths / 1000);
    if (thousandths % 1000)
        buf_fmt(json->out, ".%03d", (int)(thousandths % 1000 < 0 ? -(thousandths % 1000) : thousandths % 1000));
}
