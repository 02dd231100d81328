/* compiler_command: reads the command of `wrap` and adds options to it. */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "nvcc/program.h"
#include "nvcc/ptxas_hook.h"

#include <string.h>

enum { MOST_ADDED_WORDS = 3 + REMARK_OPTIONS };

static bool take_words(struct wrap *wrap)
{
    const struct str_list *given = &wrap->settings->common.arguments;
    if (given->count == 0)
        return diag_error(wrap->diags, nowhere,
                          "no command was given, expected one as in `warplint wrap -- nvcc -c kernel.cu -o kernel.o`");
    wrap->words = arena_alloc(&wrap->arena, (given->count + MOST_ADDED_WORDS + 1) * sizeof *wrap->words);
    for (size_t at = 0; at < given->count; at++)
        wrap->words[wrap->count++] = given->items[at].ptr;
    return true;
}

static bool replace_self(struct wrap *wrap, size_t word)
{
    const char *name = wrap->words[word];
    bool next_is_wrap = word + 1 < wrap->count && strcmp(wrap->words[word + 1], "wrap") == 0;
    if (next_is_wrap && program_is_self(name) && !program_find_other(name, &wrap->arena))
        return diag_error(wrap->diags, nowhere, "`%s wrap` is given twice in front of the compiler, expected once",
                          name);
    return program_replace_self(&wrap->words[word], &wrap->arena, wrap->diags);
}

static struct str why_unjudged(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    if (invocation->unread.len)
        return arena_fmt(&wrap->arena, "not judged: the option file '%.*s' %.*s", STR_ARG(invocation->unread),
                         STR_ARG(invocation->unread_why));
    if (invocation->unread_reason)
        return arena_fmt(&wrap->arena, "not judged: %s", invocation->unread_reason);
    return (struct str){"", 0};
}

int compiler_command_read(struct wrap *wrap)
{
    struct invocation *invocation = &wrap->invocation;
    if (!take_words(wrap))
        return STATUS_USAGE;
    if (!replace_self(wrap, 0))
        return STATUS_NOT_FOUND;
    run_even_without_memory(wrap);
    invocation_read(invocation, wrap->words, wrap->count, launcher_environment());
    if (invocation->launcher.moves)
        invocation_forget_files(invocation);
    if (invocation->compiler && !replace_self(wrap, invocation->compiler))
        return STATUS_NOT_FOUND;
    wrap->unjudged = why_unjudged(wrap);
    return STATUS_OK;
}

/* Adds the word directly after the compiler's name, where it cannot become the value of an option. */
static void add_word(struct wrap *wrap, const char *word)
{
    size_t at = wrap->invocation.compiler + 1;
    memmove(&wrap->words[at + 1], &wrap->words[at], (wrap->count - at) * sizeof *wrap->words);
    wrap->words[at] = word;
    wrap->count++;
}

/* Adds options that only some compilers accept. They are not added under caches that take nvcc's dry run apart, because
 * such a cache must understand every command in it. */
static void add_known_options(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    bool remarks = !wrap->settings->no_remarks && !invocation->asks_remarks;
    /* A remark begins with the path of its source, and is not recognised if that path is on two lines. */
    for (size_t at = 0; at < invocation->sources.count; at++)
        remarks &= str_find_char(invocation->sources.items[at], '\n') == STR_NONE;
    bool hook = !wrap->settings->no_hook && !invocation->has_prefix;
    if (!(remarks || hook))
        return;
    wrap->features = probe_compiler(wrap->words[invocation->compiler], invocation->host_compiler);
    if (invocation_runs_under(invocation, wrap->words, "sccache cachepot buildcache"))
        return;
    const char *option = hook && wrap->features.prefix ? ptxas_hook_option(&wrap->arena) : NULL;
    if (option) {
        wrap->key = ptxas_hook_key(&wrap->arena);
        add_word(wrap, option);
    }
    wrap->remarks = remarks && wrap->features.remarks;
    for (int at = REMARK_OPTIONS; wrap->remarks && at-- > 0;)
        add_word(wrap, remark_options[at]);
}

/* For nvcc each option is one word: nvcc_wrapper would pass the second of two words to the host compiler. */
void compiler_command_add_options(struct wrap *wrap)
{
    const struct invocation *invocation = &wrap->invocation;
    bool verbose = !wrap->settings->no_verbose;
    if (invocation->dialect == DIALECT_CLANG && invocation->makes_code && verbose) {
        add_word(wrap, "-v");
        add_word(wrap, "-Xcuda-ptxas");
    }
    if (invocation->dialect == DIALECT_NVHPC && invocation->makes_code && verbose && !invocation->asks_ptxinfo)
        add_word(wrap, "-gpu=ptxinfo");
    if (invocation->dialect != DIALECT_NVCC)
        return;
    if (invocation->makes_code)
        add_known_options(wrap);
    if (invocation->makes_code && verbose)
        add_word(wrap, "-Xptxas=-v");
    if (invocation->links && verbose)
        add_word(wrap, "-Xnvlink=-v");
}
