#include "nvcc/launcher.h"

#include <stdlib.h>
#include <string.h>

/* Other variables change nothing here. */
static void set(struct launcher *launcher, struct str name, struct str value)
{
    struct launcher_variables *variables = &launcher->variables;
    if (str_eq(name, STR("NVCC_PREPEND_FLAGS")))
        variables->prepend = value;
    else if (str_eq(name, STR("NVCC_APPEND_FLAGS")))
        variables->append = value;
    else if (str_eq(name, STR("PTXAS_FLAGS")))
        variables->ptxas = value;
}

static void assign(struct launcher *launcher, struct str assignment)
{
    size_t equals = str_find_char(assignment, '=');
    set(launcher, str_sub(assignment, 0, equals), str_from(assignment, equals + 1));
}

static void clear(struct launcher *launcher)
{
    launcher->variables = (struct launcher_variables){0};
}

/* The value of the long option `name`: behind "=", else the next word. False: the word is another option. */
static bool take_long(const char *const *words, size_t count, size_t *at, struct str name, struct str *value)
{
    struct str word = str_of(words[*at]), rest = str_from(word, name.len);
    if (!str_starts(word, name) || (rest.len && rest.ptr[0] != '='))
        return false;
    *value = rest.len ? str_from(rest, 1) : *at + 1 < count ? str_of(words[++*at]) : rest;
    return true;
}

static void read_env_long(struct launcher *launcher, const char *const *words, size_t count, size_t *at)
{
    struct str word = str_of(words[*at]), value;
    if (str_eq(word, STR("--")))
        return;
    if (str_eq(word, STR("--ignore-environment"))) {
        clear(launcher);
    } else if (take_long(words, count, at, STR("--unset"), &value)) {
        set(launcher, value, STR(""));
    } else if (take_long(words, count, at, STR("--modify"), &value)) { /* cmake: NAME=OPERATION:VALUE */
        launcher->unclear |= str_starts(value, STR("NVCC_"));
    } else if (take_long(words, count, at, STR("--chdir"), &value)) {
        launcher->moves = true;
    } else if (!take_long(words, count, at, STR("--argv0"), &value)) {
        launcher->unclear |=
            !str_is_one_of(str_sub(word, 0, str_find_char(word, '=')),
                           "--block-signal --debug --default-signal --ignore-signal --list-signal-handling");
    }
}

/* "-i", "-iu NAME", "-uNAME" */
static void read_env_short(struct launcher *launcher, const char *const *words, size_t count, size_t *at)
{
    for (const char *letter = words[*at] + 1; *letter; letter++) {
        if (*letter == 'i') {
            clear(launcher);
        } else if (strchr("uCa", *letter)) {
            struct str value = str_of(letter[1] ? letter + 1 : *at + 1 < count ? words[++*at] : "");
            launcher->moves |= *letter == 'C';
            if (*letter == 'u')
                set(launcher, value, STR(""));
            return;
        } else if (*letter != 'v') {
            launcher->unclear = true;
            return;
        }
    }
}

/* Options and assignments of env or cmake -E env; the first word of what it runs. */
static size_t read_env(struct launcher *launcher, const char *const *words, size_t count, size_t at)
{
    for (; at < count; at++) {
        struct str word = str_of(words[at]);
        if (str_eq(word, STR("-")))
            clear(launcher);
        else if (str_starts(word, STR("--")))
            read_env_long(launcher, words, count, &at);
        else if (str_starts(word, STR("-")))
            read_env_short(launcher, words, count, &at);
        else if (str_find_char(word, '=') != STR_NONE)
            assign(launcher, word);
        else
            break;
    }
    return at;
}

static size_t read_cmake(struct launcher *launcher, const char *const *words, size_t count, size_t at)
{
    bool runs = at + 1 < count && str_eq(str_of(words[at]), STR("-E"));
    if (runs && str_eq(str_of(words[at + 1]), STR("env")))
        return read_env(launcher, words, count, at + 2);
    launcher->moves |= runs && str_eq(str_of(words[at + 1]), STR("chdir"));
    return at;
}

/* With -f it does not wait for what it runs, unless -w asks for that. */
static size_t read_setsid(struct launcher *launcher, const char *const *words, size_t count, size_t at)
{
    bool forks = false, waits = false;
    for (; at < count && words[at][0] == '-'; at++) {
        struct str word = str_of(words[at]);
        bool is_long = str_starts(word, STR("--"));
        forks |= is_long ? str_starts(word, STR("--f")) : str_find_char(word, 'f') != STR_NONE;
        waits |= is_long ? str_starts(word, STR("--w")) : str_find_char(word, 'w') != STR_NONE;
    }
    launcher->detaches |= forks && !waits;
    return at;
}

struct launcher_variables launcher_environment(void)
{
    return (struct launcher_variables){
        .prepend = str_of(getenv("NVCC_PREPEND_FLAGS")),
        .append = str_of(getenv("NVCC_APPEND_FLAGS")),
        .ptxas = str_of(getenv("PTXAS_FLAGS")),
    };
}

struct launcher launcher_read(const char *const *words, size_t count, struct launcher_variables outside)
{
    struct launcher launcher = {.variables = outside};
    for (size_t at = 0; at < count;) {
        struct str program = path_name(str_of(words[at++]));
        if (str_eq(program, STR("env")))
            at = read_env(&launcher, words, count, at);
        else if (str_eq(program, STR("cmake")))
            at = read_cmake(&launcher, words, count, at);
        else if (str_eq(program, STR("setsid")))
            at = read_setsid(&launcher, words, count, at);
    }
    if (launcher.unclear)
        launcher.obstacle = "an option of the launcher is not known, nor is the output, which stays; put `warplint "
                            "wrap --` behind the launcher, in front of the compiler";
    else if (launcher.detaches)
        launcher.obstacle = "the compiler runs in the background; put `warplint wrap --` behind the launcher, in front "
                            "of the compiler";
    return launcher;
}
