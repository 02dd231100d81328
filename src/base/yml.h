/*
 * yml: files (YAML) that people write, as a small tree in which everything knows its place. Plain YAML only: anchors,
 * aliases, tags, duplicate keys and second documents are errors, because each of them has made somebody's
 * configuration mean something else than it says.
 */
#ifndef BASE_YML_H
#define BASE_YML_H

#include "base/diag.h"

enum yml_kind { YML_SCALAR, YML_LIST, YML_MAP };

struct yml_node {
    uint8_t kind;                  /* enum yml_kind */
    bool plain;                    /* a scalar without quotes: may be read as number, true, false or nothing */
    struct str scalar;             /* its value; empty of lists and maps */
    struct str key;                /* of a member of a map */
    size_t key_at;                 /* where the key starts, bytes into the text */
    size_t from, to;               /* where the node stands, bytes into the text */
    struct yml_node *first, *next; /* members in the order of the file */
    size_t count;
};

struct yml {
    struct arena arena;
    struct str path, text;       /* copies */
    const struct yml_node *root; /* NULL: an empty file */
    const uint32_t *lines;       /* where each line starts */
    size_t line_count;
    bool unquoted; /* places come without the text of their line */
};

/* The text of one file. False when there was an error (all that can be found are in diags); free in both cases. */
bool yml_parse(struct yml *yaml, struct str path, struct str text, struct diags *diags);
void yml_free(struct yml *yaml);

const struct yml_node *yml_member(const struct yml_node *map, struct str key); /* NULL: none */

/* The place of a node, of a member's key, and of byte `offset` of a scalar's value. */
struct place yml_place(const struct yml *yaml, const struct yml_node *node);
struct place yml_key_place(const struct yml *yaml, const struct yml_node *node);
struct place yml_scalar_place(const struct yml *yaml, const struct yml_node *node, size_t offset, size_t width);

/* Appends the text in quotes; of a long one, or of several lines, only how it begins. */
void yml_quote(struct str text, struct buf *out);

#endif
