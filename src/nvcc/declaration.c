/*
 * The text is a row of declarations, each up to its ';' or its '{'. Only what stands directly in a namespace (or in
 * extern "C") can be a kernel, so every other pair of braces is passed over. Where #else begins the text again, the
 * reader goes back to what it knew at #if: braces that two branches open alike are then counted once.
 */
#include "nvcc/declaration.h"

#include "base/buf.h"

#include <stdlib.h>

enum scope_kind { SCOPE_NAMESPACE, SCOPE_C, SCOPE_CXX };

struct scope {
    const struct scope *parent; /* NULL: the text itself */
    struct str name;            /* of a namespace; "a::b" where it was opened so */
    enum scope_kind kind;
};

enum { MOST_TOKENS = 1 << 12, DEEPEST_CONDITION = 256 };

/* What depends on the braces read so far. */
struct position {
    const struct scope *scope;
    size_t passed_over; /* open braces of something that holds no kernels */
    size_t nested;      /* open parentheses, brackets and the braces in them */
    size_t tokens;      /* of the declaration at hand */
};

struct condition {
    struct position before;
    size_t declaration; /* the number of the declaration that was at hand */
    bool left_out;      /* this branch */
    bool decided;       /* a branch before was the right one: all others are left out */
    bool outer;         /* the condition itself is left out */
};

struct reader {
    struct declarations *list;
    struct arena *arena;
    uint32_t file;
    struct cxx cxx;
    struct position now;
    struct cxx_token *tokens;
    size_t token_cap;
    size_t ended; /* declarations so far: what the tokens belong to */
    struct condition conditions[DEEPEST_CONDITION];
    size_t depth;
    struct allow_notes pending; /* of comments that may stand above a kernel */
    uint32_t last_line;         /* where the last kernel stood that was complete; 0: something else came after it */
    uint32_t last;              /* that one */
    bool in_last;               /* the braces that are passed over are its body */
};

static bool is_mark(const struct cxx_token *token, char c)
{
    return token->kind == CXX_MARK && token->text.ptr[0] == c;
}

static bool is_word(const struct cxx_token *token, struct str word)
{
    return token->kind == CXX_WORD && str_eq(token->text, word);
}

/* ---- inside one declaration ------------------------------------------------------------------------------------- */

struct span {
    const struct cxx_token *tokens;
    size_t count;
};

/* The token behind the group that is opened at `at`; `count` where it does not close. */
static size_t group_end(struct span s, size_t at)
{
    size_t depth = 0;
    for (; at < s.count; at++) {
        char c = s.tokens[at].kind == CXX_MARK ? s.tokens[at].text.ptr[0] : '\0';
        depth += c == '(' || c == '[' || c == '{';
        depth -= depth > 0 && (c == ')' || c == ']' || c == '}');
        if (depth == 0)
            return at + 1;
    }
    return s.count;
}

/* The same for the '<' of template parameters or arguments. */
static size_t angle_end(struct span s, size_t at)
{
    size_t depth = 0;
    while (at < s.count) {
        if (is_mark(&s.tokens[at], '(') || is_mark(&s.tokens[at], '[') || is_mark(&s.tokens[at], '{')) {
            at = group_end(s, at);
            continue;
        }
        bool arrow = at > 0 && is_mark(&s.tokens[at - 1], '-');
        depth += is_mark(&s.tokens[at], '<');
        depth -= depth > 0 && is_mark(&s.tokens[at], '>') && !arrow;
        at++;
        if (depth == 0)
            return at;
    }
    return s.count;
}

/* Behind the last `template <...>` at the front. */
static size_t skip_template(struct span s)
{
    size_t at = 0;
    while (at + 1 < s.count && is_word(&s.tokens[at], STR("template")) && is_mark(&s.tokens[at + 1], '<'))
        at = angle_end(s, at + 1);
    return at;
}

/* Words that take parentheses and name no function. */
static bool takes_arguments(const struct cxx_token *token)
{
    static const struct str words[] = {
        STR_INIT("__align__"),         STR_INIT("__attribute"),      STR_INIT("__attribute__"),
        STR_INIT("__block_size__"),    STR_INIT("__cluster_dims__"), STR_INIT("__declspec"),
        STR_INIT("__launch_bounds__"), STR_INIT("__maxnreg__"),      STR_INIT("alignas"),
        STR_INIT("decltype"),          STR_INIT("noexcept"),         STR_INIT("requires"),
    };
    for (size_t at = 0; at < sizeof words / sizeof *words; at++)
        if (is_word(token, words[at]))
            return true;
    return false;
}

/* A word that may be a part of a name. */
static bool is_name(const struct cxx_token *token)
{
    return token->kind == CXX_WORD && !is_word(token, STR("void"));
}

/* What a declaration says at its top level. */
struct shape {
    bool global;        /* it has __global__ */
    bool c_linkage;     /* extern "C" of its own */
    bool specific;      /* name<...>(...): a specialisation */
    size_t name;        /* the token of the function's name; SIZE_MAX: none */
    size_t first_macro; /* a macro with arguments in front of __global__; SIZE_MAX: none */
};

/* The token before the template arguments that end before `at`; 0 where there are none. */
static size_t before_arguments(struct span s, size_t at)
{
    size_t nested = 0, angles = 0;
    while (at-- > 0) {
        char c = s.tokens[at].kind == CXX_MARK ? s.tokens[at].text.ptr[0] : '\0';
        nested += c == ')' || c == ']' || c == '}';
        nested -= nested > 0 && (c == '(' || c == '[' || c == '{');
        bool arrow = at > 0 && is_mark(&s.tokens[at - 1], '-');
        angles += nested == 0 && c == '>' && !arrow;
        angles -= nested == 0 && angles > 0 && c == '<';
        if (angles == 0 && nested == 0)
            return at > 0 ? at - 1 : 0;
    }
    return 0;
}

/* The name in front of the parenthesis at `at`, over template arguments; SIZE_MAX: none. */
static size_t name_before(struct span s, size_t from, size_t at, bool *specific)
{
    if (at <= from)
        return SIZE_MAX;
    *specific = is_mark(&s.tokens[at - 1], '>');
    size_t name = *specific ? before_arguments(s, at) : at - 1;
    bool found = name >= from && is_name(&s.tokens[name]) && !takes_arguments(&s.tokens[name]);
    return found ? name : SIZE_MAX;
}

/* A group of parentheses at the top level: the parameters of the function, unless another one follows. */
static void take_group(struct span s, size_t from, size_t at, struct shape *shape)
{
    bool specific = false;
    size_t name = name_before(s, from, at, &specific);
    if (at > from && is_mark(&s.tokens[at - 1], ')') && shape->name != SIZE_MAX)
        name = shape->name = SIZE_MAX; /* NAME(x)(int n): a macro makes it */
    if (name == SIZE_MAX)
        return;
    if (!shape->global && shape->first_macro == SIZE_MAX)
        shape->first_macro = name;
    shape->name = name;
    shape->specific = specific;
}

static struct shape shape_of(struct span s)
{
    size_t from = skip_template(s);
    struct shape shape = {.name = SIZE_MAX, .first_macro = SIZE_MAX};
    for (size_t at = from; at < s.count && !is_mark(&s.tokens[at], '=');) {
        const struct cxx_token *token = &s.tokens[at];
        if (is_mark(token, '(')) {
            take_group(s, from, at, &shape);
            at = group_end(s, at);
        } else if (is_mark(token, '[') || is_mark(token, '{')) {
            at = group_end(s, at);
        } else {
            shape.global |= is_word(token, STR("__global__"));
            shape.c_linkage |= at > from && token->kind == CXX_LITERAL && str_eq(token->text, STR("\"C\"")) &&
                               is_word(&s.tokens[at - 1], STR("extern"));
            at++;
        }
    }
    if (shape.first_macro == shape.name)
        shape.first_macro = SIZE_MAX; /* void k(...) with __global__ behind it */
    return shape;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

static bool is_scope_sign(struct span s, size_t at)
{
    return at + 1 < s.count && is_mark(&s.tokens[at], ':') && is_mark(&s.tokens[at + 1], ':');
}

/* The namespaces from the outermost on, each with "::" behind it. */
static void add_namespaces(const struct scope *scope, struct buf *name)
{
    if (!scope)
        return;
    add_namespaces(scope->parent, name);
    if (scope->kind == SCOPE_NAMESPACE)
        buf_fmt(name, "%.*s::", STR_ARG(scope->name));
}

static bool is_c(const struct scope *scope)
{
    while (scope && scope->kind == SCOPE_NAMESPACE)
        scope = scope->parent;
    return scope && scope->kind == SCOPE_C;
}

static struct str qualified_name(struct reader *r, struct span s, const struct shape *shape)
{
    struct buf name = {0};
    size_t first = shape->name;
    while (first >= 3 && is_scope_sign(s, first - 2) && is_name(&s.tokens[first - 3]))
        first -= 3;
    if (!shape->c_linkage && !is_c(r->now.scope)) {
        add_namespaces(r->now.scope, &name);
        for (; first < shape->name; first += 3)
            buf_fmt(&name, "%.*s::", STR_ARG(s.tokens[first].text));
    }
    buf_add(&name, s.tokens[shape->name].text);
    if (skip_template(s) > 0 || shape->specific)
        buf_add(&name, STR("<>"));
    struct str kept = arena_str(r->arena, buf_str(&name));
    buf_free(&name);
    return kept;
}

/* The name of the namespace that the declaration opens, "a::b" or empty; false: it opens none. */
static bool namespace_name(struct reader *r, struct span s, struct str *name)
{
    size_t at = s.count;
    while (at > 0 && !is_word(&s.tokens[at - 1], STR("namespace")))
        at--;
    if (at == 0)
        return false;
    struct buf text = {0};
    for (; at < s.count; at++) {
        if (is_mark(&s.tokens[at], '[') || is_mark(&s.tokens[at], '(')) {
            at = group_end(s, at) - 1;
        } else if (is_scope_sign(s, at)) {
            buf_add(&text, STR("::"));
        } else if (s.tokens[at].kind == CXX_WORD && !takes_arguments(&s.tokens[at]) &&
                   !is_word(&s.tokens[at], STR("inline"))) {
            buf_add(&text, s.tokens[at].text);
        }
    }
    *name = text.len ? arena_str(r->arena, buf_str(&text)) : STR("(anonymous namespace)");
    buf_free(&text);
    return true;
}

/* ---- exceptions ------------------------------------------------------------------------------------------------- */

static struct placed_allow *add_allow(struct reader *r, const struct allow_note *note)
{
    struct declarations *list = r->list;
    list->allows = mem_reserve(list->allows, &list->allow_cap, list->allow_count + 1, sizeof *list->allows);
    struct placed_allow *allow = &list->allows[list->allow_count++];
    *allow = (struct placed_allow){.note = *note, .declaration = UINT32_MAX, .file = r->file};
    return allow;
}

static void add_problem(struct reader *r, const struct allow_note *note, struct str problem)
{
    struct placed_allow *allow = add_allow(r, note);
    if (allow->note.problem.len == 0)
        allow->note.problem = problem;
}

static void add_for(struct reader *r, const struct allow_note *note, uint32_t declaration)
{
    struct placed_allow *allow = add_allow(r, note);
    if (allow->note.problem.len == 0)
        allow->declaration = declaration;
}

/* No kernel came behind the comments that wait. */
static void give_up_pending(struct reader *r)
{
    for (size_t at = 0; at < r->pending.count; at++)
        add_problem(r, &r->pending.items[at],
                    STR("this exception allows nothing: expected it on or directly above the declaration of a "
                        "__global__ function; a kernel that a macro makes needs one in the configuration"));
    r->pending.count = 0;
}

/* `macro`: a token between them that may make something else. */
static void give_pending(struct reader *r, uint32_t declaration, const struct cxx_token *macro)
{
    for (size_t at = 0; at < r->pending.count; at++) {
        const struct allow_note *note = &r->pending.items[at];
        if (macro && note->line < macro->line)
            add_problem(r, note,
                        arena_fmt(r->arena,
                                  "this exception allows nothing: what '%.*s' makes is not known, expected it between "
                                  "that and the kernel",
                                  STR_ARG(macro->text)));
        else
            add_for(r, note, declaration);
    }
    r->pending.count = 0;
}

static void take_comment(struct reader *r, const struct cxx_token *comment)
{
    size_t before = r->pending.count;
    if (str_find(comment->text, STR("warplint:")) == STR_NONE)
        return;
    allow_read(comment, r->arena, &r->pending);
    bool behind_last = comment->line == r->last_line;
    if (!behind_last && r->now.passed_over == 0)
        return; /* a kernel may follow */
    for (size_t at = before; behind_last && at < r->pending.count; at++)
        add_for(r, &r->pending.items[at], r->last);
    if (behind_last)
        r->pending.count = before;
    else
        give_up_pending(r);
}

/* ---- braces ----------------------------------------------------------------------------------------------------- */

static void clear(struct reader *r)
{
    r->now.tokens = r->now.nested = 0;
    r->ended++;
}

/* The declaration is complete, at its ';' or before its body. True when it is a kernel. */
static bool end_declaration(struct reader *r, bool body)
{
    struct span s = {r->tokens, r->now.tokens};
    struct shape shape = shape_of(s);
    size_t first = 0;
    while (first + 1 < s.count && is_word(&s.tokens[first], STR("extern")) && s.tokens[first + 1].kind == CXX_WORD)
        first++;
    bool instance =
        s.count > first + 1 && is_word(&s.tokens[first], STR("template")) && !is_mark(&s.tokens[first + 1], '<');
    bool other = s.count && (is_word(&s.tokens[0], STR("typedef")) || is_word(&s.tokens[0], STR("using")));
    if (!shape.global || shape.name == SIZE_MAX || instance || other)
        return false;
    struct declarations *list = r->list;
    list->items = mem_reserve(list->items, &list->cap, list->count + 1, sizeof *list->items);
    list->items[list->count] = (struct declaration){.name = qualified_name(r, s, &shape),
                                                    .line = s.tokens[shape.name].line,
                                                    .file = r->file,
                                                    .is_definition = body};
    r->last = (uint32_t)list->count++;
    give_pending(r, r->last, shape.first_macro == SIZE_MAX ? NULL : &s.tokens[shape.first_macro]);
    return true;
}

static void push_scope(struct reader *r, enum scope_kind kind, struct str name)
{
    struct scope *scope = arena_alloc(r->arena, sizeof *scope);
    *scope = (struct scope){.parent = r->now.scope, .name = name, .kind = kind};
    r->now.scope = scope;
}

/* The braces hold declarations like the text around them. */
static bool opens_scope(struct reader *r)
{
    struct span s = {r->tokens, r->now.tokens};
    struct str name;
    if (s.count >= 2 && s.tokens[s.count - 1].kind == CXX_LITERAL && is_word(&s.tokens[s.count - 2], STR("extern"))) {
        push_scope(r, str_eq(s.tokens[s.count - 1].text, STR("\"C\"")) ? SCOPE_C : SCOPE_CXX, STR(""));
        return true;
    }
    if (!namespace_name(r, s, &name))
        return false;
    push_scope(r, SCOPE_NAMESPACE, name);
    return true;
}

/* template <class T = decltype([] {})>: the brace is a part of it. */
static bool is_in_template_header(const struct reader *r)
{
    struct span s = {r->tokens, r->now.tokens};
    return s.count && is_word(&s.tokens[0], STR("template")) && skip_template(s) == s.count &&
           !is_mark(&s.tokens[s.count - 1], '>');
}

static void open_brace(struct reader *r, uint32_t line)
{
    if (opens_scope(r)) {
        give_up_pending(r);
        r->last_line = 0;
    } else {
        r->in_last = end_declaration(r, true);
        r->last_line = r->in_last ? line : 0;
        if (!r->in_last)
            give_up_pending(r);
        r->now.passed_over = 1;
    }
    clear(r);
}

static void close_brace(struct reader *r)
{
    if (r->now.scope)
        r->now.scope = r->now.scope->parent;
    give_up_pending(r);
    r->last_line = 0;
    clear(r);
}

/* A brace or a ';' of something that holds no kernels. */
static void pass_over(struct reader *r, const struct cxx_token *token)
{
    if (is_mark(token, '{'))
        r->now.passed_over++;
    if (!is_mark(token, '}') || --r->now.passed_over > 0)
        return;
    r->last_line = r->in_last ? token->line : 0;
    r->in_last = false;
    clear(r);
}

static void end_with_semicolon(struct reader *r, uint32_t line)
{
    bool empty = r->now.tokens == 0;
    bool kernel = end_declaration(r, false);
    if (kernel)
        r->last_line = line;
    else if (!empty) /* "};" ends nothing new */
        r->last_line = 0;
    if (!kernel && !empty)
        give_up_pending(r);
    clear(r);
}

static void keep_token(struct reader *r, const struct cxx_token *token)
{
    if (r->now.tokens == MOST_TOKENS) {
        clear(r);
        give_up_pending(r);
    }
    r->tokens = mem_reserve(r->tokens, &r->token_cap, r->now.tokens + 1, sizeof *r->tokens);
    r->tokens[r->now.tokens++] = *token;
}

static void take_token(struct reader *r, const struct cxx_token *token)
{
    char c = token->kind == CXX_MARK ? token->text.ptr[0] : '\0';
    if (r->now.passed_over) {
        pass_over(r, token);
        return;
    }
    if (c == ';') {
        end_with_semicolon(r, token->line);
        return;
    }
    bool nests = r->now.nested > 0 || (c == '{' && is_in_template_header(r));
    if (!nests && c == '{') {
        open_brace(r, token->line);
        return;
    }
    if (!nests && c == '}') {
        close_brace(r);
        return;
    }
    if (c == '(' || c == '[' || c == '{')
        r->now.nested++;
    else if (r->now.nested && (c == ')' || c == ']' || c == '}'))
        r->now.nested--;
    keep_token(r, token);
}

/* ---- the preprocessor ------------------------------------------------------------------------------------------- */

/* 0 or 1 where the condition says so itself, else -1. */
static int constant(struct str condition)
{
    size_t end = 0;
    while (end < condition.len && cxx_is_word(condition.ptr[end]))
        end++;
    struct str word = str_sub(condition, 0, end), rest = str_trim(str_from(condition, end));
    if (rest.len && !str_starts(rest, STR("//")) && !str_starts(rest, STR("/*")) && rest.ptr[0] != '\r')
        return -1;
    if (str_eq(word, STR("0")) || str_eq(word, STR("false")))
        return 0;
    return str_eq(word, STR("1")) || str_eq(word, STR("true")) ? 1 : -1;
}

static bool is_left_out(const struct reader *r)
{
    return r->depth > 0 && r->depth <= DEEPEST_CONDITION &&
           (r->conditions[r->depth - 1].left_out || r->conditions[r->depth - 1].outer);
}

static void open_condition(struct reader *r, struct str name, struct str rest)
{
    bool outer = is_left_out(r);
    int known = str_eq(name, STR("if")) ? constant(rest) : -1;
    if (r->depth++ < DEEPEST_CONDITION)
        r->conditions[r->depth - 1] = (struct condition){
            .before = r->now, .declaration = r->ended, .left_out = known == 0, .decided = known == 1, .outer = outer};
}

/* #elif, #else */
static void next_branch(struct reader *r, struct str name, struct str rest)
{
    if (r->depth == 0 || r->depth > DEEPEST_CONDITION)
        return;
    struct condition *condition = &r->conditions[r->depth - 1];
    int known = str_eq(name, STR("elif")) ? constant(rest) : -1;
    condition->left_out = condition->decided || known == 0;
    condition->decided |= known == 1;
    if (condition->left_out || condition->outer)
        return;
    r->now = condition->before;
    if (r->ended != condition->declaration)
        r->now.tokens = 0; /* they are gone, and with them what stood before #if */
}

/* `"a.h"` or `<a.h>`; what a macro gives is not known. */
static void take_inclusion(struct reader *r, struct str rest)
{
    struct declarations *list = r->list;
    char end = rest.len && rest.ptr[0] == '<' ? '>' : '"';
    size_t length = str_find_char(str_from(rest, 1), end);
    if (rest.len < 3 || (rest.ptr[0] != '<' && rest.ptr[0] != '"') || length == STR_NONE || length == 0)
        return;
    list->inclusions =
        mem_reserve(list->inclusions, &list->inclusion_cap, list->inclusion_count + 1, sizeof *list->inclusions);
    list->inclusions[list->inclusion_count++] =
        (struct inclusion){.name = str_sub(rest, 1, 1 + length), .quoted = end == '"'};
}

static void take_directive(struct reader *r, struct str directive)
{
    struct str rest, name = cxx_directive(directive, &rest);
    if (str_starts(name, STR("if")))
        open_condition(r, name, rest);
    else if (str_starts(name, STR("el")))
        next_branch(r, name, rest);
    else if (str_eq(name, STR("endif")) && r->depth > 0)
        r->depth--;
    else if (str_eq(name, STR("include")) && !is_left_out(r))
        take_inclusion(r, rest);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena)
{
    struct reader *r = mem_alloc(sizeof *r);
    struct cxx_token token;
    *r = (struct reader){.list = list, .arena = arena, .file = file, .cxx = cxx_of(text)};
    while (is_left_out(r) ? cxx_next_directive(&r->cxx, &token) : cxx_next(&r->cxx, &token)) {
        if (token.kind == CXX_DIRECTIVE)
            take_directive(r, token.text);
        else if (token.kind == CXX_COMMENT)
            take_comment(r, &token);
        else
            take_token(r, &token);
    }
    end_with_semicolon(r, 0);
    give_up_pending(r);
    free(r->tokens);
    free(r->pending.items);
    free(r);
}

void declarations_free(struct declarations *list)
{
    free(list->items);
    free(list->allows);
    free(list->inclusions);
    *list = (struct declarations){0};
}
