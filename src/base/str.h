/*
 * str: a borrowed slice of bytes. It owns nothing and is not NUL-terminated; the function that returns a slice
 * documents how long the bytes live. Text that is owned and grows is a struct buf.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct str {
    const char *ptr; /* first byte; may be NULL when len is 0 */
    size_t len;      /* bytes */
};

#define STR(literal) ((struct str){"" literal, sizeof literal - 1})
#define STR_INIT(literal)                                                                                              \
    {                                                                                                                  \
        "" literal, sizeof literal - 1                                                                                 \
    }                                    /* the same as a constant, for tables */
#define STR_ARG(s) (int)(s).len, (s).ptr /* for "%.*s"; evaluates s twice */
#define STR_NONE   ((size_t)-1)          /* "not found" */

struct str str_of(const char *cstr);         /* NULL gives the empty slice */
int str_cmp(struct str a, struct str b);     /* by unsigned bytes; a prefix sorts first */
int str_order(const void *a, const void *b); /* the same for two addresses of slices, for qsort and bsearch */
bool str_ends(struct str s, struct str suffix);

/* The text after the first occurrence of needle; empty if there is none. */
struct str str_after(struct str s, struct str needle);

/* Equal, ignoring the case of ASCII letters. */
bool str_same_letters(struct str a, struct str b);

/* The word is in a list of words separated by blanks: "cu cuf". */
bool str_is_one_of(struct str word, const char *list);

/* Index of the first / last occurrence of needle, or STR_NONE. */
size_t str_find(struct str s, struct str needle);
size_t str_rfind(struct str s, struct str needle);
size_t str_find_char(struct str s, char c);

static inline bool str_eq(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || memcmp(a.ptr, b.ptr, a.len) == 0);
}

static inline bool str_starts(struct str s, struct str prefix)
{
    return s.len >= prefix.len && (prefix.len == 0 || memcmp(s.ptr, prefix.ptr, prefix.len) == 0);
}

/* The length of the first of these texts that is a prefix of s; 0 if none is. */
size_t str_starts_any(struct str s, const struct str *texts, size_t count);
/* The position of the first occurrence of any of these texts in s, or STR_NONE. */
size_t str_find_any(struct str s, const struct str *texts, size_t count);

/* The slice [from, to) clamped to s; str_from is [from, end). */
static inline struct str str_sub(struct str s, size_t from, size_t to)
{
    if (to > s.len)
        to = s.len;
    if (from > to)
        from = to;
    return (struct str){s.ptr ? s.ptr + from : NULL, to - from};
}

static inline struct str str_from(struct str s, size_t from)
{
    return str_sub(s, from, s.len);
}

/* Removes the words from the front of s. Returns false and leaves s unchanged if s does not start with them. */
__attribute__((always_inline)) static inline bool str_take(struct str *s, struct str words)
{
    bool found = str_starts(*s, words);
    *s = str_from(*s, found ? words.len : 0);
    return found;
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

static inline bool is_ascii_letter(char c)
{
    return (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z');
}

static inline bool is_space_or_tab(char c)
{
    return c == ' ' || c == '\t';
}

static inline bool is_white_space(char c)
{
    return c == ' ' || (c >= '\t' && c <= '\r');
}

/* Number of bytes at the front that are of this kind: `str_span(text, is_digit)`. */
static inline size_t str_span(struct str s, bool (*is)(char))
{
    size_t len = 0;
    while (len < s.len && is(s.ptr[len]))
        len++;
    return len;
}

/* Number of bytes of this kind at the end. */
static inline size_t str_span_end(struct str s, bool (*is)(char))
{
    size_t rest = s.len;
    while (rest > 0 && is(s.ptr[rest - 1]))
        rest--;
    return s.len - rest;
}

/* Length of the common prefix in bytes. */
static inline size_t str_common(struct str a, struct str b)
{
    size_t len = 0;
    while (len < a.len && len < b.len && a.ptr[len] == b.ptr[len])
        len++;
    return len;
}

/* str_skip_blanks removes blanks at the front, str_trim at both ends. */
static inline struct str str_skip_blanks(struct str s)
{
    return str_from(s, str_span(s, is_space_or_tab));
}
struct str str_trim(struct str s);

/* The part of a path after the last slash, and the part up to and including it; both may be empty. */
struct str path_name(struct str path);
struct str path_folder(struct str path);
/* True for a path that is relative to a folder: not "/a", and not "\\a" or "C:a" of Windows. */
bool path_is_relative(struct str path);
struct str path_without_end_slashes(struct str path); /* "/" stays */

/* Comparator: negative, 0 or positive if a is less than, equal to or greater than b. */
static inline int number_cmp(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The same for `count` numbers: the first pair that differs decides. */
static inline int numbers_cmp(const int64_t *a, const int64_t *b, size_t count)
{
    int order = 0;
    for (size_t at = 0; !order && at < count; at++)
        order = number_cmp(a[at], b[at]);
    return order;
}

/* The plural ending after a number of any type: "" for 1, else "s". */
#define PLURAL(count) ((count) == 1 ? "" : "s")

/* Moves the piece before the next sep from *rest into *piece; false if *rest is used up. "a,,b" gives a, empty, b. */
bool str_split(struct str *rest, char sep, struct str *piece);

/* The length of the valid UTF-8 sequence at the front of s, 1 to 4 bytes; 0 if it is not valid. */
size_t utf8_length(struct str s);
/* The byte is a continuation byte of UTF-8. */
static inline bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}
/* The front of s, at most `most` bytes, without a partial character. */
struct str utf8_front(struct str s, size_t most);
/* The code point of the UTF-8 sequence at the front of s. */
uint32_t utf8_code(struct str s);

/* Width in columns: the number of UTF-8 characters. */
size_t str_width(struct str s);

/* A 64-bit hash: equal bytes give the same hash in every run and on every machine of the same byte order. Records store
 * it (linked_code), so a different hash function would make their links look stale. */
uint64_t str_hash(struct str s);
/* Combines two words: multiplies them to 128 bits and XORs the two halves. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Numbers. Each function reads the digits at the front of *s and moves *s past them. Returns false and leaves *s
 * unchanged if there is no digit or the value does not fit. No sign, no blanks, no locale; only str_int accepts a
 * leading '-'.
 */
bool str_hex(struct str *s, uint64_t *value); /* without the 0x */

/* All of s is one decimal number without a sign, and its value fits. */
bool str_to_uint(struct str s, uint64_t *value);

static inline bool str_uint(struct str *s, uint64_t *value)
{
    uint64_t total = 0;
    size_t at = 0;
    for (; at < s->len && is_digit(s->ptr[at]); at++)
        if (__builtin_mul_overflow(total, 10, &total) ||
            __builtin_add_overflow(total, (uint64_t)(s->ptr[at] - '0'), &total))
            return false;
    if (at == 0)
        return false;
    *value = total;
    *s = str_from(*s, at);
    return true;
}

static inline bool str_int(struct str *s, int64_t *value)
{
    uint64_t magnitude = 0;
    bool negative = s->len && s->ptr[0] == '-';
    struct str rest = str_from(*s, negative);
    if (!str_uint(&rest, &magnitude) || magnitude > INT64_MAX)
        return false;
    *value = negative ? -(int64_t)magnitude : (int64_t)magnitude;
    *s = rest;
    return true;
}
