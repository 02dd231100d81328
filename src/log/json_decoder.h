/*
 * json_decoder: reads the members of a JSON object into those of a struct, by a table of keys. The first value that
 * does not fit its row is an error: "'threads' is 0, expected a whole number from 1 to 1024".
 */
#pragma once

#include "base/diag.h"
#include "base/intern.h"
#include "base/json_read.h"

#include <stddef.h>

enum json_key_type {
    KEY_TEXT,    /* uint32_t, number in decoder.strings; NO_INDEX if the key is absent */
    KEY_NAME,    /* the same in decoder.names */
    KEY_LINES,   /* as KEY_TEXT, or a list of texts: a text with a line for each; the lines are strings too */
    KEY_WORD,    /* uint8_t: index in `words`; `most` is the last one */
    KEY_BOOL,    /* bool */
    KEY_FLAG,    /* uint8_t: true sets the bit `most` */
    KEY_NUMBER,  /* a whole number of any width, from `least` to `most` */
    KEY_INT32,   /* the same with 32 bits; errors do not state its limits */
    KEY_TOOLKIT, /* struct toolkit */
    KEY_UNREAD,  /* written for people, not read */
};

/* A key and the member for its value. If the key is absent, the member keeps its value. */
struct json_key {
    const char *name;
    enum json_key_type type;
    bool is_required;
    size_t offset, bytes; /* of the member */
    int64_t least, most;
    const char *const *words;
    int64_t unwritten; /* the number that writers omit */
};
/* A row: the key, the struct and its member, then other members of struct json_key: .type = KEY_TEXT */
#define JSON_KEY(key, of, member, ...)                                                                                 \
    {                                                                                                                  \
        .name = key, .offset = offsetof(struct of, member), .bytes = sizeof((struct of *)0)->member, __VA_ARGS__       \
    }
#define JSON_KEYS(keys) keys, sizeof keys / sizeof *keys /* two arguments: a table and its length */

/* Must be the first member of a reader. */
struct json_decoder {
    const struct json_value *object; /* the object that is being read */
    const char *object_word;         /* in errors: "record" */
    bool is_strict;                  /* true: null and empty texts are errors; false: they count as absent */
    struct intern *strings, *names;
    struct buf plain;                          /* memory for a string */
    struct diags *diags;                       /* NULL: errors are not reported, and `place` is not called */
    struct place (*place)(const void *reader); /* the place of `object` */
};

bool json_decode(struct json_decoder *d, const struct json_key *keys, size_t count, void *into);

/* Reports that the member is not what was expected; returns false. */
bool json_refuse(const struct json_decoder *d, const char *key, const char *expected);
/* The same for a value inside the member. */
bool json_refuse_value(const struct json_decoder *d, const char *key, const struct json_value *found,
                       const char *expected);
