#include "base/json.h"

#include "base/escape.h"

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

void json_close_all(struct json *json, const char *brackets)
{
    buf_add(json->out, str_of(brackets));
    json->after_value = true;
}

static bool is_plain(char c)
{
    return c >= 0x20 && c < 0x7f && c != '"' && c != '\\' && c != '#';
}

/* Code points beyond 16 bits are written as a surrogate pair. */
static void add_code(struct buf *out, uint32_t code)
{
    if (code > 0xffff)
        buf_fmt(out, "\\u%04x\\u%04x", 0xd7c0 + (code >> 10), 0xdc00 + (code & 0x3ff));
    else
        buf_fmt(out, "\\u%04x", code);
}

static void add_escaped(struct buf *out, char c)
{
    if (c == '"' || c == '\\')
        buf_fmt(out, "\\%c", c);
    else if (c == '\n')
        buf_add(out, STR("\\n"));
    else if (c == '\t')
        buf_add(out, STR("\\t"));
    else
        add_code(out, (unsigned char)c);
}

/* Writes the first character, which is not plain, and returns its length. */
static size_t add_character(struct buf *out, struct str value)
{
    size_t length = utf8_length(value);
    char c = value.ptr[0];
    bool command = c == '#' && out->ptr[out->len - 1] == '#'; /* see base/escape.h */
    if (utf8_code(value) >> 7 == JSON_BYTES >> 7)
        length = 0;
    if (length == 0)
        add_code(out, 0xdc00 | (unsigned char)c);
    else if (length > 1 && !visible_length(value))
        add_code(out, utf8_code(value));
    else if (length == 1 && (c != '#' || command))
        add_escaped(out, c);
    else
        buf_add(out, str_sub(value, 0, length));
    return length ? length : 1;
}

void json_str(struct json *json, struct str value)
{
    separate(json);
    buf_char(json->out, '"');
    while (value.len) {
        size_t plain = str_span(value, is_plain);
        buf_add(json->out, str_sub(value, 0, plain));
        value = str_from(value, plain);
        if (value.len)
            value = str_from(value, add_character(json->out, value));
    }
    buf_char(json->out, '"');
}

void json_key(struct json *json, const char *key)
{
    separate(json);
    buf_char(json->out, '"');
    buf_add(json->out, str_of(key)); /* our own words, which need no escapes */
    buf_add(json->out, STR("\":"));
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

void json_write_null(struct json *json)
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

void json_pair_open(struct json *json, const char *key, char bracket)
{
    json_key(json, key);
    json_open(json, bracket);
}

void json_pair_str(struct json *json, const char *key, struct str value)
{
    json_key(json, key);
    json_str(json, value);
}

void json_pair_int(struct json *json, const char *key, int64_t value)
{
    json_pair_known(json, key, value, true);
}

void json_pair_bool(struct json *json, const char *key, bool value)
{
    json_key(json, key);
    json_bool(json, value);
}

void json_pair_known(struct json *json, const char *key, int64_t value, bool known)
{
    json_key(json, key);
    if (known)
        json_int(json, value);
    else
        json_write_null(json);
}

void json_pair_text(struct json *json, const char *key, struct str value)
{
    json_key(json, key);
    if (value.len)
        json_str(json, value);
    else
        json_write_null(json);
}

void json_pair_percent(struct json *json, const char *key, double share)
{
    json_key(json, key);
    if (share < 0)
        json_write_null(json);
    else
        json_thousandths(json, (int64_t)(share * 100000 + 0.5));
}
