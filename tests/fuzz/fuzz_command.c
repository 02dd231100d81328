/*
 * Any bytes as a command, one word per line. Its meaning must not change when the understood words are read again, when
 * its tail is in an option file (quoted byte by byte) or in NVCC_APPEND_FLAGS, and when the wrapper has added its own
 * words. Sources are inputs, inputs are words, an output comes from -o or from an input.
 */
#include "fuzz.h"
#include "nvcc/invocation.h"

#include <stdlib.h>

enum { MOST_WORDS = 64 };

struct command {
    struct arena arena;
    const char *words[MOST_WORDS + 8];
    size_t count;
};

static void add_word(struct command *command, struct str word)
{
    command->words[command->count++] = arena_cstr(&command->arena, word);
}

static void make_command(struct command *command, struct str text)
{
    struct str word;
    while (command->count < MOST_WORDS && text.len && str_split(&text, '\n', &word))
        if (!memchr(word.ptr ? word.ptr : "", '\0', word.len))
            add_word(command, word);
}

static bool same_words(const struct str_list *a, const struct str_list *b)
{
    if (a->count != b->count)
        return false;
    for (size_t at = 0; at < a->count; at++)
        if (!str_eq(a->items[at], b->items[at]))
            return false;
    return true;
}

/* Compares everything except the words themselves. */
static void check_same(const struct invocation *a, const struct invocation *b, const char *what)
{
    fuzz_check(a->dialect == b->dialect && a->phase == b->phase && a->makes_code == b->makes_code &&
                   a->links == b->links && a->debug == b->debug && a->asks_remarks == b->asks_remarks &&
                   a->has_prefix == b->has_prefix && a->writes_dependencies == b->writes_dependencies,
               "%s it does something else", what);
    fuzz_check(str_eq(a->dependencies, b->dependencies) && str_eq(a->host_compiler, b->host_compiler),
               "%s it names something else", what);
    fuzz_check(same_words(&a->inputs, &b->inputs), "%s it has other inputs", what);
    fuzz_check(same_words(&a->sources, &b->sources), "%s it has other sources", what);
    fuzz_check(same_words(&a->outputs, &b->outputs), "%s it has other outputs", what);
    fuzz_check(same_words(&a->includes, &b->includes) && same_words(&a->pre_includes, &b->pre_includes),
               "%s it includes something else", what);
}

static bool holds(const struct str_list *words, struct str word)
{
    for (size_t at = 0; at < words->count; at++)
        if (str_eq(words->items[at], word))
            return true;
    return false;
}

static bool stands_there(struct str word, const struct nvcc_option *option)
{
    struct str spelling;
    for (struct str rest = str_of(option->spellings); rest.len && str_split(&rest, ' ', &spelling);)
        if (str_starts(word, spelling))
            return true;
    return false;
}

static void check_sense(const struct invocation *invocation)
{
    for (size_t at = 0; at < invocation->inputs.count; at++)
        fuzz_check(holds(&invocation->words, invocation->inputs.items[at]), "an input that nobody gave");
    for (size_t at = 0; at < invocation->sources.count; at++)
        fuzz_check(holds(&invocation->inputs, invocation->sources.items[at]), "a source that is no input");
    fuzz_check(invocation->outputs.count == 0 || invocation->inputs.count > 0, "an output of nothing");
    fuzz_check(!invocation->makes_code || invocation->sources.count > 0, "code without a source");
    for (size_t at = 0; at < invocation->words.count; at++) {
        struct str word = invocation->words.items[at], value;
        const struct nvcc_option *option = option_find(invocation->dialect, word, &value);
        fuzz_check(!option || stands_there(word, option), "an option that does not stand there");
        fuzz_check(!option || !value.ptr || (value.ptr >= word.ptr && value.ptr + value.len == word.ptr + word.len),
                   "a value that does not end the word");
    }
}

static void check_again(const struct command *command, const struct invocation *invocation)
{
    struct command flat = {0};
    struct invocation again;
    add_word(&flat, str_of(command->words[invocation->compiler]));
    const char **words = mem_alloc((invocation->words.count + 1) * sizeof *words);
    words[0] = flat.words[0];
    for (size_t at = 0; at < invocation->words.count; at++)
        words[at + 1] = arena_cstr(&flat.arena, invocation->words.items[at]);
    invocation_read(&again, words, invocation->words.count + 1, (struct launcher_variables){0});
    check_same(invocation, &again, "read again");
    fuzz_check(same_words(&invocation->words, &again.words), "read again it has other words");
    invocation_free(&again);
    free(words);
    arena_free(&flat.arena);
}

static void check_with_own_words(const struct command *command, const struct invocation *invocation)
{
    struct command ours = {0};
    struct invocation again;
    for (size_t at = 0; at < command->count; at++) {
        add_word(&ours, str_of(command->words[at]));
        if (at != invocation->compiler)
            continue;
        static const struct str words[DIALECTS][2] = {{STR_INIT("-Xptxas=-v"), STR_INIT("-Xnvlink=-v")},
                                                      {STR_INIT("-Xcuda-ptxas"), STR_INIT("-v")},
                                                      {STR_INIT("-gpu=ptxinfo"), STR_INIT("-gpu=ptxinfo")}};
        add_word(&ours, words[invocation->dialect][0]);
        add_word(&ours, words[invocation->dialect][1]);
    }
    invocation_read(&again, ours.words, ours.count, (struct launcher_variables){0});
    fuzz_check(again.compiler == invocation->compiler, "with our words it has another compiler");
    check_same(invocation, &again, "with our words");
    invocation_free(&again);
    arena_free(&ours.arena);
}

/* The index of a word after the compiler that is not the value of the word before it. */
static size_t place_to_cut(const struct command *command, const struct invocation *invocation, struct dice *dice)
{
    size_t starts[MOST_WORDS + 1], count = 0;
    for (size_t at = invocation->compiler + 1; at < command->count; at++) {
        struct str value;
        const struct nvcc_option *option = option_find(DIALECT_NVCC, str_of(command->words[at]), &value);
        starts[count++] = at;
        at += option && option->takes != TAKES_NOTHING && !value.ptr;
    }
    return count ? starts[dice_below(dice, count)] : command->count;
}

/* Only words that an option file can hold: no word is empty. */
static bool add_quoted(struct buf *out, const char *word)
{
    for (const char *at = word; *at; at++) {
        buf_char(out, '\\');
        buf_char(out, *at);
    }
    buf_char(out, '\n');
    return *word != '\0';
}

static void check_tail(const struct command *command, const struct invocation *invocation, struct dice *dice)
{
    struct command head = {0};
    struct invocation again;
    struct buf file = {0}, variable = {0};
    size_t cut = place_to_cut(command, invocation, dice);
    bool quotable = true, plain = true;
    for (size_t at = 0; at < command->count; at++) {
        if (at < cut) {
            add_word(&head, str_of(command->words[at]));
            continue;
        }
        quotable = add_quoted(&file, command->words[at]) && quotable;
        plain = plain && !strpbrk(command->words[at], "\" \t\v\f\r");
        buf_fmt(&variable, "%s ", command->words[at]);
    }
    if (quotable && plain) {
        invocation_read(&again, head.words, head.count, (struct launcher_variables){.append = buf_str(&variable)});
        check_same(invocation, &again, "with its tail in the variable");
        invocation_free(&again);
    }
    if (quotable) {
        add_word(&head, STR("--options-file"));
        add_word(&head, str_of(fuzz_file(buf_str(&file))));
        invocation_read(&again, head.words, head.count, (struct launcher_variables){0});
        check_same(invocation, &again, "with its tail in a file");
        invocation_free(&again);
    }
    buf_free(&file);
    buf_free(&variable);
    arena_free(&head.arena);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct dice dice = dice_of(text);
    struct command command = {0};
    struct invocation invocation;
    make_command(&command, text);
    if (command.count) {
        invocation_read(&invocation, command.words, command.count, (struct launcher_variables){0});
        check_sense(&invocation);
        check_again(&command, &invocation);
        check_with_own_words(&command, &invocation);
        if (invocation.dialect == DIALECT_NVCC)
            check_tail(&command, &invocation, &dice);
        invocation_free(&invocation);
    }
    arena_free(&command.arena);
    return 0;
}
