/*
 * jansson refuses lone surrogates. Before parsing, each of them (\udc80 .. \udcff) is replaced by the escape of a
 * private code point, U+EF80 .. U+EFFF; after parsing, that code point is replaced by the byte. Both escapes are six
 * bytes long, so positions in the text do not change.
 */
#include "base/json_read.h"

#include "base/json.h"
#include "base/mem.h"

#include <jansson.h>
#include <stdio.h>
#include <stdlib.h>

static const json_t *inner(const struct json_value *value)
{
    return (const json_t *)(const void *)value;
}

static const struct json_value *outer(const json_t *value)
{
    return (const struct json_value *)(const void *)value;
}

/* ---- bytes in JSON ---------------------------------------------------------------------------------------------- */

/* The code unit of \uXXXX at the front of the text, or -1. */
static int escaped_unit(struct str text)
{
    uint64_t unit = 0;
    struct str digits = str_sub(text, 2, 6);
    if (text.len < 6 || text.ptr[0] != '\\' || text.ptr[1] != 'u' || !str_hex(&digits, &unit) || digits.len)
        return -1;
    return (int)unit;
}

/* The text in the form that jansson accepts; a changed copy if it has lone surrogates. */
static struct str map_text(struct str rest, struct buf *copy)
{
    if (str_find(rest, STR("\\ud")) == STR_NONE && str_find(rest, STR("\\uD")) == STR_NONE)
        return rest;
    buf_clear(copy);
    int before = -1; /* the code unit before this one */
    while (rest.len) {
        int unit = escaped_unit(rest);
        bool lone = unit >= 0xdc80 && unit <= 0xdcff && !(before >= 0xd800 && before < 0xdc00);
        size_t length = unit >= 0 ? 6 : rest.ptr[0] == '\\' ? 2 : 1;
        if (lone)
            buf_fmt(copy, "\\uef%02x", (unsigned)unit & 0xff);
        else
            buf_add(copy, str_sub(rest, 0, length));
        rest = str_from(rest, length);
        before = unit;
    }
    return buf_str(copy);
}

/* Converts private code points of a string back to bytes. */
static struct str unmap(struct buf *plain, struct str text)
{
    if (str_find_char(text, '\xee') == STR_NONE)
        return text;
    buf_clear(plain);
    for (size_t length = 1; text.len; text = str_from(text, length)) {
        uint32_t code = utf8_code(text);
        length = code >> 7 == JSON_BYTES >> 7 ? 3 : 1;
        buf_char(plain, length == 1 ? text.ptr[0] : (char)(code & 0xff));
    }
    return buf_str(plain);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

struct json_value *json_read(struct str text, struct json_fault *fault)
{
    SCOPED(buf) copy = {0};
    json_error_t error;
    json_set_alloc_funcs(mem_alloc, free); /* else jansson reports a lack of memory as an error in the JSON */
    struct str mapped = map_text(text, &copy);
    json_t *value =
        json_loadb(mapped.ptr ? mapped.ptr : "", mapped.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!value && fault) {
        struct str before = str_sub(text, 0, error.position > 0 ? (size_t)error.position : 0);
        bool in_line = before.len && before.ptr[before.len - 1] != '\n';
        fault->at = before.len - in_line; /* the last byte that jansson read */
        snprintf(fault->text, sizeof fault->text, "%s", error.text);
    }
    return (struct json_value *)(void *)value;
}

void json_value_free(struct json_value *value)
{
    json_decref((json_t *)(void *)value);
}

enum json_kind json_kind(const struct json_value *value)
{
    _Static_assert((int)JSON_KIND_OBJECT == JSON_OBJECT && (int)JSON_KIND_NULL == JSON_NULL, "the order of jansson");
    return value ? (enum json_kind)json_typeof(inner(value)) : JSON_KIND_NONE;
}

const char *json_kind_word(enum json_kind kind)
{
    static const char *const words[] = {"an object", "an array", "text", "a whole number", "a fraction",
                                        "true",      "false",    "null", "nothing"};
    return words[kind];
}

const struct json_value *json_member(const struct json_value *object, const char *key)
{
    return outer(json_object_get(inner(object), key));
}

size_t json_count(const struct json_value *value)
{
    return json_kind(value) == JSON_KIND_ARRAY ? json_array_size(inner(value)) : json_object_size(inner(value));
}

const struct json_value *json_item(const struct json_value *array, size_t at)
{
    return outer(json_array_get(inner(array), at));
}

bool json_next(const struct json_value *object, void **iterator, struct str *key, const struct json_value **value)
{
    json_t *map = (json_t *)(void *)(uintptr_t)object;
    *iterator = *iterator ? json_object_iter_next(map, *iterator) : json_object_iter(map);
    if (!*iterator)
        return false;
    *key = str_of(json_object_iter_key(*iterator));
    *value = outer(json_object_iter_value(*iterator));
    return true;
}

bool json_get_string(const struct json_value *value, struct buf *scratch, struct str *text)
{
    if (json_kind(value) != JSON_KIND_STRING)
        return false;
    *text = unmap(scratch, (struct str){json_string_value(inner(value)), json_string_length(inner(value))});
    return true;
}

bool json_get_int(const struct json_value *value, int64_t *number)
{
    if (json_kind(value) != JSON_KIND_INTEGER)
        return false;
    *number = json_integer_value(inner(value));
    return true;
}

bool json_get_number(const struct json_value *value, double *number)
{
    if (json_kind(value) != JSON_KIND_INTEGER && json_kind(value) != JSON_KIND_REAL)
        return false;
    *number = json_number_value(inner(value));
    return true;
}

void json_show(const struct json_value *value, struct buf *out)
{
    char *text = json_dumps(inner(value), JSON_ENCODE_ANY | JSON_COMPACT);
    buf_add(out, str_of(text));
    free(text);
}

/* ---- places ----------------------------------------------------------------------------------------------------- */

/* The length of the quoted string at the front of the text. */
static size_t quoted_length(struct str text)
{
    size_t at = 1;
    while (at < text.len && text.ptr[at] != '"')
        at += text.ptr[at] == '\\' ? 2 : 1;
    return at + 1;
}

size_t json_locate(struct str text, const char *key, size_t number)
{
    struct str name = {0}; /* the last string directly in the outermost object */
    size_t depth = 0, length = 1;
    bool in_array = false;
    for (size_t at = 0; at < text.len; at += length) {
        char c = text.ptr[at];
        bool opens = c == '{' || c == '[';
        length = c == '"' ? quoted_length(str_from(text, at)) : 1;
        if (c == '"' && depth == 1)
            name = str_sub(text, at + 1, at + length - 1);
        depth += opens;
        depth -= c == '}' || c == ']';
        if (opens && depth == 2)
            in_array = str_eq(name, str_of(key));
        if (in_array && depth == 2 && (opens || c == ',') && number-- == 0)
            return at + 1 + str_span(str_from(text, at + 1), is_white_space);
    }
    return text.len;
}
