/*
 * diag: what a library function has to say when it returns false. The list collects complete sentences with their
 * place; only a command prints them. Messages are lower case, without a full stop: first what is wrong, then what was
 * found and what was expected. Everything in the list lives in the list's own arena.
 */
#ifndef BASE_DIAG_H
#define BASE_DIAG_H

#include "base/buf.h"
#include "base/mem.h"

enum severity { SEVERITY_OFF, SEVERITY_NOTE, SEVERITY_WARNING, SEVERITY_ERROR };
extern const char *const severity_names[];                     /* "off" "note" "warning" "error" */
bool severity_parse(struct str word, enum severity *severity); /* false: none of those words */

struct place {
    struct str path;   /* as the user gave it; empty: no file */
    size_t line;       /* from 1; 0: the whole file */
    size_t column;     /* bytes from 1; 0: the whole line */
    struct str source; /* the text of that line for the caret; empty: none */
    size_t width;      /* how many bytes the caret underlines; 0 is 1 */
};
extern const struct place nowhere; /* in no file: the command line, or all that was read */

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

/* Adds one; a copy of everything is kept. Of the errors only the first 1,000 and a sentence that says so. list: NULL
 * where nobody wants to know. Returns false, so that callers can `return diag_error(...)`. */
bool diag_add(struct diags *list, enum severity severity, struct place place, const char *fmt, ...)
    __attribute__((format(printf, 4, 5)));
#define diag_error(list, ...)   diag_add(list, SEVERITY_ERROR, __VA_ARGS__)
#define diag_warning(list, ...) ((void)diag_add(list, SEVERITY_WARNING, __VA_ARGS__))

/* Further errors are dropped: a caller that would add many can stop. */
bool diags_full(const struct diags *list);
/* Adds those of another list. */
void diags_append(struct diags *list, const struct diags *other);

/* Orders the diagnostics from number `from` on as a reader of the files meets them: files in the order in which they
 * first appear, then line and column; equal places keep their order. */
void diags_sort(struct diags *list, size_t from);

/* All of the list as text: `path:line:column: severity: message`, and the line with a caret where there is one. */
void diags_render(const struct diags *list, struct buf *out);
void diags_free(struct diags *list);
/* The errors of reading a file, each with `help` behind it, stand where the file was asked for, if somewhere; frees
 * unread. */
void diags_add_unread(struct diags *list, struct diags *unread, struct str path, struct place asked_at,
                      const char *help);

/* The word of a table nearest to `word` (edit distance at most a third of its length and one, of words up
 * to three letters 1), or NULL: for "did you mean".
 * first: the word of the first row; row_bytes: the size of a row. */
const char *nearest_word(struct str word, const char *const *first, size_t row_bytes, size_t count);

#endif
