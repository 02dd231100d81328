/*
 * The text is searched, not parsed. A kernel has __global__ before its ';' or before the '{' of its body, and its name
 * is the last word before the parentheses of its parameters. Namespaces and bodies are not tracked, so a brace that is
 * opened in two branches of an #if, or a namespace that a macro opens, does no harm.
 */
#include "nvcc/declaration.h"

#include "base/buf.h"

#include <stdlib.h>

/* The last element of a declaration, as far as the next token depends on it. */
enum last { LAST_OTHER, LAST_NAME, LAST_ARGUMENTS, LAST_PARAMETERS, LAST_TEMPLATE };

/* The current declaration or statement. */
struct head {
    enum last last;
    struct str name;     /* the last name */
    uint32_t line;       /* of the name */
    struct str function; /* the last name before parentheses; empty: none */
    uint32_t function_line;
    bool global;      /* it has __global__ */
    bool is_template; /* or the specialisation of a template */
    bool is_other;    /* typedef, an explicit instantiation */
    size_t nested;    /* open parentheses and brackets, and the braces inside them */
    size_t angles;    /* open '<' of template parameters or arguments */
};

struct condition {
    struct head before; /* the state at the start of every branch */
    bool left_out;      /* the current branch is left out */
    bool decided;       /* all later branches are left out: a branch was true, or the whole #if is left out */
};

struct reader {
    struct declarations *list;
    struct arena *arena;
    uint32_t file;
    struct head head;
    struct condition *conditions;
    size_t depth, condition_cap;
    size_t waiting;     /* index of the first suppression whose comment may be above a kernel */
    uint32_t last;      /* index of the last kernel */
    uint32_t last_line; /* line of its ';' or of the first brace of its body; 0: no kernel yet */
};

static bool is_mark(const struct cxx_token *token, char c)
{
    return token->kind == CXX_MARK && token->text.ptr[0] == c;
}

/* ---- exceptions ------------------------------------------------------------------------------------------------- */

/* Assigns the suppressions from index `from` on to the last kernel. */
static void assign_suppressions(struct reader *r, size_t from)
{
    for (size_t at = from; at < r->list->suppressions.count; at++) {
        struct suppression *suppression = &r->list->suppressions.items[at];
        if (suppression->problem.len == 0 && suppression->declaration == UINT32_MAX)
            suppression->declaration = r->last;
    }
}

/* No kernel follows the waiting comments: their suppressions get a problem. */
static void give_up_waiting(struct reader *r)
{
    struct suppressions *all = &r->list->suppressions;
    for (; r->waiting < all->count; r->waiting++)
        if (all->items[r->waiting].problem.len == 0 && all->items[r->waiting].declaration == UINT32_MAX)
            all->items[r->waiting].problem =
                STR("this exception allows nothing: expected it on or directly above the declaration of a __global__ "
                    "function; a kernel that a macro makes needs one in the configuration");
}

static void take_comment(struct reader *r, const struct cxx_token *comment)
{
    size_t first = r->list->suppressions.count;
    suppressions_read(comment, r->arena, &r->list->suppressions);
    for (size_t at = first; at < r->list->suppressions.count; at++)
        r->list->suppressions.items[at].file = r->file;
    if (comment->line == r->last_line)
        assign_suppressions(r, first);
}

/* ---- one declaration -------------------------------------------------------------------------------------------- */

/* Words that parentheses may follow but that do not name a function. */
static bool names_nothing(struct str word)
{
    return str_is_one_of(word, "__align__ __attribute __attribute__ __block_size__ __cluster_dims__ __declspec "
                               "__launch_bounds__ __maxnreg__ alignas decltype noexcept operator requires void");
}

static void take_word(struct head *head, const struct cxx_token *token)
{
    struct str word = token->text;
    bool is_template = str_eq(word, STR("template"));
    head->last = is_template ? LAST_TEMPLATE : names_nothing(word) ? LAST_OTHER : LAST_NAME;
    head->global |= str_eq(word, STR("__global__"));
    head->is_other |= str_eq(word, STR("typedef"));
    if (head->last == LAST_NAME) {
        head->name = word;
        head->line = token->line;
    }
}

/* A name with parentheses before __global__ is a macro or another function: then the kernel does not directly follow a
 * comment above. */
static void take_parenthesis(struct reader *r)
{
    struct head *head = &r->head;
    bool named = head->last == LAST_NAME || head->last == LAST_ARGUMENTS;
    if (named && !head->global)
        give_up_waiting(r);
    if (named) {
        head->function = head->name;
        head->function_line = head->line;
        head->is_template |= head->last == LAST_ARGUMENTS;
    } else if (head->last == LAST_PARAMETERS) {
        head->function = STR(""); /* NAME(x)(int n): a macro generates the function */
    }
    head->last = named ? LAST_PARAMETERS : LAST_OTHER;
    head->nested = 1;
}

static void take_part(struct reader *r, const struct cxx_token *token)
{
    struct head *head = &r->head;
    bool angle = is_mark(token, '<');
    head->is_other |= head->last == LAST_TEMPLATE && !angle;
    if (token->kind == CXX_WORD) {
        take_word(head, token);
    } else if (is_mark(token, '(')) {
        take_parenthesis(r);
    } else if (angle && (head->last == LAST_TEMPLATE || (head->global && head->last == LAST_NAME))) {
        head->is_template |= head->last == LAST_TEMPLATE;
        head->last = head->last == LAST_TEMPLATE ? LAST_OTHER : LAST_ARGUMENTS;
        head->angles = 1;
    } else {
        head->nested = is_mark(token, '[');
        head->last = LAST_OTHER;
    }
}

/* Skips a token inside parentheses, brackets or template arguments. */
static void pass_over(struct head *head, const struct cxx_token *token)
{
    if (head->nested == 0) {
        head->angles += is_mark(token, '<');
        head->angles -= is_mark(token, '>');
    }
    head->nested += is_mark(token, '(') || is_mark(token, '[') || is_mark(token, '{');
    head->nested -= head->nested && (is_mark(token, ')') || is_mark(token, ']') || is_mark(token, '}'));
}

static void add_kernel(struct reader *r, bool body, uint32_t line)
{
    struct declarations *list = r->list;
    const struct head *head = &r->head;
    struct str name = arena_fmt(r->arena, "%.*s%s", STR_ARG(head->function), head->is_template ? "<>" : "");
    r->last = (uint32_t)list->count;
    r->last_line = line;
    *MEM_ADD(list->items, list->count, list->cap) =
        (struct declaration){.name = name, .line = head->function_line, .file = r->file, .is_definition = body};
    assign_suppressions(r, r->waiting);
    r->waiting = list->suppressions.count;
}

/* Ends the declaration at a ';' or a brace. */
static void end_declaration(struct reader *r, const struct cxx_token *end)
{
    if (r->head.global && r->head.function.len && !r->head.is_other && !is_mark(end, '}'))
        add_kernel(r, is_mark(end, '{'), end->line);
    else
        give_up_waiting(r);
    r->head = (struct head){0};
}

static void take_token(struct reader *r, const struct cxx_token *token)
{
    bool inside = r->head.nested || r->head.angles;
    bool brace = is_mark(token, '{') ? !inside : is_mark(token, '}') && r->head.nested == 0;
    if (brace || is_mark(token, ';'))
        end_declaration(r, token);
    else if (inside)
        pass_over(&r->head, token);
    else
        take_part(r, token);
}

/* ---- the preprocessor ------------------------------------------------------------------------------------------- */

/* 0 or 1 if the condition is a constant, else -1. */
static int constant_condition(struct str condition)
{
    struct str rest, word = cxx_word(condition, &rest);
    if (rest.len && rest.ptr[0] != '/' && rest.ptr[0] != '\r') /* more than a comment follows */
        return -1;
    if (str_eq(word, STR("0")) || str_eq(word, STR("false")))
        return 0;
    return str_eq(word, STR("1")) || str_eq(word, STR("true")) ? 1 : -1;
}

static bool is_left_out(const struct reader *r)
{
    return r->depth > 0 && r->conditions[r->depth - 1].left_out;
}

static void open_condition(struct reader *r, int known)
{
    bool outer = is_left_out(r);
    *MEM_ADD(r->conditions, r->depth, r->condition_cap) =
        (struct condition){.before = r->head, .left_out = outer || known == 0, .decided = outer || known == 1};
}

/* #elif, #else */
static void next_branch(struct reader *r, int known)
{
    struct condition *condition = &r->conditions[r->depth - 1];
    condition->left_out = condition->decided || known == 0;
    condition->decided |= known == 1;
    if (!condition->left_out)
        r->head = condition->before;
}

/* `"a.h"` or `<a.h>`; a file name from a macro is unknown. */
static void take_inclusion(struct reader *r, struct str rest)
{
    struct declarations *list = r->list;
    char end = rest.len && rest.ptr[0] == '<' ? '>' : '"';
    size_t length = str_find_char(str_from(rest, 1), end);
    if (rest.len < 3 || (rest.ptr[0] != '<' && rest.ptr[0] != '"') || length == STR_NONE || length == 0)
        return;
    *MEM_ADD(list->inclusions, list->inclusion_count, list->inclusion_cap) =
        (struct inclusion){.name = str_sub(rest, 1, 1 + length), .quoted = end == '"'};
}

static void take_directive(struct reader *r, struct str directive)
{
    struct str rest, name = cxx_word(str_trim(str_from(directive, 1)), &rest); /* of `# include <a.h>` */
    if (str_starts(name, STR("if")))
        open_condition(r, str_eq(name, STR("if")) ? constant_condition(rest) : -1);
    else if (str_starts(name, STR("el")) && r->depth > 0)
        next_branch(r, str_eq(name, STR("elif")) ? constant_condition(rest) : -1);
    else if (str_eq(name, STR("endif")) && r->depth > 0)
        r->depth--;
    else if (str_eq(name, STR("include")) && !is_left_out(r))
        take_inclusion(r, rest);
}

/* ---- the whole text --------------------------------------------------------------------------------------------- */

void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena)
{
    struct reader r = {.list = list, .arena = arena, .file = file, .waiting = list->suppressions.count};
    struct cxx cxx = cxx_of(text, cxx_is_word);
    for (struct cxx_token token; cxx_next(&cxx, &token);) {
        if (token.kind == CXX_DIRECTIVE)
            take_directive(&r, token.text);
        else if (is_left_out(&r))
            continue;
        else if (token.kind == CXX_COMMENT)
            take_comment(&r, &token);
        else
            take_token(&r, &token);
    }
    give_up_waiting(&r);
    free(r.conditions);
}

void declarations_free(struct declarations *list)
{
    free(list->items);
    free(list->suppressions.items);
    free(list->inclusions);
    *list = (struct declarations){0};
}
