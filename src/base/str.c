#define _GNU_SOURCE /* memrchr */
#include "base/str.h"

#include <strings.h>

struct str str_of(const char *cstr)
{
    return (struct str){cstr, cstr ? strlen(cstr) : 0};
}

int str_cmp(struct str a, struct str b)
{
    size_t shorter = a.len < b.len ? a.len : b.len;
    int order = shorter ? memcmp(a.ptr, b.ptr, shorter) : 0;
    if (order != 0)
        return order;
    return a.len < b.len ? -1 : a.len > b.len;
}

int str_order(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

bool str_ends(struct str s, struct str suffix)
{
    return s.len >= suffix.len && str_eq(str_from(s, s.len - suffix.len), suffix);
}

size_t str_find(struct str s, struct str needle)
{
    if (needle.len == 0 || s.len < needle.len)
        return needle.len == 0 ? 0 : STR_NONE;
    size_t last = s.len - needle.len; /* the last possible start */
    for (size_t at = 0; at <= last; at++) {
        const char *found = memchr(s.ptr + at, needle.ptr[0], last - at + 1);
        if (!found)
            return STR_NONE;
        at = (size_t)(found - s.ptr);
        if (memcmp(found, needle.ptr, needle.len) == 0)
            return at;
    }
    return STR_NONE;
}

struct str str_after(struct str s, struct str needle)
{
    size_t at = str_find(s, needle);
    return str_from(s, at == STR_NONE ? s.len : at + needle.len);
}

size_t str_rfind(struct str s, struct str needle)
{
    if (needle.len == 0 || s.len < needle.len)
        return needle.len == 0 ? s.len : STR_NONE;
    size_t end = s.len - needle.len + 1;
    while (end > 0) {
        const char *at = memrchr(s.ptr, needle.ptr[0], end);
        if (!at)
            return STR_NONE;
        if (memcmp(at, needle.ptr, needle.len) == 0)
            return (size_t)(at - s.ptr);
        end = (size_t)(at - s.ptr);
    }
    return STR_NONE;
}

size_t str_starts_any(struct str s, const struct str *texts, size_t count)
{
    for (size_t at = 0; at < count; at++)
        if (str_starts(s, texts[at]))
            return texts[at].len;
    return 0;
}

size_t str_find_any(struct str s, const struct str *texts, size_t count)
{
    size_t first = STR_NONE;
    for (size_t at = 0; at < count; at++) {
        size_t found = str_find(s, texts[at]);
        first = found < first ? found : first;
    }
    return first;
}

bool str_same_letters(struct str a, struct str b)
{
    return a.len == b.len && (a.len == 0 || strncasecmp(a.ptr, b.ptr, a.len) == 0);
}

bool str_is_one_of(struct str word, const char *list)
{
    struct str rest = str_of(list), listed;
    while (word.len && rest.len && str_split(&rest, ' ', &listed))
        if (str_eq(word, listed))
            return true;
    return false;
}

size_t str_find_char(struct str s, char c)
{
    const char *at = s.len ? memchr(s.ptr, c, s.len) : NULL;
    return at ? (size_t)(at - s.ptr) : STR_NONE;
}

struct str str_trim(struct str s)
{
    s = str_skip_blanks(s);
    return str_sub(s, 0, s.len - str_span_end(s, is_space_or_tab));
}

struct str path_name(struct str path)
{
    return str_from(path, path_folder(path).len);
}

struct str path_folder(struct str path)
{
    size_t slash = str_rfind(path, STR("/"));
    return str_sub(path, 0, slash == STR_NONE ? 0 : slash + 1);
}

bool path_is_relative(struct str path)
{
    return path.len && path.ptr[0] != '/' && path.ptr[0] != '\\' && !(path.len > 1 && path.ptr[1] == ':');
}

struct str path_without_end_slashes(struct str path)
{
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    return path;
}

bool str_split(struct str *rest, char sep, struct str *piece)
{
    if (!rest->ptr)
        return false;
    size_t at = str_find_char(*rest, sep);
    *piece = str_sub(*rest, 0, at);
    *rest = at == STR_NONE ? (struct str){NULL, 0} : str_from(*rest, at + 1);
    return true;
}

/* Hashes eight bytes at a time by multiplying and folding: kernel names are long and numerous. */
uint64_t str_hash(struct str s)
{
    static const uint64_t k0 = 0x9E3779B97F4A7C15u, k1 = 0xD6E8FEB86659FD93u;
    uint64_t hash = k0 ^ s.len;
    uint64_t word = 0;
    size_t at = 0;
    for (; at + 8 <= s.len; at += 8) {
        memcpy(&word, s.ptr + at, 8);
        hash = hash_fold(hash ^ word, k1);
    }
    word = 0;
    if (at < s.len && at > 0) {
        /* the end of the last eight bytes: copying a variable number of bytes would be a call */
        memcpy(&word, s.ptr + s.len - 8, 8);
        word >>= 8 * (at + 8 - s.len);
    } else if (at < s.len) {
        memcpy(&word, s.ptr, s.len);
    }
    return hash_fold(hash ^ word, k0);
}

static int hex_digit(char c)
{
    if (is_digit(c))
        return c - '0';
    if (c >= 'a' && c <= 'f')
        return c - 'a' + 10;
    if (c >= 'A' && c <= 'F')
        return c - 'A' + 10;
    return -1;
}

bool str_hex(struct str *s, uint64_t *value)
{
    uint64_t total = 0;
    size_t at = 0;
    for (; at < s->len && hex_digit(s->ptr[at]) >= 0; at++) {
        if (total >> 60)
            return false;
        total = total << 4 | (uint64_t)hex_digit(s->ptr[at]);
    }
    if (at == 0)
        return false;
    *value = total;
    *s = str_from(*s, at);
    return true;
}

bool str_to_uint(struct str s, uint64_t *value)
{
    uint64_t number = 0;
    if (!str_uint(&s, &number) || s.len != 0)
        return false;
    *value = number;
    return true;
}

size_t utf8_length(struct str s)
{
    const unsigned char *p = (const unsigned char *)s.ptr;
    if (s.len == 0)
        return 0;
    size_t length = p[0] < 0x80 ? 1 : p[0] >= 0xc2 && p[0] < 0xe0 ? 2 : (p[0] & 0xf0) == 0xe0 ? 3 : 0;
    if (p[0] >= 0xf0 && p[0] <= 0xf4)
        length = 4;
    if (length > s.len)
        return 0;
    for (size_t at = 1; at < length; at++)
        if (!utf8_continues(s.ptr[at]))
            return 0;
    bool overlong = (p[0] == 0xe0 && p[1] < 0xa0) || (p[0] == 0xf0 && p[1] < 0x90);
    bool beyond = (p[0] == 0xed && p[1] >= 0xa0) || (p[0] == 0xf4 && p[1] >= 0x90);
    return overlong || beyond ? 0 : length;
}

struct str utf8_front(struct str s, size_t most)
{
    if (s.len <= most)
        return s;
    while (most && utf8_continues(s.ptr[most]))
        most--;
    return str_sub(s, 0, most);
}

uint32_t utf8_code(struct str s)
{
    static const unsigned char first_bits[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    size_t length = utf8_length(s);
    uint32_t code = length ? (unsigned char)s.ptr[0] & first_bits[length] : 0;
    for (size_t at = 1; at < length; at++)
        code = code << 6 | ((unsigned char)s.ptr[at] & 0x3f);
    return code;
}

size_t str_width(struct str s)
{
    size_t width = 0;
    for (size_t at = 0; at < s.len; at++)
        width += !utf8_continues(s.ptr[at]);
    return width;
}
