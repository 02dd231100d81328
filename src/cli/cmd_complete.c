/*
 * __complete N WORD...: prints the candidates for word N of a command line (word 0 is the program's own name). The
 * scripts in cli/completions call it. The first line of the answer is its kind. After `words` and `parts` (no blank is
 * added after them), each line has a candidate, a tab and its description. The other kinds have no candidates: `files`,
 * `folders`, `compiler` (a complete command line follows `--`) and `nothing`.
 */
#include "cli/commands.h"
#include "cli/manual.h"
#include "cli/settings.h"
#include "rules/field.h"

#include <stdlib.h>

struct completion {
    struct str kept;  /* the part of the word at the cursor that stays in front of each candidate */
    struct str typed; /* the rest of the word; candidates begin with it */
    struct buf candidates;
    struct arena arena; /* for candidates that are assembled */
};

static void offer(struct completion *c, struct str word, const char *tail, const char *meaning)
{
    if (str_starts(word, c->typed))
        buf_fmt(&c->candidates, "%.*s%.*s%s\t%s\n", STR_ARG(c->kept), STR_ARG(word), tail, meaning);
}

/* Offers each of the words, which are separated by |. */
static void offer_all(struct completion *c, const char *words)
{
    struct str rest = str_of(words), word;
    while (str_split(&rest, '|', &word))
        offer(c, word, "", "");
}

static void offer_rules(struct completion *c)
{
    SCOPED(ruleset) rules = {0};
    SCOPED(diags) unsaid = {0};
    if (ruleset_load_builtin(&rules, &unsaid))
        for (size_t at = 0; at < rules.count; at++)
            offer(c, rules.rules[at].id, "", "");
}

/* Offers the values of an option by the name that its value has in the help. Returns the kind. */
static const char *offer_value(struct completion *c, struct str value)
{
    size_t separator = str_rfind(c->typed, STR(","));
    bool list = str_ends(value, STR("]")), path = str_eq(value, STR("FORMAT=PATH"));
    if (str_eq(value, STR("DIR")))
        return "folders";
    if (str_eq(value, STR("FILE")) || str_eq(value, STR("PATH")) || str_eq(value, STR("PROGRAM")) ||
        (path && str_find_char(c->typed, '=') != STR_NONE))
        return "files";
    if (list && separator != STR_NONE) {
        c->kept.len += separator + 1; /* `kept` and `typed` are parts of one word */
        c->typed = str_from(c->typed, separator + 1);
    }
    if (path || str_eq(value, STR("FORMAT")))
        for (size_t at = 0; at < format_count; at++)
            offer(c, str_of(format_table[at].name), path ? "=" : "", format_table[at].what);
    else if (str_starts(value, STR("RULE")))
        offer_rules(c);
    else if (str_eq(value, STR("ARCH")) || str_starts(value, STR("A[")))
        for (size_t at = 0; at < arch_count; at++)
            offer(c, arena_fmt(&c->arena, "sm_%d%d", arch_table[at].major, arch_table[at].minor), "", "");
    else if (str_find_char(value, '|') != STR_NONE)
        offer_all(c, value.ptr);
    return list || path ? "parts" : "words";
}

/* Offers the arguments of a command. position: 2 is the first word after the command. */
static const char *offer_argument(struct completion *c, const struct command *command, size_t position)
{
    bool is_file = command == &command_baseline && position > 2;
    if (command->words && !is_file) {
        offer_all(c, command->words);
        return "words";
    }
    switch (command_bit(command)) {
    case COMMAND_OCCUPANCY: return "nothing";
    case COMMAND_EXPLAIN:
        offer_rules(c);
        offer(c, STR("expressions"), "", "");
        return "words";
    case COMMAND_HELP:
        for (size_t at = 0; at < manual_page_count; at++)
            offer(c, str_of(manual_pages[at].topic), "", "");
        return "words";
    default: return "files";
    }
}

/* The option with a value that this word is: "--format", "-o"; NULL if the word is not one. */
static const struct option_row *option_with_value(const struct option_row *const *rows, size_t count, struct str word)
{
    for (size_t at = 0; at < count; at++) {
        bool short_form = word.len == 2 && word.ptr[0] == '-' && rows[at]->letter && word.ptr[1] == rows[at]->letter;
        if (rows[at]->value &&
            (short_form || (str_starts(word, STR("--")) && str_eq(str_from(word, 2), str_of(rows[at]->name)))))
            return rows[at];
    }
    return NULL;
}

/* Completes the word at the cursor, which follows a command. In bash `=` is a separate word, in other shells a part of
 * the word. */
static const char *complete_word(struct completion *c, const struct command *command, const struct str *words,
                                 size_t cursor)
{
    const struct option_row *rows[MOST_OPTIONS], *option = NULL;
    size_t count = settings_options(command, rows), equals = str_find_char(c->typed, '=');
    for (size_t at = 2; at < cursor; at++)
        if (str_eq(words[at], STR("--")))
            return command->runs_compiler ? "compiler" : "files";
    if (str_eq(c->typed, STR("=")))
        c->typed = STR("");
    else if (str_eq(words[cursor - 1], STR("=")))
        cursor--;
    else if (str_starts(c->typed, STR("--")) && equals != STR_NONE) {
        option = option_with_value(rows, count, str_sub(c->typed, 0, equals));
        c->kept = str_sub(c->typed, 0, equals + 1);
        c->typed = str_from(c->typed, equals + 1);
        return option ? offer_value(c, str_of(option->value)) : "nothing";
    }
    option = option_with_value(rows, count, words[cursor - 1]);
    if (option)
        return offer_value(c, str_of(option->value));
    if (c->typed.len == 0 || c->typed.ptr[0] != '-')
        return offer_argument(c, command, cursor);
    for (size_t at = 0; at < count; at++)
        offer(c, arena_fmt(&c->arena, "--%s", rows[at]->name), "", rows[at]->help);
    return "words";
}

static const char *complete(struct completion *c, const struct str *words, size_t cursor)
{
    if (cursor < 2) {
        for (size_t at = 0; at < command_count; at++)
            offer(c, str_of(commands[at]->name), "", commands[at]->what);
        offer(c, STR("--help"), "", "what there is");
        offer(c, STR("--version"), "", "the version");
        return "words";
    }
    const struct command *command = commands_find(words[1]);
    return command ? complete_word(c, command, words, cursor) : "nothing";
}

int cmd_complete(int argc, char **argv)
{
    struct completion completion = {0};
    struct diags diags = {0};
    SCOPED(buf) answer = {0};
    uint64_t cursor = 0;
    if (argc < 3 || !str_to_uint(str_of(argv[1]), &cursor) || cursor > (uint64_t)argc - 2) {
        diag_error(&diags, nowhere, COMPLETE_COMMAND " takes the number of a word and the words");
        print_diags(&diags);
        return STATUS_USAGE;
    }
    struct str *words = mem_alloc(((size_t)argc) * sizeof *words);
    for (int at = 2; at < argc; at++)
        words[at - 2] = str_of(argv[at]);
    completion.typed = words[cursor];
    completion.kept = str_sub(words[cursor], 0, 0);
    const char *kind = complete(&completion, words, (size_t)cursor);
    buf_fmt(&answer, "%s\n%.*s", kind, STR_ARG(buf_str(&completion.candidates)));
    bool ok = file_write(STR("-"), buf_str(&answer), &diags);
    print_diags(&diags);
    buf_free(&completion.candidates);
    arena_free(&completion.arena);
    free(words);
    return ok ? STATUS_OK : STATUS_UNTRUSTED;
}
