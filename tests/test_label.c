/* Short names: one spelling whoever demangled, none twice, none that depends on who asks first, none too long. */
#include "testing.h"

#include "report/label.h"

static void expect_label(const char *name, const char *expected)
{
    struct buf label = {0};
    label_make(str_of(name), &label);
    ck_assert_msg(str_eq(buf_str(&label), str_of(expected)), "%s: %.*s, expected %s", name, STR_ARG(buf_str(&label)),
                  expected);
    buf_free(&label);
}

/* The name as printed, as libstdc++, LLVM and cu++filt spell it. */
START_TEST(a_label_is_spelled_in_one_way)
{
    static const struct {
        const char *label, *names[5];
    } rows[] = {
        {"attention::forward<double, 256, 1, (Mask)0>",
         {"_ZN9attention7forwardIdLi256ELi1EL4Mask0EEEvPT_",
          "void attention::forward<double, 256, 1, (Mask)0>(double*)",
          "void attention::forward<double, (int)256, (int)1, (Mask)0>(T1 *)"}},
        {"scan<128, 16, true, false>",
         {"_Z4scanILm128ELj16ELb1ELb0EEvPf", "void scan<128ul, 16u, true, false>(float*)",
          "void scan<(unsigned long)128, (unsigned int)16, (bool)1, (bool)0>(float *)"}},
        {"copy<float const*, box<int>>",
         {"_Z4copyIPKf3boxIiEEvT_S3_", "void copy<float const*, box<int> >(float const*, float const*)",
          "void copy<float const*, box<int>>(float const*, float const*)",
          "void copy<const float *, box<int> >(T1, T1)"}},
        {"unary<&op_abs, float>",
         {"void unary<&(op_abs(float)), float>(float const*, float*, int)",
          "void unary<&op_abs, float>(float const*, float*, int)",
          "void unary<&(_INTERNAL_6237b5_8_unary_cu_66::op_abs(float)), float>(float*)"}},
        {"copy<&one<__half>, 4>", {"void copy<&(void one<__half>(char const*, char*)), 4>(int)"}},
        {"(anonymous namespace)::stage<3>",
         {"_ZN47_GLOBAL__N__00000000_9_kernel_cu_8995cef2_325535stageILi3EEEvPf",
          "void (anonymous namespace)::stage<3>(float*)", "void <unnamed>::stage<(int)3>(float *)"}},
        {"cub::detail::EmptyKernel<void>",
         {"_ZN3cub17CUB_300001_SM_8006detail11EmptyKernelIvEEvv",
          "void cub::CUB_300001_SM_800::detail::EmptyKernel<void>()",
          "void cub::CUB_200500_SM_800_900::detail::EmptyKernel<void>()"}},
        {"plain", {"plain", "plain(float*, int)", "_Z5plainPfi"}},
        {"shift<-3>", {"_Z5shiftILin3EEvv", "void shift<-3>()", "void shift<(int)-3>()"}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t at = 0; at < 5 && rows[row].names[at]; at++)
            expect_label(rows[row].names[at], rows[row].label);
}
END_TEST

START_TEST(what_is_no_name_of_cpp_stays_as_it_is)
{
    expect_label("::error file=a.c,line=1::told", "::error file=a.c,line=1::told");
    expect_label("const x", "const x");
    expect_label("(int)3", "(int)3");
    expect_label("a\nb\x1b[2J", "a\\x0ab\\x1b[2J");
    expect_label("<unnamed>", "<unnamed>");
    expect_label("((((((", "((((((");
    expect_label("&(", "&(");
    expect_label("f(", "f(");
    expect_label(")", ")");
}
END_TEST

/* Long instances of one template that differ in the middle alone, overloads, and files' own functions of one name. */
static void add_names(struct intern *names, bool backwards)
{
    for (int round = 0; round < 300; round++) {
        int number = backwards ? 299 - round : round;
        struct buf name = {0};
        buf_fmt(&name, "_Z6kernelI3boxIiiiiiiiiiiiiiiLi%dEiiiiiiiiiiiiiiiEEvv", number % 150);
        if (number >= 150) {
            buf_clear(&name);
            buf_fmt(&name, "_ZN47_GLOBAL__N__%08d_9_kernel_cu_8995cef2_325535stageILi3EEEvPf", number % 7);
        }
        intern_add(names, buf_str(&name));
        buf_free(&name);
    }
    static const char *const overloads[] = {"_Z4coreIfEvPT_i", "_Z4coreIfEvPT_", "_Z4coreIfEvi"};
    for (int at = 0; at < 3; at++)
        intern_add(names, str_of(overloads[backwards ? 2 - at : at]));
}

START_TEST(labels_are_unique_and_depend_on_no_order)
{
    struct intern forwards = {0}, backwards = {0}, seen = {0};
    struct labels first, second;
    add_names(&forwards, false);
    add_names(&backwards, true);
    ck_assert_uint_eq(forwards.count, backwards.count);
    labels_init(&first, &forwards);
    labels_init(&second, &backwards);
    for (uint32_t name = 0; name < forwards.count; name++) {
        struct str mangled = intern_get(&forwards, name), label = label_of(&first, mangled);
        ck_assert(label.len > 0 && label.len <= LABEL_WIDTH);
        ck_assert_msg(str_eq(label, label_of(&second, mangled)), "%.*s, and %.*s", STR_ARG(label),
                      STR_ARG(label_of(&second, mangled)));
        ck_assert(str_eq(label, label_of(&first, mangled)));
        uint32_t number = intern_add(&seen, label);
        ck_assert_msg(number == name, "%.*s stands for two", STR_ARG(label));
    }
    ck_assert_uint_eq(label_of(&first, STR("unheard of")).len, 0);
    labels_free(&first);
    labels_free(&second);
    intern_free(&forwards);
    intern_free(&backwards);
    intern_free(&seen);
}
END_TEST

START_TEST(a_long_name_is_elided_between_characters)
{
    struct buf name = {0}, label = {0};
    for (int at = 0; at < 40; at++)
        buf_add(&name, STR("\xe6\xbc\xa2\xc3\xa9"));
    label_make(buf_str(&name), &label);
    ck_assert_uint_le(label.len, LABEL_WIDTH);
    ck_assert(str_find(buf_str(&label), STR("...")) != STR_NONE);
    for (struct str rest = buf_str(&label); rest.len; rest = str_from(rest, utf8_length(rest)))
        ck_assert_uint_gt(utf8_length(rest), 0);
    buf_free(&name);
    buf_free(&label);
}
END_TEST

int main(void)
{
    TCase *labels = tcase_create("labels");
    tcase_add_test(labels, a_label_is_spelled_in_one_way);
    tcase_add_test(labels, what_is_no_name_of_cpp_stays_as_it_is);
    tcase_add_test(labels, labels_are_unique_and_depend_on_no_order);
    tcase_add_test(labels, a_long_name_is_elided_between_characters);
    return run_suite("label", &labels, 1);
}
