/*
 * The text is a row of declarations, each up to its ';' or its '{'. Only what is directly in a namespace (or in extern
 * "C") can be a kernel, so every other pair of braces is passed over, and so is what is in parentheses, in brackets and
 * in template arguments: the name of a function is the last word in front of parentheses. Where #else begins the text
 * again, the reader goes back to what it knew at #if: braces that two branches open alike are then counted once.
 */
#include "nvcc/declaration.h"

#include "base/buf.h"

#include <stdlib.h>

/* A namespace or the braces of extern "C". */
struct scope {
    const struct scope *parent; /* NULL: the text itself */
    struct str name;            /* "a::b" where it was opened so; empty: no namespace */
    bool c_linkage;             /* of what is in it */
};

/* What came last in a declaration, as far as the next token depends on it. */
enum last { LAST_OTHER, LAST_NAME, LAST_COLONS, LAST_ARGUMENTS, LAST_GROUP, LAST_TEMPLATE, LAST_EXTERN, LAST_LANGUAGE };

/* The declaration at hand. */
struct head {
    bool any;            /* token */
    enum last last;      /* LAST_GROUP: of parentheses behind a name */
    struct str name;     /* the last one, "a::b" where it is qualified */
    uint32_t line;       /* of the name's last word */
    struct str function; /* the last name in front of parentheses; empty: none */
    uint32_t function_line;
    bool global;      /* it has __global__ */
    bool c_linkage;   /* extern "C" of its own */
    bool is_template; /* or the specialisation of one */
    bool is_namespace;
    bool is_other;    /* typedef, using, an explicit instantiation */
    bool initialised; /* behind a '=' */
};

/* What depends on the braces read so far. */
struct position {
    const struct scope *scope;
    size_t passed_over; /* open braces of something that holds no kernels */
    size_t nested;      /* open parentheses, brackets and the braces in them */
    size_t angles;      /* open '<' of template parameters or arguments */
    struct head head;
};

struct condition {
    struct position before;
    bool left_out;              /* this branch */
    bool decided;               /* all branches behind it are left out: one was the right one, or none is */
    const char *begin, *branch; /* where its text and that of this branch begin */
    size_t first, branch_first; /* declaration of each */
};

struct reader {
    struct declarations *list;
    struct arena *arena;
    uint32_t file;
    struct position now;
    struct condition *conditions;
    size_t depth, condition_cap;
    size_t waiting;     /* the first of the suppressions in comments that may be above a kernel */
    uint32_t last;      /* the last kernel */
    uint32_t last_line; /* of its ';' or of one of its braces; 0: there is none */
    bool in_last;       /* the braces that are passed over are its body */
};

static bool is_mark(const struct cxx_token *token, char c)
{
    return token->kind == CXX_MARK && token->text.ptr[0] == c;
}

/* ---- exceptions ------------------------------------------------------------------------------------------------- */

/* Those from `from` on are of that declaration. */
static void give(struct reader *r, size_t from, uint32_t declaration)
{
    for (size_t at = from; at < r->list->suppressions.count; at++) {
        struct suppression *suppression = &r->list->suppressions.items[at];
        if (suppression->problem.len == 0 && suppression->declaration == UINT32_MAX)
            suppression->declaration = declaration;
    }
}

/* No kernel came behind the comments that wait. */
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
        give(r, first, r->last);
    else if (r->now.passed_over)
        give_up_waiting(r);
}

/* ---- inside one declaration ------------------------------------------------------------------------------------- */

/* Words that parentheses may follow and that name no function. */
static bool names_nothing(struct str word)
{
    return str_is_one_of(word, "__align__ __attribute __attribute__ __block_size__ __cluster_dims__ __declspec "
                               "__launch_bounds__ __maxnreg__ alignas decltype noexcept operator requires void");
}

static void take_word(struct reader *r, const struct cxx_token *token)
{
    struct head *head = &r->now.head;
    struct str word = token->text;
    bool qualified = head->last == LAST_COLONS && head->name.len;
    if (str_eq(word, STR("inline"))) /* namespace a::inline b */
        return;
    head->last = str_eq(word, STR("template"))                           ? LAST_TEMPLATE
                 : str_eq(word, STR("extern"))                           ? LAST_EXTERN
                 : str_eq(word, STR("namespace")) || names_nothing(word) ? LAST_OTHER
                                                                         : LAST_NAME;
    head->global |= str_eq(word, STR("__global__"));
    head->is_other |= str_eq(word, STR("typedef")) || str_eq(word, STR("using"));
    head->is_namespace |= str_eq(word, STR("namespace"));
    if (str_eq(word, STR("namespace")))
        head->name = STR("");
    if (head->last != LAST_NAME)
        return;
    head->name = qualified ? arena_fmt(r->arena, "%.*s::%.*s", STR_ARG(head->name), STR_ARG(word)) : word;
    head->line = token->line;
}

/* What comes before __global__ with parentheses is a macro, or this is another function: the kernel is not the next
 * thing behind a comment above it. */
static void take_parenthesis(struct reader *r)
{
    struct head *head = &r->now.head;
    bool named = head->last == LAST_NAME || head->last == LAST_ARGUMENTS;
    if (named && !head->global)
        give_up_waiting(r);
    if (named) {
        head->function = head->name;
        head->function_line = head->line;
        head->is_template |= head->last == LAST_ARGUMENTS;
    } else if (head->last == LAST_GROUP) {
        head->function = STR(""); /* NAME(x)(int n): a macro makes it */
    }
    head->last = named ? LAST_GROUP : LAST_OTHER;
    r->now.nested = 1;
}

static void take_part(struct reader *r, const struct cxx_token *token)
{
    struct head *head = &r->now.head;
    bool angle = is_mark(token, '<');
    head->any = true;
    head->is_other |= head->last == LAST_TEMPLATE && !angle;
    if (token->kind == CXX_WORD) {
        take_word(r, token);
    } else if (is_mark(token, '(')) {
        take_parenthesis(r);
    } else if (angle && !head->initialised && (head->last == LAST_TEMPLATE || head->last == LAST_NAME)) {
        head->is_template |= head->last == LAST_TEMPLATE;
        head->last = head->last == LAST_TEMPLATE ? LAST_OTHER : LAST_ARGUMENTS;
        r->now.angles = 1;
    } else if (str_eq(token->text, STR("::"))) {
        if (head->last != LAST_NAME)
            head->name = STR("");
        head->last = LAST_COLONS;
    } else if (token->kind == CXX_LITERAL && head->last == LAST_EXTERN) {
        head->c_linkage = str_eq(token->text, STR("\"C\""));
        head->last = LAST_LANGUAGE;
    } else {
        head->initialised |= is_mark(token, '=');
        r->now.nested = is_mark(token, '[');
        head->last = LAST_OTHER;
    }
}

/* ---- the ends of declarations ----------------------------------------------------------------------------------- */

static void clear(struct reader *r)
{
    r->now.nested = r->now.angles = 0;
    r->now.head = (struct head){0};
}

/* The namespaces from the outermost on, each with "::" behind it. */
static void add_namespaces(const struct scope *scope, struct buf *name)
{
    if (!scope)
        return;
    add_namespaces(scope->parent, name);
    if (scope->name.len)
        buf_fmt(name, "%.*s::", STR_ARG(scope->name));
}

static struct str function_name(const struct reader *r)
{
    const struct head *head = &r->now.head;
    const struct scope *scope = r->now.scope;
    struct buf name = {0};
    if (!head->c_linkage && scope && !scope->c_linkage)
        add_namespaces(scope, &name);
    buf_fmt(&name, "%.*s%s", STR_ARG(head->function), head->is_template ? "<>" : "");
    return arena_take(r->arena, &name);
}

/* At its ';' or before its body. */
static void end_declaration(struct reader *r, bool body, uint32_t line)
{
    const struct head *head = &r->now.head;
    r->in_last = head->global && head->function.len && !head->is_other;
    if (!r->in_last) {
        if (head->any) /* "};" ends nothing new */
            give_up_waiting(r);
        return;
    }
    struct declarations *list = r->list;
    *MEM_ADD(list->items, list->count, list->cap) = (struct declaration){
        .name = function_name(r), .line = head->function_line, .file = r->file, .is_definition = body};
    r->last = (uint32_t)list->count - 1;
    r->last_line = line;
    give(r, r->waiting, r->last);
    r->waiting = list->suppressions.count;
}

static void open_scope(struct reader *r)
{
    const struct head *head = &r->now.head;
    struct scope *scope = arena_alloc(r->arena, sizeof *scope);
    *scope = (struct scope){.parent = r->now.scope, .c_linkage = r->now.scope && r->now.scope->c_linkage};
    if (head->last == LAST_LANGUAGE)
        scope->c_linkage = head->c_linkage;
    else
        scope->name = head->name.len ? head->name : STR("(anonymous namespace)");
    r->now.scope = scope;
    give_up_waiting(r);
}

static void open_brace(struct reader *r, uint32_t line)
{
    if (r->now.head.last == LAST_LANGUAGE || r->now.head.is_namespace) {
        open_scope(r);
    } else {
        end_declaration(r, true, line);
        r->now.passed_over = 1;
    }
    clear(r);
}

static void close_brace(struct reader *r)
{
    if (r->now.scope)
        r->now.scope = r->now.scope->parent;
    give_up_waiting(r);
    clear(r);
}

/* Of something that holds no kernels. */
static void pass_over(struct reader *r, const struct cxx_token *token)
{
    r->now.passed_over += is_mark(token, '{');
    r->now.passed_over -= is_mark(token, '}');
    if (r->now.passed_over == 0 && r->in_last)
        r->last_line = token->line;
}

/* In parentheses, brackets or template arguments. */
static void pass_over_nested(struct reader *r, const struct cxx_token *token)
{
    size_t *nested = &r->now.nested;
    if (*nested == 0) {
        r->now.angles += is_mark(token, '<');
        r->now.angles -= is_mark(token, '>');
    }
    *nested += is_mark(token, '(') || is_mark(token, '[') || is_mark(token, '{');
    *nested -= *nested && (is_mark(token, ')') || is_mark(token, ']') || is_mark(token, '}'));
}

static void take_token(struct reader *r, const struct cxx_token *token)
{
    if (r->now.passed_over) {
        pass_over(r, token);
    } else if (is_mark(token, ';')) {
        end_declaration(r, false, token->line);
        clear(r);
    } else if (is_mark(token, '}') && r->now.nested == 0) {
        close_brace(r);
    } else if (r->now.nested || r->now.angles) {
        pass_over_nested(r, token);
    } else if (is_mark(token, '{')) {
        open_brace(r, token->line);
    } else {
        take_part(r, token);
    }
}

/* ---- the preprocessor ------------------------------------------------------------------------------------------- */

/* 0 or 1 where the condition says so itself, else -1. */
static int constant(struct str condition)
{
    struct str rest, word = cxx_word(condition, &rest);
    if (rest.len && rest.ptr[0] != '/' && rest.ptr[0] != '\r') /* more than a comment */
        return -1;
    if (str_eq(word, STR("0")) || str_eq(word, STR("false")))
        return 0;
    return str_eq(word, STR("1")) || str_eq(word, STR("true")) ? 1 : -1;
}

static bool is_left_out(const struct reader *r)
{
    return r->depth > 0 && r->conditions[r->depth - 1].left_out;
}

static void open_condition(struct reader *r, const char *at, int known)
{
    struct condition condition = {.before = r->now,
                                  .left_out = is_left_out(r) || known == 0,
                                  .decided = is_left_out(r) || known == 1,
                                  .begin = at,
                                  .branch = at,
                                  .first = r->list->count,
                                  .branch_first = r->list->count};
    *MEM_ADD(r->conditions, r->depth, r->condition_cap) = condition;
}

static bool holds_word(const char *begin, const char *end, struct str word)
{
    struct str text = {begin, (size_t)(end - begin)};
    for (size_t at; word.len && (at = str_find(text, word)) != STR_NONE; text = str_from(text, at + word.len)) {
        const char *place = text.ptr + at, *behind = place + word.len;
        if ((place == begin || !cxx_is_word(place[-1])) && (behind == end || !cxx_is_word(*behind)))
            return true;
    }
    return false;
}

/* What is declared in one branch and named in another may be made by a macro there. */
static void end_branch(struct reader *r, struct condition *condition, const char *end)
{
    enum { MOST_TEXT = 1 << 26 }; /* that is looked through: beyond it nothing is sure */
    const bool huge = (r->list->count - condition->first) * (size_t)(end - condition->begin) > MOST_TEXT;
    for (size_t at = condition->first; at < r->list->count; at++) {
        struct declaration *found = &r->list->items[at];
        const bool own = at >= condition->branch_first;
        size_t scope = str_rfind(found->name, STR("::"));
        struct str name = scope == STR_NONE ? found->name : str_from(found->name, scope + 2);
        name = str_sub(name, 0, str_find_char(name, '<'));
        found->is_unsure |= huge  ? true
                            : own ? holds_word(condition->begin, condition->branch, name)
                                  : holds_word(condition->branch, end, name);
    }
    condition->branch = end;
    condition->branch_first = r->list->count;
}

/* #elif, #else */
static void next_branch(struct reader *r, const char *at, int known)
{
    if (r->depth == 0)
        return;
    struct condition *condition = &r->conditions[r->depth - 1];
    end_branch(r, condition, at);
    condition->left_out = condition->decided || known == 0;
    condition->decided |= known == 1;
    if (!is_left_out(r))
        r->now = condition->before;
}

static void close_condition(struct reader *r, const char *at)
{
    struct condition *condition = &r->conditions[--r->depth];
    if (condition->branch != condition->begin) /* else it has one branch */
        end_branch(r, condition, at);
}

/* `"a.h"` or `<a.h>`; what a macro gives is not known. */
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
        open_condition(r, directive.ptr, str_eq(name, STR("if")) ? constant(rest) : -1);
    else if (str_starts(name, STR("el")))
        next_branch(r, directive.ptr, str_eq(name, STR("elif")) ? constant(rest) : -1);
    else if (str_eq(name, STR("endif")) && r->depth > 0)
        close_condition(r, directive.ptr);
    else if (str_eq(name, STR("include")) && !is_left_out(r))
        take_inclusion(r, rest);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

void declarations_read(struct declarations *list, struct str text, uint32_t file, struct arena *arena)
{
    struct reader r = {.list = list, .arena = arena, .file = file, .waiting = list->suppressions.count};
    struct cxx cxx = cxx_of(text);
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
