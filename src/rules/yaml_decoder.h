/*
 * yaml_decoder: shared by the readers of YAML trees: the file, the arena, and the list of errors. Every function below
 * that finds a mistake appends one error with its place, and the reader continues with the next key, so all errors of a
 * file are reported at once.
 */
#pragma once

#include "base/yml.h"

struct regex_list;

struct yaml_decoder {
    const struct yml *yaml;
    struct arena *arena;        /* owns what is read, but not its regular expressions */
    struct regex_list *regexes; /* owns these */
    struct diags *diags;
    bool built_in; /* the build has checked it; its texts are constants of the program and are not copied */
};

/* A key that a map may have, and the function that reads its value; NULL: the caller reads it. */
struct decode_key {
    const char *name;
    void (*read)(const struct yaml_decoder *r, const struct yml_node *node, void *into);
    size_t at;          /* offset of the member that `read` sets, in the struct of decode_map; 0: it gets the struct */
    const char *sample; /* YAML that `warplint init` writes after the key; NULL: init has its own text */
    const char *what;   /* the purpose of the setting, one line */
};

const struct decode_key *decode_find_key(const struct decode_key *keys, size_t count, struct str name);

/* Reads every member of the map, in the order of the table; `what` ("an exception") is the subject of the error about
 * an unknown key. A node that is not a map is an error. */
void decode_map(const struct yaml_decoder *r, const struct yml_node *node, const char *what,
                const struct decode_key *keys, size_t count, void *into);

/* Appends "'threads' is a list, expected <expected>" at the node's place. Returns false. */
bool decode_fail(const struct yaml_decoder *r, const struct yml_node *node, const char *expected);

bool decode_is_text(const struct yml_node *node); /* a scalar that is not empty */

/* Copies a text, or the place of a node, so that it outlives the tree. */
struct str decode_keep(const struct yaml_decoder *r, struct str text);
struct place decode_place(const struct yaml_decoder *r, const struct yml_node *node);

/* error, warning, note or off; false with an error. */
bool decode_severity(const struct yaml_decoder *r, const struct yml_node *node, enum severity *severity);

/* The scalar of a node; empty with an error if the node is not a scalar. */
struct str decode_text(const struct yaml_decoder *r, const struct yml_node *node, const char *expected);

/* The first member of a map or a list; NULL if it is empty, or, with an error, if it is of another kind. */
const struct yml_node *decode_members(const struct yaml_decoder *r, const struct yml_node *node, enum yml_kind kind,
                                      const char *expected);

/* Reads one text or a list of texts; anything else is an error and gives an empty list. check: checks a text, false
 * after an error; NULL: any text is valid. */
typedef bool decode_check(const struct yaml_decoder *r, const struct yml_node *text);
struct str_list decode_texts(const struct yaml_decoder *r, const struct yml_node *node, const char *expected,
                             decode_check *check);

/* A list of architectures; no names: all of them. */
struct arch_list {
    struct str_list names;
    struct place place; /* of the list in the file */
};
/* Reads one architecture or a list of them into a struct arch_list; for tables of keys. */
void decode_archs(const struct yaml_decoder *r, const struct yml_node *node, void *into);

/* Reads a scalar as a number with its unit: 48KiB, -1, 25 %. False if it is something else. */
bool decode_number(struct str text, double *number, uint8_t *unit);
/* Reads a number of bytes, 0 or more: 1024, 48KiB, 48K; also used for options. */
bool decode_bytes(struct str text, int64_t *bytes);

struct regex;
/* The regular expression of a node, or its pattern of paths (of_paths); NULL with an error at the wrong byte. */
struct regex *decode_regex(const struct yaml_decoder *r, const struct yml_node *node, bool of_paths);
