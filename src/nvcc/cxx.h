/*
 * cxx: splits a C++ text into tokens, as far as the search for declarations needs them: words, single characters and
 * "::", literals (raw strings too), comments, and whole preprocessor lines with their continuations. It never fails:
 * text that is not C++ becomes single characters (CXX_MARK). Tokens point into the text. PTX has the same tokens, but
 * other bytes in its words.
 */
#pragma once

#include "base/str.h"

enum cxx_kind { CXX_WORD, CXX_MARK, CXX_LITERAL, CXX_COMMENT, CXX_DIRECTIVE };

struct cxx_token {
    uint8_t kind;          /* enum cxx_kind */
    struct str text;       /* a comment with its delimiters; a directive from its '#' on */
    uint32_t line, column; /* of its first byte, from 1 */
};

struct cxx {
    struct str text;
    size_t at, line_start;
    uint32_t line; /* from 1 */
    bool in_line;  /* a token other than a comment precedes in this line, so a '#' begins no directive */
    bool (*is_word)(char c);
};

/* is_word: the bytes of words, cxx_is_word for C++. */
struct cxx cxx_of(struct str text, bool (*is_word)(char c));

/* False at the end of the text. */
bool cxx_next(struct cxx *cxx, struct cxx_token *token);

/* The word at the start of the text, which may be empty; *rest: the text after it, without blanks around it. */
struct str cxx_word(struct str text, struct str *rest);

bool cxx_is_word(char c); /* a letter, a digit, '_', '$' or a byte beyond ASCII */
