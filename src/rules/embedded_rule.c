#include "rules/embedded_rule.h"

static struct str text_of(const struct embedded_rule *flat, uint32_t at, uint32_t len)
{
    return (struct str){flat->values + at, len};
}

static struct yml_node node_of(const struct embedded_rule *flat, const struct embedded_node *from, struct yml_node *at)
{
    return (struct yml_node){
        .kind = from->kind,
        .plain = from->plain,
        .scalar = text_of(flat, from->value, from->value_len),
        .key = text_of(flat, from->key, from->key_len),
        .key_at = from->key_at,
        .from = from->from,
        .to = from->to,
        .first = from->count ? at + 1 : NULL,
        .next = from->next ? at + from->next : NULL,
        .count = from->count,
    };
}

void embedded_rule_tree(const struct embedded_rule *flat, struct yml *yaml)
{
    *yaml = (struct yml){.path = str_of(flat->path), .text = flat->text};
    yaml->lines = flat->lines;
    yaml->line_count = flat->line_count;
    struct yml_node *nodes = arena_alloc(&yaml->arena, flat->node_count * sizeof *nodes);
    for (size_t at = 0; at < flat->node_count; at++)
        nodes[at] = node_of(flat, &flat->nodes[at], &nodes[at]);
    yaml->root = nodes;
}
