#include "log/optimise.h"

static bool is_fastest(struct str level)
{
    return str_eq(level, STR("max"));
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

/* Level 0 has the spellings "0", "00" and "-O" without a number; ptxas reads "03" as 3. */
void ptxas_options_take(struct ptxas_options *options, struct str words)
{
    for (struct str word; ptxas_option_next(&words, &word);) {
        struct str value = word;
        uint64_t level = 0;
        const struct nvcc_option *option =
            options->follows ? options->follows : option_find(DIALECT_PTXAS, word, &value);
        options->follows = option && option->takes == TAKES_NEXT && !value.ptr ? option : NULL;
        if (!option || options->follows)
            continue;
        options->debug |= option->means == MEANS_DEBUG;
        options->asks_verbose |= option->means == MEANS_RESOURCE_USAGE;
        if (option->means == MEANS_LEVEL && (value.len == 0 || str_to_uint(value, &level)))
            options->level_is_0 = level == 0;
        if (option->means == MEANS_FAST_COMPILE)
            options->fast_compile = is_fastest(value);
    }
}

bool ptxas_asks_verbose(struct str value)
{
    struct ptxas_options options = {0};
    ptxas_options_take(&options, value);
    return options.asks_verbose;
}

void optimise_take(struct optimise *optimise, const struct nvcc_option *option, struct str value)
{
    switch (option->means) {
    case MEANS_DEBUG: optimise->device_debug = true; break;
    case MEANS_OPTIMISED: optimise->all_the_same = str_eq(value, STR("on")); break;
    case MEANS_FAST_COMPILE: optimise->fast_compile = is_fastest(value); break;
    case MEANS_LEVEL:
    case MEANS_LEVEL_0: optimise->has_level = option->means == MEANS_LEVEL; break;
    case MEANS_DEVICE_OPTION:
        if (str_starts(value, STR("-O")))
            optimise->has_level = !str_eq(value, STR("-O0"));
        break;
    case MEANS_OPENMP: optimise->hides_level = true; break;
    case MEANS_PTXAS_OPTIONS: ptxas_options_take(&optimise->ptxas, value); break;
    default: break;
    }
}

void optimise_see_word(struct optimise *optimise, struct str word)
{
    optimise->hides_level |= str_starts(word, STR("@")) || str_starts(word, STR("--config"));
}

bool optimise_is_off(const struct optimise *optimise)
{
    const struct ptxas_options *ptxas = &optimise->ptxas;
    return (optimise->device_debug && !optimise->all_the_same) || optimise->fast_compile || ptxas->debug ||
           ptxas->level_is_0 || ptxas->fast_compile ||
           (optimise->asks_level && !optimise->has_level && !optimise->hides_level);
}
