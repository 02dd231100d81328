/*
 * Builds a tree from libyaml's events. libyaml's marks count characters and are converted to bytes, so that every error
 * has its place in the file on disk.
 */
#include "base/yml.h"

#include "base/intern.h"

#include <stdlib.h>
#include <yaml.h>

enum { LARGEST_FILE = 1 << 20, DEEPEST = 32 };

/* An open list or map. */
struct level {
    struct yml_node *node;
    struct yml_node *last;      /* the last member so far */
    struct intern keys;         /* keys of a map, to detect duplicates */
    const struct yml_node *key; /* a key that is read and waits for its value; else NULL */
};

struct builder {
    struct yml *yaml;
    struct diags *diags;
    struct level levels[DEEPEST];
    size_t depth;
    bool failed;
    size_t mark_index; /* the last mark that mark_offset converted, in characters */
    size_t mark_at;    /* the same in bytes */
};

/* ---- places ---- */

static bool is_break(char c)
{
    return c == '\n' || c == '\r';
}

static struct str line_text(const struct yml *yaml, size_t line)
{
    size_t end = line + 1 < yaml->line_count ? yaml->lines[line + 1] : yaml->text.len;
    struct str text = str_sub(yaml->text, yaml->lines[line], end);
    text.len -= str_span_end(text, is_break);
    return text;
}

static struct place place_at(const struct yml *yaml, size_t offset, size_t width)
{
    size_t line = 0; /* from 1: the first line begins at 0 */
    MEM_FIND(line, yaml->line_count, yaml->lines[line] <= offset);
    return (struct place){.path = yaml->path,
                          .line = line,
                          .column = offset - yaml->lines[line - 1] + 1,
                          .source = yaml->unquoted ? (struct str){"", 0} : line_text(yaml, line - 1),
                          .width = width};
}

/* The value is a block scalar: lines after '|' or '>'. */
static bool is_block(const struct yml *yaml, const struct yml_node *node)
{
    return node->kind == YML_SCALAR && !node->plain && strchr("|>", yaml->text.ptr[node->from]);
}

struct place yml_place(const struct yml *yaml, const struct yml_node *node)
{
    size_t width = node->kind == YML_SCALAR && !is_block(yaml, node) ? node->to - node->from : 1;
    return place_at(yaml, node->from, width);
}

struct place yml_key_place(const struct yml *yaml, const struct yml_node *node)
{
    return node->key.len ? place_at(yaml, node->key_at, node->key.len) : yml_place(yaml, node);
}

void yml_quote(struct str text, struct buf *out)
{
    enum { MOST = 40, KEPT = 20 };
    size_t len = 0;
    while (len < text.len && len <= MOST && !is_break(text.ptr[len]))
        len++;
    bool whole = len == text.len && len <= MOST;
    const struct str shown = whole ? text : utf8_front(text, len < KEPT ? len : KEPT);
    buf_fmt(out, "'%.*s%s'", STR_ARG(shown), whole ? "" : "...");
}

/* The position in the text of byte `offset` of a scalar's value. The text contains the bytes of the value in the same
 * order. Blanks and line ends are skipped in both; an escape of two characters counts as one byte (longer escapes only
 * shift the position). */
static size_t raw_offset(const struct yml *yaml, const struct yml_node *node, size_t offset)
{
    const bool is_quoted = !node->plain && !is_block(yaml, node);
    const char escape = !is_quoted ? '\0' : yaml->text.ptr[node->from] == '"' ? '\\' : '\'';
    size_t at = node->from + is_quoted, value = 0;
    while (is_block(yaml, node) && at < node->to && !is_break(yaml->text.ptr[at])) /* skip the header, "|-" */
        at++;
    for (size_t length = 1; at < node->to; at += length) {
        const char *raw = yaml->text.ptr + at;
        length = *raw == escape ? 2 : 1;
        if (is_white_space(*raw) || (length == 2 && strchr("nrt", raw[1])))
            continue;
        while (value < node->scalar.len && is_white_space(node->scalar.ptr[value]))
            value++;
        if (value >= offset)
            break;
        value++;
    }
    return at < node->to ? at : node->to;
}

struct place yml_scalar_place(const struct yml *yaml, const struct yml_node *node, size_t offset, size_t width)
{
    return place_at(yaml, raw_offset(yaml, node, offset), width);
}

/* YAML takes NEL, LS and PS for line ends; no editor does. */
static const struct str odd_breaks[] = {STR_INIT("\xC2\x85"), STR_INIT("\xE2\x80\xA8"), STR_INIT("\xE2\x80\xA9")};

static void find_lines(struct yml *yaml)
{
    size_t count = 1;
    for (size_t at = 0; at < yaml->text.len; at++)
        count += is_break(yaml->text.ptr[at]);
    uint32_t *lines = arena_alloc(&yaml->arena, count * sizeof *lines);
    yaml->lines = lines;
    yaml->line_count = 1;
    for (size_t at = 0; at < yaml->text.len; at++) {
        bool half = yaml->text.ptr[at] == '\r' && at + 1 < yaml->text.len && yaml->text.ptr[at + 1] == '\n';
        if (is_break(yaml->text.ptr[at]) && !half)
            lines[yaml->line_count++] = (uint32_t)(at + 1);
    }
}

/* The byte offset of a libyaml mark, which counts characters. Continues from the previous mark, so the total time is
 * linear. */
static size_t mark_offset(struct builder *b, yaml_mark_t mark)
{
    const struct str text = b->yaml->text;
    if (mark.index < b->mark_index)
        b->mark_index = b->mark_at = 0;
    for (; b->mark_index < mark.index && b->mark_at < text.len; b->mark_index++)
        do
            b->mark_at++;
        while (b->mark_at < text.len && utf8_continues(text.ptr[b->mark_at]));
    return b->mark_at;
}

/* ---- the tree ---- */

static void fail_at(struct builder *b, size_t from, size_t width, const char *what)
{
    b->failed = true;
    diag_error(b->diags, place_at(b->yaml, from, width), "%s", what);
}

static void add_key(struct builder *b, struct level *level, const struct yml_node *node)
{
    if (node->kind != YML_SCALAR || node->scalar.len == 0)
        fail_at(b, node->from, 1, "a key must be a word");
    size_t known = level->keys.count;
    intern_add(&level->keys, node->scalar);
    if (node->kind == YML_SCALAR && known == level->keys.count && !b->failed) {
        b->failed = true;
        SCOPED(buf) key = {0};
        yml_quote(node->scalar, &key);
        diag_error(b->diags, place_at(b->yaml, node->from, node->to - node->from), "key %.*s is here twice",
                   STR_ARG(buf_str(&key)));
    }
    level->key = node;
}

static void add_node(struct builder *b, struct yml_node *node)
{
    if (b->depth == 0) {
        b->yaml->root = node;
        return;
    }
    struct level *level = &b->levels[b->depth - 1];
    if (level->node->kind == YML_MAP && !level->key) {
        add_key(b, level, node);
        return;
    }
    if (level->key) {
        node->key = level->key->scalar;
        node->key_at = level->key->from;
        level->key = NULL;
    }
    if (level->last)
        level->last->next = node;
    else
        level->node->first = node;
    level->last = node;
    level->node->count++;
}

static struct yml_node *new_node(struct builder *b, const yaml_event_t *event, enum yml_kind kind)
{
    struct yml_node *node = arena_alloc(&b->yaml->arena, sizeof *node);
    node->kind = (uint8_t)kind;
    node->from = mark_offset(b, event->start_mark);
    node->to = mark_offset(b, event->end_mark);
    return node;
}

static void refuse_extras(struct builder *b, const struct yml_node *node, const void *anchor, const void *tag)
{
    if (anchor)
        fail_at(b, node->from, 1, "anchors are not used here, write the value out");
    if (tag)
        fail_at(b, node->from, 1, "tags are not used here, write the plain value");
}

static void on_scalar(struct builder *b, const yaml_event_t *event)
{
    struct yml_node *node = new_node(b, event, YML_SCALAR);
    node->plain = event->data.scalar.style == YAML_PLAIN_SCALAR_STYLE;
    struct str value = {(const char *)event->data.scalar.value, event->data.scalar.length};
    node->scalar = arena_str(&b->yaml->arena, value);
    refuse_extras(b, node, event->data.scalar.anchor, event->data.scalar.tag);
    add_node(b, node);
}

/* False if the nesting is too deep to continue. */
static bool on_start(struct builder *b, const yaml_event_t *event, enum yml_kind kind, const void *anchor,
                     const void *tag)
{
    struct yml_node *node = new_node(b, event, kind);
    refuse_extras(b, node, anchor, tag);
    if (b->depth == DEEPEST) {
        fail_at(b, node->from, 1, "nested too deep, at most 32 levels are allowed");
        return false;
    }
    add_node(b, node);
    b->levels[b->depth++] = (struct level){.node = node};
    return true;
}

static void on_end(struct builder *b, const yaml_event_t *event)
{
    struct level *level = &b->levels[--b->depth];
    level->node->to = mark_offset(b, event->end_mark);
    intern_free(&level->keys);
}

static bool on_document(struct builder *b, const yaml_event_t *event)
{
    size_t from = mark_offset(b, event->start_mark);
    if (event->data.document_start.version_directive ||
        event->data.document_start.tag_directives.start != event->data.document_start.tag_directives.end)
        fail_at(b, from, 1, "directives are not used here");
    if (!b->yaml->root)
        return true;
    fail_at(b, from, 3, "a second document starts here, one file holds one");
    return false;
}

/* False: ignore the rest of the file. */
static bool on_event(struct builder *b, const yaml_event_t *event)
{
    switch (event->type) {
    case YAML_DOCUMENT_START_EVENT: return on_document(b, event);
    case YAML_ALIAS_EVENT: {
        struct yml_node *node = new_node(b, event, YML_SCALAR);
        fail_at(b, node->from, node->to - node->from, "aliases are not used here, write the value out");
        node->scalar = STR("?");
        add_node(b, node);
        return true;
    }
    case YAML_SCALAR_EVENT: on_scalar(b, event); return true;
    case YAML_SEQUENCE_START_EVENT:
        return on_start(b, event, YML_LIST, event->data.sequence_start.anchor, event->data.sequence_start.tag);
    case YAML_MAPPING_START_EVENT:
        return on_start(b, event, YML_MAP, event->data.mapping_start.anchor, event->data.mapping_start.tag);
    case YAML_SEQUENCE_END_EVENT:
    case YAML_MAPPING_END_EVENT: on_end(b, event); return true;
    case YAML_STREAM_END_EVENT: return false;
    default: return true;
    }
}

/* What a reader of libyaml's words needs to know more. */
static const char *advice_on(const char *problem)
{
    if (strstr(problem, "unknown escape"))
        return "; between double quotes a backslash begins an escape, between single quotes it is a backslash";
    if (strstr(problem, "expected key"))
        return "; a text with { or [ is in quotes";
    if (strstr(problem, "mapping values"))
        return "; the keys of one map begin in one column, and a text with \": \" is in quotes";
    if (strstr(problem, "expected '-' indicator"))
        return "; the keys of one entry begin in one column";
    return "";
}

static void syntax_error(struct builder *b, const yaml_parser_t *parser)
{
    if (parser->error == YAML_MEMORY_ERROR)
        mem_exhausted();
    b->failed = true;
    bool is_byte = parser->error == YAML_READER_ERROR;
    size_t at = is_byte ? parser->problem_offset : mark_offset(b, parser->problem_mark);
    struct place place = place_at(b->yaml, at, 1);
    const char *problem = parser->problem ? parser->problem : "the text cannot be read";
    if (at < b->yaml->text.len && b->yaml->text.ptr[at] == '\t')
        diag_error(b->diags, place, "a tab in the indentation, use blanks");
    else if (parser->context)
        diag_error(b->diags, place, "not YAML: %s, %s that starts at line %zu%s", problem, parser->context,
                   parser->context_mark.line + 1, advice_on(problem));
    else
        diag_error(b->diags, place, "not YAML: %s%s", problem, advice_on(problem));
}

static void read_events(struct builder *b)
{
    yaml_parser_t parser;
    if (!yaml_parser_initialize(&parser))
        mem_exhausted();
    yaml_parser_set_input_string(&parser, (const unsigned char *)b->yaml->text.ptr, b->yaml->text.len);
    yaml_parser_set_encoding(&parser, YAML_UTF8_ENCODING);
    bool more = true;
    while (more) {
        yaml_event_t event;
        if (!yaml_parser_parse(&parser, &event)) {
            syntax_error(b, &parser);
            break;
        }
        more = on_event(b, &event);
        yaml_event_delete(&event);
    }
    yaml_parser_delete(&parser);
    while (b->depth > 0)
        intern_free(&b->levels[--b->depth].keys);
}

bool yml_parse(struct yml *yaml, struct str path, struct str text, struct diags *diags)
{
    *yaml = (struct yml){0};
    yaml->path = arena_str(&yaml->arena, path);
    if (text.len > LARGEST_FILE)
        return diag_error(diags, (struct place){.path = path}, "the file has %zu bytes, at most %d are read", text.len,
                          LARGEST_FILE);
    yaml->text = arena_str(&yaml->arena, text);
    find_lines(yaml);
    const size_t odd_break = str_find_any(yaml->text, odd_breaks, sizeof odd_breaks / sizeof *odd_breaks);
    if (odd_break != STR_NONE)
        return diag_error(diags, place_at(yaml, odd_break, 1), "a line separator that is no line feed");
    struct builder *builder = mem_alloc(sizeof *builder);
    builder->yaml = yaml;
    builder->diags = diags;
    read_events(builder);
    bool failed = builder->failed;
    free(builder);
    return !failed;
}

void yml_free(struct yml *yaml)
{
    arena_free(&yaml->arena);
    *yaml = (struct yml){0};
}

const struct yml_node *yml_member(const struct yml_node *map, struct str key)
{
    if (!map || map->kind != YML_MAP)
        return NULL;
    for (const struct yml_node *node = map->first; node; node = node->next)
        if (str_eq(node->key, key))
            return node;
    return NULL;
}
