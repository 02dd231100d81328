/*
 * diag: the diagnostics of library functions that return false. The list collects complete sentences with their place;
 * only a command prints them. Messages are lower case, without a full stop: first what is wrong, then what was found
 * and what was expected. The list's own arena owns all texts in it.
 */
#pragma once

#include "base/buf.h"
#include "base/mem.h"

enum severity { SEVERITY_OFF, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };
extern const char *const severity_names[];                     /* "off" "note" "warning" "error" */
bool severity_parse(struct str word, enum severity *severity); /* false: `word` is not one of these words */

struct place {
    struct str path;   /* as the user gave it; empty: no file */
    size_t line;       /* from 1; 0: the whole file */
    size_t column;     /* bytes from 1; 0: the whole line */
    struct str source; /* the text of that line, shown above the caret; empty: none */
    size_t width;      /* number of bytes that the caret underlines; 0 means 1 */
};
extern const struct place nowhere; /* no file: the command line, or the input as a whole */

struct diag {
    enum severity severity;
    struct place place;
    struct str message;
};

struct diags {
    struct arena arena;
    struct diag *items;
    size_t count, cap, errors;
};

/* Adds a diagnostic and copies all of its texts. Of the errors, only the first 1,000 are kept, then one sentence that
 * more are not shown. list: NULL discards the diagnostic. Always returns false, so that callers can `return
 * diag_error(...)`. */
bool diag_add(struct diags *list, enum severity severity, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define diag_error(list, ...)   diag_add(list, SEVERITY_ERROR, __VA_ARGS__)
#define diag_warning(list, ...) ((void)diag_add(list, SEVERITY_WARNING, __VA_ARGS__))

/* Further errors are dropped, so a caller that would add many can stop. */
bool diags_full(const struct diags *list);
/* Adds all diagnostics of another list. */
void diags_append(struct diags *list, const struct diags *other);

/* Sorts the diagnostics from index `from` on: files in the order of their first diagnostic, then line and column; equal
 * places keep their order. */
void diags_sort(struct diags *list, size_t from);

/* Renders the whole list as text: `path:line:column: severity: message`, with the source line and a caret where the
 * place has one. */
void diags_render(const struct diags *list, struct buf *out);
void diags_free(struct diags *list);
/* Adds the errors of reading the file `path`, with `help` appended to each. They are reported at `asked_at`, the place
 * that named the file, or at their own place if asked_at has no path. Frees `unread`. */
void diags_add_unread(struct diags *list, struct diags *unread, struct str path, struct place asked_at,
                      const char *help);

/* The word of a table nearest to `word` (edit distance at most a third of its length and one, of words up
 * to three letters, and of those with another first letter, 1), or NULL: for "did you mean".
 * first: the word of the first row (NULL: it has none); row_bytes: the size of a row. */
const char *nearest_word(struct str word, const char *const *first, size_t row_bytes, size_t count);
