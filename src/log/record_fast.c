/*
 * Everything is compared in place, in the order in which ptxas prints it, with no search for the ends of lines. Nothing
 * that is taken holds a LF but where a line of the record ends, so what begins before the last line's end does not run
 * past it; only the words on both sides of a line's end may, and behind them `end` is looked at. What is read here is
 * also in the phrase table; test_reading.c proves that both read the same.
 */
#include "log/record_fast.h"

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#if __BYTE_ORDER__ != __ORDER_LITTLE_ENDIAN__

const char *record_fast_read(const char *at, const char *end, struct str last, struct whole *whole)
{
    (void)at, (void)end, (void)last, (void)whole;
    return NULL;
}

#else

#define EACH_BYTE(value) (0x0101010101010101u * (value))

static inline uint64_t load8(const char *at)
{
    uint64_t bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

/* ---- words and names: sixteen bytes at once where the processor has that --------------------------------------- */

#ifdef __SSE2__

enum { WIDTH = 16, ALL = 0xffff };

__attribute__((always_inline)) static inline __m128i load16(const char *at)
{
    __m128i bytes;
    memcpy(&bytes, at, sizeof bytes);
    return bytes;
}

__attribute__((always_inline)) static inline __m128i equal16(const char *a, const char *b)
{
    return _mm_cmpeq_epi8(load16(a), load16(b));
}

__attribute__((always_inline)) static inline unsigned mask16(__m128i bytes)
{
    return (unsigned)_mm_movemask_epi8(bytes);
}

/* Where the bytes are the literal's, or the literal has a '?'. */
__attribute__((always_inline)) static inline __m128i fits16(const char *at, const char *literal)
{
    return _mm_or_si128(equal16(at, literal), equal16(literal, "????????????????"));
}

/* With a constant length: the last sixteen bytes may overlap those before, and there is one branch for all. */
__attribute__((always_inline)) static inline bool fits(const char *at, const char *literal, size_t len)
{
    __m128i equal = fits16(at, literal);
    for (size_t done = WIDTH; done < len; done += WIDTH) {
        size_t next = done + WIDTH <= len ? done : len - WIDTH;
        equal = _mm_and_si128(equal, fits16(at + next, literal + next));
    }
    return mask16(equal) == ALL;
}

/* Reads up to sixteen bytes behind either; len is not 0. */
__attribute__((always_inline)) static inline bool is_same(const char *a, const char *b, size_t len)
{
    size_t at = 0;
    for (; at + WIDTH < len; at += WIDTH)
        if (mask16(equal16(a + at, b + at)) != ALL)
            return false;
    return (~mask16(equal16(a + at, b + at)) & ((1u << (len - at)) - 1)) == 0;
}

/* How many of the first WIDTH bytes may be in a plain name: no blanks, controls, quotes and what is next to them, the
 * ampersand, and nothing but ASCII. */
__attribute__((always_inline)) static inline size_t name_bytes(const char *at)
{
    __m128i bytes = load16(at), above_blank = _mm_cmpgt_epi8(bytes, _mm_set1_epi8(' ')); /* as signed numbers */
    __m128i no_name = _mm_cmpeq_epi8(_mm_or_si128(bytes, _mm_set1_epi8(1)), _mm_set1_epi8('&' | 1));
    unsigned names = mask16(_mm_andnot_si128(no_name, above_blank));
    return (size_t)__builtin_ctz(~names);
}

#else

enum { WIDTH = 8 };

__attribute__((always_inline)) static inline bool fits(const char *at, const char *literal, size_t len)
{
    const char *any = memchr(literal, '?', len);
    size_t front = any ? (size_t)(any - literal) : len, behind = any ? front + 1 : len;
    return memcmp(at, literal, front) == 0 && memcmp(at + behind, literal + behind, len - behind) == 0;
}

static inline bool is_same(const char *a, const char *b, size_t len)
{
    return memcmp(a, b, len) == 0;
}

static inline size_t name_bytes(const char *at)
{
    uint64_t bytes = load8(at);
    uint64_t above_blank = (bytes | EACH_BYTE(0x80)) - EACH_BYTE(' ' + 1);
    uint64_t no_quote = (((bytes | EACH_BYTE(1)) ^ EACH_BYTE('&' | 1)) | EACH_BYTE(0x80)) - EACH_BYTE(1);
    uint64_t ends = (bytes | ~above_blank | ~no_quote) & EACH_BYTE(0x80);
    return ends ? (size_t)__builtin_ctzll(ends) / 8 : WIDTH;
}

#endif

/* Takes the literal off the front; a '?' in one of sixteen bytes or more stands for any byte. */
#define TAKE(at, literal)               take(at, literal, sizeof literal - 1)
__attribute__((always_inline)) static inline bool take(const char **at, const char *literal, size_t len)
{
    if (len < 16 ? memcmp(*at, literal, len) != 0 : !fits(*at, literal, len))
        return false;
    *at += len;
    return true;
}

/* The end of one line and the front of the next at once. */
#define TAKE_ACROSS(at, before, behind) (TAKE(at, before "\n" behind) || TAKE(at, before "\r\n" behind))

__attribute__((always_inline)) static inline bool take_end(const char **at)
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
__attribute__((always_inline)) static inline bool take_name(const char **at, const char *end, struct str last,
                                                            struct whole *whole)
{
    const char *name = *at;
    whole->again =
        last.len && (size_t)(end - name) > last.len && name[last.len] == '\'' && is_same(name, last.ptr, last.len);
    whole->name = (struct str){name, whole->again ? last.len : name_len(name)};
    *at += whole->name.len;
    return whole->name.len > 0 && **at == '\'';
}

/* ARCH of at most seven bytes. */
__attribute__((always_inline)) static inline bool take_arch(const char **at, struct whole *whole)
{
    size_t len = name_bytes(*at);
    if (len == 0 || len > 7)
        return false;
    whole->arch = load8(*at) & ((1ull << (8 * len)) - 1);
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
__attribute__((always_inline)) static inline bool take_number(const char **at, int32_t *value)
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

/*
 * .DDD ms: seven bytes, compared at once as if the digits were zeros; one above 9 gets another bit when 6 is added.
 * Then neighbours are joined to twice their width: each multiplication adds the left one, times 10 or 100, to the right
 * one.
 */
__attribute__((always_inline)) static inline bool take_fraction(const char **at, int32_t *thousandths)
{
    const uint64_t digits = 0x0f0f0f00, behind = (uint64_t)0xff << 56;
    uint64_t bytes = load8(*at) ^ load8(".000 ms");
    if (((bytes + 0x06060600) | bytes) & ~(digits | behind))
        return false;
    uint32_t joined = (uint32_t)bytes * (10 << 8 | 1) >> 8 & 0x00ff00ff;
    *thousandths = (int32_t)(joined * (100 << 16 | 1) >> 16);
    *at += 7;
    return true;
}

/* ---- lines ------------------------------------------------------------------------------------------------------ */

/* The three numbers of a stack line and the words between them. */
__attribute__((always_inline)) static inline bool take_stack(const char **at, int32_t bytes[3])
{
    return take_number(at, &bytes[0]) && TAKE(at, " bytes stack frame, ") && take_number(at, &bytes[1]) &&
           TAKE(at, " bytes spill stores, ") && take_number(at, &bytes[2]) && TAKE(at, " bytes spill loads");
}

/* From the end of a line over the stack line to the number of registers; most stack lines are three zeros. */
__attribute__((always_inline)) static inline bool take_stack_line(const char **at, const char *end, int32_t bytes[3])
{
    if ((*at)[5] == '0' && TAKE(at, "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                                    "ptxas info    : Used ")) {
        bytes[0] = bytes[1] = bytes[2] = 0;
        return true;
    }
    return TAKE_ACROSS(at, "", "    ") && *at < end && take_stack(at, bytes) &&
           TAKE_ACROSS(at, "", "ptxas info    : Used ");
}

/* 372 bytes cmem[0], 8 bytes cmem[2] and the end of the line: the first number is taken. Banks stand in their order. */
__attribute__((always_inline)) static inline bool take_banks(const char **at, int32_t bytes, struct whole *whole)
{
    int32_t bank = 0, last = -1;
    if (TAKE(at, " bytes cmem[0]\n")) { /* most often */
        whole->banks[0] = (struct bank){0, bytes};
        whole->bank_count = 1;
        return true;
    }
    while (whole->bank_count < WHOLE_BANKS) {
        if (!TAKE(at, " bytes cmem[") || !take_number(at, &bank) || bank <= last || bank > UINT16_MAX || !TAKE(at, "]"))
            return false;
        whole->banks[whole->bank_count++] = (struct bank){(uint32_t)bank, bytes};
        last = bank;
        if (!TAKE(at, ", "))
            return take_end(at);
        if (!take_number(at, &bytes))
            return false;
    }
    return false;
}

/* What is behind the number of registers, in the order in which ptxas prints it, and the end of the line. */
__attribute__((always_inline)) static inline bool take_metrics(const char **at, struct whole *whole)
{
    int32_t bytes = 0;
    whole->barriers = whole->cumulative_stack_bytes = whole->smem_bytes = UNKNOWN;
    whole->bank_count = 0;
    unsigned digit = digit_at(*at + sizeof " registers, used " - 1);
    if (digit <= 9 && TAKE(at, " registers, used ? barriers, "))
        whole->barriers = (int32_t)digit;
    else if (TAKE(at, " registers, used ")) {
        if (!take_number(at, &whole->barriers) || !TAKE(at, " barriers"))
            return false;
        if (!TAKE(at, ", "))
            return take_end(at);
    } else if (!TAKE(at, " registers, "))
        return TAKE(at, " registers") && take_end(at);
    if (!take_number(at, &bytes))
        return false;
    if ((*at)[8] == 'u') { /* one letter says which it is not */
        if (!TAKE(at, " bytes cumulative stack size"))
            return false;
        whole->cumulative_stack_bytes = bytes;
        if (!TAKE(at, ", "))
            return take_end(at);
        if (!take_number(at, &bytes))
            return false;
    }
    if ((*at)[7] == 's') {
        if (!TAKE(at, " bytes smem"))
            return false;
        whole->smem_bytes = bytes;
        if (!TAKE(at, ", "))
            return take_end(at);
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
    if (line == end || !TAKE(&line, "ptxas info    : Compile time = ") || !take_number(&line, &ms) ||
        !take_fraction(&line, &thousandths) || !take_end(&line))
        return;
    whole->compile_us = (int64_t)ms * 1000 + thousandths;
    *at = line;
}

const char *record_fast_read(const char *at, const char *end, struct str last, struct whole *whole)
{
    enum { MOST_REGISTERS = 256 };
    int32_t stack[3] = {0};
    whole->has_module = TAKE(&at, "ptxas info    : 0 bytes gmem\n");
    if (at >= end || !TAKE(&at, "ptxas info    : Compiling entry function '") || !take_name(&at, end, last, whole) ||
        !TAKE(&at, "' for '") || !take_arch(&at, whole) ||
        !TAKE_ACROSS(&at, "'", "ptxas info    : Function properties for ") || end - at <= (ptrdiff_t)whole->name.len ||
        !is_same(at, whole->name.ptr, whole->name.len))
        return NULL;
    at += whole->name.len;
    if (!take_stack_line(&at, end, stack) || at >= end || !take_number(&at, &whole->registers) ||
        whole->registers > MOST_REGISTERS || !take_metrics(&at, whole))
        return NULL;
    whole->stack_bytes = stack[0];
    whole->spill_store_bytes = stack[1];
    whole->spill_load_bytes = stack[2];
    take_time(&at, end, whole);
    whole->hash = whole->again ? 0 : str_hash(whole->name);
    return at;
}

#endif
