/*
 * yml: YAML files that people write, as a small tree; each node has its place in the file. Only plain YAML is accepted:
 * anchors, aliases, tags, duplicate keys and second documents are errors, because each of them has given some
 * configuration another meaning than its author expected.
 */
#pragma once

#include "base/diag.h"

enum yml_kind { YML_SCALAR, YML_LIST, YML_MAP };

struct yml_node {
    uint8_t kind;                  /* enum yml_kind */
    bool plain;                    /* a scalar without quotes: may be read as a number, true, false or null */
    struct str scalar;             /* value of a scalar; empty for lists and maps */
    struct str key;                /* key, if the node is a member of a map */
    size_t key_at;                 /* start of the key, bytes into the text */
    size_t from, to;               /* start and end of the node, bytes into the text */
    struct yml_node *first, *next; /* members in the order of the file */
    size_t count;
};

struct yml {
    struct arena arena;
    struct str path, text;       /* copies */
    const struct yml_node *root; /* NULL: the file is empty */
    const uint32_t *lines;       /* start of each line, bytes into the text */
    size_t line_count;
    bool unquoted; /* places do not include the text of their line */
};

/* Parses the text of one file. Returns false if there was an error (diags lists all that can be found); call yml_free
 * in both cases. */
bool yml_parse(struct yml *yaml, struct str path, struct str text, struct diags *diags);
void yml_free(struct yml *yaml);

const struct yml_node *yml_member(const struct yml_node *map, struct str key); /* NULL: no such member */

/* The place of a node, of a member's key, and of byte `offset` of a scalar's value. */
struct place yml_place(const struct yml *yaml, const struct yml_node *node);
struct place yml_key_place(const struct yml *yaml, const struct yml_node *node);
struct place yml_scalar_place(const struct yml *yaml, const struct yml_node *node, size_t offset, size_t width);

/* Appends the text in single quotes; of a long text or one of several lines only the beginning. */
void yml_quote(struct str text, struct buf *out);
