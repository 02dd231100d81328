#include "lint/flat.h"

static struct str text_of(const struct flat *flat, uint32_t at, uint32_t len)
{
    return (struct str){flat->values + at, len};
}

static void set_node(const struct flat *flat, const struct flat_node *from, struct yml_node *node)
{
    node->kind = from->kind;
    node->style = from->style;
    node->plain = from->plain;
    if (from->kind == YML_SCALAR)
        node->scalar = text_of(flat, from->value, from->value_len);
    if (from->key_len)
        node->key = text_of(flat, from->key, from->key_len);
    node->key_at = from->key_at;
    node->from = from->from;
    node->to = from->to;
    node->first = from->count ? node + 1 : NULL;
    node->next = from->next ? node + from->next : NULL;
    node->count = from->count;
}

void flat_tree(const struct flat *flat, struct yml *yaml)
{
    *yaml = (struct yml){.path = str_of(flat->path), .text = flat->text};
    yaml->lines = flat->lines;
    yaml->line_count = flat->line_count;
    yaml->root = arena_alloc(&yaml->arena, flat->node_count * sizeof *yaml->root);
    for (size_t at = 0; at < flat->node_count; at++)
        set_node(flat, &flat->nodes[at], &yaml->root[at]);
}
