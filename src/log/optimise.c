#include "log/optimise.h"

/* Reads a level, which may be "0" or "00"; ptxas reads "03" as 3. */
static void take_level(struct optimise *optimise, struct str level)
{
    uint64_t number = 0;
    if (str_to_uint(level, &number))
        optimise->level_is_0 = number == 0;
}

static bool is_fastest(struct str level)
{
    return str_eq(level, STR("max"));
}

/* Takes -Ofc of ptxas; true if the word is that option: "-Ofc=max", or "-Ofc" before "max". */
static bool take_fast_compile(struct optimise *optimise, struct str word)
{
    size_t equals = str_find(word, STR("="));
    if (optimise->fast_follows)
        optimise->ptxas_fast = is_fastest(word);
    optimise->fast_follows = str_is_one_of(word, "-Ofc --Ofast-compile");
    bool joined = equals != STR_NONE && str_is_one_of(str_sub(word, 0, equals), "-Ofc --Ofast-compile");
    if (joined)
        optimise->ptxas_fast = is_fastest(str_from(word, equals + 1));
    return joined || optimise->fast_follows;
}

static void take_word(struct optimise *optimise, struct str word)
{
    static const struct str level = STR_INIT("--opt-level");
    if (optimise->level_follows)
        take_level(optimise, word);
    optimise->level_follows = str_eq(word, level);
    if (take_fast_compile(optimise, word))
        return;
    if (str_eq(word, STR("-g")) || str_eq(word, STR("--device-debug")))
        optimise->ptxas_debug = true;
    else if (str_starts(word, level))
        take_level(optimise, str_from(word, level.len + 1));
    else if (str_starts(word, STR("-O")))
        take_level(optimise, str_from(word, str_starts(word, STR("-O=")) ? 3 : 2));
}

bool ptxas_option_next(struct str *value, struct str *word)
{
    static const struct str between = STR_INIT(", \t\"'");
    size_t at = 0, end = 0;
    while (at < value->len && str_find_char(between, value->ptr[at]) != STR_NONE)
        at++;
    for (end = at; end < value->len && str_find_char(between, value->ptr[end]) == STR_NONE;)
        end++;
    *word = str_sub(*value, at, end);
    *value = str_from(*value, end);
    return word->len > 0;
}

void optimise_take_ptxas(struct optimise *optimise, struct str words)
{
    for (struct str word; ptxas_option_next(&words, &word);)
        take_word(optimise, word);
}

void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value)
{
    if (option->means == MEANS_DEBUG)
        optimise->device_debug = true;
    else if (option->means == MEANS_OPTIMISED)
        optimise->all_the_same = str_eq(value, STR("on"));
    else if (option->means == MEANS_LEVEL || option->means == MEANS_LEVEL_0)
        optimise->has_level = option->means == MEANS_LEVEL;
    else if (option->means == MEANS_OPENMP)
        optimise->hides_level = true;
    else if (option->means == MEANS_DEVICE_OPTION && str_starts(value, STR("-O")))
        optimise->has_level = !str_eq(value, STR("-O0"));
    else if (option->means == MEANS_FAST_COMPILE)
        optimise->fast_compile = is_fastest(value);
    else if (option->means == MEANS_PTXAS_OPTIONS)
        optimise_take_ptxas(optimise, value);
}

void optimise_see_word(struct optimise *optimise, struct str word)
{
    optimise->hides_level |= str_starts(word, STR("@")) || str_starts(word, STR("--config"));
}

bool optimise_asks_verbose(struct str value)
{
    for (struct str word; ptxas_option_next(&value, &word);)
        if (str_is_one_of(word, "-v --verbose"))
            return true;
    return false;
}

bool optimise_is_off(const struct optimise *optimise)
{
    bool debug = (optimise->device_debug && !optimise->all_the_same) || optimise->ptxas_debug;
    debug |= optimise->asks_level && !optimise->has_level && !optimise->hides_level;
    return debug || optimise->level_is_0 || optimise->fast_compile || optimise->ptxas_fast;
}
