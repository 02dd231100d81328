/*
 * str: a borrowed slice of bytes. It owns nothing and is not NUL-terminated;
 * whoever made it says how long the bytes live. Owned, growing text is a struct buf.
 */
#ifndef BASE_STR_H
#define BASE_STR_H

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
    }                                    /* the same where a constant is needed: in tables */
#define STR_ARG(s) (int)(s).len, (s).ptr /* for "%.*s"; evaluates s twice */
#define STR_NONE   ((size_t)-1)          /* "not found" */

struct str str_of(const char *cstr);         /* NULL gives the empty slice */
int str_cmp(struct str a, struct str b);     /* by unsigned bytes; a prefix sorts first */
int str_order(const void *a, const void *b); /* the same of two addresses, for qsort and bsearch */
bool str_ends(struct str s, struct str suffix);

/* What stands behind the first needle; empty: it is not there. */
struct str str_behind(struct str s, struct str needle);

/* Equal, whether letters of ASCII are small or not. */
bool str_same_letters(struct str a, struct str b);

/* One of the words of a list with blanks between them: "cu cuf". */
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

/* The length of the first of these texts that s starts with; 0: of none. */
size_t str_starts_any(struct str s, const struct str *texts, size_t count);
/* Where the first of them in s begins, or STR_NONE. */
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

/* Takes the words off the front of s; false, with s as it was: it starts otherwise. */
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

static inline bool is_ascii_letter(char c) /* of ASCII */
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

/* How many bytes at the front are of this kind: `str_span(text, is_digit)`. */
static inline size_t str_span(struct str s, bool (*is)(char))
{
    size_t len = 0;
    while (len < s.len && is(s.ptr[len]))
        len++;
    return len;
}

/* The same at the end. */
static inline size_t str_span_end(struct str s, bool (*is)(char))
{
    size_t rest = s.len;
    while (rest > 0 && is(s.ptr[rest - 1]))
        rest--;
    return s.len - rest;
}

/* How many bytes at the front are the same in both. */
static inline size_t str_common(struct str a, struct str b)
{
    size_t len = 0;
    while (len < a.len && len < b.len && a.ptr[len] == b.ptr[len])
        len++;
    return len;
}

/* Without blanks at the front; without blanks at both ends. */
static inline struct str str_skip_blanks(struct str s)
{
    return str_from(s, str_span(s, is_space_or_tab));
}
struct str str_trim(struct str s);

/* Of a path: what stands behind the last slash, and what stands before it, with it; the latter may be empty. */
struct str path_name(struct str path);
struct str path_folder(struct str path);
struct str path_without_end_slashes(struct str path); /* "/" stays */

/* Below, at or above 0 as a is less than b, equal or more: for comparators. */
static inline int number_cmp(int64_t a, int64_t b)
{
    return (a > b) - (a < b);
}

/* The same of so many numbers, of which the first that differs decides. */
static inline int numbers_cmp(const int64_t *a, const int64_t *b, size_t count)
{
    int order = 0;
    for (size_t at = 0; !order && at < count; at++)
        order = number_cmp(a[at], b[at]);
    return order;
}

/* What a noun ends with behind a number of any type: "s", or "" behind 1. */
#define PLURAL(count) ((count) == 1 ? "" : "s")

/* Takes the next piece up to sep off *rest into *piece; false when *rest is used up. "a,,b" gives a, empty, b. */
bool str_split(struct str *rest, char sep, struct str *piece);

/* The length of the valid UTF-8 sequence at the front of s, 1 to 4 bytes; 0 when there is none. */
size_t utf8_length(struct str s);
/* The byte belongs to a character of UTF-8 that has begun. */
static inline bool utf8_continues(char c)
{
    return ((unsigned char)c & 0xc0) == 0x80;
}
/* At most so many bytes of the front, whole characters. */
struct str utf8_front(struct str s, size_t most);
/* The code point of that sequence. */
uint32_t utf8_code(struct str s);

/* Columns that the text takes: its UTF-8 characters. */
size_t str_width(struct str s);

/* A 64-bit hash; the same bytes give the same hash in every run and on every machine of one byte order. Records hold it
 * (linked_code): another hash would make their links look old. */
uint64_t str_hash(struct str s);
/* Two words to one: multiplied to twice their width, the halves put together. */
static inline uint64_t hash_fold(uint64_t a, uint64_t b)
{
    __extension__ typedef unsigned __int128 wide;
    wide product = (wide)a * b;
    return (uint64_t)product ^ (uint64_t)(product >> 64);
}

/*
 * Numbers. Each reads the digits at the front of *s and moves *s behind them. False, with *s unmoved, when there is
 * no digit or the value does not fit. No sign, no blanks, no locale, except that str_int accepts a leading '-'.
 */
bool str_hex(struct str *s, uint64_t *value); /* without the 0x */

/* The whole of s is one decimal number without sign that fits. */
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

#endif
