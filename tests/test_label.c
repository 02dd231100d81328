/* Short names: whichever demangler spelled a name, its label is the same. No two names share a label, no label depends
 * on the order of requests, and none is too long. */
#include "launches.h"
#include "testing.h"

#include "report/base_name.h"
#include "report/elide.h"
#include "report/label.h"

/* Appends the label of a name when it is the only name. */
static void add_label(struct str name, struct buf *out)
{
    struct intern names = {0};
    struct labels labels;
    intern_add(&names, name);
    labels_init(&labels, &names);
    buf_add(out, label_of(&labels, name));
    labels_free(&labels);
    intern_free(&names);
}

static void expect_label(const char *name, const char *expected)
{
    struct buf label = {0};
    add_label(str_of(name), &label);
    ck_assert_msg(str_eq(buf_str(&label), str_of(expected)), "%s: %.*s, expected %s", name, STR_ARG(buf_str(&label)),
                  expected);
    buf_free(&label);
}

/* A name as libstdc++, LLVM and cu++filt print it. */
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
        {"SegmentedRadixSortKernel<policy<int>, 9, true>",
         {"void SegmentedRadixSortKernel<policy<int>, (sort_order_of_keys)9, true>()"}},
        {"take<float const, int>",
         {"_Z4takeIKfiEvv", "void take<const float, int>(T1)", "void take<float const, int>()"}},
        {"take<box<float const>>", {"_Z4takeI3boxIKfEEvv", "void take<box<const float> >(T1)"}},
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
        {"box::operator unsigned int", {"_ZNK3boxcvjEv", "box::operator unsigned int()"}},
        {"operator<< <int>", {"_ZlsIiEbRK1AT_", "bool operator<< <int>(A const&, int)"}},
        {"ns::operator< <int>", {"_ZN2nsltIiEEbRK1AT_", "bool ns::operator< <int>(A const&, int)"}},
        {"comp<&S::operator>>", {"_Z4compIXadL_ZNK1SgtERKS0_EEEvPi"}},
        {"comp2<&operator<>", {"_Z5comp2IXadL_ZltRK1SiEEEvPi"}},
        /* regions of OpenMP and OpenACC: the function and the line; in an identity the line is L */
        {"scale:6_2", {"nvkernel__Z5scaleiPKfPf_F1L6_2"}},
        {"scale:L_2", {"nvkernel__Z5scaleiPKfPf_F1L_2"}},
        {"twice:8", {"__omp_offloading_fe00_ab5711__ZL5twicePfi_l8", "__omp_offloading_fe00_ab5711_twice_l8"}},
        {"twice:L_1_omp_outlined", {"__omp_offloading__ZL5twicePfi_l_1_omp_outlined"}},
        {"(anonymous namespace)::pod<int>:8", {"__omp_offloading_fe00_ab5711__ZN12_GLOBAL__N_13podIiEEvPT__l8"}},
        {"gwcerh2acc_555_gpu", {"gwcerh2acc_555_gpu"}},
        /* a local type of a member function; SYCL uses it as the kernel's name */
        {"host::run() const::kernel", {"_ZZNK4host3runEvE6kernel"}},
        {"host::run()&&::kernel", {"_ZZNO4host3runEvE6kernel"}},
        {"main::{lambda(handler&)#1}::opera...&)#1}) const::matmul",
         {"_ZTSZZ4mainENKUlRN4sycl3_V17handlerEE_clES3_E6matmul"}},
        {"shift<-3>", {"_Z5shiftILin3EEvv", "void shift<-3>()", "void shift<(int)-3>()"}},
        /* long names: namespaces are left out if they would hide the own name */
        {"DeviceSegmentedRadixSortKernel<ty...ame<float>, 3, true>",
         {"_ZN3cub6detail10radix_sort30DeviceSegmentedRadixSortKernelIN4long9type_nameIfEELi3ELb1EEEvv"}},
        {"...::DeviceSegmentedRadixSortKernel<float>",
         {"_ZN26a_namespace_of_some_length30DeviceSegmentedRadixSortKernelIfEEvv"}},
        {"cub::detail::scan::InitKernel<int..._some_length, float>",
         {"_ZN3cub6detail4scan10InitKernelIi33a_type_whose_name_has_some_lengthfEEvv"}},
        {"KernelThatHasMoreLettersThanOneLabelShows... true, true>",
         {"_ZN2ns44KernelThatHasMoreLettersThanOneLabelShowsButILb1ELb1ELb1EEEvv"}},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++)
        for (size_t at = 0; at < 5 && rows[row].names[at]; at++)
            expect_label(rows[row].names[at], rows[row].label);
}
END_TEST

START_TEST(names_not_from_cpp_are_unchanged)
{
    expect_label("::error file=a.c,line=1::told", "\\x3a:error file=a.c,line=1::told");
    expect_label("\xe3\x80\x80::error::told", "\xe3\x80\x80\\x3a:error::told");
    expect_label("a::b##[c]###", "a::b#\\x23[c]#\\x23\\x23");
    expect_label("no\xc2\xad\xe2\x80\x8bwidth", "no\\xc2\\xad\\xe2\\x80\\x8bwidth");
    expect_label("no\xf0\x9f\xbf\xbe\xef\xb7\x90\xf3\xa0\x81\x81",
                 "no\\xf0\\x9f\\xbf\\xbe\\xef\\xb7\\x90\\xf3\\xa0\\x81\\x81");
    expect_label("const x", "const x");
    expect_label("(int)3", "(int)3");
    expect_label("a\nb\x1b[2J", "a\\x0ab\\x1b[2J");
    expect_label("<unnamed>", "<unnamed>");
    expect_label("((((((", "((((((");
    expect_label("&(", "&(");
    expect_label("f(", "f(");
    expect_label(")", ")");
    expect_label("_Z6bitonPiS_", "_Z6bitonPiS_"); /* one letter is missing, so the name is not valid */
}
END_TEST

/* Long instances of one template that differ only in the middle, overloads, and static functions of different files
 * with one name. */
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

START_TEST(labels_are_unique_in_any_order)
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

/* Similar names: in simple and complicated spelling, with the difference at the start, in the middle and at the end. */
static const char *const near_names[] = {
    "_Z4nearILi1ELi2EEvv",
    "_Z4nearILi1ELi3EEvv",
    "_Z4nearILj1ELi2EEvv",
    "_Z4nearIJLi1ELi2EEEvv",
    "_Z4nearIfLb0EEvv",
    "_Z4nearIfLb1EEvv",
    "_Z4nearI5floatLb1EEvv",
    "_Z4nearI6doubleLb1EEvv",
    "_Z4nearI6__halfS0_EvPT_",
    "_Z4nearI6__halfS0_EvPT0_",
    "_Z4nearI6__half13__nv_bfloat16EvPT_",
    "_Z4nearILn1ELi2EEvv",
    "_Z4nearILin1ELi2EEvv",
    "_Z4nearIL4Mode1ELi2EEvv",
    "_Z4nearIL4Mode1ELS0_2EEvv",
    "_Z4nearIL4Mode1ELS0_3EEvv",
    "_Z4nearIPKfPfEvv",
    "_Z4nearIPKfPKfEvv",
    "_Z4nearILf40400000EEvv",
    "_Z4nearIL9ggml_type1E16long_type_name_116long_type_name_2Li64ELi128ELb0EEvv",
    "_Z4nearIL9ggml_type1E16long_type_name_116long_type_name_3Li64ELi128ELb0EEvv",
    "_Z4nearIL9ggml_type1E16long_type_name_116long_type_name_2Li64ELi128ELb1EEvv",
    "_Z4nearIL9ggml_type1E16long_type_name_116long_type_name_2Li64ELi127ELb0EEvv",
    "_Z4nearIL9ggml_type1E16long_type_name_116long_type_name_2Li64ELj128ELb0EEvv",
    "_Z4nearIL9ggml_type2E16long_type_name_116long_type_name_2Li64ELi128ELb0EEvv",
    "_Z4nearI16long_type_name_116long_type_name_2Li64ELi128ELb0EEvv",
    "_Z4nearI16long_type_name_216long_type_name_2Li64ELi28ELb0EEvv",
    "_Z4nearI16long_type_name_116long_type_name_2Li64ELi1128ELb0EEvv",
    "_Z4nearI16long_type_name_116long_type_name_2Li64ELin128ELb0EEvv",
    "_Z4nearI16long_type_name_116long_type_name_2Lin64ELi128ELb0EEvv",
    "_Z4nearI16long_type_name_116long_type_name_2L4Mode64ELi128ELb0EEvv",
    "_Z4nearIL4Mode1ELi1000000000000000000ELi1000000000000000000ELi1000000000000000000EEvv",
    "_Z4nearILi1ELi1000000000000000000ELi1000000000000000000ELi1000000000000000000EEvv",
    "_ZN3cub17CUB_300001_SM_8004nearEv",
    "_ZN3cub4nearEv",
    "_ZN3cub4nearIiEEvv",
    "_ZN2ns3boxIiE4nearILi3EEEvv",
    "_ZN2ns3boxIiE4nearILi4EEEvv",
    "_ZN2ns3boxIfE4nearILi4EEEvv",
    "_ZN47_GLOBAL__N__00000000_9_kernel_cu_8995cef2_325534nearILi3EEEvPf",
    "_ZN47_GLOBAL__N__00000001_9_kernel_cu_8995cef2_325534nearILi3EEEvPf",
    "_ZN12_GLOBAL__N_14nearILi3EEEvPf",
    "near",
    "near(int)",
    "_Z4neari",
    "_Z4nearf",
    "_ZL4nearf",
    "_Z4nearB3tagf",
    "near<1, 2>",
    "void "
    "near<"
    "\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2, "
    "1, 2, 3, 4>()",
    "void "
    "near<"
    "\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa9\xe6\xbc\xa2\xc3\xa8\xe6\xbc\xa2, "
    "1, 2, 3, 4>()",
    "void near<1, 2>()",
    "near~1234",
    "_Z4near",
    "_Z4nearI",
    "_Z4nearILi1",
    "",
};

enum { NEAR_NAMES = sizeof near_names / sizeof *near_names, LONG_NAMES = 300 };

/* Own names, namespaces and arguments of all lengths: some namespaces are shown, some are left out, and some names
 * differ only in a namespace. */
static void add_long_names(struct intern *names)
{
    static const char *const spaces[] = {"3cub", "17CUB_300001_SM_800", "26a_namespace_of_some_length", "2ns",
                                         "28another_namespace_as_long_as"};
    static const char *const owns[] = {"4near", "30DeviceSegmentedRadixSortKernel", "6kernel",
                                       "24KernelOfTwentyFourLetter", "44KernelThatHasMoreLettersThanOneLabelShowsBut"};
    static const char *const arguments[] = {"f",
                                            "i",
                                            "Li1E",
                                            "Li2E",
                                            "16long_type_name_1",
                                            "16long_type_name_2",
                                            "34a_type_whose_name_is_of_some_length",
                                            "L4Mode1E"};
    struct dice dice = {7};
    for (int at = 0; at < LONG_NAMES; at++) {
        struct buf name = {0};
        buf_add(&name, STR("_ZN"));
        for (int64_t left = 1 + roll(&dice, 3); left > 0; left--)
            buf_add(&name, str_of(spaces[roll(&dice, 5)]));
        buf_add(&name, str_of(owns[roll(&dice, 5)]));
        int64_t count = roll(&dice, 5);
        buf_add(&name, count ? STR("I") : STR(""));
        for (int64_t left = count; left > 0; left--)
            buf_add(&name, str_of(arguments[roll(&dice, 8)]));
        buf_add(&name, count ? STR("EEvv") : STR("Ev"));
        intern_add(names, buf_str(&name));
        buf_free(&name);
    }
}

/* Own names with one common prefix and with several, after a long namespace, with words for which the label has little
 * room. */
static void add_grid(struct intern *names)
{
    static const char *const owns[] = {"7kernelA", "7kernelB", "29DeviceRadixSortScanBinsKernel",
                                       "31DeviceRadixSortSingleTileKernel"};
    for (unsigned at = 0; at < 4 * 16; at++) {
        struct buf name = {0};
        buf_fmt(&name, "_ZN3cub6detail6reduce%sI15unchanging_part%s15unchanging_part%s15unchanging_part%s%sEEvPf",
                owns[at % 4], at & 4 ? "13first_word_XX" : "13second_word_Y",
                at & 8 ? "14third_word_XXX" : "14fourth_word_YY", at & 16 ? "6ascend" : "7descend",
                at & 32 ? "j" : "m");
        intern_add(names, buf_str(&name));
        buf_free(&name);
    }
}

/* Names whose labels were wrong once: a GitHub workflow command at the start, one of two names lost after a namespace,
 * equal identities, a name that equals the label of another. */
static const char *const odd_names[] = {
    "(anonymous namespace)::::error::told_you_so_that_it_is_longer_than::kernel_of_some_length_it_is",
    "(anonymous namespace)::other::told_you_so_that_it_is_longer_than::kernel_of_some_length_it_is",
    "ab::::error::told_you_so_that_it_is_longer_than::kernel_of_some_length_it_is",
    "ab::other::told_you_so_that_it_is_longer_than::kernel_of_some_length_it_is",
    "_ZN3cub17CUB_200402_900_NS6detail6kernel1ITkNS_9somethingEfEEvT_T0_T1_T2_T3_",
    "_ZN3cub17CUB_200402_900_NS6detail6kernel1ITkNS_9somethingEfEEvT_T0_T1_T2_T3_$1",
    "void solve<a_policy_that_has_a_long_name<float, 128>, a_layout_that_has_a_long_name, 1, 2>(float*)",
    "void solve<a_policy_that_has_a_long_name<float, 128>, a_layout_that_has_a_long_name, 2, 2>(float*)",
    "solve<a_policy_that_has_a_long_name<float, 128>,...1, 2>",
};

static void add_near_names(struct intern *names)
{
    for (int at = 0; at < NEAR_NAMES; at++)
        intern_add(names, str_of(near_names[at]));
    for (size_t at = 0; at < sizeof odd_names / sizeof *odd_names; at++)
        intern_add(names, str_of(odd_names[at]));
    add_long_names(names);
    add_grid(names);
}

static struct str make_label(struct str name, struct arena *arena)
{
    struct buf label = {0};
    add_label(name, &label);
    struct str made = arena_str(arena, buf_str(&label));
    buf_free(&label);
    return made;
}

/* Names with equal labels have the same base name and, if they are complete and their numbers known, equal ones. */
START_TEST(equal_labels_have_equal_base_names)
{
    struct intern names = {0};
    struct arena arena = {0};
    int same = 0, told_apart = 0;
    add_near_names(&names);
    struct str *labels = arena_alloc(&arena, names.count * sizeof *labels);
    struct str *bases = arena_alloc(&arena, names.count * sizeof *bases);
    uint32_t *values = arena_alloc(&arena, names.count * sizeof *values);
    for (uint32_t name = 0; name < names.count; name++) {
        labels[name] = make_label(intern_get(&names, name), &arena);
        if (!base_name_of_mangled(intern_get(&names, name), &bases[name], &values[name]))
            bases[name] = base_name_of_label(labels[name]);
        bases[name] = str_sub(bases[name], 0, BASE_NAME_BYTES);
    }
    for (uint32_t left = 0; left < names.count; left++) {
        for (uint32_t right = 0; right < names.count; right++) {
            bool equal = str_eq(labels[left], labels[right]), one_base = str_eq(bases[left], bases[right]);
            bool complete = str_find(labels[left], STR("...")) == STR_NONE;
            bool differ = values[left] && values[right] && values[left] != values[right];
            ck_assert_msg(!equal || (one_base && !(complete && differ)), "%.*s and %.*s",
                          STR_ARG(intern_get(&names, left)), STR_ARG(intern_get(&names, right)));
            same += equal && left != right;
            told_apart += one_base && differ;
        }
    }
    ck_assert_int_gt(same, 100);
    ck_assert_int_gt(told_apart, 100);
    arena_free(&arena);
    intern_free(&names);
}
END_TEST

/* A mangled name and its label have the same base name; only its first bytes are compared. */
START_TEST(the_base_name_is_the_own_name)
{
    static const struct {
        const char *name, *base;
    } rows[] = {
        {"_Z6kernelIfEvv", "kernel"},
        {"_ZN2ns6kernelIfEEvv", "kernel"},
        {"_ZN3cub17CUB_300001_SM_80030DeviceSegmentedRadixSortKernelEv", "DeviceSegmentedRadixSortKernel"},
        {"_ZN2ns3boxIiE4nearILi3EEEvv", "box"},
        {"_ZN12_GLOBAL__N_14nearILi3EEEvPf", "near"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct arena arena = {0};
        struct str label = make_label(str_of(rows[row].name), &arena), base;
        uint32_t values;
        ck_assert(base_name_of_mangled(str_of(rows[row].name), &base, &values));
        ck_assert_msg(str_eq(base, str_of(rows[row].base)), "%s: %.*s", rows[row].name, STR_ARG(base));
        ck_assert_msg(str_eq(base_name_of_label(label), str_of(rows[row].base)), "%s: %.*s", rows[row].name,
                      STR_ARG(label));
        arena_free(&arena);
    }
    ck_assert_uint_eq(base_name_of_label(STR("{lambda(int)#1}")).len, 0);
    ck_assert_uint_eq(base_name_of_label(STR("")).len, 0);
}
END_TEST

/* A label is the same whether it is requested alone, with all others, or as one of many instances of its template. */
START_TEST(a_label_does_not_depend_on_other_requests)
{
    struct intern names = {0}, seen = {0};
    struct labels all;
    add_near_names(&names);
    add_names(&names, false);
    labels_init(&all, &names);
    for (uint32_t name = 0; name < names.count; name++) {
        struct labels alone;
        struct str mangled = intern_get(&names, name), label = label_of(&all, mangled);
        labels_init(&alone, &names);
        ck_assert_msg(str_eq(label, label_of(&alone, mangled)), "%.*s: %.*s and %.*s", STR_ARG(mangled), STR_ARG(label),
                      STR_ARG(label_of(&alone, mangled)));
        ck_assert_msg(intern_add(&seen, label) == name, "%.*s stands for two", STR_ARG(label));
        ck_assert_uint_le(label.len, LABEL_WIDTH);
        ck_assert_msg(!str_starts(label, STR("::")), "%.*s is a command of GitHub", STR_ARG(label));
        for (struct str rest = label; rest.len; rest = str_from(rest, utf8_length(rest)))
            ck_assert_uint_gt(utf8_length(rest), 0);
        labels_free(&alone);
    }
    labels_free(&all);
    intern_free(&names);
    intern_free(&seen);
}
END_TEST

/* Anonymous namespaces of three files: the mark that distinguishes a name stays with it, also if the hash of another
 * file sorts first. */
START_TEST(the_mark_of_a_name_does_not_move)
{
    static const char *const mangled[] = {
        "_ZN36_GLOBAL__N__33333333_4_c_cu_cccccccc1kEPi",
        "_ZN36_GLOBAL__N__22222222_4_b_cu_bbbbbbbb1kEPi",
        "_ZN36_GLOBAL__N__11111111_4_a_cu_aaaaaaaa1kEPi",
    };
    struct buf before = {0};
    for (size_t count = 2; count <= 3; count++) {
        struct intern names = {0};
        struct labels labels;
        for (size_t at = 0; at < count; at++)
            intern_add(&names, str_of(mangled[at]));
        labels_init(&labels, &names);
        struct str label = label_of(&labels, str_of(mangled[0]));
        ck_assert_msg(str_starts(label, STR("(anonymous namespace)::k~")), "%.*s", STR_ARG(label));
        if (count == 2)
            buf_add(&before, label);
        ck_assert_msg(str_eq(label, buf_str(&before)), "%.*s was %.*s", STR_ARG(label), STR_ARG(buf_str(&before)));
        labels_free(&labels);
        intern_free(&names);
    }
    buf_free(&before);
}
END_TEST

/* Long names that no demangler accepts get a mark. */
START_TEST(unreadable_names_are_distinguished)
{
    struct intern names = {0}, seen = {0};
    struct labels labels;
    for (int at = 0; at < 5; at++) {
        struct buf name = {0};
        buf_fmt(&name, "_ZN3cub17CUB_200302_900_NS6detail6kernel%dITkNS_9somethingEfEEvT_T0_T1_T2_T3_", at);
        intern_add(&names, buf_str(&name));
        buf_free(&name);
    }
    labels_init(&labels, &names);
    for (uint32_t name = 0; name < names.count; name++) {
        struct str label = label_of(&labels, intern_get(&names, name));
        ck_assert_uint_le(label.len, LABEL_WIDTH);
        ck_assert_msg(intern_add(&seen, label) == name, "%.*s stands for two", STR_ARG(label));
    }
    labels_free(&labels);
    intern_free(&names);
    intern_free(&seen);
}
END_TEST

START_TEST(a_long_name_is_elided_between_characters)
{
    struct buf name = {0}, label = {0};
    for (int at = 0; at < 40; at++)
        buf_add(&name, STR("\xe6\xbc\xa2\xc3\xa9"));
    add_label(buf_str(&name), &label);
    ck_assert_uint_le(label.len, LABEL_WIDTH);
    ck_assert(str_find(buf_str(&label), STR("...")) != STR_NONE);
    for (struct str rest = buf_str(&label); rest.len; rest = str_from(rest, utf8_length(rest)))
        ck_assert_uint_gt(utf8_length(rest), 0);
    buf_free(&name);
    buf_free(&label);
}
END_TEST

/* A label for comparison with other runs: longer, and the same whichever other names exist. */
START_TEST(stable_labels_do_not_depend_on_other_names)
{
    enum { WIDTH = 80 };
    static const struct {
        const char *label, *name;
    } rows[] = {
        {"ns::plain<4>", "_ZN2ns5plainILi4EEEvv"},
        {"kernel<a_type_whose_name_has_some_length, 1, (Mode)3>",
         "_Z6kernelI33a_type_whose_name_has_some_lengthLi1EL4Mode3EEvv"},
        {"ns::kernel<(Mode)3, ns::a_type_whose_name_has_some_length, 2, true, false>",
         "void ns::kernel<(Mode)3, ns::a_type_whose_name_has_some_length, 2, true, false>()"},
        {"ns::kernel<box<a_type_whose_name_has_som...e_has_some_length>, 128>~f57db92b044b",
         "void ns::kernel<ns::box<ns::a_type_whose_name_has_some_length>, "
         "ns::box<ns::a_type_whose_name_has_some_length>"
         ", 128>()"},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    for (int at = -1; at < ROWS; at++) { /* -1: all, else one alone */
        struct intern names = {0};
        struct labels labels;
        for (int row = 0; row < ROWS; row++)
            if (at == -1 || at == row)
                intern_add(&names, str_of(rows[row].name));
        labels_init(&labels, &names);
        for (int row = 0; row < ROWS; row++) {
            struct buf label = {0};
            if (at != -1 && at != row)
                continue;
            label_stable(&labels, str_of(rows[row].name), WIDTH, &label);
            ck_assert_uint_le(label.len, WIDTH);
            ck_assert_msg(str_eq(buf_str(&label), str_of(rows[row].label)), "%s: %.*s", rows[row].name,
                          STR_ARG(buf_str(&label)));
            buf_free(&label);
        }
        labels_free(&labels);
        intern_free(&names);
    }
}
END_TEST

/* Among very many names each is distinguished by its mark, also if many have one identity. */
START_TEST(one_of_very_many_is_distinguished)
{
    static const char *const forms[] = {
        "_Z6kernelI33a_type_whose_name_has_some_lengthLi%dELi128ELb0ELb1ELb0EEvv",
        "_ZN47_GLOBAL__N__%08d_9_kernel_cu_8995cef2_325535stageI33a_type_whose_name_has_some_length"
        "33b_type_whose_name_has_some_lengthLi3EEEvPf",
    };
    enum { MANY = 50001 };
    for (int form = 0; form < 2; form++) {
        struct intern names = {0};
        struct labels labels;
        for (int at = 0; at < MANY; at++) {
            struct buf name = {0};
            buf_fmt(&name, forms[form], at);
            intern_add(&names, buf_str(&name));
            buf_free(&name);
        }
        labels_init(&labels, &names);
        struct str label = label_of(&labels, intern_get(&names, 7)), other = label_of(&labels, intern_get(&names, 8));
        ck_assert_uint_eq(str_find_char(label, '~'), LABEL_WIDTH - 13);
        ck_assert_uint_eq(label.len, LABEL_WIDTH);
        ck_assert_msg(!str_eq(label, other), "%.*s stands for two", STR_ARG(label));
        for (int at = 9; at < MANY; at++)
            ck_assert_ptr_null(labels.labels[at].unelided.ptr); /* it was not demangled */
        labels_free(&labels);
        intern_free(&names);
    }
}
END_TEST

/* The names of one build, and their labels: the own name, and the words in which it differs from the others, most
 * significant words first. */
START_TEST(long_names_show_the_words_that_differ)
{
    static const struct {
        const char *label, *name;
    } rows[] = {
        {"run_over_all_elements_in_blocks<For<Fill<double>, Ran...",
         "void grid::run_over_all_elements_in_blocks<grid::For<app::Fill<double>, grid::Range<long>, grid::Device> "
         ">()"},
        {"run_over_all_elements_in_blocks<For<Fill<float>, Rang...",
         "void grid::run_over_all_elements_in_blocks<grid::For<app::Fill<float>, grid::Range<long>, grid::Device> >()"},
        {"run_over_all_elements_in_blocks<For<Scale, Range<long...",
         "void grid::run_over_all_elements_in_blocks<grid::For<app::Scale, grid::Range<long>, grid::Device> >()"},
        {"run_over_all_elements_in_blocks<Reduce<Sum<float>, Ra...",
         "void grid::run_over_all_elements_in_blocks<grid::Reduce<app::Sum<float>, grid::Range<long>, grid::Device> "
         ">()"},
        /* numbers at the end; the words before them are equal */
        {"solve<a_policy_that_has_a_long_name<float, 128>,...1, 2>",
         "void solve<a_policy_that_has_a_long_name<float, 128>, a_layout_that_has_a_long_name, 1, 2>(float*)"},
        {"solve<a_policy_that_has_a_long_name<float, 128>,...2, 2>",
         "void solve<a_policy_that_has_a_long_name<float, 128>, a_layout_that_has_a_long_name, 2, 2>(float*)"},
        {"solve<a_poli...64>, a_layout_that_has_a_long_name, 1, 2>",
         "void solve<a_policy_that_has_a_long_name<float, 64>, a_layout_that_has_a_long_name, 1, 2>(float*)"},
        /* the namespace, which is otherwise not shown */
        {"first...kernel_with_a_name_of_some_length<fl...~d86a80fb",
         "first::of::several::spaces::kernel_with_a_name_of_some_length<float, double>(float*)"},
        {"other...kernel_with_a_name_of_some_length<fl...~50f5a8c8",
         "other::of::several::spaces::kernel_with_a_name_of_some_length<float, double>(float*)"},
        {"ns::one::kernel_with_a_name_of_some_length<float>",
         "void ns::one::kernel_with_a_name_of_some_length<float>(float*)"},
        {"ns::one::two::kernel_with_a_name_of_some_length<float>",
         "void ns::one::two::kernel_with_a_name_of_some_length<float>(float*)"},
        {"...three::four::five::six...kernel_with_a_na...~c31dab7f",
         "void ns::one::two::three::four::five::six::seven::kernel_with_a_name_of_some_length<float>(float*)"},
        {"...three::four::five::six...kernel_with_a_na...~6cadb9e4",
         "void ns::one::two::three::four::five::six::eight::kernel_with_a_name_of_some_length<float>(float*)"},
        {"ns...three::four::five::s...kernel_with_a_na...~a3535e62",
         "void ns::one::two::three::four::five::some::eight::kernel_with_a_name_of_some_length<float>(float*)"},
        {"ns...three::four::fine...kernel_with_a_name_...~08e5afec",
         "void ns::one::two::three::four::fine::some::eight::kernel_with_a_name_of_some_length<float>(float*)"},
        {"ns...three::foul...kernel_with_a_name_of_som...~fe05a2f8",
         "void ns::one::two::three::foul::fine::some::eight::kernel_with_a_name_of_some_length<float>(float*)"},
        {"ns...there...kernel_with_a_name_of_some_leng...~1e46298d",
         "void ns::one::two::there::foul::fine::some::eight::kernel_with_a_name_of_some_length<float>(float*)"},
        /* one word, which differs at its end: Triton */
        {"triton_per_fused__to_copy_add_native_la...ackward_sum_12",
         "triton_per_fused__to_copy_add_native_layer_norm_backward_sum_12"},
        {"triton_per_fused__to_copy_add_native_la...ackward_sum_13",
         "triton_per_fused__to_copy_add_native_layer_norm_backward_sum_13"},
        {"triton_per_fused__to_copy_add_native_lay...ackward_mul_1",
         "triton_per_fused__to_copy_add_native_layer_norm_backward_mul_1"},
        /* overloads: the parts that are shown are equal */
        {"fold<a_policy_that_has_a_long_...>, a_layout_of_it>~a520",
         "void fold<a_policy_that_has_a_long_name<float, 128>, a_layout_of_it>(float*)"},
        {"fold<a_policy_that_has_a_long_...>, a_layout_of_it>~8f11",
         "void fold<a_policy_that_has_a_long_name<float, 128>, a_layout_of_it>(double*)"},
        /* the only one of its template */
        {"alone<a_policy_that_has_a_long_na..._layout_of_it, 1, 2>",
         "void alone<a_policy_that_has_a_long_name<float, 128>, a_layout_of_it, 1, 2>(float*)"},
        {"...::a_kernel_of_its_own_name<float>",
         "void a_namespace_with_a_name_of_some_length::a_kernel_of_its_own_name<float>(float*)"},
    };
    enum { ROWS = sizeof rows / sizeof *rows };
    struct intern names = {0};
    struct labels labels;
    for (size_t row = 0; row < ROWS; row++)
        intern_add(&names, str_of(rows[row].name));
    labels_init(&labels, &names);
    for (size_t row = 0; row < ROWS; row++) {
        struct str label = label_of(&labels, str_of(rows[row].name));
        ck_assert_msg(str_eq(label, str_of(rows[row].label)), "%s: %.*s", rows[row].name, STR_ARG(label));
    }
    labels_free(&labels);
    intern_free(&names);
}
END_TEST

int main(void)
{
    TCase *labels = tcase_create("labels");
    tcase_set_timeout(labels, 60);
    tcase_add_test(labels, a_label_is_spelled_in_one_way);
    tcase_add_test(labels, names_not_from_cpp_are_unchanged);
    tcase_add_test(labels, labels_are_unique_in_any_order);
    tcase_add_test(labels, equal_labels_have_equal_base_names);
    tcase_add_test(labels, the_base_name_is_the_own_name);
    tcase_add_test(labels, a_label_does_not_depend_on_other_requests);
    tcase_add_test(labels, unreadable_names_are_distinguished);
    tcase_add_test(labels, a_long_name_is_elided_between_characters);
    tcase_add_test(labels, long_names_show_the_words_that_differ);
    tcase_add_test(labels, one_of_very_many_is_distinguished);
    tcase_add_test(labels, the_mark_of_a_name_does_not_move);
    tcase_add_test(labels, stable_labels_do_not_depend_on_other_names);
    return run_suite("label", &labels, 1);
}
