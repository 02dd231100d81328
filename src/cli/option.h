/*
 * option: the options of a command. Each option is a row of a table, with the function that sets its member in the
 * command's settings. Parser, help and completions use the same rows.
 */
#pragma once

#include "base/buf.h"
#include "base/diag.h"

struct option_row {
    const char *name;
    char letter;       /* 0: none */
    const char *value; /* in the help: a word, or several with | between them; NULL: takes no value */
    /* Sets the member `into`. Returns false with an error that names the option and the values that it accepts. */
    bool (*set)(const struct option_row *row, struct str value, void *into, struct diags *diags);
    size_t at; /* offset of the member in the command's settings */
    const char *help;
};

/* Setters, each with the type of the member that it sets. */
bool set_flag(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* bool */
bool set_text(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* struct str */
bool set_path(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* str, not empty */
bool append_text(const struct option_row *row, struct str value, void *into, struct diags *diags); /* struct str_list */
bool set_word(const struct option_row *row, struct str value, void *into, struct diags *diags);    /* int: word index */
bool set_count(const struct option_row *row, struct str value, void *into, struct diags *diags); /* size_t, from 1 up */

/* The index of the word in "error|warning|note", from 0; -1 if it is not one of them. */
int word_number(const char *words, struct str word);
/* Appends "error, warning or note" for "error|warning|note". */
void add_choices(const char *words, struct buf *out);
/* Reports "--name takes <what>, found 'value'". Returns false. */
bool refuse_value(const struct option_row *row, struct str value, const char *what, struct diags *diags);

/*
 * Reads the words of argv. Each row states the place of its member in the settings. Appends the names of the options
 * found to `given` and the other words to `arguments`. With `first_ends`, the first word that is not an option ends the
 * options: it and all later words are arguments. Errors go to diags.
 */
void options_read(const struct option_row *const *rows, size_t count, int argc, char **argv, bool first_ends,
                  void *settings, struct str_list *given, struct str_list *arguments, struct diags *diags);

/* Appends the help of the option, one line or more. */
void option_help(const struct option_row *row, struct buf *out);

enum { MOST_OPTIONS = 64 }; /* per command */
