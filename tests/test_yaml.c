/*
 * Rule files that are wrong, and what is said of them. The cases stand in data/broken-rules.test: a name, the file, and
 * the diagnostics byte for byte. With WARPLINT_UPDATE set the program writes the diagnostics that it got into the file
 * instead; read the difference before keeping it.
 */
#include "testing.h"

#include "lint/rule.h"
#include "lint/yml.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const struct str case_mark = {"=== ", 4}, wants_mark = {"--- says\n", 9};

/* Takes "=== name\n file --- says\n diagnostics" off the front of *rest. */
static bool next_case(struct str *rest, struct str *name, struct str *file, struct str *wanted)
{
    size_t start = str_find(*rest, case_mark);
    if (start == STR_NONE)
        return false;
    struct str body = str_from(*rest, start + case_mark.len);
    size_t line_end = str_find_char(body, '\n');
    *name = str_sub(body, 0, line_end);
    body = str_from(body, line_end + 1);
    size_t end = str_find(body, STR("\n=== "));
    *rest = end == STR_NONE ? (struct str){"", 0} : str_from(body, end + 1);
    body = str_sub(body, 0, end == STR_NONE ? body.len : end + 1);
    size_t middle = str_find(body, wants_mark);
    ck_assert_msg(middle != STR_NONE, "case %.*s has no '--- says'", STR_ARG(*name));
    *file = str_sub(body, 0, middle);
    *wanted = str_from(body, middle + wants_mark.len);
    return true;
}

static void diagnose(struct str file, struct buf *said)
{
    struct ruleset rules = {0};
    struct diags diags = {0};
    bool ok = ruleset_add(&rules, STR("rules/mine.yaml"), STR("mine"), file, false, &diags);
    ck_assert(ok == (diags.errors == 0));
    ck_assert(rules.count == (ok ? 1 : 0));
    diags_render(&diags, said);
    ruleset_free(&rules);
    diags_free(&diags);
}

START_TEST(broken_rules_are_told_where)
{
    const char *path = source_path("tests/data/broken-rules.test");
    struct buf text = read_file(path), updated = {0};
    struct str rest = buf_str(&text), name, file, wanted;
    bool update = getenv("WARPLINT_UPDATE") != NULL;
    size_t cases = 0;
    for (; next_case(&rest, &name, &file, &wanted); cases++) {
        struct buf said = {0};
        diagnose(file, &said);
        ck_assert_msg(said.len > 0, "case %.*s is not broken", STR_ARG(name));
        ck_assert_msg(update || str_eq(buf_str(&said), wanted), "case %.*s says\n%.*s\nexpected\n%.*s", STR_ARG(name),
                      (int)said.len, said.ptr, STR_ARG(wanted));
        buf_fmt(&updated, "=== %.*s\n%.*s--- says\n%.*s", STR_ARG(name), STR_ARG(file), (int)said.len, said.ptr);
        buf_free(&said);
    }
    ck_assert_uint_ge(cases, 60);
    if (update) {
        FILE *out = fopen(path, "wb");
        fwrite(updated.ptr, 1, updated.len, out);
        fclose(out);
    }
    buf_free(&text);
    buf_free(&updated);
}
END_TEST

/* Bytes that no editor shows, and files that are too large. */
static void expect_error(struct str text, const char *message, size_t line, size_t column)
{
    struct yml yaml;
    struct diags diags = {0};
    ck_assert(!yml_parse(&yaml, STR("x.yaml"), text, &diags));
    ck_assert_uint_ge(diags.count, 1);
    ck_assert_msg(str_find(diags.items[0].message, str_of(message)) != STR_NONE, "%s", diags.items[0].message.ptr);
    ck_assert_uint_eq(diags.items[0].place.line, line);
    ck_assert_uint_eq(diags.items[0].place.column, column);
    yml_free(&yaml);
    diags_free(&diags);
}

START_TEST(bytes_that_are_no_text)
{
    expect_error(STR("a: b\nc: \xff\n"), "byte 0xFF is not UTF-8", 2, 4);
    expect_error(STR("a: \xc0\xaf\n"), "byte 0xC0 is not UTF-8", 1, 4);
    expect_error(STR("a: \xed\xa0\x80\n"), "is not UTF-8", 1, 4);
    expect_error(STR("a: \xf4\x90\x80\x80\n"), "is not UTF-8", 1, 4);
    expect_error(STR("a: \xe2\x82"), "is not UTF-8", 1, 4);
    expect_error(STR("a: b\0c\n"), "byte 0x00 is a control character", 1, 5);
    expect_error(STR("a: \x1b[31m\n"), "byte 0x1B is a control character", 1, 4);
    expect_error(STR("a:\n\tb: c\n"), "a tab in the indentation", 2, 1);
    expect_error(STR("a: b\xc2\x85"
                     "c: d\n"),
                 "line separator", 1, 5);
    expect_error(STR("a: {\n"), "not YAML", 2, 1);
    struct buf large = {0};
    buf_pad(&large, '#', (1 << 20) + 1);
    expect_error(buf_str(&large), "1048577 bytes, at most 1048576", 0, 0);
    buf_free(&large);
}
END_TEST

START_TEST(texts_that_are_yaml)
{
    static const char text[] = "\xef\xbb\xbf# comment\r\na: 1\r\nlist: [x, 'y']\r\nmap: {k: v}\r\nnone:\r\n";
    struct yml yaml;
    struct diags diags = {0};
    ck_assert(yml_parse(&yaml, STR("x.yaml"), str_of(text), &diags));
    ck_assert_uint_eq(yaml.root->count, 4);
    const struct yml_node *list = yml_member(yaml.root, STR("list"));
    ck_assert_int_eq(list->kind, YML_LIST);
    ck_assert(list->first->plain && !list->first->next->plain);
    ck_assert(str_eq(list->first->next->scalar, STR("y")));
    ck_assert_uint_eq(yml_place(&yaml, list).line, 3);
    ck_assert_uint_eq(yml_place(&yaml, list).column, 7);
    ck_assert_str_eq(yml_kind_name(yml_member(yaml.root, STR("none"))), "nothing");
    yml_free(&yaml);
    ck_assert(yml_parse(&yaml, STR("x.yaml"), STR(""), &diags));
    ck_assert(yaml.root == NULL);
    yml_free(&yaml);
    ck_assert_uint_eq(diags.count, 0);
}
END_TEST

/* Where byte `offset` of a value stands in the file, in every way of writing it. */
START_TEST(places_inside_of_values)
{
    static const struct {
        const char *text, *value;
        size_t offset, line, column;
    } rows[] = {
        {"k: one two", "one two", 4, 1, 8},
        {"k: 'one two'", "one two", 4, 1, 9},
        {"k: 'it''s x'", "it's x", 5, 1, 11},
        {"k: \"a\\tb c\"", "a\tb c", 4, 1, 10},
        {"k: \"\\u00e9 x\"", "\xc3\xa9 x", 3, 1, 12},
        {"k: >\n  one\n  two", "one two", 4, 3, 3},
        {"k: >\n  one\n\n  two\n", "one\ntwo\n", 4, 4, 3},
        {"k: |\n  one\n   two\n", "one\n two\n", 5, 3, 4},
        {"k: one\n  two", "one two", 4, 2, 3},
        {"k: 'one\n  two'", "one two", 4, 2, 3},
        {"k: >\r\n  one\r\n  two", "one two", 5, 3, 4},
        {"\xc3\xa9: one", "one", 1, 1, 6},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct yml yaml;
        struct diags diags = {0};
        ck_assert(yml_parse(&yaml, STR("x.yaml"), str_of(rows[at].text), &diags));
        const struct yml_node *node = yaml.root->first;
        ck_assert_msg(str_eq(node->scalar, str_of(rows[at].value)), "%s: %.*s", rows[at].text, STR_ARG(node->scalar));
        struct place place = yml_scalar_place(&yaml, node, rows[at].offset, 1);
        ck_assert_msg(place.line == rows[at].line && place.column == rows[at].column, "%s: %zu:%zu", rows[at].text,
                      place.line, place.column);
        yml_free(&yaml);
    }
}
END_TEST

int main(void)
{
    TCase *rules = tcase_create("rules"), *yaml = tcase_create("yaml");
    tcase_add_test(rules, broken_rules_are_told_where);
    tcase_add_test(yaml, bytes_that_are_no_text);
    tcase_add_test(yaml, texts_that_are_yaml);
    tcase_add_test(yaml, places_inside_of_values);
    TCase *cases[] = {rules, yaml};
    return run_suite("yaml", cases, sizeof cases / sizeof *cases);
}
