/*
 * The fast path: the five messages that make up most of a log, exactly as ptxas prints them. Everything here is in the
 * phrase table too; a line that differs in one byte goes there. test_log.c proves that both read the same.
 */
#include "log/phrase.h"

struct cursor {
    const char *at, *end;
};

/* Takes the literal off the front; with a constant length the comparison needs no call. */
#define TAKE(c, literal) take(c, literal, sizeof literal - 1)
__attribute__((always_inline)) static inline bool take(struct cursor *c, const char *literal, size_t len)
{
    if ((size_t)(c->end - c->at) < len || memcmp(c->at, literal, len) != 0)
        return false;
    c->at += len;
    return true;
}

/* A number of at most 18 digits; more is the table's business. */
__attribute__((always_inline)) static inline bool take_number(struct cursor *c, int64_t *value)
{
    enum { MOST_DIGITS = 18 };
    const char *start = c->at;
    bool negative = c->at < c->end && *c->at == '-';
    int64_t total = 0;
    c->at += negative;
    const char *first = c->at;
    for (; c->at < c->end && (unsigned char)(*c->at - '0') <= 9; c->at++)
        total = (int64_t)((uint64_t)total * 10 + (uint64_t)(*c->at - '0'));
    *value = negative ? -total : total;
    if (c->at > first && c->at - first <= MOST_DIGITS)
        return true;
    c->at = start;
    return false;
}

static inline struct str rest_of(const struct cursor *c)
{
    return (struct str){c->at, (size_t)(c->end - c->at)};
}

/* Without blanks, and without what clean_line takes out or decodes. */
static inline bool is_plain_name(struct str name)
{
    for (size_t at = 0; at < name.len; at++)
        if ((unsigned char)name.ptr[at] <= ' ' || name.ptr[at] == '&')
            return false;
    return name.len && name.ptr[0] != '\'';
}

/* NAME' for 'ARCH' */
static inline bool take_entry(struct cursor *c, struct captures *captures)
{
    enum { SHORTEST = 10, LONGEST_ARCH = 12, BETWEEN = 7 };
    if (c->end - c->at < SHORTEST || c->end[-1] != '\'')
        return false;
    const char *arch = c->end - 1, *least = c->end - 1 - LONGEST_ARCH;
    if (least < c->at + BETWEEN)
        least = c->at + BETWEEN;
    while (arch > least && arch[-1] != '\'')
        arch--;
    if (memcmp(arch - BETWEEN, "' for '", BETWEEN) != 0)
        return false;
    captures->arch = (struct str){arch, (size_t)(c->end - 1 - arch)};
    captures->name = (struct str){c->at, (size_t)(arch - BETWEEN - c->at)};
    return is_plain_name(captures->arch) && is_plain_name(captures->name);
}

/* 43664.770 ms */
static inline bool take_time(struct cursor *c, struct captures *captures)
{
    enum { MOST_MS = 1 << 30 };
    int64_t whole = 0, thousandths = 0;
    if (c->at == c->end || c->at[0] == '-' || !take_number(c, &whole) || whole > MOST_MS || !TAKE(c, ".") ||
        c->end - c->at != 6 || c->at[0] == '-' || !take_number(c, &thousandths) || c->end - c->at != 3)
        return false;
    captures->time_us = whole * 1000 + thousandths;
    return TAKE(c, " ms");
}

bool line_fast_match(struct str text, enum phrase_kind *kind, struct captures *captures)
{
    struct cursor c = {text.ptr, text.ptr + text.len};
    if (text.len < 8)
        return false;
    captures->number_count = 0;
    switch (text.ptr[0]) {
    case 'C':
        *kind = text.ptr[6] == 'i' ? PHRASE_ENTRY : PHRASE_TIME;
        if (*kind == PHRASE_ENTRY)
            return TAKE(&c, "Compiling entry function '") && take_entry(&c, captures);
        return TAKE(&c, "Compile time = ") && take_time(&c, captures);
    case 'F':
        *kind = PHRASE_PROPERTIES;
        if (!TAKE(&c, "Function properties for "))
            return false;
        captures->name = rest_of(&c);
        return is_plain_name(captures->name);
    case 'U':
        *kind = PHRASE_USED;
        if (!TAKE(&c, "Used ") || !take_number(&c, &captures->number[0]) || !TAKE(&c, " registers"))
            return false;
        captures->number_count = 1;
        captures->metrics = rest_of(&c);
        return true;
    default:
        *kind = PHRASE_MODULE;
        if (!take_number(&c, &captures->number[0]) || !TAKE(&c, " bytes gmem"))
            return false;
        captures->number_count = 1;
        captures->metrics = rest_of(&c);
        return true;
    }
}

bool line_fast_stack_match(struct str line, struct captures *captures)
{
    struct cursor c = {line.ptr, line.ptr + line.len};
    captures->number_count = 3;
    return TAKE(&c, "    ") && take_number(&c, &captures->number[0]) && TAKE(&c, " bytes stack frame, ") &&
           take_number(&c, &captures->number[1]) && TAKE(&c, " bytes spill stores, ") &&
           take_number(&c, &captures->number[2]) && TAKE(&c, " bytes spill loads") && c.at == c.end;
}

static inline bool at_piece_end(const struct cursor *c)
{
    return c->at == c->end || *c->at == ',';
}

/* The most frequent pieces of a Used line. */
__attribute__((always_inline)) static inline bool take_metric(struct cursor *c, struct metrics *metrics,
                                                              struct bank *banks, size_t bank_cap, size_t *bank_count)
{
    int64_t value = 0, bank = 0;
    TAKE(c, "used ");
    if (!take_number(c, &value) || value < 0 || value > INT32_MAX)
        return false;
    if (TAKE(c, " bytes cmem[")) {
        int64_t last = *bank_count ? (int64_t)banks[*bank_count - 1].bank : -1; /* they stand in their order */
        if (!take_number(c, &bank) || bank <= last || bank > UINT16_MAX || !TAKE(c, "]") || !at_piece_end(c) ||
            *bank_count >= bank_cap)
            return false;
        banks[(*bank_count)++] = (struct bank){(uint32_t)bank, (int32_t)value};
        return true;
    }
    int32_t *into = NULL;
    if (TAKE(c, " barriers"))
        into = &metrics->barriers;
    else if (TAKE(c, " bytes smem"))
        into = &metrics->smem_bytes;
    else if (TAKE(c, " bytes cumulative stack size"))
        into = &metrics->cumulative_stack_bytes;
    if (!into || !at_piece_end(c))
        return false;
    *into = (int32_t)value;
    return true;
}

size_t line_fast_metrics(struct str text, struct metrics *metrics, struct bank *banks, size_t bank_cap,
                         size_t *bank_count)
{
    struct cursor c = {text.ptr, text.ptr + text.len};
    size_t done = 0;
    while (TAKE(&c, ", ") && take_metric(&c, metrics, banks, bank_cap, bank_count))
        done = (size_t)(c.at - text.ptr);
    return done;
}
