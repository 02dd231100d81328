#include "report/rule_help.h"

#include "report/markup.h"

static size_t find_tick(struct str text, size_t from)
{
    while (from < text.len && text.ptr[from] != '`')
        from++;
    return from < text.len ? from : text.len;
}

void prose(struct str text, void (*plain)(struct str text, struct buf *out),
           void (*code)(struct str text, struct buf *out), struct buf *out)
{
    while (text.len) {
        size_t open = find_tick(text, 0), close = find_tick(text, open + 1);
        bool is_code = open == 0 && close > 1 && close < text.len && !memchr(text.ptr, '\n', close);
        struct str piece = str_sub(text, is_code, open ? open : close);
        text = str_from(text, is_code + piece.len + is_code);
        (is_code ? code : plain)(piece, out);
    }
}

static void escape_prose(struct str text, struct buf *out)
{
    backslash_text(text, "\\`*_<>[]|#", out);
}

static void add_code(struct str text, struct buf *out)
{
    buf_fmt(out, "`%.*s`", STR_ARG(text));
}

void markdown_prose(struct str text, struct buf *out)
{
    prose(text, escape_prose, add_code, out);
}

struct str rule_prose(struct str text)
{
    text = str_trim(text);
    while (text.len && text.ptr[text.len - 1] == '\n')
        text.len--;
    return text;
}

static void add_paragraph(const char *head, struct str text, struct buf *out)
{
    text = rule_prose(text);
    if (!text.len)
        return;
    buf_fmt(out, "\n**%s.** ", head);
    markdown_prose(text, out);
    buf_char(out, '\n');
}

void rule_severities(const struct rule *rule, struct buf *out)
{
    buf_add(out, str_of(severity_names[rule->severity]));
    for (int lower = (int)rule->severity - 1; lower > SEVERITY_OFF; lower--) {
        size_t at = 0;
        while (at < rule->case_count && (int)rule_case_severity(rule, at) != lower)
            at++;
        if (at < rule->case_count)
            buf_fmt(out, ", %s", severity_names[lower]);
    }
}

static void add_params(const struct rule *rule, struct buf *out)
{
    if (rule->scope.param_count)
        buf_add(out, STR("\n**Parameters.** "));
    for (size_t at = 0; at < rule->scope.param_count; at++) {
        buf_fmt(out, "%s`%.*s: ", at ? ", " : "", STR_ARG(rule->scope.params[at].name));
        value_print(&rule->scope.params[at].value, (enum unit)rule->scope.params[at].unit, out);
        buf_char(out, '`');
    }
    if (rule->scope.param_count)
        buf_char(out, '\n');
}

static void add_ids(const char *head, const struct str_list *ids, struct buf *out)
{
    if (ids->count)
        buf_fmt(out, "\n%s: ", head);
    for (size_t at = 0; at < ids->count; at++)
        buf_fmt(out, "%s`%.*s`", at ? ", " : "", STR_ARG(ids->items[at]));
    if (ids->count)
        buf_char(out, '\n');
}

void rule_help_markdown(const struct rule *rule, struct buf *out)
{
    add_paragraph("Why", rule->why, out);
    add_paragraph("What to do", rule->hint, out);
    add_params(rule, out);
    add_ids("**Not reported** if one of these reports the same kernel at the same or a higher severity",
            &rule->superseded_by, out);
    add_ids("**Exceptions** of these count here, too", &rule->exceptions_of, out);
}

static bool is_url(struct str text)
{
    return str_starts(text, STR("https://")) || str_starts(text, STR("http://"));
}

void rule_links_markdown(const struct rule *rule, struct buf *out)
{
    for (size_t at = 0; at < rule->see.count; at++) {
        buf_add(out, at ? STR("- ") : STR("\nSee:\n\n- "));
        if (is_url(rule->see.items[at]))
            buf_fmt(out, "<%.*s>", STR_ARG(rule->see.items[at]));
        else
            markdown_prose(rule->see.items[at], out);
        buf_char(out, '\n');
    }
}

struct str rule_url(const struct rule *rule)
{
    for (size_t at = 0; at < rule->see.count; at++)
        if (is_url(rule->see.items[at]))
            return rule->see.items[at];
    return (struct str){"", 0};
}

void rule_help_text(const struct rule *rule, struct buf *out)
{
    const struct str why = rule_prose(rule->why.len ? rule->why : rule->title), hint = rule_prose(rule->hint);
    buf_fmt(out, "%.*s\n", STR_ARG(why));
    if (rule->hint.len)
        buf_fmt(out, "\nWhat to do: %.*s\n", STR_ARG(hint));
    for (size_t at = 0; at < rule->see.count; at++)
        buf_fmt(out, "%s%.*s\n", at ? "" : "\n", STR_ARG(rule->see.items[at]));
}

struct str rule_sites_sentence(const struct rule *rule)
{
    static const struct str sentences[] = {
        [SITES_NONE] = {NULL, 0},
        [SITES_SPILL] = STR_INIT("Reports list the lines that spill, and the loops around them, where a binary with "
                                 "line information (-lineinfo) is given beside the log."),
        [SITES_ARRAY] = STR_INIT("Reports list the lines that access arrays in local memory, and the loops around "
                                 "them, where a binary with line information (-lineinfo) is given beside the log."),
    };
    return sentences[rule->sites];
}
