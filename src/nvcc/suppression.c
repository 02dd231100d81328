#include "nvcc/suppression.h"

#include "base/buf.h"
#include "base/date.h"

#define MARK STR("warplint:")

struct parser {
    const struct cxx_token *comment;
    size_t at, end; /* in bytes of the comment: the current position, the end */
    struct arena *arena;
    struct suppressions *list;
    size_t first; /* index in the list of the first suppression of this exception */
    struct str reason, until;
};

static struct suppression *add(struct parser *p, size_t at)
{
    struct str before = str_sub(p->comment->text, 0, at);
    uint32_t line = p->comment->line, column = p->comment->column + (uint32_t)at;
    for (size_t end; (end = str_find_char(before, '\n')) != STR_NONE; line++) {
        before = str_from(before, end + 1);
        column = (uint32_t)before.len + 1;
    }
    struct suppressions *list = p->list;
    struct suppression *added = MEM_ADD(list->items, list->count, list->cap);
    *added = (struct suppression){.line = line, .column = column, .declaration = UINT32_MAX};
    return added;
}

/* The text from the current position to the next blank, for messages. */
static struct str shown(const struct parser *p)
{
    enum { LONGEST_SHOWN = 40 };
    struct str rest = str_sub(p->comment->text, p->at, p->end);
    size_t length = 0;
    while (length < rest.len && length < LONGEST_SHOWN && (unsigned char)rest.ptr[length] > ' ')
        length++;
    return utf8_front(rest, length);
}

static bool fail(struct parser *p, const char *expected)
{
    struct str found = shown(p);
    p->list->count = p->first;
    add(p, p->at)->problem =
        found.len
            ? arena_fmt(p->arena, "this exception allows nothing: found '%.*s', expected %s", STR_ARG(found), expected)
            : arena_fmt(p->arena, "this exception allows nothing: the comment ends, expected %s", expected);
    return false;
}

/* ---- characters ------------------------------------------------------------------------------------------------- */

static char here(const struct parser *p)
{
    return p->at < p->end ? p->comment->text.ptr[p->at] : '\0';
}

/* Skips blanks and line ends, and the stars that begin the lines of a block comment. Returns true if a line ended. */
static bool skip_blanks(struct parser *p)
{
    bool line_begins = false;
    for (; p->at < p->end && (is_white_space(here(p)) || (line_begins && here(p) == '*')); p->at++)
        line_begins |= here(p) == '\n';
    return line_begins;
}

static bool take(struct parser *p, char c)
{
    skip_blanks(p);
    if (here(p) != c)
        return false;
    p->at++;
    return true;
}

static struct str take_word(struct parser *p)
{
    size_t from = p->at;
    while (cxx_is_word(here(p)) || here(p) == '-')
        p->at++;
    return str_sub(p->comment->text, from, p->at);
}

/* ---- the parts of an exception ---------------------------------------------------------------------------------- */

static bool read_rules(struct parser *p)
{
    do {
        skip_blanks(p);
        size_t at = p->at;
        struct str rule = take_word(p);
        if (rule.len == 0)
            return fail(p, "the id of a rule");
        add(p, at)->rule = rule;
    } while (take(p, ','));
    return take(p, ')') || fail(p, "',' and another rule, or ')'");
}

/* Reads the text between the quotes; a line end with the blanks around it becomes one blank. */
static bool read_reason(struct parser *p)
{
    SCOPED(buf) text = {0};
    size_t from = p->at;
    if (here(p) != '"')
        return fail(p, "the reason in double quotes");
    for (p->at++; p->at < p->end && here(p) != '"'; p->at++) {
        if (here(p) == '\n' || here(p) == '\r') {
            skip_blanks(p);
            p->at--;
            buf_char(&text, ' ');
            continue;
        }
        if (here(p) == '\\' && p->at + 1 < p->end)
            p->at++;
        buf_char(&text, here(p));
    }
    p->reason = arena_str(p->arena, str_trim(buf_str(&text)));
    bool ends = p->at++ < p->end;
    if (ends && p->reason.len)
        return true;
    p->at = from;
    return fail(p, ends ? "the reason, in words" : "a '\"' that ends the reason");
}

static bool read_day(struct parser *p)
{
    int64_t day = 0;
    size_t from = p->at;
    p->until = take_word(p);
    if (date_parse(p->until, &day))
        return true;
    p->at = from;
    return fail(p, "a day like 2027-06-30");
}

static bool read_pair(struct parser *p)
{
    size_t from = p->at;
    struct str key = take_word(p);
    bool reason = str_eq(key, STR("reason")), until = str_eq(key, STR("until"));
    bool again = (reason && p->reason.len) || (until && p->until.len);
    if ((!reason && !until) || again) {
        p->at = from;
        return fail(p,
                    again ? "each of reason and until once" : "reason=\"...\", until=YEAR-MONTH-DAY or nothing more");
    }
    if (!take(p, '='))
        return fail(p, reason ? "= and the reason in double quotes" : "= and a day like 2027-06-30");
    skip_blanks(p);
    return reason ? read_reason(p) : read_day(p);
}

/* A new line that begins with none of our keys is other text of the comment. */
static bool has_more(struct parser *p)
{
    bool new_line = skip_blanks(p);
    struct str rest = str_sub(p->comment->text, p->at, p->end);
    return rest.len && (!new_line || str_starts(rest, STR("reason")) || str_starts(rest, STR("until")));
}

/* Reads one exception after the mark. */
static void read_one(struct parser *p)
{
    size_t mark = p->at - MARK.len;
    skip_blanks(p);
    size_t word = p->at;
    if (!str_eq(take_word(p), STR("allow"))) {
        p->at = word;
        fail(p, "allow(RULE, ...) reason=\"...\"");
        return;
    }
    bool ok = take(p, '(') ? read_rules(p) : fail(p, "'(' and the rules");
    while (ok && has_more(p))
        ok = read_pair(p);
    if (ok && p->reason.len == 0) {
        p->list->count = p->first;
        add(p, mark)->problem =
            STR("this exception allows nothing without a reason: expected reason=\"...\" behind the rules");
        return;
    }
    for (size_t at = p->first; ok && at < p->list->count; at++) {
        p->list->items[at].reason = p->reason;
        p->list->items[at].until = p->until;
    }
}

/* Refuses `warplint allow(`, `warplint : allow(` and `Warplint: allow(`; other text behind the name is a comment. */
static void refuse_other_mark(struct parser *p)
{
    while (here(p) == ' ' || here(p) == ':' || here(p) == '-')
        p->at++;
    const size_t word = p->at;
    if (!str_eq(take_word(p), STR("allow")) || !take(p, '('))
        return;
    p->at = word;
    fail(p, "'warplint:' in front of it, as in `warplint: allow(RULE, ...) reason=\"...\"`");
}

/* Only blanks and the characters of comment delimiters precede the position in its line. */
static bool begins_line(struct str text, size_t at)
{
    while (at > 0 && text.ptr[at - 1] != '\n') {
        char c = text.ptr[--at];
        if (!is_white_space(c) && c != '/' && c != '*' && c != '!' && c != '<')
            return false;
    }
    return true;
}

void suppressions_read(const struct cxx_token *comment, struct arena *arena, struct suppressions *list)
{
    struct parser p = {.comment = comment, .end = comment->text.len, .arena = arena, .list = list};
    if (str_starts(comment->text, STR("/*")) && p.end >= 4 && str_ends(comment->text, STR("*/")))
        p.end -= 2;
    for (size_t found; (found = str_find(str_sub(comment->text, p.at, p.end), STR("arplint"))) != STR_NONE;) {
        const size_t name = p.at + found - 1; /* a comment begins with a slash */
        p.at = name + MARK.len - 1;
        if (!begins_line(comment->text, name))
            continue;
        p.first = list->count;
        p.reason = p.until = (struct str){"", 0};
        if (str_starts(str_sub(comment->text, name, p.end), MARK)) {
            p.at++;
            read_one(&p);
        } else {
            refuse_other_mark(&p);
        }
    }
}
