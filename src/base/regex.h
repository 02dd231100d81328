/*
 * regex: the only file that includes PCRE2, with limits on work and memory: no pattern and no text can hang the
 * program. Once a pattern has reached a limit of work it matches nothing any more, and regex_limit_reached returns
 * true. All patterns that exist at the same time share one limit of bytes; the pattern that exceeds it is an error.
 * Only one thread may use patterns.
 */
#pragma once

#include "base/diag.h"
#include "base/str.h"

struct regex;

/* The message (a complete sentence) and the position of an error in a pattern. */
struct regex_error {
    struct buf message; /* released by the caller */
    size_t offset;      /* bytes into the pattern */
};

/* Compiles a pattern. The texts that it matches are UTF-8; invalid bytes never match. NULL with *error if the pattern
 * is wrong. Release with regex_free (NULL is allowed). */
struct regex *regex_new(struct str pattern, struct regex_error *error);
/* Compiles a glob pattern for paths: * and ? do not match a slash, [a-z] is supported, and two stars between slashes
 * match any folders. The pattern must match the whole text. */
struct regex *regex_new_glob(struct str glob, struct regex_error *error);
void regex_free(struct regex *regex);
struct str regex_pattern(const struct regex *regex);

/* The number of groups, and their names by number, from group 1: empty for a group without a name. The names live as
 * long as the regex. */
size_t regex_groups(const struct regex *regex, const struct str **names);

enum regex_result { REGEX_NO, REGEX_YES, REGEX_LIMIT };
/* Searches the text. groups: an array with one slice for each group (empty if the group did not take part), or NULL. */
enum regex_result regex_match(struct regex *regex, struct str text, struct str *groups);

/* A match has reached a limit; every later match returns REGEX_LIMIT. */
bool regex_limit_reached(const struct regex *regex);

/* The patterns of one owner. Zero it, and free it with regex_list_free. */
struct regex_list {
    struct regex **items;
    size_t count, cap;
};
void regex_list_add(struct regex_list *list, struct regex *regex);
/* The first pattern with a match that has reached a limit, or NULL. */
const struct regex *regex_list_limit_reached(const struct regex_list *list);
void regex_list_free(struct regex_list *list);

/* Appends a pattern that matches exactly this text. Returns false, with the part before it appended, at a byte that is
 * not valid UTF-8: no pattern matches such bytes. */
bool regex_quote(struct str text, struct buf *out);
