#include "nvcc/recompile.h"

#include <stdlib.h>

enum { ADDED_WORDS = 8 }; /* more than recompile_words adds */

static const struct place nowhere = {0};

static void add(struct recompile *recompile, struct str word)
{
    recompile->words[recompile->count++] = arena_cstr(&recompile->arena, word);
}

/* A cap that ptxas is told behind nvcc's back wins over ours; a file that the host compiler writes is the user's. */
static bool check_passed_on(const struct nvcc_option *option, struct str value, struct diags *diags)
{
    bool caps = option->means == MEANS_PTXAS_OPTIONS && str_find(value, STR("maxrregcount")) != STR_NONE;
    bool writes = option->means == MEANS_HOST_OPTIONS &&
                  (str_starts(value, STR("-M")) || str_find(value, STR(",-M")) != STR_NONE);
    if (caps)
        diag_error(diags, nowhere, "'%.*s' is given to ptxas itself, expected -maxrregcount for nvcc", STR_ARG(value));
    if (writes)
        diag_error(diags, nowhere,
                   "'%.*s' has the host compiler write a file of the build, expected a command without it",
                   STR_ARG(value));
    return !caps && !writes;
}

static bool take_cap(struct recompile *recompile, struct str value, struct diags *diags)
{
    uint64_t cap = 0;
    if (!str_to_uint(value, &cap) || cap > 255)
        return diag_error(diags, nowhere, "-maxrregcount is '%.*s', expected a number of registers up to 255",
                          STR_ARG(value));
    recompile->cap = (int)cap;
    return true;
}

/* How far the command goes is ours to say, and what else it would write. */
static bool is_left_out(const struct nvcc_option *option)
{
    switch (option->means) {
    case MEANS_OUTPUT:
    case MEANS_FOLDER:
    case MEANS_DEPENDENCIES:
    case MEANS_DEPENDENCY_FILE:
    case MEANS_DEPENDENCY_TARGET:
    case MEANS_FILES:
    case MEANS_PARALLEL:
    case MEANS_REGISTER_CAP:
    case MEANS_REMARKS: return true;
    default: return option->means < PHASE_COUNT;
    }
}

static bool is_relocatable(struct str word)
{
    return str_eq(word, STR("-dc")) || str_eq(word, STR("--device-c"));
}

static bool take_option(struct recompile *recompile, const struct words *words, size_t *at, struct diags *diags)
{
    struct str word = words->items[*at], value;
    const struct nvcc_option *option = option_find(DIALECT_NVCC, word, &value);
    bool next = option && option->takes != TAKES_NOTHING && !value.ptr && *at + 1 < words->count;
    if (next)
        value = words->items[++*at];
    if (option && !check_passed_on(option, value, diags))
        return false;
    if (option && option->means == MEANS_REGISTER_CAP)
        return take_cap(recompile, value, diags);
    if (is_relocatable(word))
        add(recompile, STR("-rdc=true"));
    if (option && is_left_out(option))
        return true;
    add(recompile, word);
    if (next)
        add(recompile, value);
    return true;
}

/* The file as the command names it, behind what decides of its language. */
static bool take_words(struct recompile *recompile, const struct invocation *invocation, struct diags *diags)
{
    const struct words *words = &invocation->words;
    for (size_t at = 0; at < words->count; at++) {
        bool is_option = words->items[at].len > 1 && words->items[at].ptr[0] == '-';
        if (is_option && !take_option(recompile, words, &at, diags))
            return false;
    }
    add(recompile, invocation->sources.items[0]);
    return true;
}

static bool check_command(const struct invocation *invocation, struct diags *diags)
{
    if (invocation->dialect != DIALECT_NVCC)
        return diag_error(diags, nowhere, "the command is %s, expected nvcc's: its register caps are tried",
                          invocation->dialect == DIALECT_CLANG ? "clang's" : "of an HPC compiler");
    if (invocation->unread.len)
        return diag_error(diags, nowhere, "the option file '%.*s' %.*s", STR_ARG(invocation->unread),
                          STR_ARG(invocation->unread_why));
    if (!invocation->makes_code)
        return diag_error(diags, nowhere,
                          "the command compiles no kernels to machine code, expected one as in "
                          "`nvcc -arch=sm_90 -c kernel.cu`");
    if (invocation->sources.count > 1)
        return diag_error(diags, nowhere, "the command compiles %zu sources, expected one", invocation->sources.count);
    return !str_eq(invocation->sources.items[0], STR("-")) ||
           diag_error(diags, nowhere, "the source is standard input, expected a file: it is compiled several times");
}

bool recompile_read(struct recompile *recompile, const struct invocation *invocation, const char *const *words,
                    const char *const *added, struct diags *diags)
{
    *recompile = (struct recompile){0};
    if (!check_command(invocation, diags))
        return false;
    size_t most = invocation->compiler + 1 + invocation->words.count + ADDED_WORDS;
    for (size_t at = 0; added[at]; at++)
        most++;
    recompile->words = arena_alloc(&recompile->arena, most * sizeof *recompile->words);
    for (size_t at = 0; at <= invocation->compiler; at++)
        add(recompile, str_of(words[at]));
    for (size_t at = 0; added[at]; at++)
        add(recompile, str_of(added[at]));
    return take_words(recompile, invocation, diags);
}

const char *const *recompile_words(struct recompile *recompile, int cap, const char *output, const char *keep)
{
    size_t count = recompile->count;
    const char **words = arena_alloc(&recompile->arena, (count + ADDED_WORDS) * sizeof *words);
    memcpy(words, recompile->words, count * sizeof *words);
    words[count++] = "-fatbin";
    words[count++] = "-o";
    words[count++] = output;
    if (cap)
        words[count++] = arena_fmt(&recompile->arena, "-maxrregcount=%d", cap).ptr;
    if (keep) {
        words[count++] = "--keep";
        words[count++] = arena_fmt(&recompile->arena, "--keep-dir=%s", keep).ptr;
    }
    words[count] = NULL;
    return words;
}

void recompile_free(struct recompile *recompile)
{
    arena_free(&recompile->arena);
}
