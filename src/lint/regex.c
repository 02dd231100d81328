#include "lint/regex.h"

#include "base/mem.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * The limits. PCRE2's own count the steps from one starting point only, and there are as many starting points as bytes:
 * (a|b|ab)*c takes twenty seconds on a name of 20 kB without reaching one of them. So the pattern is compiled to call
 * back before each of its items, and the callback adds up the items and the bytes passed since the one before. A unit
 * of that work, one byte passed, takes about a nanosecond, an item as long as sixteen of them.
 */
enum {
    WORK_LIMIT = 4000000,
    ITEM_WORK = 16,
    MATCH_LIMIT = 1000000, /* from one starting point */
    DEPTH_LIMIT = 100000,
    HEAP_LIMIT_KIB = 32 * 1024,
    LONGEST_PATTERN = 8192,
};

struct regex {
    struct str pattern;
    pcre2_code *code;
    pcre2_match_data *data;
    pcre2_match_context *context;
    struct str *names; /* named groups in the order of their numbers */
    uint32_t *numbers;
    size_t name_count;
    size_t work, position; /* of the match that runs */
    bool exploded;
    struct arena arena;
};

static void *take_memory(size_t bytes, void *unused)
{
    (void)unused;
    return mem_alloc(bytes);
}

static void give_memory(void *memory, void *unused)
{
    (void)unused;
    free(memory);
}

/* Memory that is there or the program ends: a pattern that found none is not called wrong. */
static pcre2_general_context *memory(void)
{
    static pcre2_general_context *context;
    if (!context)
        context = pcre2_general_context_create(take_memory, give_memory, NULL);
    return context;
}

static void explain(int code, struct buf *message)
{
    PCRE2_UCHAR text[256];
    int length = pcre2_get_error_message(code, text, sizeof text);
    buf_add(message, length > 0 ? (struct str){(const char *)text, (size_t)length} : STR("not a regular expression"));
}

/* PCRE2 sorts its table by name; ours follows the numbers, as the groups stand in the pattern. */
static void read_names(struct regex *regex)
{
    uint32_t count = 0, entry_bytes = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
    regex->names = arena_alloc(&regex->arena, (count + 1) * sizeof *regex->names);
    regex->numbers = arena_alloc(&regex->arena, (count + 1) * sizeof *regex->numbers);
    for (uint32_t entry = 0; entry < count; entry++, table += entry_bytes) {
        uint32_t number = (uint32_t)table[0] << 8 | table[1];
        size_t at = regex->name_count++;
        for (; at > 0 && regex->numbers[at - 1] > number; at--) {
            regex->numbers[at] = regex->numbers[at - 1];
            regex->names[at] = regex->names[at - 1];
        }
        regex->numbers[at] = number;
        regex->names[at] = str_of((const char *)table + 2);
    }
}

static int count_work(pcre2_callout_block *block, void *context)
{
    struct regex *regex = context;
    size_t here = block->current_position, before = regex->position;
    regex->work += ITEM_WORK + (here > before ? here - before : before - here);
    regex->position = here;
    return regex->work > WORK_LIMIT ? PCRE2_ERROR_CALLOUT : 0;
}

static void set_limits(struct regex *regex)
{
    regex->context = pcre2_match_context_create(memory());
    regex->data = pcre2_match_data_create_from_pattern(regex->code, memory());
    pcre2_set_callout(regex->context, count_work, regex);
    pcre2_set_match_limit(regex->context, MATCH_LIMIT);
    pcre2_set_depth_limit(regex->context, DEPTH_LIMIT);
    pcre2_set_heap_limit(regex->context, HEAP_LIMIT_KIB);
}

struct regex *regex_new(struct str pattern, struct regex_error *error)
{
    if (pattern.len > LONGEST_PATTERN) {
        buf_fmt(&error->message, "%zu bytes, at most %d are allowed", pattern.len, LONGEST_PATTERN);
        error->offset = 0;
        return NULL;
    }
    int code = 0;
    PCRE2_SIZE offset = 0;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
    pcre2_compile_context *context = pcre2_compile_context_create(memory());
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)(pattern.len ? pattern.ptr : ""), pattern.len, options, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (!compiled) {
        explain(code, &error->message);
        error->offset = offset < pattern.len ? offset : pattern.len;
        return NULL;
    }
    struct regex *regex = mem_alloc(sizeof *regex);
    regex->code = compiled;
    regex->pattern = arena_str(&regex->arena, pattern);
    read_names(regex);
    set_limits(regex);
    return regex;
}

struct regex *regex_new_glob(struct str glob, struct regex_error *error)
{
    PCRE2_UCHAR *pattern = NULL;
    PCRE2_SIZE length = 0;
    pcre2_convert_context *context = pcre2_convert_context_create(memory());
    int code = pcre2_pattern_convert((PCRE2_SPTR)(glob.len ? glob.ptr : ""), glob.len,
                                     PCRE2_CONVERT_GLOB | PCRE2_CONVERT_UTF, &pattern, &length, context);
    pcre2_convert_context_free(context);
    if (code != 0) {
        explain(code, &error->message);
        error->offset = length < glob.len ? length : glob.len;
        return NULL;
    }
    struct regex *regex = regex_new((struct str){(const char *)pattern, length}, error);
    error->offset = 0;
    pcre2_converted_pattern_free(pattern);
    return regex;
}

void regex_free(struct regex *regex)
{
    if (!regex)
        return;
    pcre2_match_data_free(regex->data);
    pcre2_match_context_free(regex->context);
    pcre2_code_free(regex->code);
    arena_free(&regex->arena);
    free(regex);
}

struct str regex_pattern(const struct regex *regex)
{
    return regex->pattern;
}

size_t regex_names(const struct regex *regex, const struct str **names)
{
    *names = regex->names;
    return regex->name_count;
}

static struct str group_text(const struct regex *regex, struct str text, size_t number)
{
    const PCRE2_SIZE *bounds = pcre2_get_ovector_pointer(regex->data);
    PCRE2_SIZE from = bounds[2 * number], to = bounds[2 * number + 1];
    bool took_part = from != PCRE2_UNSET && from <= to;
    return took_part ? str_sub(text, from, to) : (struct str){"", 0};
}

static void capture(const struct regex *regex, struct str text, struct str *captures)
{
    for (size_t at = 0; at < regex->name_count; at++)
        captures[at] = group_text(regex, text, regex->numbers[at]);
}

size_t regex_group_count(const struct regex *regex)
{
    uint32_t count = 0;
    pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &count);
    return count;
}

void regex_groups(const struct regex *regex, struct str text, struct str *groups)
{
    size_t count = regex_group_count(regex);
    for (size_t number = 1; number <= count; number++)
        groups[number - 1] = group_text(regex, text, number);
}

enum regex_result regex_match(struct regex *regex, struct str text, struct str *captures)
{
    if (regex->exploded)
        return REGEX_LIMIT;
    regex->work = regex->position = 0;
    PCRE2_SPTR subject = (PCRE2_SPTR)(text.len ? text.ptr : "");
    int result = pcre2_match(regex->code, subject, text.len, 0, 0, regex->data, regex->context);
    if (result == PCRE2_ERROR_NOMATCH)
        return REGEX_NO;
    if (result < 0) { /* one of the limits: nothing else can happen with a compiled pattern */
        regex->exploded = true;
        return REGEX_LIMIT;
    }
    if (captures)
        capture(regex, text, captures);
    return REGEX_YES;
}

bool regex_exploded(const struct regex *regex)
{
    return regex->exploded;
}

bool regex_quote(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len;) {
        struct str rest = str_from(text, at);
        size_t length = utf8_length(rest);
        char c = rest.ptr[0];
        if (length == 0)
            return false;
        if (length > 1 || c < ' ' || c == 0x7F)
            buf_fmt(out, "\\x{%x}", utf8_code(rest));
        else
            buf_fmt(out, "%s%c", strchr("\\^$.[]|()*+?{}", c) ? "\\" : "", c);
        at += length;
    }
    return true;
}
