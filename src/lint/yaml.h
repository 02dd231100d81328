/*
 * yaml: files that people write, as a small tree in which everything knows its place. Plain YAML only: anchors,
 * aliases, tags, duplicate keys and second documents are errors, because each of them has made somebody's
 * configuration mean something else than it says.
 */
#ifndef LINT_YAML_H
#define LINT_YAML_H

#include "base/diag.h"

enum yaml_kind { YAML_SCALAR, YAML_LIST, YAML_MAP };

struct yaml_node {
    uint8_t kind;          /* enum yaml_kind */
    uint8_t style;         /* private: how a scalar was written */
    bool plain;            /* a scalar without quotes: may be read as number, true, false or nothing */
    struct str scalar;     /* its value */
    struct str key;        /* of a member of a map */
    size_t key_at;         /* where the key starts, bytes into the text */
    size_t from, to;       /* where the node stands, bytes into the text */
    struct yaml_node *first, *next; /* members in the order of the file */
    size_t count;
};

struct yaml {
    struct arena arena;
    struct str path, text; /* copies */
    struct yaml_node *root; /* NULL: an empty file */
    size_t *lines;         /* where each line starts */
    size_t line_count;
};

/* The text of one file. False when there was an error (all that can be found are in diags); free in both cases. */
bool yaml_parse(struct yaml *yaml, struct str path, struct str text, struct diags *diags);
void yaml_free(struct yaml *yaml);

const struct yaml_node *yaml_member(const struct yaml_node *map, struct str key); /* NULL: none */

/* The place of a node, of a member's key, and of byte `offset` of a scalar's value. */
struct place yaml_place(const struct yaml *yaml, const struct yaml_node *node);
struct place yaml_key_place(const struct yaml *yaml, const struct yaml_node *node);
struct place yaml_scalar_place(const struct yaml *yaml, const struct yaml_node *node, size_t offset, size_t width);

const char *yaml_kind_name(const struct yaml_node *node); /* "a list" "a map" "a string" ... for messages */

#endif
