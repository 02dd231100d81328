#include "nvcc/launcher.h"

#include <stdlib.h>

/* Sets one of the variables; ignores all others. */
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

/* Takes the value of the option `name`, which begins with one dash or two, from the same word or from the next one.
 * Returns false if the word is another option. */
static bool take_value(const char *const *words, size_t count, size_t *at, struct str name, struct str *value)
{
    struct str word = str_of(words[*at]), rest = str_from(word, name.len);
    bool is_long = str_starts(name, STR("--"));
    if (!str_starts(word, name) || (is_long && rest.len && rest.ptr[0] != '='))
        return false;
    if (rest.len)
        *value = str_from(rest, is_long);
    else
        *value = *at + 1 < count ? str_of(words[++*at]) : rest;
    return true;
}

/* Reads the options and assignments of env or cmake -E env; returns the index of the first word of the command that it
 * runs. */
static size_t read_env(struct launcher *launcher, const char *const *words, size_t count, size_t at)
{
    for (; at < count; at++) {
        struct str word = str_of(words[at]), value;
        size_t equals = str_find_char(word, '=');
        if (str_is_one_of(word, "- -i --ignore-environment"))
            launcher->variables = (struct launcher_variables){0};
        else if (take_value(words, count, &at, STR("-u"), &value) ||
                 take_value(words, count, &at, STR("--unset"), &value))
            set(launcher, value, STR(""));
        else if (take_value(words, count, &at, STR("-C"), &value) ||
                 take_value(words, count, &at, STR("--chdir"), &value))
            launcher->moves = true;
        else if (take_value(words, count, &at, STR("--modify"), &value)) /* cmake: NAME=OPERATION:VALUE */
            launcher->unclear |= str_starts(value, STR("NVCC_"));
        else if (str_starts(word, STR("-")))
            launcher->unclear |= !str_is_one_of(word, "-- -v --debug");
        else if (equals != STR_NONE)
            set(launcher, str_sub(word, 0, equals), str_from(word, equals + 1));
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

/* With -f, setsid does not wait for the command that it runs. */
static size_t read_setsid(struct launcher *launcher, const char *const *words, size_t count, size_t at)
{
    for (; at < count && words[at][0] == '-'; at++) {
        struct str word = str_of(words[at]);
        launcher->detaches |=
            str_starts(word, STR("--")) ? str_starts(word, STR("--f")) : str_find_char(word, 'f') != STR_NONE;
    }
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
