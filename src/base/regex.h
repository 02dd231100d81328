/*
 * regex: the only file that includes PCRE2, with limits on work and memory: no pattern and no text can hang the
 * program. A pattern that reached a limit of work matches nothing from then on, and regex_exploded says so. All
 * patterns that are held at one time have one limit of bytes: the pattern that exceeds it is an error. Only one thread
 * may use patterns.
 */
#ifndef BASE_REGEX_H
#define BASE_REGEX_H

#include "base/diag.h"
#include "base/str.h"

struct regex;

/* What is wrong with a pattern (a whole sentence) and where. */
struct regex_error {
    struct buf message; /* released by the caller */
    size_t offset;      /* bytes into the pattern */
};

/* Text is taken as UTF-8; bytes that are not never match. NULL: see error. Release with regex_free (NULL is fine). */
struct regex *regex_new(struct str pattern, struct regex_error *error);
/* A pattern for paths: * and ? stay within a folder, [a-z], and two stars between slashes are any folders. It must
 * match all of the text. */
struct regex *regex_new_glob(struct str glob, struct regex_error *error);
void regex_free(struct regex *regex);
struct str regex_pattern(const struct regex *regex);

/* The named groups, in the order of their numbers; the names live as long as the regex. */
size_t regex_names(const struct regex *regex, const struct str **names);

enum regex_result { REGEX_NO, REGEX_YES, REGEX_LIMIT };
/* Somewhere in text. captures: room for one slice a named group (empty where it did not take part), or NULL. */
enum regex_result regex_match(struct regex *regex, struct str text, struct str *captures);

/* All groups by their numbers, 1 .. count. The last regex_match of any pattern was of this one, and REGEX_YES. groups:
 * room for each, empty where it did not take part; slices of the text that was matched. */
size_t regex_group_count(const struct regex *regex);
void regex_groups(const struct regex *regex, struct str text, struct str *groups);

/* A match ran into the limits: since then every answer is REGEX_LIMIT. */
bool regex_exploded(const struct regex *regex);

/* Appends a pattern that matches this text and no other; false, with a part of it, where its bytes are no UTF-8:
 * nothing matches them. */
bool regex_quote(struct str text, struct buf *out);

#endif
