/*
 * place: finds the source place of a message: "file(line): warning #20058-D: text" (EDG, MSVC),
 * "file:line:column: warning: text" (clang, gcc), "remark: file:line:column: text" (cicc), "file(line): Advisory: text"
 * (Open64).
 */
#include "base/diag.h"
#include "log/line.h"

static const struct {
    struct str word;
    int severity;
} severities[] = {
    {STR_INIT("warning"), SEVERITY_WARNING},
    {STR_INIT("Warning"), SEVERITY_WARNING},
    {STR_INIT("error"), SEVERITY_ERROR},
    {STR_INIT("Error"), SEVERITY_ERROR},
    {STR_INIT("remark"), SEVERITY_NOTE},
    {STR_INIT("note"), SEVERITY_NOTE},
    {STR_INIT("Advisory"), SEVERITY_NOTE},
    {STR_INIT("fatal error"), SEVERITY_ERROR},
    {STR_INIT("catastrophic error"), SEVERITY_ERROR},
};

/* "warning #20058-D: text", "warning C4068: text", "error: text" */
static bool take_severity(struct str s, struct source_message *source_message)
{
    for (size_t at = 0; at < sizeof severities / sizeof *severities; at++) {
        struct str word = severities[at].word;
        if (!str_starts(s, word))
            continue;
        struct str rest = str_from(s, word.len);
        size_t colon = str_find(rest, STR(": "));
        bool code = rest.len > 1 && rest.ptr[0] == ' ' && (rest.ptr[1] == '#' || rest.ptr[1] == 'C');
        if (colon == STR_NONE || (colon > 0 && !code))
            return false;
        source_message->severity = severities[at].severity;
        source_message->text = str_trim(str_from(rest, colon + 2));
        return true;
    }
    return false;
}

/* Splits "file:line:column" or "file:line" from the right; the colon of a drive letter has no digits after it. */
static bool take_colons(struct str s, struct source_message *source_message)
{
    uint64_t number[2] = {0, 0};
    size_t count = 0;
    while (count < 2) {
        size_t colon = str_rfind(s, STR(":"));
        uint64_t value = 0;
        if (colon == STR_NONE || !str_to_uint(str_from(s, colon + 1), &value))
            break;
        number[count++] = value;
        s = str_sub(s, 0, colon);
    }
    source_message->file = s;
    source_message->line = count == 2 ? number[1] : number[0];
    source_message->column = count == 2 ? number[0] : 0;
    return count > 0 && s.len > 0;
}

static bool take_parenthesis(struct str s, struct source_message *source_message)
{
    size_t open = str_ends(s, STR(")")) ? str_rfind(s, STR("(")) : STR_NONE;
    if (open == STR_NONE || open == 0)
        return false;
    source_message->file = str_sub(s, 0, open);
    source_message->column = 0;
    return str_to_uint(str_sub(s, open + 1, s.len - 1), &source_message->line);
}

static bool take_file(struct str s, struct source_message *source_message)
{
    return take_parenthesis(s, source_message) || take_colons(s, source_message);
}

bool place_find(struct str line, struct source_message *source_message)
{
    if (str_starts(line, STR("remark: "))) {
        struct str rest = str_from(line, 8);
        size_t colon = str_find(rest, STR(": "));
        source_message->severity = SEVERITY_NOTE;
        source_message->text = str_trim(str_from(rest, colon == STR_NONE ? rest.len : colon + 2));
        return colon != STR_NONE && take_file(str_sub(rest, 0, colon), source_message);
    }
    for (size_t from = 0;;) {
        size_t colon = str_find(str_from(line, from), STR(": "));
        if (colon == STR_NONE)
            return false;
        from += colon;
        if (take_file(str_sub(line, 0, from), source_message) &&
            take_severity(str_from(line, from + 2), source_message))
            return true;
        from += 2;
    }
}
