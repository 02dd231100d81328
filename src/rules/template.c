#include "rules/template.h"

#include "base/yml.h"

/* A piece of the message and the pieces after it. */
struct template
{
    struct str text;   /* before the placeholder */
    struct expr *hole; /* the placeholder; NULL: only text */
    struct template *next;
};

/* Reports that the placeholder that begins at `at` has no end. */
static bool refuse_open_hole(struct origin origin, struct str text, size_t at, struct diags *diags)
{
    struct place place = {.path = STR("message"), .line = 1, .column = at + 1, .source = text};
    if (origin.node)
        place = yml_scalar_place(origin.yaml, origin.node, origin.offset + at, 1);
    return diag_error(diags, place, "'{' has no '}', write '{{' for a brace");
}

/* The '}' that ends the placeholder beginning at `at`, outside of strings; STR_NONE: there is none. */
static size_t hole_end(struct str text, size_t at)
{
    char quote = '\0';
    for (; at < text.len; at++) {
        char c = text.ptr[at];
        if (quote)
            quote = c == quote ? '\0' : quote;
        else if (c == '\'' || c == '"')
            quote = c;
        else if (c == '}')
            return at;
    }
    return STR_NONE;
}

/* The text up to the next placeholder, with "{{" and "}}" as braces; *at becomes its end. */
static struct str plain_text(struct str text, size_t *at, struct arena *arena)
{
    struct buf plain = {0};
    size_t from = *at;
    for (; *at < text.len; ++*at) {
        const char c = text.ptr[*at];
        if ((c == '{' || c == '}') && str_starts(str_from(text, *at + 1), (struct str){&c, 1})) {
            buf_add(&plain, str_sub(text, from, ++*at));
            from = *at + 1;
        } else if (c == '{') {
            break;
        }
    }
    buf_add(&plain, str_sub(text, from, *at));
    return arena_take(arena, &plain);
}

/* Parses one piece: text and the placeholder after it. False after an error. */
static bool parse_piece(struct template *piece, struct str text, size_t *at, const struct scope *scope,
                        struct origin origin, struct arena *arena, struct diags *diags)
{
    piece->text = plain_text(text, at, arena);
    if (*at >= text.len)
        return true;
    size_t from = *at + 1;
    size_t end = hole_end(text, from);
    if (end == STR_NONE) {
        *at = text.len;
        return refuse_open_hole(origin, text, from - 1, diags);
    }
    origin.offset += from;
    piece->hole = expr_parse(str_sub(text, from, end), scope, origin, arena, diags);
    *at = end + 1;
    return piece->hole != NULL;
}

struct template *template_parse(struct str text, const struct scope *scope, struct origin origin, struct arena *arena,
                                struct diags *diags)
{
    struct template *template = NULL, **end = &template;
    bool ok = true;
    size_t at = 0;
    do {
        *end = arena_alloc(arena, sizeof **end);
        ok = parse_piece(*end, text, &at, scope, origin, arena, diags) && ok;
        end = &(*end)->next;
    } while (at < text.len); /* an empty text has one piece */
    return ok ? template : NULL;
}

/* Appends the text after a number, with its first noun in the singular if the number was 1: " block of". */
static void add_counted(struct str text, bool one, struct buf *out)
{
    static const struct str nouns[] = {STR_INIT(" blocks"),  STR_INIT(" kernels"), STR_INIT(" registers"),
                                       STR_INIT(" threads"), STR_INIT(" waves"),   STR_INIT(" warps")};
    for (size_t at = 0; one && at < sizeof nouns / sizeof *nouns; at++) {
        struct str rest = str_from(text, nouns[at].len);
        if (!str_starts(text, nouns[at]) || (rest.len && memchr(" ,;:.)", rest.ptr[0], 6) == NULL))
            continue;
        buf_add(out, str_sub(nouns[at], 0, nouns[at].len - 1));
        text = rest;
        break;
    }
    buf_add(out, text);
}

bool template_render(const struct template *template, struct context *context, const struct str *captures,
                     struct buf *out)
{
    bool known = true, one = false, at_most = false;
    for (const struct template *piece = template; piece; piece = piece->next) {
        add_counted(piece->text, one, out);
        if (!piece->hole)
            continue;
        struct value value = expr_eval(piece->hole, context, captures);
        if (value.known && value.at_most)
            buf_add(out, STR("at most "));
        value_print(&value, expr_unit(piece->hole), out);
        at_most |= value.at_most;
        known &= value.known;
        one = value.known && value.type == VALUE_NUMBER && value.number == 1;
    }
    if (at_most)
        buf_add(out, STR("; the size of its dynamic shared memory is not known (dynamic-smem in .warplint.yaml)"));
    return known;
}

/* The word at the front of a text: " B" of " B per thread"; empty: none. */
static struct str word_of(struct str text)
{
    size_t end = text.len > 1 && text.ptr[0] == ' ' ? 1 : 0;
    while (end && end < text.len && !memchr(" ,;)", text.ptr[end], 4))
        end++;
    return str_sub(text, 0, end);
}

/* True if the number is for another count of registers or bytes: "; at 40 it would hold 6". */
static bool is_hypothetical(const struct template *piece)
{
    return str_find(piece->text, STR(" would ")) != STR_NONE ||
           (piece->next && str_find(piece->next->text, STR(" would ")) != STR_NONE);
}

void template_was(const struct template *template, struct context *is, struct context *was, struct buf *out)
{
    const char *between = " (before: ";
    bool has_values = false;
    for (const struct template *piece = template; piece; piece = piece->next) {
        if (!piece->hole)
            continue;
        if (is_hypothetical(piece))
            break;
        struct value now = expr_eval(piece->hole, is, NULL), then = expr_eval(piece->hole, was, NULL);
        if (now.type != VALUE_NUMBER || !now.known || !then.known || now.number == then.number)
            continue;
        buf_add(out, str_of(between));
        value_print(&then, expr_unit(piece->hole), out);
        buf_add(out, piece->next ? word_of(piece->next->text) : STR(""));
        between = ", ";
        has_values = true;
    }
    buf_add(out, has_values ? STR(")") : STR(""));
}
