#include "nvcc/recompile.h"

#include "base/file.h"
#include "log/optimise.h"

#include <stdlib.h>
#include <string.h>

enum { ADDED_WORDS = 9, MOST_VIRTUAL = 1000 }; /* more than a run adds to the command; sm_120 has the number 120 */

struct reading {
    struct recompile *recompile;
    const struct recompile_request *request;
    bool named[MOST_VIRTUAL];     /* virtual architectures that the command names by -gencode */
    bool has_targets, has_target; /* the command has such options; one of them names code that is requested */
    bool drops;                   /* one of them names code that is not requested */
    bool has_cap; /* nvcc has a -maxrregcount, which takes precedence over the one in ptxas's own options */
};

static void add(struct recompile *recompile, struct str word)
{
    *MEM_ADD(recompile->words, recompile->count, recompile->word_cap) = arena_cstr(&recompile->arena, word);
}

/* A file that the host compiler writes belongs to the user's build. */
static bool check_passed_on(const struct nvcc_option *option, struct str value, struct diags *diags)
{
    if (option->means != MEANS_HOST_OPTIONS ||
        (!str_starts(value, STR("-M")) && str_find(value, STR(",-M")) == STR_NONE))
        return true;
    return diag_error(diags, nowhere,
                      "'%.*s' has the host compiler write a file of the build, expected a command without it",
                      STR_ARG(value));
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

/* Removes the register cap from ptxas's own options: a run without a cap must have none. */
static bool take_ptxas_cap(struct reading *reading, struct str options, struct diags *diags)
{
    struct recompile *recompile = reading->recompile;
    SCOPED(buf) kept = {0};
    struct str rest = options, word;
    while (ptxas_option_next(&rest, &word)) {
        struct str cap;
        const struct nvcc_option *option = option_find(DIALECT_PTXAS, word, &cap);
        if (option && option->means == MEANS_REGISTER_CAP && cap.ptr) {
            if (!reading->has_cap && !take_cap(recompile, cap, diags))
                return false;
        } else if (str_find(word, STR("maxrregcount")) != STR_NONE) {
            return diag_error(diags, nowhere, "'%.*s' gives ptxas a register cap, expected it as -maxrregcount=N",
                              STR_ARG(options));
        } else {
            buf_fmt(&kept, "%s%.*s", kept.len ? "," : "", STR_ARG(word));
        }
    }
    if (kept.len)
        add(recompile, arena_fmt(&recompile->arena, "-Xptxas=%.*s", STR_ARG(buf_str(&kept))));
    return true;
}

/* Options that we set ourselves, such as the phase, or that write other files. */
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

/* ---- which code is made ----------------------------------------------------------------------------------------- */

/* The value after a key in "arch=compute_80,code=[sm_80,compute_80]", without brackets and quotes. */
static struct str target_part(struct str target, struct str key)
{
    struct str value = str_after(target, key);
    while (value.len && (value.ptr[0] == '[' || value.ptr[0] == '"'))
        value = str_from(value, 1);
    value = str_sub(value, 0, str_find_char(value, ']'));
    return str_sub(value, 0, str_find_char(value, '"'));
}

static void take_target(struct reading *reading, struct str target)
{
    struct str virtual = target_part(target, STR("arch=")), codes = target_part(target, STR("code=")), code;
    virtual = str_sub(virtual, 0, str_find_char(virtual, ','));
    struct str digits = str_from(virtual, sizeof "compute_" - 1);
    SCOPED(buf) kept = {0};
    uint64_t number = 0;
    if (str_uint(&digits, &number) && number < MOST_VIRTUAL)
        reading->named[number] = true;
    while (str_split(&codes, ',', &code))
        if (str_list_has(reading->request->archs, code))
            buf_fmt(&kept, "%s%.*s", kept.len ? "," : "", STR_ARG(code));
        else
            reading->drops = true;
    if (kept.len)
        add(reading->recompile, arena_fmt(&reading->recompile->arena, "-gencode=arch=%.*s,code=[%.*s]",
                                          STR_ARG(virtual), STR_ARG(buf_str(&kept))));
    reading->has_targets = true;
    reading->has_target |= kept.len > 0;
}

/* Sources and names of kernels can depend on all architectures that the command names, so all of them stay in the
 * list. */
static void name_all_targets(struct reading *reading)
{
    SCOPED(buf) list = {0};
    for (uint32_t number = 0; number < MOST_VIRTUAL; number++)
        if (reading->named[number])
            buf_fmt(&list, "%s%u", list.len ? "\\," : "", number * 10);
    if (reading->drops)
        add(reading->recompile,
            arena_fmt(&reading->recompile->arena, "-Xcompiler=-D__CUDA_ARCH_LIST__=%.*s", STR_ARG(buf_str(&list))));
}

/* ---- the words of the command ----------------------------------------------------------------------------------- */

static bool take_option(struct reading *reading, const struct str_list *words, size_t *at, struct diags *diags)
{
    struct recompile *recompile = reading->recompile;
    size_t first = *at;
    struct str word = words->items[first], value;
    const struct nvcc_option *option = option_take(DIALECT_NVCC, words, at, &value);
    if (option && !check_passed_on(option, value, diags))
        return false;
    if (option && option->means == MEANS_PTXAS_OPTIONS && reading->request->tries_caps &&
        str_find(value, STR("maxrregcount")) != STR_NONE)
        return take_ptxas_cap(reading, value, diags);
    if (option && option->means == MEANS_REGISTER_CAP) {
        reading->has_cap = true;
        return take_cap(recompile, value, diags);
    }
    if (option && option->means == MEANS_TARGET && reading->request->archs) {
        take_target(reading, value);
        return true;
    }
    if (str_is_one_of(word, "-dc --device-c"))
        add(recompile, STR("-rdc=true"));
    if (option && is_left_out(option))
        return true;
    for (; first <= *at; first++)
        add(recompile, words->items[first]);
    return true;
}

/* Adds the options that are kept, then the source as the command names it, after the options that determine its
 * language. */
static bool take_words(struct reading *reading, const struct invocation *invocation, struct diags *diags)
{
    const struct str_list *words = &invocation->words;
    for (size_t at = 0; at < words->count; at++) {
        bool is_option = words->items[at].len > 1 && words->items[at].ptr[0] == '-';
        if (is_option && !take_option(reading, words, &at, diags))
            return false;
    }
    if (reading->has_targets && !reading->has_target)
        return false;
    name_all_targets(reading);
    add(reading->recompile, invocation->sources.items[0]);
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
    struct str source = invocation->sources.items[0];
    if (str_eq(source, STR("-")))
        return diag_error(diags, nowhere,
                          "the source is standard input, expected a file: it is compiled several times");
    return !file_exists(source) || file_is_regular(source) ||
           diag_error(diags, nowhere, "'%.*s' is not a regular file, expected one: it is compiled several times",
                      STR_ARG(source));
}

bool recompile_read(struct recompile *recompile, const struct invocation *invocation, const char *const *words,
                    const struct recompile_request *request, struct diags *diags)
{
    struct reading reading = {.recompile = recompile, .request = request};
    *recompile = (struct recompile){0};
    if (!check_command(invocation, diags))
        return false;
    for (size_t at = 0; at <= invocation->compiler; at++)
        add(recompile, str_of(words[at]));
    recompile->options = recompile->count;
    for (size_t at = 0; request->added[at]; at++)
        add(recompile, str_of(request->added[at]));
    return take_words(&reading, invocation, diags);
}

const char *const *recompile_words(struct recompile *recompile, const struct recompile_run *run)
{
    struct arena *arena = &recompile->arena;
    const char **words = arena_alloc(arena, (recompile->count + ADDED_WORDS) * sizeof *words);
    size_t count = recompile->options, rest = recompile->count - count;
    memcpy(words, recompile->words, count * sizeof *words);
    if (run->include) {
        words[count++] = "-include";
        words[count++] = run->include;
    }
    memcpy(words + count, recompile->words + recompile->options, rest * sizeof *words);
    count += rest;
    words[count++] = "-fatbin";
    words[count++] = "-o";
    words[count++] = run->output;
    if (run->cap)
        words[count++] = arena_fmt(arena, "-maxrregcount=%d", run->cap).ptr;
    words[count] = NULL;
    return words;
}

void recompile_free(struct recompile *recompile)
{
    free(recompile->words);
    arena_free(&recompile->arena);
}
