/*
 * Everything is compared in place, in the order in which ptxas prints it, with no search for the ends of lines: nothing
 * that is taken holds a LF but at its end, so what begins before the last line's end does not run past it. What is read
 * here is also in the phrase table; test_reading.c proves that both read the same.
 */
#include "log/whole.h"

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__

const char *whole_read(const char *at, const char *end, struct str last, struct whole *whole)
{
    (void)at, (void)end, (void)last, (void)whole;
    return NULL;
}

const char *whole_read_stack(const char *at, int32_t bytes[3])
{
    (void)at, (void)bytes;
    return NULL;
}

#else

#define EACH_BYTE(value)  (0x0101010101010101u * (value))

static inline uint64_t load8(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* Takes the literal off the front; with a constant length the comparison needs no call. */
#define TAKE(at, literal) take(at, literal, sizeof literal - 1)
__attribute__((always_inline)) static inline bool take(const char **at, const char *literal, size_t len)
{
    if (memcmp(*at, literal, len) != 0)
        return false;
    *at += len;
    return true;
}

/* One to seven digits at once: the others are shifted out, then neighbours are joined to twice their width. */
__attribute__((always_inline)) static inline bool take_number(const char **at, int32_t *value)
{
    uint64_t digits = load8(*at) ^ EACH_BYTE('0');
    uint64_t others = ((digits + EACH_BYTE(0x76)) | digits) & EACH_BYTE(0x80); /* right up to the first of them */
    if ((others & 0x80) || !others)
        return false;
    unsigned bits = (unsigned)__builtin_ctzll(others); /* of the digits, and seven of the byte behind them */
    *at += bits / 8;
    digits <<= 71 - bits;
    digits = (digits * 10 + (digits >> 8)) & 0x00ff00ff00ff00ffu;
    digits = (digits * 100 + (digits >> 16)) & 0x0000ffff0000ffffu;
    *value = (int32_t)(uint32_t)(digits * 10000 + (digits >> 32));
    return true;
}

__attribute__((always_inline)) static inline bool take_end(const char **at)
{
    return TAKE(at, "\n") || TAKE(at, "\r\n");
}

/* A bit in each of the eight bytes that cannot stand in a plain name: blanks, controls, a quote, what is not ASCII. */
__attribute__((always_inline)) static inline uint64_t ends_of_name(uint64_t bytes)
{
    uint64_t above_blank = (bytes | EACH_BYTE(0x80)) - EACH_BYTE(' ' + 1);
    uint64_t no_quote = ((bytes ^ EACH_BYTE('\'')) | EACH_BYTE(0x80)) - EACH_BYTE(1);
    return (bytes | ~above_blank | ~no_quote) & EACH_BYTE(0x80);
}

/* NAME up to a quote. */
__attribute__((always_inline)) static inline bool take_name(const char **at, const char *end, struct str last,
                                                            struct whole *whole)
{
    const char *name = *at, *stop = name;
    whole->again =
        last.len && (size_t)(end - name) > last.len && memcmp(name, last.ptr, last.len) == 0 && name[last.len] == '\'';
    if (whole->again) {
        whole->name = (struct str){name, last.len};
        *at += last.len;
        return true;
    }
    uint64_t ends = ends_of_name(load8(stop));
    while (!ends)
        ends = ends_of_name(load8(stop += 8));
    stop += __builtin_ctzll(ends) / 8;
    whole->name = (struct str){name, (size_t)(stop - name)};
    *at = stop;
    return stop > name && *stop == '\'';
}

/* ARCH': of at most seven bytes. */
__attribute__((always_inline)) static inline bool take_arch(const char **at, struct whole *whole)
{
    uint64_t bytes = load8(*at), ends = ends_of_name(bytes);
    unsigned bits = ends ? (unsigned)__builtin_ctzll(ends) & ~7u : 0;
    whole->arch = bytes & ((1ull << bits) - 1);
    *at += bits / 8;
    return bits > 0 && TAKE(at, "'");
}

__attribute__((always_inline)) static inline bool take_stack(const char **at, int32_t bytes[3])
{
    return TAKE(at, "    ") && take_number(at, &bytes[0]) && TAKE(at, " bytes stack frame, ") &&
           take_number(at, &bytes[1]) && TAKE(at, " bytes spill stores, ") && take_number(at, &bytes[2]) &&
           TAKE(at, " bytes spill loads") && take_end(at);
}

/* 372 bytes cmem[0], 8 bytes cmem[2]: the first number is taken. */
__attribute__((always_inline)) static inline bool take_banks(const char **at, int32_t bytes, struct whole *whole)
{
    int32_t bank = 0;
    for (whole->bank_count = 0; whole->bank_count < WHOLE_BANKS;) {
        if (!TAKE(at, " bytes cmem[") || !take_number(at, &bank) || bank > UINT16_MAX || !TAKE(at, "]"))
            return false;
        whole->banks[whole->bank_count++] = (struct bank){(uint32_t)bank, bytes};
        if (!TAKE(at, ", "))
            return true;
        if (!take_number(at, &bytes))
            return false;
    }
    return false;
}

/* The metrics behind the registers, in the order in which ptxas prints them. */
__attribute__((always_inline)) static inline bool take_metrics(const char **at, struct whole *whole)
{
    int32_t bytes = 0;
    whole->barriers = whole->cumulative_stack_bytes = whole->smem_bytes = UNKNOWN;
    whole->bank_count = 0;
    if (TAKE(at, ", used ") && !(take_number(at, &whole->barriers) && TAKE(at, " barriers")))
        return false;
    if (!TAKE(at, ", "))
        return true;
    if (!take_number(at, &bytes))
        return false;
    if (TAKE(at, " bytes cumulative stack size")) {
        whole->cumulative_stack_bytes = bytes;
        if (!TAKE(at, ", "))
            return true;
        if (!take_number(at, &bytes))
            return false;
    }
    if (TAKE(at, " bytes smem")) {
        whole->smem_bytes = bytes;
        if (!TAKE(at, ", "))
            return true;
        if (!take_number(at, &bytes))
            return false;
    }
    return take_banks(at, bytes, whole);
}

/* The line with the time, where there is one: `at` stays before a line that is another. */
__attribute__((always_inline)) static inline void take_time(const char **at, const char *end, struct whole *whole)
{
    const char *line = *at;
    int32_t ms = 0, thousandths = 0;
    whole->compile_us = INT64_MIN;
    if (line == end || !TAKE(&line, "ptxas info    : Compile time = ") || !take_number(&line, &ms) || !TAKE(&line, "."))
        return;
    const char *fraction = line;
    if (!take_number(&line, &thousandths) || line - fraction != 3 || !TAKE(&line, " ms") || !take_end(&line))
        return;
    whole->compile_us = (int64_t)ms * 1000 + thousandths;
    *at = line;
}

const char *whole_read(const char *at, const char *end, struct str last, struct whole *whole)
{
    enum { MOST_REGISTERS = 256 };
    int32_t stack[3];
    if (!TAKE(&at, "ptxas info    : Compiling entry function '") || !take_name(&at, end, last, whole) ||
        !TAKE(&at, "' for '") || !take_arch(&at, whole) || !take_end(&at))
        return NULL;
    if (at == end || !TAKE(&at, "ptxas info    : Function properties for ") || (size_t)(end - at) <= whole->name.len ||
        memcmp(at, whole->name.ptr, whole->name.len) != 0)
        return NULL;
    at += whole->name.len;
    if (!take_end(&at) || at == end || !take_stack(&at, stack))
        return NULL;
    if (at == end || !TAKE(&at, "ptxas info    : Used ") || !take_number(&at, &whole->registers) ||
        whole->registers > MOST_REGISTERS || !TAKE(&at, " registers") || !take_metrics(&at, whole) || !take_end(&at))
        return NULL;
    whole->stack_bytes = stack[0];
    whole->spill_store_bytes = stack[1];
    whole->spill_load_bytes = stack[2];
    take_time(&at, end, whole);
    whole->hash = whole->again ? 0 : str_hash(whole->name);
    return at;
}

const char *whole_read_stack(const char *at, int32_t bytes[3])
{
    return take_stack(&at, bytes) ? at : NULL;
}

#endif
