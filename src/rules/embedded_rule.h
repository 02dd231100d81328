/*
 * embedded_rule: a parsed YAML file as tables without pointers. The build parses each file of rules/ with yml.c and
 * writes the tree as C (ci/embed-rules.c), so the program parses no YAML for built-in rules and the tables need no
 * relocation.
 */
#pragma once

#include "base/yml.h"

/* Nodes are in the order of the file; the members of a list or map follow it. */
struct embedded_node {
    uint32_t value, value_len; /* scalars: bytes of embedded_rule.values */
    uint32_t key, key_len;     /* members of a map: the same for the key; key_len 0: none */
    uint32_t key_at, from, to; /* as in struct yml_node */
    uint16_t next;             /* distance to the next member of the same parent; 0: it is the last */
    uint16_t count;            /* members */
    uint8_t kind, plain;
};

struct embedded_rule {
    const char *id;   /* the file's name without .yaml */
    const char *path; /* in messages: "built-in:register-spill.yaml" */
    struct str text;  /* the file */
    const char *values;
    const struct embedded_node *nodes; /* the root first */
    const uint32_t *lines;             /* as in struct yml */
    uint32_t node_count, line_count;
};

extern const struct embedded_rule builtin_rules[]; /* of rules/, made by the build, sorted by id */
extern const size_t builtin_rule_count;

/* The same tree as from yml_parse of the text; the caller calls yml_free. */
void embedded_rule_tree(const struct embedded_rule *flat, struct yml *yaml);
