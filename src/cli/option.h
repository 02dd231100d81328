/*
 * option: the options of a command, each a row of a table with the setter of its member in the command's settings.
 * Parser, help and completions come from the rows.
 */
#ifndef CLI_OPTION_H
#define CLI_OPTION_H

#include "base/buf.h"
#include "base/diag.h"

struct option_row {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* what stands behind it, a word or several with | between them; NULL: nothing */
    /* Sets the member `into`; false with an error that names the option and what it takes. */
    bool (*set)(const struct option_row *row, struct str value, void *into, struct diags *diags);
    size_t at; /* of the member in the command's settings */
    const char *help;
};

/* Setters, and what they set. */
bool set_flag(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* bool */
bool set_text(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* struct str */
bool set_path(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* ... not empty */
bool append_text(const struct option_row *row, struct str value, void *into, struct diags *diags); /* struct str_list */
bool set_word(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* int: which word */
bool set_count(const struct option_row *row, struct str value, void *into, struct diags *diags); /* size_t, from 1 up */

/* Which of the words "error|warning|note" it is, from 0; -1: none. */
int word_number(const char *words, struct str word);
/* "error, warning or note" of "error|warning|note". */
void add_choices(const char *words, struct buf *out);
/* "--name takes <what>, found 'value'". False. */
bool refuse_value(const struct option_row *row, struct str value, const char *what, struct diags *diags);

/*
 * Reads the words of argv by the rows, which say where in the settings; the names of the options go to `given`, what is
 * no option to `arguments`, and with `first_ends` all that follows the first such word. Errors are in diags.
 */
void options_read(const struct option_row *const *rows, size_t count, int argc, char **argv, bool first_ends,
                  void *settings, struct str_list *given, struct str_list *arguments, struct diags *diags);

/* Appends the option to the help: a line or more. */
void option_help(const struct option_row *row, struct buf *out);

enum { MOST_OPTIONS = 64 }; /* of a command */

#endif
