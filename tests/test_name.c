/* Identities and templates of names: tests/data/names.tsv holds one name a row. Also: an identity of a mangled name
 * still demangles, has an identity of its own that is itself, and names that are cut anywhere do no harm. */
#include "base/mem.h"
#include "log/mangled.h"
#include "log/name.h"
#include "testing.h"

#include <stdio.h>

static void each_row(void (*check)(struct str name, struct str identity, struct str template))
{
    struct buf file = read_file(source_path("tests/data/names.tsv"));
    struct str rest = buf_str(&file), line;
    size_t rows = 0;
    while (str_split(&rest, '\n', &line)) {
        struct str columns = line, name, identity, template;
        if (line.len == 0 || line.ptr[0] == '#')
            continue;
        ck_assert_msg(str_split(&columns, '\t', &name) && str_split(&columns, '\t', &identity) &&
                          str_split(&columns, '\t', &template),
                      "not three columns: %.*s", STR_ARG(line));
        check(name, identity, template);
        rows++;
    }
    printf("%zu names\n", rows);
    ck_assert_uint_ge(rows, 30);
    buf_free(&file);
}

static void check_identity(struct str name, struct str identity, struct str template)
{
    struct buf seen = {0}, again = {0};
    (void)template;
    name_identity(name, &seen);
    ck_assert_msg(str_eq(buf_str(&seen), identity), "identity of %.*s: %.*s, expected %.*s", STR_ARG(name),
                  STR_ARG(buf_str(&seen)), STR_ARG(identity));
    name_identity(identity, &again);
    ck_assert_msg(str_eq(buf_str(&again), identity), "not its own identity: %.*s", STR_ARG(identity));
    buf_free(&seen);
    buf_free(&again);
}

START_TEST(identities)
{
    each_row(check_identity);
}
END_TEST

static void check_template(struct str name, struct str identity, struct str template)
{
    struct buf seen = {0};
    (void)identity;
    name_template(name, &seen);
    ck_assert_msg(str_eq(buf_str(&seen), template), "template of %.*s: %.*s, expected %.*s", STR_ARG(name),
                  STR_ARG(buf_str(&seen)), STR_ARG(template));
    buf_free(&seen);
}

START_TEST(templates)
{
    each_row(check_template);
}
END_TEST

static void check_demangles(struct str name, struct str identity, struct str template)
{
    struct buf readable = {0};
    (void)template;
    bool was = name_demangle(name, &readable);
    buf_clear(&readable);
    bool is = name_demangle(identity, &readable);
    ck_assert_msg(!was || is, "the identity does not demangle: %.*s", STR_ARG(identity));
    buf_free(&readable);
}

START_TEST(identities_still_demangle)
{
    each_row(check_demangles);
}
END_TEST

static void ignore(void *context, struct identifier identifier)
{
    const struct str *name = context;
    ck_assert_uint_le(identifier.at + identifier.len, name->len);
    ck_assert_uint_lt(identifier.digits, identifier.at);
}

static void check_cuts(struct str name, struct str identity, struct str template)
{
    (void)identity, (void)template;
    for (size_t end = 0; end <= name.len; end++) {
        struct str cut = str_sub(name, 0, end);
        struct buf out = {0};
        mangled_walk(cut, ignore, &cut);
        name_identity(cut, &out);
        name_template(cut, &out);
        name_demangle(cut, &out);
        buf_free(&out);
    }
}

START_TEST(cut_names_do_no_harm)
{
    each_row(check_cuts);
}
END_TEST

START_TEST(deep_names_are_refused)
{
    struct buf name = {0};
    buf_add(&name, STR("_Z1k"));
    buf_pad(&name, 'P', 1 << 20);
    buf_char(&name, 'i');
    struct str whole = buf_str(&name);
    ck_assert(!mangled_walk(whole, ignore, &whole));
    buf_free(&name);
}
END_TEST

/* A source can declare two kernels under one name, when one is a template. */
START_TEST(instances_are_told_from_plain_kernels)
{
    static const char *const rows[][2] = {
        {"_Z1kPf", "k"},
        {"_Z1kIfEvPT_", "k<>"},
        {"_ZN2ns1kEv", "ns::k"},
        {"_ZN2ns6kernelIfLi4EEEvPT_", "ns::kernel<>"},
        {"_ZN2ns5outerIiE5innerEv", "ns::outer::inner"},
        {"_ZN1a36_GLOBAL__N__b61c088a_4_n_cu_4d2ab0ff1kIfEEvPT_", "a::(anonymous namespace)::k<>"},
        {"__nv_static_25__b61c088a_4_n_cu_4d2ab0ff__ZN1a1sEv", "a::s"},
        {"plain", "plain"},
        {"plainI", "plainI"},
        {"", ""},
    };
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct buf seen = {0};
        name_declared(str_of(rows[at][0]), &seen);
        ck_assert_msg(str_eq(buf_str(&seen), str_of(rows[at][1])), "%s: %.*s, expected %s", rows[at][0],
                      STR_ARG(buf_str(&seen)), rows[at][1]);
        buf_free(&seen);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("name");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, identities);
    tcase_add_test(tcase, templates);
    tcase_add_test(tcase, instances_are_told_from_plain_kernels);
    tcase_add_test(tcase, identities_still_demangle);
    tcase_add_test(tcase, cut_names_do_no_harm);
    tcase_add_test(tcase, deep_names_are_refused);
    return run_suite("name", &tcase, 1);
}
