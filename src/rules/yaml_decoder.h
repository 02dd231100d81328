/*
 * yaml_decoder: what the readers of a YAML tree share: where it comes from, where memory comes from, where errors go.
 * Every function below that finds something wrong appends one error with its place, and the reader goes on to the next
 * key: all errors of a file are told at once.
 */
#ifndef RULES_YAML_DECODER_H
#define RULES_YAML_DECODER_H

#include "base/yml.h"

struct yaml_decoder {
    const struct yml *yaml;
    struct arena *arena; /* of what is read */
    struct diags *diags;
    bool built_in; /* the build has checked it; its texts are there as long as the program, and are not copied */
};

/* A key that a map may have, and the function that reads its value into `into`; NULL: the caller reads it. */
struct decode_key {
    const char *name;
    void (*read)(const struct yaml_decoder *r, const struct yml_node *node, void *into);
    size_t at;          /* of the member that `read` sets, in what decode_map reads into; 0: it gets all of it */
    const char *sample; /* YAML as `warplint init` writes it behind the key; NULL: it has other words for it */
    const char *what;   /* what the setting is for, one line */
};

const struct decode_key *decode_find_key(const struct decode_key *keys, size_t count, struct str name);

/* Reads every member of the map by the table, in the order of the table; `what` ("an exception") is the subject of the
 * error about a key that is not in it. Something else than a map is an error. */
void decode_map(const struct yaml_decoder *r, const struct yml_node *node, const char *what,
                const struct decode_key *keys, size_t count, void *into);

/* Appends "'threads' is a list, expected <expected>" at the node's place. False. */
bool decode_fail(const struct yaml_decoder *r, const struct yml_node *node, const char *expected);

bool decode_is_text(const struct yml_node *node); /* a scalar with something in it */

/* A text, and the place of a node, that outlive the tree. */
struct str decode_keep(const struct yaml_decoder *r, struct str text);
struct place decode_place(const struct yaml_decoder *r, const struct yml_node *node);

/* error, warning, note or off; false with an error. */
bool decode_severity(const struct yaml_decoder *r, const struct yml_node *node, enum severity *severity);

/* The scalar of a node; empty, with an error, where it is none. */
struct str decode_text(const struct yaml_decoder *r, const struct yml_node *node, const char *expected);

/* The first member of a map or a list; NULL: it has none, or, with an error, is something else. */
const struct yml_node *decode_members(const struct yaml_decoder *r, const struct yml_node *node, enum yml_kind kind,
                                      const char *expected);

/* One text or a list of texts, in the arena; none, with an error, for everything else. check: what a text has to be,
 * false after an error; NULL: any text. */
typedef bool decode_check(const struct yaml_decoder *r, const struct yml_node *text);
struct str_list decode_texts(const struct yaml_decoder *r, const struct yml_node *node, const char *expected,
                             decode_check *check);

/* The architectures that something is said of; no names: all of them. */
struct arch_list {
    struct str_list names;
    struct place place; /* where they stand */
};
/* Reads one architecture or a list of them into a struct arch_list; for tables of keys. */
void decode_archs(const struct yaml_decoder *r, const struct yml_node *node, void *into);

/* A whole scalar as a number with its unit: 48KiB, -1, 25 %. False: it is something else. */
bool decode_number(struct str text, double *number, uint8_t *unit);
/* The same as whole bytes from 0: 1024, 48KiB, 48K; options take sizes by it too. */
bool decode_bytes(struct str text, int64_t *bytes);

struct regex;
/* The regular expression of a node, or its pattern of paths, or NULL with an error at the byte of the pattern that it
 * is about. */
struct regex *decode_regex(const struct yaml_decoder *r, const struct yml_node *node, bool of_paths);

#endif
