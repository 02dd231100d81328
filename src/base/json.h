/*
 * json: writing JSON text. Our own, because names are bytes: what is not valid UTF-8 is written as lone surrogates'
 * escapes (\udc80 .. \udcff for the bytes 0x80 .. 0xff), which no library writes. Commas are put where they belong.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

struct json {
    struct buf *out;
    bool after_value; /* the next value or key needs a comma before it */
};

void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_key(struct json *json, const char *key);
void json_str(struct json *json, struct str value);
void json_int(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_write_null(struct json *json);
void json_thousandths(struct json *json, int64_t thousandths); /* 1500 is 1.5 */

#endif
