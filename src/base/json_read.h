/*
 * json_read: JSON text as a tree. Only json_read.c includes jansson; the writer, base/json.h, does not need it. Strings
 * are bytes here: bytes that are not valid UTF-8 appear in the text as escapes of lone surrogates (\udc80 .. \udcff).
 */
#pragma once

#include "base/buf.h"

struct json_value; /* a value; NULL: no value, accepted by every function below */

/* in jansson's order */
enum json_kind {
    JSON_KIND_OBJECT,
    JSON_KIND_ARRAY,
    JSON_KIND_STRING,
    JSON_KIND_INTEGER,
    JSON_KIND_REAL,
    JSON_KIND_TRUE,
    JSON_KIND_FALSE,
    JSON_KIND_NULL,
    JSON_KIND_NONE, /* no value */
};

/* Where and why a text is not JSON. */
struct json_fault {
    size_t at;      /* bytes from the start of the text */
    char text[160]; /* "'}' expected near end of file" */
};

/* Parses the whole text as one value. NULL with *fault (which may be NULL) if the text is not JSON or an object has a
 * duplicate key. */
struct json_value *json_read(struct str text, struct json_fault *fault);
void json_value_free(struct json_value *value);

enum json_kind json_kind(const struct json_value *value);
const char *json_kind_word(enum json_kind kind); /* "an object" "text" "a whole number" ... for sentences */

const struct json_value *json_member(const struct json_value *object, const char *key); /* NULL: none, or no object */
size_t json_count(const struct json_value *value); /* number of items of an array, of members of an object */
const struct json_value *json_item(const struct json_value *array, size_t at);

/* Iterates over the members of an object in the order of the text. *iterator starts as NULL; false after the last
 * member. */
bool json_next(const struct json_value *object, void **iterator, struct str *key, const struct json_value **value);

/* Return false and leave the result unchanged for a value of another kind. A string is returned as bytes, which may be
 * stored in `scratch` until the next call with it. */
bool json_get_string(const struct json_value *value, struct buf *scratch, struct str *text);
bool json_get_int(const struct json_value *value, int64_t *number);
bool json_get_number(const struct json_value *value, double *number); /* accepts an integer too */

/*
 * Finds item `at` of the array that is the member `key` of the outermost object, for error messages about well-formed
 * JSON. Returns bytes from the start of the text, or the length of the text if there is no such item.
 */
size_t json_locate(struct str text, const char *key, size_t at);

/* Appends the value as text on one line. */
void json_show(const struct json_value *value, struct buf *out);
