/*
 * json: writes JSON text. It is our own because names are bytes: bytes that are not valid UTF-8 are written as escapes
 * of lone surrogates (\udc80 .. \udcff for the bytes 0x80 .. 0xff), which no library writes. The writer places the
 * commas.
 */
#pragma once

#include "base/buf.h"

/* First of the 128 code points by which base/json_read.h represents bytes; the writer writes these code points as bytes
 * again. */
enum { JSON_BYTES = 0xef80 };

struct json {
    struct buf *out;
    bool after_value; /* the next value or key needs a comma before it */
};

void json_open(struct json *json, char bracket);  /* '{' or '[' */
void json_close(struct json *json, char bracket); /* '}' or ']' */
void json_close_all(struct json *json, const char *brackets);
void json_key(struct json *json, const char *key); /* printable; no characters that JSON escapes */
void json_str(struct json *json, struct str value);
void json_int(struct json *json, int64_t value);
void json_bool(struct json *json, bool value);
void json_write_null(struct json *json);
void json_thousandths(struct json *json, int64_t thousandths); /* 1500 is 1.5 */

/* Write a key with its value. */
void json_pair_open(struct json *json, const char *key, char bracket);
void json_pair_str(struct json *json, const char *key, struct str value);
void json_pair_int(struct json *json, const char *key, int64_t value);
void json_pair_bool(struct json *json, const char *key, bool value);
/* null if the value is not known; for a text: if it is empty. */
void json_pair_known(struct json *json, const char *key, int64_t value, bool known);
void json_pair_text(struct json *json, const char *key, struct str value);
/* A share as percent with three decimals; null if the share is negative. */
void json_pair_percent(struct json *json, const char *key, double share);
