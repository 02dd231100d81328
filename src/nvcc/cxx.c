#include "nvcc/cxx.h"

bool cxx_is_word(char c)
{
    return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '$' || (c & 0x80);
}

struct cxx cxx_of(struct str text, bool (*is_word)(char c))
{
    return (struct cxx){.text = text, .line = 1, .is_word = is_word};
}

static char byte_at(const struct cxx *cxx, size_t at)
{
    return at < cxx->text.len ? cxx->text.ptr[at] : '\0';
}

/* Moves to the position `to` and counts the lines. */
static void advance(struct cxx *cxx, size_t to)
{
    size_t end = 0;
    while ((end = str_find_char(str_sub(cxx->text, cxx->at, to), '\n')) != STR_NONE) {
        cxx->at += end + 1;
        cxx->line++;
        cxx->line_start = cxx->at;
        cxx->in_line = false;
    }
    cxx->at = to;
}

/* ---- the end of a token: the position after its last byte, which may be after the text -------------------------- */

/* Length of the current byte, or of a backslash with the byte or line end that it escapes. */
static size_t step(const struct cxx *cxx, size_t at)
{
    if (byte_at(cxx, at) != '\\')
        return 1;
    return byte_at(cxx, at + 1) == '\r' && byte_at(cxx, at + 2) == '\n' ? 3 : 2;
}

static size_t line_end(const struct cxx *cxx, size_t at)
{
    while (at < cxx->text.len && byte_at(cxx, at) != '\n')
        at += step(cxx, at);
    return at;
}

static size_t offset_after(const struct cxx *cxx, size_t at, struct str end)
{
    return cxx->text.len - str_after(str_from(cxx->text, at), end).len;
}

/* A literal without a closing quote ends at the end of its line. */
static size_t quoted_end(const struct cxx *cxx, size_t at)
{
    char quote = byte_at(cxx, at++);
    while (at < cxx->text.len && byte_at(cxx, at) != quote && byte_at(cxx, at) != '\n')
        at += step(cxx, at);
    return byte_at(cxx, at) == quote ? at + 1 : at;
}

/* R"delimiter( ... )delimiter"; `quote` is the position of the first quote. */
static size_t raw_end(const struct cxx *cxx, size_t quote)
{
    enum { LONGEST_DELIMITER = 16 };
    char ending[LONGEST_DELIMITER + 2] = {')'};
    struct str delimiter = str_sub(cxx->text, quote + 1, quote + 1 + LONGEST_DELIMITER + 1);
    size_t length = str_find_char(delimiter, '(');
    if (length == STR_NONE)
        return quoted_end(cxx, quote);
    memcpy(ending + 1, delimiter.ptr, length);
    ending[1 + length] = '"';
    return offset_after(cxx, quote + 1 + length, (struct str){ending, length + 2});
}

static size_t directive_end(const struct cxx *cxx, size_t at)
{
    while (at < cxx->text.len && byte_at(cxx, at) != '\n') {
        char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
        if (c == '/' && next == '*')
            at = offset_after(cxx, at + 2, STR("*/"));
        else if (c == '/' && next == '/')
            return line_end(cxx, at);
        else
            at = c == '"' ? quoted_end(cxx, at) : at + step(cxx, at);
    }
    return at;
}

/* A number may contain apostrophes: 1'000'000ull */
static size_t word_end(const struct cxx *cxx, size_t at)
{
    bool number = is_digit(byte_at(cxx, at));
    while (cxx->is_word(byte_at(cxx, at)) || (number && byte_at(cxx, at) == '\'' && cxx->is_word(byte_at(cxx, at + 1))))
        at++;
    return at;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static bool is_blank(const struct cxx *cxx)
{
    char c = byte_at(cxx, cxx->at), next = byte_at(cxx, cxx->at + 1);
    return is_white_space(c) || (c == '\\' && (next == '\n' || next == '\r'));
}

/* The kind and the end of the token at the current position. */
static size_t measure(const struct cxx *cxx, uint8_t *kind)
{
    size_t at = cxx->at, word = word_end(cxx, at);
    char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
    *kind = CXX_COMMENT;
    if (c == '/' && next == '*')
        return offset_after(cxx, at + 2, STR("*/"));
    if (c == '/' && next == '/')
        return line_end(cxx, at);
    *kind = CXX_DIRECTIVE;
    if (c == '#' && !cxx->in_line)
        return directive_end(cxx, at);
    *kind = CXX_LITERAL;
    if (c == '"' || c == '\'')
        return quoted_end(cxx, at);
    if (word > at && byte_at(cxx, word) == '"' && byte_at(cxx, word - 1) == 'R')
        return raw_end(cxx, word);
    if (is_digit(c))
        return word;
    *kind = word > at ? CXX_WORD : CXX_MARK;
    return word > at ? word : at + (c == ':' && next == ':' ? 2 : 1);
}

bool cxx_next(struct cxx *cxx, struct cxx_token *token)
{
    while (is_blank(cxx))
        advance(cxx, cxx->at + 1);
    if (cxx->at >= cxx->text.len)
        return false;
    *token = (struct cxx_token){.line = cxx->line, .column = (uint32_t)(cxx->at - cxx->line_start + 1)};
    size_t end = measure(cxx, &token->kind);
    token->text = str_sub(cxx->text, cxx->at, end);
    advance(cxx, end < cxx->text.len ? end : cxx->text.len);
    cxx->in_line |= token->kind != CXX_COMMENT;
    return true;
}

struct str cxx_word(struct str text, struct str *rest)
{
    size_t end = str_span(text, cxx_is_word);
    *rest = str_trim(str_from(text, end));
    return str_sub(text, 0, end);
}
