#include "nvcc/cxx.h"

bool cxx_is_word(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || is_digit(c) || c == '_' || c == '$' || (c & 0x80);
}

struct cxx cxx_of(struct str text)
{
    return (struct cxx){.text = text, .at = str_starts(text, STR("\xef\xbb\xbf")) ? 3 : 0, .line = 1};
}

static char byte_at(const struct cxx *cxx, size_t at)
{
    return at < cxx->text.len ? cxx->text.ptr[at] : '\0';
}

/* Moves on to `to`, counting lines. */
static void advance(struct cxx *cxx, size_t to)
{
    if (to > cxx->text.len)
        to = cxx->text.len;
    while (cxx->at < to) {
        size_t end = str_find_char(str_sub(cxx->text, cxx->at, to), '\n');
        if (end == STR_NONE)
            break;
        cxx->at += end + 1;
        cxx->line++;
        cxx->line_start = cxx->at;
        cxx->in_line = false;
    }
    cxx->at = to;
}

/* The bytes of a backslash with the line end behind it, or 0. */
static size_t splice_at(const struct cxx *cxx, size_t at)
{
    if (byte_at(cxx, at) != '\\')
        return 0;
    if (byte_at(cxx, at + 1) == '\n')
        return 2;
    return byte_at(cxx, at + 1) == '\r' && byte_at(cxx, at + 2) == '\n' ? 3 : 0;
}

/* ---- where something ends: the byte behind it ------------------------------------------------------------------- */

/* Before the line end that is not spliced away. */
static size_t line_end(const struct cxx *cxx, size_t at)
{
    while (at < cxx->text.len && byte_at(cxx, at) != '\n') {
        size_t splice = splice_at(cxx, at);
        at += splice ? splice : 1;
    }
    return at < cxx->text.len ? at : cxx->text.len;
}

static size_t block_comment_end(const struct cxx *cxx, size_t at)
{
    size_t end = str_find(str_from(cxx->text, at + 2), STR("*/"));
    return end == STR_NONE ? cxx->text.len : at + 2 + end + 2;
}

/* A literal without its second quote ends with its line. */
static size_t quoted_end(const struct cxx *cxx, size_t at)
{
    char quote = byte_at(cxx, at++);
    while (at < cxx->text.len && byte_at(cxx, at) != quote && byte_at(cxx, at) != '\n') {
        size_t splice = splice_at(cxx, at);
        at += splice ? splice : byte_at(cxx, at) == '\\' && byte_at(cxx, at + 1) != '\n' ? 2 : 1;
    }
    return byte_at(cxx, at) == quote ? at + 1 : at;
}

/* R"delimiter( ... )delimiter": from the quote. */
static size_t raw_end(const struct cxx *cxx, size_t at)
{
    enum { LONGEST_DELIMITER = 16 };
    char ending[LONGEST_DELIMITER + 2] = {')'};
    size_t length = 0;
    while (length < LONGEST_DELIMITER && byte_at(cxx, at + 1 + length) != '(' && at + 1 + length < cxx->text.len) {
        ending[1 + length] = byte_at(cxx, at + 1 + length);
        length++;
    }
    if (byte_at(cxx, at + 1 + length) != '(')
        return quoted_end(cxx, at);
    ending[1 + length] = '"';
    size_t end = str_find(str_from(cxx->text, at), (struct str){ending, length + 2});
    return end == STR_NONE ? cxx->text.len : at + end + length + 2;
}

static size_t word_end(const struct cxx *cxx, size_t at)
{
    while (at < cxx->text.len && cxx_is_word(byte_at(cxx, at)))
        at++;
    return at;
}

/* 0x1p-3, 1'000'000ull */
static size_t number_end(const struct cxx *cxx, size_t at)
{
    for (; at < cxx->text.len; at++) {
        char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
        if (!cxx_is_word(c) && c != '.' && !(c == '\'' && cxx_is_word(next)))
            break;
    }
    return at;
}

static size_t directive_end(const struct cxx *cxx, size_t at)
{
    while (at < cxx->text.len && byte_at(cxx, at) != '\n') {
        char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
        size_t splice = splice_at(cxx, at);
        if (c == '/' && next == '*')
            at = block_comment_end(cxx, at);
        else if (c == '/' && next == '/')
            return line_end(cxx, at);
        else if (c == '"')
            at = quoted_end(cxx, at);
        else
            at += splice ? splice : 1;
    }
    return at < cxx->text.len ? at : cxx->text.len;
}

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static void skip_blanks(struct cxx *cxx)
{
    while (cxx->at < cxx->text.len) {
        char c = cxx->text.ptr[cxx->at];
        size_t splice = splice_at(cxx, cxx->at);
        bool in_line = cxx->in_line;
        if (splice == 0 && c != ' ' && c != '\n' && (c < '\t' || c > '\r'))
            break;
        advance(cxx, cxx->at + (splice ? splice : 1));
        cxx->in_line |= splice && in_line;
    }
}

static bool is_raw_prefix(struct str word)
{
    static const struct str prefixes[] = {STR_INIT("R"), STR_INIT("u8R"), STR_INIT("uR"), STR_INIT("UR"),
                                          STR_INIT("LR")};
    for (size_t at = 0; at < sizeof prefixes / sizeof *prefixes; at++)
        if (str_eq(word, prefixes[at]))
            return true;
    return false;
}

/* The kind of the token at hand and the byte behind it. */
static size_t measure(const struct cxx *cxx, uint8_t *kind)
{
    size_t at = cxx->at;
    char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
    *kind = CXX_COMMENT;
    if (c == '/' && next == '*')
        return block_comment_end(cxx, at);
    if (c == '/' && next == '/')
        return line_end(cxx, at);
    *kind = CXX_DIRECTIVE;
    if (c == '#' && !cxx->in_line)
        return directive_end(cxx, at);
    *kind = CXX_LITERAL;
    if (is_digit(c) || (c == '.' && is_digit(next)))
        return number_end(cxx, at);
    if (c == '"' || c == '\'')
        return quoted_end(cxx, at);
    *kind = CXX_WORD;
    size_t end = word_end(cxx, at);
    if (end > at && byte_at(cxx, end) == '"' && is_raw_prefix(str_sub(cxx->text, at, end))) {
        *kind = CXX_LITERAL;
        return raw_end(cxx, end);
    }
    if (end > at)
        return end;
    *kind = CXX_MARK;
    return at + 1;
}

bool cxx_next(struct cxx *cxx, struct cxx_token *token)
{
    skip_blanks(cxx);
    if (cxx->at >= cxx->text.len)
        return false;
    *token = (struct cxx_token){.line = cxx->line, .column = (uint32_t)(cxx->at - cxx->line_start + 1)};
    size_t end = measure(cxx, &token->kind);
    bool begins = token->kind == CXX_COMMENT && !cxx->in_line; /* a directive may follow a comment */
    token->text = str_sub(cxx->text, cxx->at, end);
    advance(cxx, end);
    cxx->in_line = !begins;
    return true;
}

/* Prose may stand there, with apostrophes. */
static size_t left_out_end(const struct cxx *cxx, size_t at)
{
    char c = byte_at(cxx, at), next = byte_at(cxx, at + 1);
    if (c == '/' && next == '*')
        return block_comment_end(cxx, at);
    if (c == '/' && next == '/')
        return line_end(cxx, at);
    if (c == '"')
        return quoted_end(cxx, at);
    return at + 1;
}

bool cxx_next_directive(struct cxx *cxx, struct cxx_token *token)
{
    for (;;) {
        skip_blanks(cxx);
        if (cxx->at >= cxx->text.len)
            return false;
        if (byte_at(cxx, cxx->at) == '#' && !cxx->in_line)
            return cxx_next(cxx, token);
        cxx->in_line = true;
        advance(cxx, left_out_end(cxx, cxx->at));
    }
}

struct str cxx_directive(struct str directive, struct str *rest)
{
    struct str text = str_trim(str_from(directive, 1));
    size_t end = 0;
    while (end < text.len && cxx_is_word(text.ptr[end]))
        end++;
    *rest = str_trim(str_from(text, end));
    return str_sub(text, 0, end);
}
