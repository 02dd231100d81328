/*
 * Searches that look at sixteen bytes at once find the same as a search byte by byte, at every position. The texts lie
 * in memory of exactly their size, so that sanitizers see reads past the end.
 */
#include "log/line.h"
#include "testing.h"

#include <stdlib.h>

static struct str exact(struct str text)
{
    char *copy = malloc(text.len ? text.len : 1);
    ck_assert_ptr_nonnull(copy);
    if (text.len)
        memcpy(copy, text.ptr, text.len);
    return (struct str){copy, text.len};
}

static struct str random_text(size_t len, const char *letters)
{
    char text[512];
    for (size_t at = 0; at < len; at++)
        text[at] = letters[(size_t)rand() % strlen(letters)];
    return exact((struct str){text, len});
}

static size_t find_slowly(struct str s, struct str needle)
{
    for (size_t at = 0; at + needle.len <= s.len; at++)
        if (needle.len == 0 || memcmp(s.ptr + at, needle.ptr, needle.len) == 0)
            return at;
    return STR_NONE;
}

/* With an alphabet of few letters many positions almost match. */
START_TEST(finding)
{
    static const char *const letters[] = {"a", "ab", "ab ", "abcdefgh", "p\xff\x80\n"};
    const char *of = letters[_i];
    srand((unsigned)_i + 1);
    for (int round = 0; round < 20000; round++) {
        struct str text = random_text((size_t)rand() % 200, of), needle = random_text((size_t)rand() % 24, of);
        ck_assert_uint_eq(str_find(text, needle), find_slowly(text, needle));
        free((char *)text.ptr);
        free((char *)needle.ptr);
    }
}
END_TEST

/* So many positions match at their first and last byte that the search switches to another algorithm. */
START_TEST(finding_among_near_matches)
{
    struct buf text = {0};
    for (int at = 0; at < 500; at++)
        buf_add(&text, STR("axb"));
    buf_add(&text, STR("ayb"));
    ck_assert_uint_eq(str_find(buf_str(&text), STR("ayb")), 1500);
    ck_assert_uint_eq(str_find(buf_str(&text), STR("azb")), STR_NONE);
    buf_free(&text);
}
END_TEST

static const struct {
    const char *tag;
    enum tool tool;
} tags[] = {
    {"ptxas info    : ", TOOL_PTXAS},         {"ptxas-blackwell info    : ", TOOL_PTXAS},
    {"nvlink info    : ", TOOL_NVLINK},       {"nvcc warning : ", TOOL_NVCC},
    {"fatbinary fatal   : ", TOOL_FATBINARY}, {"ptxas warning : ", TOOL_PTXAS},
    {"ptxas         .     ", TOOL_PTXAS},
};
enum { TAGS = sizeof tags / sizeof *tags };

/* With any text before and after; a part of a tag is not a tag. */
START_TEST(tags_anywhere)
{
    static const char filler[] = "p pt n nv f fa ptx nvc ";
    for (size_t before = 0; before < 80; before++) {
        struct buf line = {0};
        struct tag tag;
        for (size_t at = 0; at < before; at++)
            buf_char(&line, filler[at % (sizeof filler - 1)]);
        buf_add(&line, STR(" "));
        struct str without = exact(buf_str(&line));
        ck_assert(!tag_find(without, &tag));
        buf_add(&line, str_of(tags[_i].tag));
        buf_add(&line, STR("Used 3 registers"));
        struct str text = exact(buf_str(&line));
        ck_assert(tag_find(text, &tag));
        ck_assert_int_eq(tag.tool, tags[_i].tool);
        ck_assert(!tag.glued);
        ck_assert(str_eq(tag.text, STR("Used 3 registers")));
        free((char *)without.ptr);
        free((char *)text.ptr);
        buf_free(&line);
    }
}
END_TEST

/* A tag inside another tag's text, at every distance. */
START_TEST(tags_inside)
{
    for (size_t apart = 0; apart < 80; apart++) {
        struct buf line = {0};
        struct tag tag;
        buf_add(&line, STR("ptxas info    : "));
        buf_pad(&line, '.', apart);
        buf_add(&line, str_of(tags[_i].tag));
        buf_add(&line, STR("Used 3 registers"));
        struct str text = exact(buf_str(&line));
        ck_assert(tag_find(text, &tag));
        ck_assert_int_eq(tag.glued, tags[_i].tool != TOOL_FATBINARY);
        free((char *)text.ptr);
        buf_free(&line);
    }
}
END_TEST

START_TEST(one_of_several)
{
    static const struct str texts[] = {STR_INIT("ptx"), STR_INIT("ptxas"), STR_INIT("nvlink")};
    const size_t count = sizeof texts / sizeof *texts;
    struct str line = STR("ptxas and nvlink");
    ck_assert_uint_eq(str_starts_any(line, texts, count), 3); /* the first match, not the longest */
    ck_assert_uint_eq(str_starts_any(str_from(line, 1), texts, count), 0);
    ck_assert_uint_eq(str_find_any(str_from(line, 1), texts, count), 9);
    ck_assert_uint_eq(str_find_any(STR("cicc"), texts, count), STR_NONE);
    ck_assert(str_take(&line, STR("ptxas")) && !str_take(&line, STR("and")) && str_eq(line, STR(" and nvlink")));
    ck_assert_uint_eq(str_span_end(STR("12k345"), is_digit), 3);
    ck_assert_uint_eq(str_span_end(STR("345"), is_digit), 3);
    ck_assert(str_is_one_of(STR("b"), "ab b") && str_is_one_of(STR("ab"), "ab b"));
    ck_assert(!str_is_one_of(STR("a"), "ab b") && !str_is_one_of(STR("ab b"), "ab b") && !str_is_one_of(STR(""), "a"));
}
END_TEST

int main(void)
{
    TCase *search = tcase_create("search");
    tcase_add_loop_test(search, finding, 0, 5);
    tcase_add_test(search, finding_among_near_matches);
    tcase_add_test(search, one_of_several);
    tcase_add_loop_test(search, tags_anywhere, 0, TAGS);
    tcase_add_loop_test(search, tags_inside, 0, TAGS);
    return run_suite("search", &search, 1);
}
