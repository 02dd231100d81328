/*
 * usage: embed-rules OUTPUT RULE.yaml...
 *
 * Run by the build: reads every rule as the program reads those of its users, and writes C with the trees laid flat
 * (rules/embedded_rule.h). A rule that is broken fails the build, with the place and the reason.
 */
#include "base/file.h"
#include "rules/embedded_rule.h"
#include "rules/rule.h"

#include <stdio.h>

/* This program has no rules of its own. */
const struct embedded_rule builtin_rules[1];
const size_t builtin_rule_count = 0;

enum { LARGEST_RULE = 1 << 20, MOST_NODES = UINT16_MAX };

struct embedding {
    struct buf out;    /* the C file */
    struct buf values; /* of the rule at hand, each with a NUL behind it */
    struct buf nodes;
    struct ruleset rules;
    struct diags diags;
    size_t written; /* nodes of the rule at hand */
};

/* The text as lines of a string literal; no byte can be mistaken, whatever stands behind it. */
static void add_literal(struct buf *out, struct str text)
{
    buf_add(out, STR("    \""));
    for (size_t at = 0; at < text.len; at++) {
        unsigned char c = (unsigned char)text.ptr[at];
        if (c == '"' || c == '\\' || c == '?')
            buf_fmt(out, "\\%c", c);
        else if (c >= ' ' && c < 0x7F)
            buf_char(out, (char)c);
        else
            buf_fmt(out, "\\%03o", c);
        if (c == '\n' && at + 1 < text.len)
            buf_add(out, STR("\"\n    \""));
    }
    buf_add(out, STR("\""));
}

static size_t keep(struct embedding *e, struct str value)
{
    size_t at = e->values.len;
    buf_add(&e->values, value);
    buf_char(&e->values, '\0');
    return at;
}

static size_t tree_size(const struct yml_node *node)
{
    size_t size = 1;
    for (const struct yml_node *member = node->first; member; member = member->next)
        size += tree_size(member);
    return size;
}

static void add_node(struct embedding *e, const struct yml_node *node)
{
    size_t value = keep(e, node->scalar), key = keep(e, node->key);
    e->written++;
    buf_fmt(&e->nodes, "    {%zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %zu, %d, %d},\n", value, node->scalar.len, key,
            node->key.len, node->key_at, node->from, node->to, node->next ? tree_size(node) : 0, node->count,
            node->kind, node->plain);
    for (const struct yml_node *member = node->first; member; member = member->next)
        add_node(e, member);
}

static void add_lines(struct buf *out, const struct yml *yaml)
{
    for (size_t line = 0; line < yaml->line_count; line++)
        buf_fmt(out, "%s%u,", line % 16 ? " " : "\n    ", (unsigned)yaml->lines[line]);
}

static void add_tree(struct embedding *e, const struct yml *yaml, size_t number)
{
    buf_clear(&e->values);
    buf_clear(&e->nodes);
    e->written = 0;
    add_node(e, yaml->root);
    buf_fmt(&e->out, "static const char text_%zu[] =\n", number);
    add_literal(&e->out, yaml->text);
    buf_fmt(&e->out, ";\nstatic const char values_%zu[] =\n", number);
    add_literal(&e->out, buf_str(&e->values));
    buf_fmt(&e->out,
            ";\nstatic const struct embedded_node nodes_%zu[] = {\n%.*s};\nstatic const uint32_t lines_%zu[] = {",
            number, STR_ARG(buf_str(&e->nodes)), number);
    add_lines(&e->out, yaml);
    buf_add(&e->out, STR("\n};\n\n"));
}

/* "register-spill" of "rules/register-spill.yaml"; empty: the file is called otherwise. */
static struct str stem_of(struct str path)
{
    size_t slash = str_rfind(path, STR("/"));
    struct str name = slash == STR_NONE ? path : str_from(path, slash + 1), ending = STR(".yaml");
    return str_ends(name, ending) ? str_sub(name, 0, name.len - ending.len) : str_sub(name, 0, 0);
}

static bool add_rule(struct embedding *e, struct str path, size_t number, struct buf *table)
{
    struct buf text = {0};
    struct yml yaml = {0};
    struct str id = stem_of(path);
    bool ok = file_read(path, INPUT_REGULAR, LARGEST_RULE, &text, &e->diags) &&
              ruleset_add(&e->rules, path, id, buf_str(&text), true, &e->diags) &&
              yml_parse(&yaml, path, buf_str(&text), &e->diags);
    if (ok && tree_size(yaml.root) > MOST_NODES)
        ok = diag_error(&e->diags, (struct place){.path = path}, "more than %d nodes", MOST_NODES);
    if (ok) {
        add_tree(e, &yaml, number);
        buf_fmt(
            table,
            "    {\"%.*s\", \"built-in:%.*s.yaml\", {text_%zu, %zu}, values_%zu, nodes_%zu, lines_%zu, %zu, %zu},\n",
            STR_ARG(id), STR_ARG(id), number, yaml.text.len, number, number, number, e->written, yaml.line_count);
    }
    yml_free(&yaml);
    buf_free(&text);
    return ok;
}

static bool embed(struct embedding *e, const char *const *paths, size_t count)
{
    struct buf table = {0};
    bool ok = true;
    buf_add(&e->out,
            STR("/* Made by the build from rules/; see ci/embed-rules.c. */\n#include \"rules/embedded_rule.h\"\n\n"));
    for (size_t at = 0; at < count; at++)
        ok = add_rule(e, str_of(paths[at]), at, &table) && ok;
    buf_fmt(&e->out,
            "const struct embedded_rule builtin_rules[] = {\n%.*s%s};\nconst size_t builtin_rule_count = %zu;\n",
            STR_ARG(buf_str(&table)), count ? "" : "    {0},\n", count);
    buf_free(&table);
    return ok;
}

int main(int argc, char **argv)
{
    struct embedding e = {0};
    struct buf said = {0};
    if (argc < 2) {
        fprintf(stderr, "usage: embed-rules OUTPUT RULE.yaml...\n");
        return 2;
    }
    bool ok = embed(&e, (const char *const *)argv + 2, (size_t)argc - 2) &&
              file_write(str_of(argv[1]), buf_str(&e.out), &e.diags);
    diags_render(&e.diags, &said);
    fwrite(said.ptr ? said.ptr : "", 1, said.len, stderr);
    buf_free(&said);
    diags_free(&e.diags);
    ruleset_free(&e.rules);
    buf_free(&e.nodes);
    buf_free(&e.values);
    buf_free(&e.out);
    return ok ? 0 : 1;
}
