/*
 * Everything is compared in place, in the order in which ptxas prints it, with no search for the ends of lines. Nothing
 * that is taken holds a LF but where a line of the record ends, so what begins before the last line's end does not run
 * past it; only the words on both sides of a line's end may, and behind them `end` is looked at. What is read here is
 * also in the phrase table; test_reading.c proves that both read the same.
 */
#include "log/record_fast.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__

const char *record_fast_read(const char *at, const char *end, struct record *record)
{
    (void)at, (void)end, (void)record;
    return NULL;
}

#else

#define EACH_BYTE(value)                (0x0101010101010101u * (value))
#define INLINE                          __attribute__((always_inline)) static inline

static inline uint64_t load8(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* ---- words and names -------------------------------------------------------------------------------------------- */

enum { WIDTH = 8 };

/* How many of the first WIDTH bytes may be in a plain name: no blanks, controls, quotes and what is next to them, the
 * ampersand, and nothing but ASCII. */
static inline size_t name_bytes(const char *at)
{
    uint64_t bytes = load8(at);
    uint64_t above_blank = (bytes | EACH_BYTE(0x80)) - EACH_BYTE(' ' + 1);
    uint64_t no_quote = (((bytes | EACH_BYTE(1)) ^ EACH_BYTE('&' | 1)) | EACH_BYTE(0x80)) - EACH_BYTE(1);
    uint64_t ends = (bytes | ~above_blank | ~no_quote) & EACH_BYTE(0x80);
    return ends ? (size_t)__builtin_ctzll(ends) / 8 : WIDTH;
}

/* Takes the literal off the front. */
#define TAKE(at, literal)               take(at, literal, sizeof literal - 1)
INLINE bool take(const char **at, const char *literal, size_t len)
{
    if (memcmp(*at, literal, len) != 0)
        return false;
    *at += len;
    return true;
}

/* The end of one line and the front of the next at once. */
#define TAKE_ACROSS(at, before, behind) (TAKE(at, before "\n" behind) || TAKE(at, before "\r\n" behind))

INLINE bool take_end(const char **at)
{
    return TAKE_ACROSS(at, "", "");
}

static inline size_t name_len(const char *name)
{
    size_t len = 0, more;
    do {
        more = name_bytes(name + len);
        len += more;
    } while (more == WIDTH);
    return len;
}

/* NAME up to a quote. */
INLINE bool take_name(const char **at, struct record *record)
{
    record->name = (struct str){*at, name_len(*at)};
    *at += record->name.len;
    return record->name.len > 0 && **at == '\'';
}

/* ARCH of at most seven bytes. */
INLINE bool take_arch(const char **at, struct record *record)
{
    size_t len = name_bytes(*at);
    if (len == 0 || len > 7)
        return false;
    record->arch = load8(*at) & ((1ull << (8 * len)) - 1);
    *at += len;
    return true;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

static inline unsigned digit_at(const char *at)
{
    return (unsigned char)*at - (unsigned)'0'; /* more than 9 when it is none */
}

/*
 * One to seven digits, one by one: how many there are is foreseen most of the time, and then nothing waits for them.
 * All at once, as one word, is fewer instructions for long numbers, but where the next word stands is known only
 * afterwards.
 */
INLINE bool take_number(const char **at, int32_t *value)
{
    enum { MOST_DIGITS = 7 };
    const char *front = *at;
    unsigned number = digit_at(front);
    if (number > 9)
        return false;
    for (int digits = 1; digits <= MOST_DIGITS; digits++) {
        unsigned digit = digit_at(front + digits);
        if (digit > 9) {
            *value = (int32_t)number;
            *at = front + digits;
            return true;
        }
        number = number * 10 + digit;
    }
    return false;
}

/* .DDD ms */
INLINE bool take_fraction(const char **at, int32_t *thousandths)
{
    const char *front = *at;
    *thousandths = 0;
    for (int digit = 1; digit <= 3; digit++) {
        if (digit_at(front + digit) > 9)
            return false;
        *thousandths = *thousandths * 10 + (int32_t)digit_at(front + digit);
    }
    *at += 4;
    return *front == '.' && TAKE(at, " ms");
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* The three numbers of a stack line and the words between them. */
INLINE bool take_stack(const char **at, int32_t bytes[3])
{
    return take_number(at, &bytes[0]) && TAKE(at, " bytes stack frame, ") && take_number(at, &bytes[1]) &&
           TAKE(at, " bytes spill stores, ") && take_number(at, &bytes[2]) && TAKE(at, " bytes spill loads");
}

/* From the end of a line over the stack line to the number of registers; most stack lines are three zeros. */
INLINE bool take_stack_line(const char **at, const char *end, int32_t bytes[3])
{
    if (TAKE(at, "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used ")) {
        bytes[0] = bytes[1] = bytes[2] = 0;
        return true;
    }
    return TAKE_ACROSS(at, "", "    ") && *at < end && take_stack(at, bytes) &&
           TAKE_ACROSS(at, "", "ptxas info    : Used ");
}

/* 372 bytes cmem[0], 8 bytes cmem[2] and the end of the line: the first number is taken. Banks stand in their order. */
INLINE bool take_banks(const char **at, int32_t bytes, struct record *record)
{
    enum { MOST_BANKS = 2 };
    int32_t bank = 0, last = -1;
    while (record->used.bank_count < MOST_BANKS) {
        if (!TAKE(at, " bytes cmem[") || !take_number(at, &bank) || bank <= last || bank > UINT16_MAX || !TAKE(at, "]"))
            return false;
        record->used.banks[record->used.bank_count++] = (struct bank){(uint32_t)bank, bytes};
        last = bank;
        if (!TAKE(at, ", "))
            return take_end(at);
        if (!take_number(at, &bytes))
            return false;
    }
    return false;
}

/* What is behind the number of registers, in the order in which ptxas prints it, and the end of the line. */
INLINE bool take_metrics(const char **at, struct record *record)
{
    int32_t bytes = 0;
    if (TAKE(at, " registers, used ")) {
        if (!take_number(at, &record->used.barriers) || record->used.barriers > MOST_BARRIERS || !TAKE(at, " barriers"))
            return false;
        if (!TAKE(at, ", "))
            return take_end(at);
    } else if (!TAKE(at, " registers, ")) {
        return TAKE(at, " registers") && take_end(at);
    }
    if (!take_number(at, &bytes))
        return false;
    if ((*at)[8] == 'u') { /* one letter says which it is not */
        if (!TAKE(at, " bytes cumulative stack size"))
            return false;
        record->used.cumulative_stack_bytes = bytes;
        if (!TAKE(at, ", "))
            return take_end(at);
        if (!take_number(at, &bytes))
            return false;
    }
    if ((*at)[7] == 's') {
        if (!TAKE(at, " bytes smem"))
            return false;
        record->used.smem_bytes = bytes;
        if (!TAKE(at, ", "))
            return take_end(at);
        if (!take_number(at, &bytes))
            return false;
    }
    return take_banks(at, bytes, record);
}

/* The line with the time, where there is one: `at` stays before a line that is another. */
INLINE void take_time(const char **at, const char *end, struct record *record)
{
    const char *line = *at;
    int32_t ms = 0, thousandths = 0;
    record->compile_us = INT64_MIN;
    if (line == end || !TAKE(&line, "ptxas info    : Compile time = ") || !take_number(&line, &ms) ||
        !take_fraction(&line, &thousandths) || !take_end(&line))
        return;
    record->compile_us = (int64_t)ms * 1000 + thousandths;
    *at = line;
}

const char *record_fast_read(const char *at, const char *end, struct record *record)
{
    enum { MOST_REGISTERS = 256 };
    record->used = no_metrics;
    record->used.flags = KERNEL_USED_LINE;
    record->has_module = TAKE(&at, "ptxas info    : 0 bytes gmem\n");
    if (at >= end || !TAKE(&at, "ptxas info    : Compiling entry function '") || !take_name(&at, record) ||
        !TAKE(&at, "' for '") || !take_arch(&at, record) ||
        !TAKE_ACROSS(&at, "'", "ptxas info    : Function properties for ") || end - at <= (ptrdiff_t)record->name.len ||
        memcmp(at, record->name.ptr, record->name.len) != 0)
        return NULL;
    at += record->name.len;
    if (!take_stack_line(&at, end, record->stack_line) || at >= end || !take_number(&at, &record->used.registers) ||
        record->used.registers > MOST_REGISTERS || !take_metrics(&at, record))
        return NULL;
    take_time(&at, end, record);
    record->lines = (uint8_t)(4 + record->has_module + (record->compile_us != INT64_MIN));
    return at;
}

#endif
