/*
 * tag: finds the tool, the severity and the place of a message. The tools pad the severity to eight columns
 * ("ptxas info    : "); copies on the web collapse the blanks, old versions write "ptxas : info :", and a message with
 * a place is "ptxas FILE, line N; warning : ". The text decides which message it is; the severity is not needed for
 * that.
 */
#include "base/diag.h"
#include "log/line.h"

static const struct {
    struct str word;
    int severity;
} severities[] = {
    {STR_INIT("info"), SEVERITY_NOTE},    {STR_INIT("warning"), SEVERITY_WARNING}, {STR_INIT("warn"), SEVERITY_WARNING},
    {STR_INIT("error*"), SEVERITY_ERROR}, {STR_INIT("error"), SEVERITY_ERROR},     {STR_INIT("fatal"), SEVERITY_ERROR},
};

static const struct {
    struct str word; /* its first two letters must be in may_begin */
    enum tool tool;
} tools[] = {
    {STR_INIT("ptxas-blackwell"), TOOL_PTXAS}, {STR_INIT("ptxas"), TOOL_PTXAS},
    {STR_INIT("nvlink"), TOOL_NVLINK},         {STR_INIT("nvcc"), TOOL_NVCC},
    {STR_INIT("fatbinary"), TOOL_FATBINARY},
};

/* Takes "info    : text": the severity, and the text after its colon. */
static bool take_severity(struct str s, int *severity, struct str *text)
{
    for (size_t at = 0; at < sizeof severities / sizeof *severities; at++) {
        struct str word = severities[at].word;
        if (!str_starts(s, word))
            continue;
        struct str rest = str_skip_blanks(str_from(s, word.len));
        if (rest.len == 0 || rest.ptr[0] != ':')
            continue;
        *severity = severities[at].severity;
        *text = str_skip_blanks(str_from(rest, 1));
        return true;
    }
    return false;
}

/* "FILE, line 36; warning : text" */
static bool take_place(struct str s, struct tag *tag)
{
    size_t semicolon = str_find(s, STR("; "));
    size_t comma = str_rfind(str_sub(s, 0, semicolon), STR(", line "));
    if (semicolon == STR_NONE || comma == STR_NONE)
        return false;
    struct str digits = str_sub(s, comma + 7, semicolon);
    if (!str_to_uint(digits, &tag->line) || !take_severity(str_from(s, semicolon + 2), &tag->severity, &tag->text))
        return false;
    tag->file = str_sub(s, 0, comma);
    return true;
}

/* Takes the text after the name of the tool. */
static bool take_rest(struct str s, struct tag *tag)
{
    struct str rest = str_skip_blanks(s);
    if (rest.len == s.len && !(rest.len && rest.ptr[0] == ':'))
        return false; /* a longer name: "ptxasw", "nvcc.exe" */
    if (rest.len && rest.ptr[0] == '.' && tag->tool == TOOL_PTXAS) {
        tag->severity = SEVERITY_NOTE;
        tag->text = str_skip_blanks(str_from(rest, 1));
        return true;
    }
    if (rest.len && rest.ptr[0] == ':')
        rest = str_skip_blanks(str_from(rest, 1));
    if (take_severity(rest, &tag->severity, &tag->text))
        return true;
    return take_place(rest, tag);
}

static bool tag_at(struct str line, size_t at, struct tag *tag)
{
    for (size_t n = 0; n < sizeof tools / sizeof *tools; n++) {
        struct str word = tools[n].word;
        if (line.ptr[at] != word.ptr[0] || !str_starts(str_from(line, at), word))
            continue;
        *tag = (struct tag){.tool = tools[n].tool};
        if (!take_rest(str_from(line, at + word.len), tag))
            continue;
        tag->glued =
            at > 0 && (is_ascii_letter(line.ptr[at - 1]) || is_digit(line.ptr[at - 1]) || line.ptr[at - 1] == '_');
        return true;
    }
    return false;
}

/* True if the name of a tool may begin here: the text has the first two letters of one. */
static inline bool may_begin(const char *at)
{
    return (at[0] == 'p' && at[1] == 't') || (at[0] == 'n' && at[1] == 'v') || (at[0] == 'f' && at[1] == 'a');
}

/* The first position from `at` on where may_begin is true; the length of the line if there is none. */
static size_t next_beginning(struct str line, size_t at)
{
    while (at + 1 < line.len && !may_begin(line.ptr + at))
        at++;
    return at + 1 < line.len ? at : line.len;
}

/* True if a tag is inside the text: two lines were written into one. */
static bool holds_tag(struct str text)
{
    struct tag tag;
    for (size_t at = next_beginning(text, 0); at < text.len; at = next_beginning(text, at + 1))
        if (text.ptr[at] != 'f' && tag_at(text, at, &tag))
            return true;
    return false;
}

bool tag_find(struct str line, struct tag *tag)
{
    for (size_t at = next_beginning(line, 0); at < line.len; at = next_beginning(line, at + 1)) {
        if (!tag_at(line, at, tag))
            continue;
        tag->glued = tag->glued || holds_tag(tag->text);
        return true;
    }
    /* The driver's linker names no tool: "info    : used 28 registers, ..." at the front of the line. */
    *tag = (struct tag){.tool = TOOL_DRIVER};
    return str_find(line, STR("info ")) != STR_NONE && take_severity(prefix_skip(line), &tag->severity, &tag->text);
}
