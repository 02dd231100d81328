/* Identities and templates of names: tests/data/names.tsv has one name per row. Also: the identity of a mangled name
 * demangles, it is its own identity, and a name that is cut anywhere does no harm. */
#include "base/mem.h"
#include "base/regex.h"
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

/* The template's pattern matches the readable name, also with the version of CUB and Thrust in it. */
static void check_pattern(struct str name, struct str identity, struct str template)
{
    struct buf readable = {0}, pattern = {0};
    (void)identity;
    if (str_find(template, STR("CUB_NS")) == STR_NONE && str_find(template, STR("THRUST_NS")) == STR_NONE)
        return;
    name_demangle(name, &readable);
    ck_assert(name_pattern(template, &pattern));
    struct regex_error error = {0};
    struct regex *regex = regex_new(buf_str(&pattern), &error);
    ck_assert_ptr_nonnull(regex);
    ck_assert_msg(regex_match(regex, buf_str(&readable), NULL) == REGEX_YES, "%.*s: %.*s", STR_ARG(name),
                  STR_ARG(buf_str(&pattern)));
    regex_free(regex);
    buf_free(&readable);
    buf_free(&pattern);
}

START_TEST(patterns_of_templates)
{
    each_row(check_pattern);
}
END_TEST

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

START_TEST(truncated_names_are_read_safely)
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

static void check_readable(const struct buf *name, const char *expected)
{
    struct buf readable = {0};
    bool demangles = name_demangle(buf_str(name), &readable);
    ck_assert(demangles == (expected != NULL));
    ck_assert_msg(str_eq(buf_str(&readable), expected ? str_of(expected) : buf_str(name)), "%.*s",
                  STR_ARG(buf_str(&readable)));
    buf_free(&readable);
}

/* Each parameter is a pair of the parameter before it, twice: the full name would have 2^40 characters. The test must
 * end at once. */
START_TEST(names_with_exponential_expansion_are_unchanged)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";
    struct buf name = {0};
    buf_add(&name, STR("_Z1fSt4pairIiiE"));
    for (int last = 0; last < 40; last++) {
        const char *more = last < 36 ? "" : "1"; /* base 36 */
        char digit = digits[last % 36];
        buf_fmt(&name, "S_IS%s%c_S%s%c_E", more, digit, more, digit);
    }
    check_readable(&name, NULL);
    buf_free(&name);
}
END_TEST

/* Names of more than 1,024 characters demangle, unless they nest so deep that the demangler would overflow the
 * stack. */
START_TEST(long_names_demangle)
{
    struct buf name = {0}, readable = {0};
    for (int parameters = 1; parameters <= 3000; parameters *= 10) {
        buf_clear(&name);
        buf_clear(&readable);
        buf_add(&name, STR("_Z6kernel"));
        buf_add(&readable, STR("kernel("));
        for (int at = 0; at < parameters; at++) {
            buf_add(&name, STR("4tile"));
            buf_fmt(&readable, "%stile", at ? ", " : "");
        }
        buf_fmt(&readable, ")%c", '\0');
        check_readable(&name, readable.ptr);
    }
    buf_clear(&name);
    buf_add(&name, STR("_Z1k"));
    buf_pad(&name, 'P', 10000);
    buf_char(&name, 'i');
    check_readable(&name, NULL);
    buf_free(&name);
    buf_free(&readable);
}
END_TEST

/* A source can declare two kernels with one name, if one is a template. */
START_TEST(instances_are_distinguished_from_plain_kernels)
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

/* Most names are read by a fast path, without a walk over the demangled tree. The number of a clone at its end forces
 * the walk; both must give the same declaration. */
START_TEST(the_fast_path_agrees_with_the_walk)
{
    static const char *const pieces[] = {
        "_ZN",
        "_ZN",
        "_ZN",
        "_Z",
        "2ns",
        "3box",
        "1_",
        "4_abc",
        "17CUB_300001_SM_800",
        "6THRUST",
        "1C",
        "1T",
        "I",
        "I",
        "I",
        "E",
        "E",
        "E",
        "E",
        "f",
        "v",
        "d",
        "z",
        "k",
        "Pf",
        "PK",
        "Rf",
        "S_",
        "S1_",
        "St",
        "T_",
        "L",
        "Li4E",
        "Lin4E",
        "Lb1E",
        "L3box1E",
        "LS0_1E",
        "L_Z1kvE",
        "6__half",
        "B3tag",
        "C1",
        "J",
        "X",
        "0",
        "9",
        "03abc",
        "12_GLOBAL__N_1",
        "__intern__",
        "dead",
        "14a__intern__dead",
        "14a__intern__dead",
        "O",
        "D",
        "N",
    };
    uint64_t seed = 7;
    size_t declared = 0;
    for (int round = 0; round < 300000; round++) {
        struct buf name = {0}, plain = {0}, walked = {0};
        for (int piece = 0; piece < 12; piece++) {
            seed = seed * 6364136223846793005u + 1442695040888963407u;
            size_t most = sizeof pieces / sizeof *pieces, at = piece ? (seed >> 33) % most : (seed >> 33) % 4;
            buf_add(&name, str_of(pieces[at]));
            if (piece > 3 && (seed >> 20) % 4 == 0)
                break;
        }
        name_declared(buf_str(&name), &plain);
        declared += !str_eq(buf_str(&plain), buf_str(&name));
        buf_add(&name, STR("$1"));
        name_declared(buf_str(&name), &walked);
        ck_assert_msg(str_eq(buf_str(&plain), buf_str(&walked)), "%.*s: %.*s, walked %.*s", STR_ARG(buf_str(&name)),
                      STR_ARG(buf_str(&plain)), STR_ARG(buf_str(&walked)));
        buf_free(&name);
        buf_free(&plain);
        buf_free(&walked);
    }
    ck_assert_uint_gt(declared, 20000);
}
END_TEST

/* Each name, and the same name with a dot for each "<" and ">" that is not a bracket. */
START_TEST(brackets_are_distinguished_from_operators)
{
    static const char *const rows[][2] = {
        {"k<float [2], {lambda(int)#1}>(T*)", "k<float [2], {lambda(int)#1}>(T*)"},
        {"k<&(S::operator>(S const&) const)>(int*)", "k<&(S::operator.(S const&) const)>(int*)"},
        {"k<&operator<>", "k<&operator.>"},
        {"operator<< <int>(A, B)", "operator.. <int>(A, B)"},
        {"operator><int>(A)", "operator.<int>(A)"},
        {"operator<=><int>(A)", "operator.=.<int>(A)"},
        {"operator->*<a>", "operator-.*<a>"},
        {"operator>>=<a>", "operator..=<a>"},
        {"ns::operator-<a>", "ns::operator-<a>"},
        {"my_operator<3>", "my_operator<3>"},
        {"f<decltype (p->x)>(T)", "f<decltype (p-.x)>(T)"},
        {"<<<>>>", "<<<>>>"},
        {"->", "-."},
        {">", ">"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t at = 0; rows[row][0][at]; at++) {
            char c = rows[row][1][at];
            int expected = (strchr("([{<", c) != NULL) - (strchr(")]}>", c) != NULL);
            ck_assert_int_eq(name_nesting(str_of(rows[row][0]), at), expected);
        }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("name");
    tcase_add_test(tcase, brackets_are_distinguished_from_operators);
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, identities);
    tcase_add_test(tcase, templates);
    tcase_add_test(tcase, patterns_of_templates);
    tcase_add_test(tcase, instances_are_distinguished_from_plain_kernels);
    tcase_add_test(tcase, the_fast_path_agrees_with_the_walk);
    tcase_add_test(tcase, identities_still_demangle);
    tcase_add_test(tcase, truncated_names_are_read_safely);
    tcase_add_test(tcase, deep_names_are_refused);
    tcase_add_test(tcase, names_with_exponential_expansion_are_unchanged);
    tcase_add_test(tcase, long_names_demangle);
    return run_suite("name", &tcase, 1);
}
