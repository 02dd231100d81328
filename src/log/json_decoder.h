/*
 * json_decoder: the members of a JSON object into those of a struct, by a table of keys. The first one that is not as
 * its row says is an error: "'threads' is 0, expected a whole number from 1 to 1024".
 */
#ifndef LOG_JSON_DECODER_H
#define LOG_JSON_DECODER_H

#include "base/diag.h"
#include "base/intern.h"
#include "base/json_read.h"

#include <stddef.h>

enum json_key_type {
    KEY_TEXT,    /* uint32_t, into decoder.strings; NO_INDEX where it is absent */
    KEY_NAME,    /* the same into decoder.names */
    KEY_WORD,    /* uint8_t: which of `words`; `most` is the last one */
    KEY_BOOL,    /* bool */
    KEY_FLAG,    /* uint8_t: true sets the bit `most` */
    KEY_NUMBER,  /* a whole number of any width, from `least` to `most` */
    KEY_INT32,   /* the same of 32 bits, whose limits errors do not name */
    KEY_TOOLKIT, /* struct toolkit */
    KEY_UNREAD,  /* written for people, and not read */
};

/* A key and the member that it is read into, which an absent key leaves as it is. */
struct json_key {
    const char *name;
    enum json_key_type type;
    bool is_required;
    size_t offset, bytes; /* of the member */
    int64_t least, most;
    const char *const *words;
    int64_t unwritten; /* the number that a writer leaves out */
};
/* A row: the key, the struct and its member, then what else there is to say: .type = KEY_TEXT */
#define JSON_KEY(key, of, member, ...)                                                                                 \
    {                                                                                                                  \
        .name = key, .offset = offsetof(struct of, member), .bytes = sizeof((struct of *)0)->member, __VA_ARGS__       \
    }
#define JSON_KEYS(keys) keys, sizeof keys / sizeof *keys /* two arguments: a table and its length */

/* The first member of a reader. */
struct json_decoder {
    const struct json_value *object; /* the one at hand */
    const char *object_word;         /* "record" */
    bool is_strict;                  /* null is refused, and not the same as absent; so is an empty text */
    struct intern *strings, *names;
    struct buf plain;                          /* memory for a string */
    struct diags *diags;                       /* NULL: without errors, nor `place` */
    struct place (*place)(const void *reader); /* of the object at hand */
};

bool json_decode(struct json_decoder *d, const struct json_key *keys, size_t count, void *into);

/* The error that the member is not what was expected; false. */
bool json_refuse(const struct json_decoder *d, const char *key, const char *expected);
/* The same of a value in it. */
bool json_refuse_value(const struct json_decoder *d, const char *key, const struct json_value *found,
                       const char *expected);

#endif
