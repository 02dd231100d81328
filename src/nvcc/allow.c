#include "nvcc/allow.h"

#include "base/buf.h"
#include "base/date.h"

#define MARK STR("warplint:")

enum { MOST_RULES = 64, LONGEST_SHOWN = 40 };

struct parser {
    const struct cxx_token *comment;
    size_t at, end; /* bytes of the comment */
    struct arena *arena;
    struct allow_notes *notes;
    struct str rules[MOST_RULES];
    size_t rule_at[MOST_RULES];
    size_t rule_count;
    struct str reason, until;
    bool failed;
};

/* ---- notes ------------------------------------------------------------------------------------------------------ */

static struct allow_note *add_note(struct parser *p, size_t at)
{
    struct str before = str_sub(p->comment->text, 0, at);
    size_t lines = 0, start = 0;
    for (size_t byte = 0; byte < before.len; byte++) {
        if (before.ptr[byte] != '\n')
            continue;
        lines++;
        start = byte + 1;
    }
    struct allow_notes *notes = p->notes;
    notes->items = mem_reserve(notes->items, &notes->cap, notes->count + 1, sizeof *notes->items);
    struct allow_note *note = &notes->items[notes->count++];
    *note = (struct allow_note){.line = p->comment->line + (uint32_t)lines,
                                .column = (uint32_t)(at - start + (lines ? 1 : p->comment->column))};
    return note;
}

/* The text at hand up to a blank, for messages. */
static struct str shown(const struct parser *p)
{
    struct str rest = str_sub(p->comment->text, p->at, p->end);
    size_t length = 0;
    while (length < rest.len && length < LONGEST_SHOWN && (unsigned char)rest.ptr[length] > ' ')
        length++;
    while (length > 0 && length < rest.len && (rest.ptr[length] & 0xc0) == 0x80)
        length--; /* whole characters */
    return str_sub(rest, 0, length);
}

static bool fail(struct parser *p, const char *expected)
{
    struct str found = shown(p);
    if (!p->failed && found.len)
        add_note(p, p->at)->problem =
            arena_fmt(p->arena, "this exception allows nothing: found '%.*s', expected %s", STR_ARG(found), expected);
    else if (!p->failed)
        add_note(p, p->at)->problem =
            arena_fmt(p->arena, "this exception allows nothing: the comment ends, expected %s", expected);
    p->failed = true;
    return false;
}

/* ---- bytes ------------------------------------------------------------------------------------------------------ */

static char here(const struct parser *p)
{
    return p->at < p->end ? p->comment->text.ptr[p->at] : '\0';
}

static bool is_blank(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Over blanks and line ends, with the stars that begin the lines of a block comment. True when a line ended. */
static bool skip_blanks(struct parser *p)
{
    bool line_begins = false;
    for (; p->at < p->end && (is_blank(here(p)) || (line_begins && here(p) == '*')); p->at++)
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

/* ---- the parts -------------------------------------------------------------------------------------------------- */

static bool read_rules(struct parser *p)
{
    do {
        skip_blanks(p);
        size_t at = p->at;
        struct str rule = take_word(p);
        if (rule.len == 0 || p->rule_count == MOST_RULES)
            return fail(p, rule.len ? "at most 64 rules" : "the id of a rule");
        p->rules[p->rule_count] = rule;
        p->rule_at[p->rule_count++] = at;
    } while (take(p, ','));
    return take(p, ')') || fail(p, "',' and another rule, or ')'");
}

/* What stands between the quotes; line ends with what belongs to them are one blank. */
static bool read_quoted(struct parser *p, struct str *into)
{
    struct buf text = {0};
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
    *into = arena_str(p->arena, str_trim(buf_str(&text)));
    buf_free(&text);
    if (p->at >= p->end) {
        p->at = from;
        return fail(p, "a '\"' that ends the reason");
    }
    p->at++;
    if (into->len == 0)
        p->at = from;
    return into->len > 0 || fail(p, "the reason, in words");
}

static bool read_day(struct parser *p)
{
    int64_t day = 0;
    size_t from = p->at;
    struct str word = take_word(p);
    if (date_parse(word, &day)) {
        p->until = arena_str(p->arena, word);
        return true;
    }
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
    return reason ? read_quoted(p, &p->reason) : read_day(p);
}

/* Another line that begins with none of our keys is other text of the comment. */
static bool has_more(struct parser *p)
{
    size_t from = p->at;
    bool new_line = skip_blanks(p);
    struct str rest = str_sub(p->comment->text, p->at, p->end);
    bool ours = str_starts(rest, STR("reason")) || str_starts(rest, STR("until"));
    if (rest.len && (!new_line || ours))
        return true;
    p->at = from;
    return false;
}

static void read_one(struct parser *p)
{
    size_t from = p->at;
    skip_blanks(p);
    size_t word_at = p->at;
    bool allow = str_eq(take_word(p), STR("allow"));
    if (!allow || !take(p, '(')) {
        p->at = allow ? p->at : word_at;
        fail(p, allow ? "'(' and the rules" : "allow(RULE, ...) reason=\"...\"");
        return;
    }
    bool ok = read_rules(p);
    while (ok && has_more(p))
        ok = read_pair(p);
    if (ok && p->reason.len == 0) {
        p->at = from;
        add_note(p, from - MARK.len)->problem =
            STR("this exception allows nothing without a reason: expected reason=\"...\" behind the rules");
    }
    for (size_t at = 0; ok && p->reason.len && at < p->rule_count; at++) {
        struct allow_note *note = add_note(p, p->rule_at[at]);
        note->rule = p->rules[at];
        note->reason = p->reason;
        note->until = p->until;
    }
}

/* Nothing but the signs of a comment stands before it in its line. */
static bool begins_line(struct str text, size_t at)
{
    while (at > 0 && text.ptr[at - 1] != '\n') {
        char c = text.ptr[--at];
        if (!is_blank(c) && c != '/' && c != '*' && c != '!' && c != '<')
            return false;
    }
    return true;
}

void allow_read(const struct cxx_token *comment, struct arena *arena, struct allow_notes *notes)
{
    struct str text = comment->text;
    bool block = str_starts(text, STR("/*"));
    size_t end = block && text.len >= 4 && str_ends(text, STR("*/")) ? text.len - 2 : text.len;
    for (size_t at = 0, found; (found = str_find(str_sub(text, at, end), MARK)) != STR_NONE;) {
        at += found;
        struct parser parser = {.comment = comment, .at = at + MARK.len, .end = end, .arena = arena, .notes = notes};
        if (begins_line(text, at))
            read_one(&parser);
        at = parser.at > at + MARK.len ? parser.at : at + MARK.len;
    }
}
