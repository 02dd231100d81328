/*
 * embedded_rule: a tree of YAML as tables without pointers. The build reads each file of rules/ with yml.c and writes
 * what it got as C (ci/embed-rules.c), so the program starts with trees that are made, not parsed, and nothing of them
 * has to be relocated.
 */
#ifndef RULES_EMBEDDED_RULE_H
#define RULES_EMBEDDED_RULE_H

#include "base/yml.h"

/* Nodes stand in the order of the file, the members of a list or map behind it. */
struct embedded_node {
    uint32_t value, value_len; /* of a scalar: bytes of flat.values */
    uint32_t key, key_len;     /* of a member of a map, the same; key_len 0: none */
    uint32_t key_at, from, to; /* as in struct yml_node */
    uint16_t next;             /* how many nodes further the next member of the same parent stands; 0: the last */
    uint16_t count;            /* members */
    uint8_t kind, plain;
};

struct embedded_rule {
    const char *id;   /* the file's name without .yaml */
    const char *path; /* as messages name it: "built-in:register-spill.yaml" */
    struct str text;  /* the file */
    const char *values;
    const struct embedded_node *nodes; /* the root first */
    const uint32_t *lines;             /* as in struct yml */
    uint32_t node_count, line_count;
};

extern const struct embedded_rule builtin_rules[]; /* those of rules/, made by the build, sorted by id */
extern const size_t builtin_rule_count;

/* The tree, as yml_parse gives it of flat.text; yml_free ends it. */
void embedded_rule_tree(const struct embedded_rule *flat, struct yml *yaml);

#endif
