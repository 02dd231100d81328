/*
 * jansson refuses lone surrogates. Before parsing, each of them becomes one of the last 128 code points of Unicode,
 * U+10FF80 .. U+10FFFF, and afterwards the byte it stands for. A name that holds one of these private code points
 * itself is treated as four single bytes, which gives it back unchanged.
 */
#include "base/json_read.h"

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

static void map_byte(struct buf *out, unsigned byte)
{
    buf_fmt(out, "\\udbff\\udf%02x", byte);
}

/* The escape at the front of the text (it is a backslash) with what belongs to it; returns its length. */
static size_t map_escape(struct str text, struct buf *out)
{
    int unit = escaped_unit(text), low = escaped_unit(str_from(text, 6));
    bool pair = unit >= 0xd800 && unit < 0xdc00 && low >= 0xdc00 && low < 0xe000;
    if (pair && unit == 0xdbff && low >= 0xdf80) {
        map_byte(out, 0xf4);
        map_byte(out, 0x8f);
        map_byte(out, low < 0xdfc0 ? 0xbe : 0xbf);
        map_byte(out, 0x80u | ((unsigned)low & 0x3f));
        return 12;
    }
    if (unit >= 0xdc80 && unit <= 0xdcff) {
        map_byte(out, (unsigned)unit & 0xff);
        return 6;
    }
    size_t length = pair ? 12 : 2;
    buf_add(out, str_sub(text, 0, length));
    return length < text.len ? length : text.len;
}

static bool is_private(struct str text)
{
    return text.len >= 4 && memcmp(text.ptr, "\xf4\x8f", 2) == 0 && ((unsigned char)text.ptr[2] & 0xfe) == 0xbe;
}

/* Maps what stands at the front of the text; returns its length. */
static size_t map_front(struct str text, struct buf *out)
{
    if (text.ptr[0] == '\\')
        return map_escape(text, out);
    if (!is_private(text)) {
        buf_char(out, text.ptr[0]);
        return 1;
    }
    for (size_t at = 0; at < 4; at++)
        map_byte(out, (unsigned char)text.ptr[at]);
    return 4;
}

static struct str map_text(struct str rest, struct buf *out)
{
    if (str_find(rest, STR("\\ud")) == STR_NONE && str_find(rest, STR("\\uD")) == STR_NONE &&
        str_find_char(rest, '\xf4') == STR_NONE)
        return rest;
    buf_clear(out);
    while (rest.len)
        rest = str_from(rest, map_front(rest, out));
    return buf_str(out);
}

/* Where in the text that stands which is byte `mapped` of what it was mapped to. */
static size_t unmapped_offset(struct str text, size_t mapped)
{
    SCOPED(buf) out = {0};
    size_t at = 0;
    while (at < text.len && out.len < mapped)
        at += map_front(str_from(text, at), &out);
    return at;
}

/* The string as bytes. */
static struct str unmap(struct buf *plain, struct str text)
{
    if (str_find_char(text, '\xf4') == STR_NONE)
        return text;
    buf_clear(plain);
    for (size_t length = 1; text.len; text = str_from(text, length)) {
        length = is_private(text) ? 4 : 1;
        char byte = length == 1
                        ? text.ptr[0]
                        : (char)(0x80 | ((unsigned char)text.ptr[2] & 1) << 6 | ((unsigned char)text.ptr[3] & 0x3f));
        buf_char(plain, byte);
    }
    return buf_str(plain);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

struct json_value *json_read(struct str text, struct buf *scratch, struct json_fault *fault)
{
    json_error_t error;
    json_set_alloc_funcs(mem_alloc, free); /* else text that found no memory is called no JSON */
    struct str mapped = map_text(text, scratch);
    json_t *value =
        json_loadb(mapped.ptr ? mapped.ptr : "", mapped.len, JSON_REJECT_DUPLICATES | JSON_ALLOW_NUL, &error);
    if (!value) {
        size_t position = error.position > 0 ? (size_t)error.position : 0;
        struct str before = str_sub(text, 0, mapped.ptr == text.ptr ? position : unmapped_offset(text, position));
        struct str line = {0};
        for (fault->line = 0; str_split(&before, '\n', &line); fault->line++)
            ;
        fault->line += fault->line == 0;
        fault->column = line.len;
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

static size_t skip_blanks(struct str text, size_t at)
{
    while (at < text.len && memchr(" \t\r\n", text.ptr[at], 4))
        at++;
    return at;
}

/* Behind the value that begins at `at`. */
static size_t skip_value(struct str text, size_t at)
{
    json_error_t end;
    json_t *value =
        json_loadb(text.ptr + at, text.len - at, JSON_DECODE_ANY | JSON_DISABLE_EOF_CHECK | JSON_ALLOW_NUL, &end);
    json_decref(value);
    return value ? at + (size_t)end.position : text.len;
}

/* The next value of an object or array: `at` stands behind the bracket or the value before. */
static size_t next_value(struct str text, size_t at)
{
    at = skip_blanks(text, at);
    return at < text.len && text.ptr[at] == ',' ? skip_blanks(text, at + 1) : at;
}

static size_t find_member(struct str text, struct str key)
{
    size_t at = skip_blanks(text, 0) + 1;
    for (at = next_value(text, at); at < text.len && text.ptr[at] == '"'; at = next_value(text, at)) {
        size_t end = skip_value(text, at);
        bool found = end - at == key.len + 2 && str_eq(str_sub(text, at + 1, end - 1), key);
        at = skip_blanks(text, end) + 1; /* behind the colon */
        at = skip_blanks(text, at);
        if (found)
            return at;
        at = skip_value(text, at);
    }
    return text.len;
}

static size_t find_item(struct str text, const char *key, size_t number)
{
    size_t at = find_member(text, str_of(key));
    if (at >= text.len || text.ptr[at] != '[')
        return text.len;
    for (at = next_value(text, at + 1); number > 0 && at < text.len && text.ptr[at] != ']'; number--)
        at = next_value(text, skip_value(text, at));
    return number == 0 && at < text.len && text.ptr[at] != ']' ? at : text.len;
}

size_t json_locate(struct str text, const char *key, size_t number)
{
    SCOPED(buf) scratch = {0};
    return unmapped_offset(text, find_item(map_text(text, &scratch), key, number));
}
