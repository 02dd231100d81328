#define _POSIX_C_SOURCE 200809L
#include "cli/option.h"

#include "cli/commands.h"

#include <getopt.h>

/* ---- setters ---------------------------------------------------------------------------------------------------- */

bool refuse_value(const struct option_row *row, struct str value, const char *what, struct diags *diags)
{
    return diag_error(diags, nowhere, "--%s takes %s, found '%.*s'", row->name, what, STR_ARG(value));
}

bool set_flag(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    (void)row, (void)value, (void)diags;
    *(bool *)into = true;
    return true;
}

bool set_text(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    (void)row, (void)diags;
    *(struct str *)into = value;
    return true;
}

bool set_path(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    return value.len ? set_text(row, value, into, diags) : refuse_value(row, value, row->value, diags);
}

bool append_text(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    (void)row, (void)diags;
    str_list_add(into, value);
    return true;
}

int word_number(const char *words, struct str word)
{
    struct str rest = str_of(words), other;
    for (int at = 0; str_split(&rest, '|', &other); at++)
        if (str_eq(other, word))
            return at;
    return -1;
}

void add_choices(const char *words, struct buf *out)
{
    struct str rest = str_of(words), word;
    for (const char *before = ""; str_split(&rest, '|', &word);
         before = str_find_char(rest, '|') == STR_NONE ? " or " : ", ")
        buf_fmt(out, "%s%.*s", before, STR_ARG(word));
}

bool set_word(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct buf words = {0};
    int number = word_number(row->value, value);
    if (number >= 0) {
        *(int *)into = number;
        return true;
    }
    add_choices(row->value, &words);
    return refuse_value(row, value, arena_take(&diags->arena, &words).ptr, diags);
}

bool set_count(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    uint64_t count = 0;
    if (!str_to_uint(value, &count) || count < 1 || count > SIZE_MAX)
        return refuse_value(row, value, "a whole number from 1 up", diags);
    *(size_t *)into = (size_t)count;
    return true;
}

/* ---- the command line ------------------------------------------------------------------------------------------- */

enum { FIRST_CODE = 256 };

/* Converts the rows to the form that getopt_long needs. */
static void make_getopt(const struct option_row *const *rows, size_t count, struct option *options, char *letters)
{
    *letters++ = '+';
    *letters++ = ':';
    for (size_t at = 0; at < count; at++) {
        options[at] = (struct option){rows[at]->name, rows[at]->value ? required_argument : no_argument, NULL,
                                      rows[at]->letter ? rows[at]->letter : FIRST_CODE + (int)at};
        if (rows[at]->letter)
            *letters++ = rows[at]->letter;
        if (rows[at]->letter && rows[at]->value)
            *letters++ = ':';
    }
    options[count] = (struct option){0};
    *letters = '\0';
}

/* The option with this name; NULL: none. */
static const struct option_row *find_row(const struct option_row *const *rows, size_t count, struct str name)
{
    for (size_t at = 0; at < count; at++)
        if (str_eq(name, str_of(rows[at]->name)))
            return rows[at];
    return NULL;
}

/* True if the word is an option with one dash instead of two: "-threads", "-threads=256". */
static bool has_one_dash(const struct option_row *const *rows, size_t count, struct str word)
{
    const struct str name = str_sub(word, 1, str_find_char(word, '='));
    return name.len > 1 && word.ptr[0] == '-' && word.ptr[1] != '-' && find_row(rows, count, name);
}

/* Appends the options that begin with a name, "--no-config, --notes" for "no"; returns how many. */
static size_t list_longer(const struct option_row *const *rows, size_t count, struct str name, struct buf *out)
{
    size_t found = 0;
    for (size_t at = 0; at < count && name.len; at++)
        if (str_starts(str_of(rows[at]->name), name))
            buf_fmt(out, "%s--%s", found++ ? ", " : "", rows[at]->name);
    return found;
}

/* Appends a suggestion for a word that is not an option of the command. */
static void add_advice(const struct option_row *const *rows, size_t count, struct str name, struct buf *out)
{
    const char *names[MOST_OPTIONS];
    SCOPED(buf) longer = {0};
    for (size_t at = 0; at < count; at++)
        names[at] = rows[at]->name;
    const char *near = nearest_word(name, names, sizeof *names, count);
    const char *owner = commands_with_option(name);
    if (list_longer(rows, count, name, &longer) > 1)
        buf_fmt(out, ", did you mean one of %.*s", STR_ARG(buf_str(&longer)));
    else if (owner)
        buf_fmt(out, ", which is one of `warplint %s`", owner);
    else if (near)
        buf_fmt(out, ", did you mean --%s", near);
}

static bool refuse_option(const struct option_row *const *rows, size_t count, int code, const char *word,
                          struct diags *diags)
{
    struct str bare = str_of(word);
    SCOPED(buf) advice = {0};
    if (code == ':')
        return diag_error(diags, nowhere, "option '%s' needs a value", word);
    while (bare.len && bare.ptr[0] == '-')
        bare = str_from(bare, 1);
    const struct str name = str_sub(bare, 0, str_find_char(bare, '='));
    const struct option_row *flag = name.len < bare.len ? find_row(rows, count, name) : NULL;
    if (flag)
        return diag_error(diags, nowhere, "option '--%s' takes no value, found '%s'", flag->name, word);
    add_advice(rows, count, name, &advice);
    return diag_error(diags, nowhere, "unknown option '%s'%.*s; --help lists what there is", word,
                      STR_ARG(buf_str(&advice)));
}

void options_read(const struct option_row *const *rows, size_t count, int argc, char **argv, bool first_ends,
                  void *settings, struct str_list *given, struct str_list *arguments, struct diags *diags)
{
    struct option options[MOST_OPTIONS + 1];
    char letters[2 * MOST_OPTIONS + 4];
    make_getopt(rows, count, options, letters);
    optind = 0;
    getopt_long(1, argv, letters, options, NULL); /* begins anew, and reads no word */
    for (int last = 0, refused = 0; optind < argc;) {
        const int at = optind; /* the word that is read; several letters may be in one */
        const bool begins = at > last;
        last = at;
        if (begins && has_one_dash(rows, count, str_of(argv[at]))) {
            diag_error(diags, nowhere, "unknown option '%s', did you mean -%s", argv[at], argv[at]);
            optind++;
            continue;
        }
        int code = getopt_long(argc, argv, letters, options, NULL);
        if (code == -1) { /* other words may be between the options, except after "--" */
            if (optind >= argc)
                break;
            bool rest = first_ends || (optind > 1 && str_eq(str_of(argv[optind - 1]), STR("--")));
            do
                str_list_add(arguments, str_of(argv[optind++]));
            while (rest && optind < argc);
            continue;
        }
        const struct option_row *row = NULL; /* of an unknown option, or one without its value */
        for (size_t number = 0; number < count; number++)
            row = options[number].val == code ? rows[number] : row;
        if (!row) {
            if (at != refused)
                refuse_option(rows, count, code, argv[at], diags);
            refused = at;
            continue;
        }
        str_list_add(given, str_of(row->name));
        row->set(row, str_of(optarg), (char *)settings + row->at, diags);
    }
}

/* ---- help ------------------------------------------------------------------------------------------------------- */

enum { HELP_COLUMN = 28, HELP_WIDTH = 80 };

void option_help(const struct option_row *row, struct buf *out)
{
    size_t start = out->len;
    if (row->letter)
        buf_fmt(out, "  -%c, ", row->letter);
    else
        buf_add(out, STR("      "));
    buf_fmt(out, "--%s%s%s", row->name, row->value ? " " : "", row->value ? row->value : "");
    size_t used = out->len - start;
    if (used + 2 > HELP_COLUMN)
        buf_char(out, '\n');
    buf_pad(out, ' ', used + 2 > HELP_COLUMN ? HELP_COLUMN : HELP_COLUMN - used);
    buf_fold(out, str_of(row->help), HELP_COLUMN, HELP_COLUMN, HELP_WIDTH);
    buf_char(out, '\n');
}
