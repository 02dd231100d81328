/*
 * json_read: JSON text as a tree. Only its file uses jansson, which base/json.h's writer does without: strings are
 * bytes here, and what is no UTF-8 in them stands in the text as lone surrogates' escapes (\udc80 .. \udcff).
 */
#ifndef BASE_JSON_READ_H
#define BASE_JSON_READ_H

#include "base/buf.h"

struct json_value; /* a value; NULL: there is none, which every function below takes */

/* In jansson's order. */
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

/* Where text is no JSON, and why. */
struct json_fault {
    size_t at;      /* bytes from the start of the text */
    char text[160]; /* "'}' expected near end of file" */
};

/* The whole text as one value; NULL with *fault (NULL: nobody asks) for what is not JSON or names a member twice. */
struct json_value *json_read(struct str text, struct json_fault *fault);
void json_value_free(struct json_value *value);

enum json_kind json_kind(const struct json_value *value);
const char *json_kind_word(enum json_kind kind); /* "an object" "text" "a whole number" ... for sentences */

const struct json_value *json_member(const struct json_value *object, const char *key); /* NULL: none, or no object */
size_t json_count(const struct json_value *value);                                      /* of an object or an array */
const struct json_value *json_item(const struct json_value *array, size_t at);

/* The members of an object in the order of the text: *iterator starts as NULL; false behind the last one. */
bool json_next(const struct json_value *object, void **iterator, struct str *key, const struct json_value **value);

/* False, with the result unchanged, for another kind. A string is given as bytes and may live in scratch: until the
 * next call with it. */
bool json_get_string(const struct json_value *value, struct buf *scratch, struct str *text);
bool json_get_int(const struct json_value *value, int64_t *number);
bool json_get_number(const struct json_value *value, double *number); /* an integer too */

/*
 * Where item `at` of the array that is member `key` of the object in the text begins, for errors about what parsed
 * well: bytes from the start of the text. The text's length where it has no such item.
 */
size_t json_locate(struct str text, const char *key, size_t at);

/* Appends the value as text, in one line. */
void json_show(const struct json_value *value, struct buf *out);

#endif
