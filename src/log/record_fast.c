/*
 * The text is compared in place, in the order in which ptxas prints it. Only the end of the Used line is searched. The
 * phrase table has the same messages; test_reading.c proves that both give the same result.
 */
#include "log/record_fast.h"

#include "log/phrase.h"

static bool take_end(struct str *text)
{
    return str_take(text, STR("\n")) || str_take(text, STR("\r\n"));
}

/* True for a name without blanks, control characters and ampersands. */
static bool is_plain(struct str name)
{
    unsigned char others = 0;
    for (size_t at = 0; at < name.len; at++)
        others |= (unsigned char)name.ptr[at] <= ' ' || name.ptr[at] == '&';
    return name.len > 0 && !others;
}

/* Takes the text before the next quote. */
static bool take_name(struct str *text, struct str *name)
{
    *name = str_sub(*text, 0, str_find_char(*text, '\''));
    *text = str_from(*text, name->len);
    return is_plain(*name);
}

static bool take_number(struct str *text, int64_t *number)
{
    uint64_t value = 0;
    bool ok = str_uint(text, &value) && value <= INT32_MAX;
    *number = (int64_t)value;
    return ok;
}

/* Takes the Used line from the number of registers to its end. */
static bool take_used(struct str *text, struct metrics *used)
{
    int64_t registers = 0;
    *used = no_metrics;
    if (!take_number(text, &registers) || !str_take(text, STR(" registers")))
        return false;
    size_t end = str_find_char(*text, '\n');
    struct str line = str_sub(*text, 0, end);
    line.len -= str_ends(line, STR("\r"));
    used->registers = (int32_t)registers;
    used->flags = KERNEL_USED_LINE;
    *text = str_from(*text, end);
    bool torn = str_find_char(line, 'g') != STR_NONE; /* only " bytes gmem" has a g, and belongs to a module */
    return !torn && metrics_read(line, used) && metrics_are_possible(used) && str_take(text, STR("\n"));
}

/* Takes the line with the compile time; false if there is none. */
static bool take_time(struct str *text, int64_t *time_us)
{
    struct str rest = *text;
    if (!str_take(&rest, STR("ptxas info    : Compile time = ")) || !milliseconds_read(&rest, time_us) ||
        !str_take(&rest, STR(" ms")) || !take_end(&rest))
        return false;
    *text = rest;
    return true;
}

bool record_fast_take(struct str *text, struct record *record)
{
    struct str rest = *text;
    record->has_module = str_take(&rest, STR("ptxas info    : 0 bytes gmem\n"));
    if (!str_take(&rest, STR("ptxas info    : Compiling entry function '")) || !take_name(&rest, &record->name) ||
        !str_take(&rest, STR("' for '")) || !take_name(&rest, &record->arch) || !str_take(&rest, STR("'")) ||
        !take_end(&rest) || !str_take(&rest, STR("ptxas info    : Function properties for ")) ||
        !str_take(&rest, record->name) || !take_end(&rest) || !str_take(&rest, STR("    ")) ||
        !take_number(&rest, &record->stack_line[0]) || !str_take(&rest, STR(" bytes stack frame, ")) ||
        !take_number(&rest, &record->stack_line[1]) || !str_take(&rest, STR(" bytes spill stores, ")) ||
        !take_number(&rest, &record->stack_line[2]) || !str_take(&rest, STR(" bytes spill loads")) ||
        !take_end(&rest) || !str_take(&rest, STR("ptxas info    : Used ")) || !take_used(&rest, &record->used))
        return false;
    const bool timed = take_time(&rest, &record->compile_us);
    if (!timed)
        record->compile_us = INT64_MIN;
    record->lines = (uint8_t)(4 + record->has_module + timed);
    *text = rest;
    return true;
}
