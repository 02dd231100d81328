/* Wrong rule files and their errors (data/broken-rules.test, see golden.h), and the trees of valid files. */
#include "golden.h"

#include "base/yml.h"
#include "rules/rule.h"

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

START_TEST(errors_in_rules_have_their_place)
{
    golden_run("tests/data/broken-rules.test", 60, diagnose);
}
END_TEST

/* For bytes that an editor does not show, and for files that are too large. */
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

START_TEST(invalid_bytes_are_refused)
{
    expect_error(STR("a: b\nc: \xff\n"), "invalid leading UTF-8 octet", 2, 4);
    expect_error(STR("a: \xc0\xaf\n"), "invalid length of a UTF-8 sequence", 1, 4);
    expect_error(STR("a: \xed\xa0\x80\n"), "invalid Unicode character", 1, 4);
    expect_error(STR("a: \xf4\x90\x80\x80\n"), "invalid Unicode character", 1, 4);
    expect_error(STR("a: \xe2\x82"), "incomplete UTF-8 octet sequence", 1, 4);
    expect_error(STR("a: b\0c\n"), "control characters are not allowed", 1, 5);
    expect_error(STR("a: \x1b[31m\n"), "control characters are not allowed", 1, 4);
    expect_error(STR("a:\n\tb: c\n"), "a tab in the indentation", 2, 1);
    expect_error(STR("a: \xc2\x9b\n"), "control characters are not allowed", 1, 4);
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
    static const char text[] = "\xef\xbb\xbf# comment\r\na: 1\r\nlist: [x, 'y']\r\nmap: {k: v,\r\n\tl: w}\r\nnone:\r\n";
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
    ck_assert_uint_eq(yml_member(yaml.root, STR("none"))->scalar.len, 0);
    yml_free(&yaml);
    ck_assert(yml_parse(&yaml, STR("x.yaml"), STR(""), &diags));
    ck_assert(yaml.root == NULL);
    yml_free(&yaml);
    ck_assert_uint_eq(diags.count, 0);
}
END_TEST

/* The place in the file of byte `offset` of a value, for every YAML style. */
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
        {"k: \"\xc3\xa9\\\\d \\\"x\"", "\xc3\xa9\\d \"x", 6, 1, 13},
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
    tcase_add_test(rules, errors_in_rules_have_their_place);
    tcase_add_test(yaml, invalid_bytes_are_refused);
    tcase_add_test(yaml, texts_that_are_yaml);
    tcase_add_test(yaml, places_inside_of_values);
    TCase *cases[] = {rules, yaml};
    return run_suite("yaml", cases, sizeof cases / sizeof *cases);
}
