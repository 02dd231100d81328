#include "base/regex.h"

#include "base/mem.h"

#define PCRE2_CODE_UNIT_WIDTH 8
#include <pcre2.h>
#include <stdlib.h>
#include <string.h>

/*
 * The limits. PCRE2's own limits count the steps from one starting point only, and every byte is a starting point:
 * (a|b|ab)*c takes twenty seconds on a name of 20 kB without reaching any of them. So the pattern is compiled with a
 * callout before each of its items, and the callout adds up the items and the bytes passed since the previous callout.
 * One unit of that work, one byte passed, takes about a nanosecond; an item takes about as long as sixteen units.
 */
enum {
    WORK_LIMIT = 4000000,
    ITEM_WORK = 16,
    MATCH_LIMIT = 1000000, /* from one starting point */
    DEPTH_LIMIT = 100000,
    HEAP_LIMIT_KIB = 32 * 1024,
    LONGEST_PATTERN = 8192,
    HELD_LIMIT = 16 << 20, /* bytes of all compiled patterns together; (?:ab){2000} alone takes 56 kB */
};

static size_t held_bytes; /* bytes of all patterns that are not released */

struct regex {
    struct str pattern;
    pcre2_code *code;
    struct str *names; /* of the groups; the texts are in the code's name table */
    uint32_t group_count;
    size_t bytes;          /* size of all of the above, counted in held_bytes */
    size_t work, position; /* of the current match */
    bool exploded;
    char text[]; /* text of the pattern, NUL-terminated */
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

/* PCRE2 allocates with mem_alloc: if memory runs out, the program ends and does not report the pattern as wrong. */
static pcre2_general_context *memory(void)
{
    static pcre2_general_context *context;
    if (!context)
        context = pcre2_general_context_create(take_memory, give_memory, NULL);
    return context;
}

static void explain(int code, const char *expected, struct buf *message)
{
    PCRE2_UCHAR text[256];
    int length = pcre2_get_error_message(code, text, sizeof text);
    buf_fmt(message, "not a %s: %.*s", expected, length > 0 ? length : 0, (const char *)text);
}

static void read_names(struct regex *regex)
{
    uint32_t count = 0, entry_bytes = 0;
    PCRE2_SPTR table = NULL;
    pcre2_pattern_info(regex->code, PCRE2_INFO_CAPTURECOUNT, &regex->group_count);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMECOUNT, &count);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMEENTRYSIZE, &entry_bytes);
    pcre2_pattern_info(regex->code, PCRE2_INFO_NAMETABLE, &table);
    regex->names = mem_alloc(regex->group_count * sizeof *regex->names);
    regex->bytes += regex->group_count * sizeof *regex->names;
    for (uint32_t entry = 0; entry < count; entry++, table += entry_bytes)
        regex->names[((uint32_t)table[0] << 8 | table[1]) - 1] = str_of((const char *)table + 2);
}

static int count_work(pcre2_callout_block *block, void *context)
{
    struct regex *regex = context;
    size_t here = block->current_position, before = regex->position;
    regex->work += ITEM_WORK + (here > before ? here - before : before - here);
    regex->position = here;
    return regex->work > WORK_LIMIT ? PCRE2_ERROR_CALLOUT : 0;
}

/* Memory for the results of a match and for PCRE2's backtracking: 20 kB to HEAP_LIMIT_KIB. All patterns share it: with
 * one for each, 20,000 patterns took 500 MB. */
static pcre2_match_data *match_data(const struct regex *regex)
{
    static pcre2_match_data *data;
    uint32_t pairs = regex->group_count + 1;
    if (!data || pcre2_get_ovector_count(data) < pairs) {
        pcre2_match_data_free(data);
        data = pcre2_match_data_create(pairs, memory());
    }
    return data;
}

static pcre2_code *compile(struct str pattern, struct regex_error *error)
{
    int code = 0;
    PCRE2_SIZE offset = 0;
    uint32_t options = PCRE2_UTF | PCRE2_MATCH_INVALID_UTF | PCRE2_NEVER_BACKSLASH_C | PCRE2_AUTO_CALLOUT;
    pcre2_compile_context *context = pcre2_compile_context_create(memory());
    pcre2_code *compiled =
        pcre2_compile((PCRE2_SPTR)(pattern.len ? pattern.ptr : ""), pattern.len, options, &code, &offset, context);
    pcre2_compile_context_free(context);
    if (!compiled) {
        explain(code, "regular expression", &error->message);
        error->offset = offset < pattern.len ? offset : pattern.len;
    }
    return compiled;
}

static struct regex *too_many(struct regex *regex, struct regex_error *error)
{
    buf_fmt(&error->message,
            "with this pattern (%zu bytes when compiled) all patterns together take more than %d MiB, which is the "
            "limit; use fewer patterns, or smaller counts like {100} in them",
            regex->bytes, HELD_LIMIT >> 20);
    error->offset = 0;
    regex_free(regex);
    return NULL;
}

struct regex *regex_new(struct str pattern, struct regex_error *error)
{
    if (pattern.len > LONGEST_PATTERN) {
        buf_fmt(&error->message, "the pattern has %zu bytes, at most %d are allowed", pattern.len, LONGEST_PATTERN);
        error->offset = 0;
        return NULL;
    }
    pcre2_code *compiled = compile(pattern, error);
    if (!compiled)
        return NULL;
    size_t code_bytes = 0;
    pcre2_pattern_info(compiled, PCRE2_INFO_SIZE, &code_bytes);
    struct regex *regex = mem_alloc(sizeof *regex + pattern.len + 1);
    regex->code = compiled;
    regex->bytes = sizeof *regex + pattern.len + 1 + code_bytes;
    regex->pattern = (struct str){regex->text, pattern.len};
    if (pattern.len)
        memcpy(regex->text, pattern.ptr, pattern.len);
    read_names(regex);
    held_bytes += regex->bytes;
    return held_bytes > HELD_LIMIT ? too_many(regex, error) : regex;
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
        explain(code, "pattern of paths", &error->message);
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
    held_bytes -= regex->bytes;
    pcre2_code_free(regex->code);
    free(regex->names);
    free(regex);
}

struct str regex_pattern(const struct regex *regex)
{
    return regex->pattern;
}

size_t regex_groups(const struct regex *regex, const struct str **names)
{
    *names = regex->names;
    return regex->group_count;
}

static struct str group_text(const struct regex *regex, struct str text, size_t number)
{
    const PCRE2_SIZE *bounds = pcre2_get_ovector_pointer(match_data(regex));
    PCRE2_SIZE from = bounds[2 * number], to = bounds[2 * number + 1];
    bool took_part = from != PCRE2_UNSET && from <= to;
    return took_part ? str_sub(text, from, to) : (struct str){"", 0};
}

enum regex_result regex_match(struct regex *regex, struct str text, struct str *groups)
{
    if (regex->exploded)
        return REGEX_LIMIT;
    static pcre2_match_context *context;
    if (!context) {
        context = pcre2_match_context_create(memory());
        pcre2_set_match_limit(context, MATCH_LIMIT);
        pcre2_set_depth_limit(context, DEPTH_LIMIT);
        pcre2_set_heap_limit(context, HEAP_LIMIT_KIB);
    }
    pcre2_set_callout(context, count_work, regex);
    regex->work = regex->position = 0;
    PCRE2_SPTR subject = (PCRE2_SPTR)(text.len ? text.ptr : "");
    int result = pcre2_match(regex->code, subject, text.len, 0, 0, match_data(regex), context);
    if (result == PCRE2_ERROR_NOMATCH)
        return REGEX_NO;
    if (result < 0) { /* a limit was reached: with a compiled pattern no other error is possible */
        regex->exploded = true;
        return REGEX_LIMIT;
    }
    for (size_t number = 1; groups && number <= regex->group_count; number++)
        groups[number - 1] = group_text(regex, text, number);
    return REGEX_YES;
}

bool regex_limit_reached(const struct regex *regex)
{
    return regex->exploded;
}

void regex_list_add(struct regex_list *list, struct regex *regex)
{
    *MEM_ADD(list->items, list->count, list->cap) = regex;
}

const struct regex *regex_list_limit_reached(const struct regex_list *list)
{
    for (size_t at = 0; at < list->count; at++)
        if (list->items[at]->exploded)
            return list->items[at];
    return NULL;
}

void regex_list_free(struct regex_list *list)
{
    for (size_t at = 0; at < list->count; at++)
        regex_free(list->items[at]);
    free(list->items);
    *list = (struct regex_list){0};
}

bool regex_quote(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len;) {
        struct str rest = str_from(text, at);
        size_t length = utf8_length(rest);
        char c = rest.ptr[0];
        if (length == 0)
            return false;
        if (length > 1 || c < ' ' || c == 0x7F) {
            buf_fmt(out, "\\x{%x}", utf8_code(rest));
        } else {
            const bool is_command = c == '#' && at && text.ptr[at - 1] == '#'; /* for some CI systems */
            buf_pad(out, '\\', is_command || strchr("\\^$.[]|()*+?{}", c));
            buf_char(out, c);
        }
        at += length;
    }
    return true;
}
