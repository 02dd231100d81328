/* token: splits the text of an expression into tokens. */
#pragma once

#include "rules/value.h"

enum token_kind {
    TOKEN_END,
    TOKEN_ERROR, /* `fault` has the reason */
    TOKEN_NUMBER,
    TOKEN_STRING,
    TOKEN_NAME,
    TOKEN_OPEN,
    TOKEN_CLOSE,
    TOKEN_OPEN_LIST,
    TOKEN_CLOSE_LIST,
    TOKEN_COMMA,
    TOKEN_PLUS,
    TOKEN_MINUS,
    TOKEN_TIMES,
    TOKEN_OVER,
    TOKEN_LESS,
    TOKEN_LESS_EQUAL,
    TOKEN_GREATER,
    TOKEN_GREATER_EQUAL,
    TOKEN_EQUAL,
    TOKEN_UNEQUAL,
    TOKEN_MATCHES,
    TOKEN_AND,
    TOKEN_OR,
    TOKEN_NOT,
    TOKEN_IN,
};

struct token {
    uint8_t kind;     /* enum token_kind */
    uint8_t unit;     /* of a number: enum unit */
    struct str text;  /* as written; strings without quotes */
    size_t at, width; /* position and length in bytes, with quotes and units */
    double number;
    const char *fault;
};

/* Takes the number at the start of the text, without sign and unit: 12, 0.5, 0x1f. False if there is none, or if it is
 * too large. */
bool token_digits(struct str *text, double *number);
/* The token at or after byte `at` of the text. */
struct token token_next(struct str text, size_t at);
/* Appends "the end", "'and'", "number 48KiB", for messages. */
void token_describe(const struct token *token, struct buf *out);
