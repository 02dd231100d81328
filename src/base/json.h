/*
 * json: writing JSON text. Our own, because names are bytes: what is not valid UTF-8 is written as lone surrogates'
 * escapes (\udc80 .. \udcff for the bytes 0x80 .. 0xff), which no library writes. Commas are put where they belong.
 */
#ifndef BASE_JSON_H
#define BASE_JSON_H

#include "base/buf.h"

/* The first of the 128 code points that base/json_read.h gives as bytes: the writer writes such a character as bytes.
 */
enum { JSON_BYTES = 0xef80 };

struct json {
    struct buf *out;
    bool after_value; /* the next value or key needs a comma before it */
};

void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_close_all(struct json *json, const char *brackets);
void json_key(struct json *json, const char *key); /* printable, without what JSON escapes */
void json_str(struct json *json, struct str value);
void json_int(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_write_null(struct json *json);
void json_thousandths(struct json *json, int64_t thousandths); /* 1500 is 1.5 */

/* A key with its value. */
void json_pair_open(struct json *json, const char *key, char bracket);
void json_pair_str(struct json *json, const char *key, struct str value);
void json_pair_int(struct json *json, const char *key, int64_t value);
void json_pair_bool(struct json *json, const char *key, bool value);
/* null where it is not known; of a text where it is empty. */
void json_pair_known(struct json *json, const char *key, int64_t value, bool known);
void json_pair_text(struct json *json, const char *key, struct str value);
/* A share as percent with three decimals; null where it is negative. */
void json_pair_percent(struct json *json, const char *key, double share);

#endif
