/*
 * Renamed kernels: random builds of which it is known what became of each kernel. Whatever is joined was one kernel,
 * and most of what was renamed is found. The cases with the real nvcc stand in data/renames.tsv (test_diff.sh).
 * Families: random lists of template arguments that get more, fewer or other members; which gone kernels have no
 * successor as good is computed here in another way, from the definition.
 */
#include "testing.h"

#include "baseline/family.h"
#include "baseline/rename.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { KERNELS = 60, ROUNDS = 400 };

static uint32_t seed;
static struct intern strings; /* of the sets at hand; freed with them */

static uint32_t any(uint32_t below)
{
    seed = seed * 1664525u + 1013904223u;
    return (seed >> 8) % below;
}

/* A kernel of a random build; its parts are numbers, so that names are made of them in one way. */
struct kernel_case {
    uint32_t scope; /* 0: none */
    uint32_t own, type;
    uint32_t number;  /* a template argument */
    uint32_t numbers; /* which set of numbers it has */
    uint32_t truth;   /* the kernel that it is */
};

struct build {
    struct kernel_case kernels[2 * KERNELS];
    size_t count;
};

static void add_part(struct buf *out, char letter, uint32_t number)
{
    struct buf word = {0};
    buf_fmt(&word, "%c%u", letter, number);
    buf_fmt(out, "%zu%.*s", word.len, STR_ARG(buf_str(&word)));
    buf_free(&word);
}

/* _Z[N<scope>]<own>I<type>Li<number>E[E]v<pointer> */
static void add_name(const struct kernel_case *kernel, struct buf *out)
{
    buf_add(out, kernel->scope ? STR("_ZN") : STR("_Z"));
    if (kernel->scope)
        add_part(out, 's', kernel->scope);
    add_part(out, 'k', kernel->own);
    buf_char(out, 'I');
    add_part(out, 't', kernel->type);
    buf_fmt(out, "Li%uEE%sv%s", kernel->number, kernel->scope ? "E" : "", kernel->truth >= KERNELS ? "Ps" : "Pf");
}

static void add_entry(struct kernel_metrics_set *set, const struct kernel_case *kernel, const char *arch, size_t place)
{
    struct buf name = {0};
    struct kernel_metrics *entry = kernel_metrics_add(set);
    add_name(kernel, &name);
    entry->id = intern_add(set->strings, buf_str(&name));
    entry->arch = intern_add(set->strings, str_of(arch));
    entry->kernel = (uint32_t)place;
    for (int at = 0; at <= MEASURE_BARRIERS; at++)
        entry->values[at] = at == MEASURE_REGISTERS ? 8 + (int32_t)kernel->numbers : 0;
    entry->values[MEASURE_WARPS] = 64;
    buf_free(&name);
}

static void measure(const struct build *build, struct kernel_metrics_set *set)
{
    for (size_t at = 0; at < build->count; at++) {
        add_entry(set, &build->kernels[at], "sm_80", 2 * at);
        add_entry(set, &build->kernels[at], "sm_90", 2 * at + 1);
    }
}

static bool has_name(const struct build *build, const struct kernel_case *kernel)
{
    for (size_t at = 0; at < build->count; at++) {
        const struct kernel_case *other = &build->kernels[at];
        if (other->scope == kernel->scope && other->own == kernel->own && other->type == kernel->type &&
            other->number == kernel->number)
            return true;
    }
    return false;
}

static void make_base(struct build *build)
{
    build->count = 0;
    for (uint32_t at = 0; at < KERNELS; at++) {
        struct kernel_case kernel = {any(3), 1 + any(12), 1 + any(5), 1 + any(4), any(3), at};
        if (!has_name(build, &kernel))
            build->kernels[build->count++] = kernel;
    }
}

/* One type, one scope and some kernels are renamed everywhere, some go, some come, some move to another namespace. */
static void make_head(const struct build *base, struct build *head)
{
    uint32_t type = 1 + any(5), scope = 1 + any(2), own = 1 + any(12), what = any(8);
    head->count = 0;
    for (size_t at = 0; at < base->count; at++) {
        struct kernel_case kernel = base->kernels[at];
        if (any(12) == 0)
            continue;
        if (what & 1 && kernel.type == type)
            kernel.type = 100;
        if (what & 2 && kernel.scope == scope)
            kernel.scope = 100;
        if (what & 4 && kernel.own == own)
            kernel.own = 100;
        if (any(20) == 0)
            kernel.scope = 200;
        if (!has_name(head, &kernel))
            head->kernels[head->count++] = kernel;
        if (any(12) == 0) {
            struct kernel_case added = {any(3), 300 + any(100), 1 + any(5), 1 + any(4), any(3), KERNELS + (uint32_t)at};
            if (!has_name(head, &added))
                head->kernels[head->count++] = added;
        }
    }
}

struct tally {
    size_t renamed, found;
};

static uint32_t truth_of(const struct build *build, uint32_t item)
{
    return build->kernels[item / 2].truth;
}

static bool has_id(const struct kernel_metrics_set *set, uint32_t id)
{
    bool found = false;
    for (size_t at = 0; at < set->count; at++)
        found |= set->items[at].id == id;
    return found;
}

static void check_round(struct tally *tally)
{
    struct build base, head;
    struct kernel_metrics_set base_set = {.strings = &strings}, head_set = {.strings = &strings};
    struct comparison comparison;
    make_base(&base);
    make_head(&base, &head);
    measure(&base, &base_set);
    measure(&head, &head_set);
    compare_make(&comparison, &base_set, &head_set, (struct tolerances){0}, false, NULL);
    size_t total = comparison.count, gone = comparison.counts.by_state[COMPARE_GONE];
    size_t kernels = rename_join(&comparison, true);
    ck_assert_uint_eq(comparison.count, total - comparison.counts.renamed);
    ck_assert_uint_eq(comparison.counts.by_state[COMPARE_GONE], gone - comparison.counts.renamed);
    ck_assert_uint_eq(comparison.counts.renamed, 2 * kernels);
    for (size_t at = 0; at < comparison.count; at++) {
        const struct pair *pair = &comparison.pairs[at];
        if (!pair->renamed)
            continue;
        struct str was = intern_get(&strings, base_set.items[pair->base].id);
        struct str is = intern_get(&strings, head_set.items[pair->head].id);
        ck_assert_msg(truth_of(&base, pair->base) == truth_of(&head, pair->head), "%.*s is not %.*s", STR_ARG(was),
                      STR_ARG(is));
        ck_assert_int_eq(pair->state, COMPARE_SAME);
        ck_assert_msg(!has_id(&head_set, base_set.items[pair->base].id) &&
                          !has_id(&base_set, head_set.items[pair->head].id),
                      "%.*s or %.*s is on both sides", STR_ARG(was), STR_ARG(is));
    }
    for (size_t at = 0; at < base.count; at++)
        for (size_t other = 0; other < head.count; other++)
            tally->renamed += base.kernels[at].truth == head.kernels[other].truth &&
                              memcmp(&base.kernels[at], &head.kernels[other], sizeof base.kernels[at]) != 0;
    tally->found += kernels;
    compare_free(&comparison);
    free(base_set.items);
    free(head_set.items);
    intern_free(&strings);
}

START_TEST(only_one_kernel_is_joined)
{
    struct tally tally = {0};
    for (uint32_t round = 0; round < ROUNDS; round++) {
        seed = round;
        check_round(&tally);
    }
    printf("%zu of %zu renamed kernels found\n", tally.found, tally.renamed);
    ck_assert_uint_ge(tally.renamed, 1000);
    ck_assert_uint_ge(tally.found * 2, tally.renamed);
}
END_TEST

/* ---- single conditions: two builds of a few kernels, of which one is renamed ----------------------------------- */

struct row {
    const char *id, *arch; /* behind the architecture, after a blank: the source */
    int32_t registers;
};

static void fill(struct kernel_metrics_set *set, const struct row *rows, bool from_file)
{
    for (uint32_t at = 0; rows[at].id; at++) {
        struct kernel_metrics *entry = kernel_metrics_add(set);
        entry->id = intern_add(set->strings, str_of(rows[at].id));
        struct str source = str_of(rows[at].arch), arch;
        str_split(&source, ' ', &arch);
        entry->arch = intern_add(set->strings, arch);
        entry->source = source.len ? intern_add(set->strings, source) : NO_INDEX;
        entry->kernel = from_file ? NO_INDEX : at;
        entry->values[MEASURE_REGISTERS] = rows[at].registers;
    }
}

static size_t joined(const struct row *base, const struct row *head, bool from_file)
{
    struct kernel_metrics_set base_set = {.strings = &strings}, head_set = {.strings = &strings};
    struct comparison comparison;
    fill(&base_set, base, from_file);
    fill(&head_set, head, false);
    compare_make(&comparison, &base_set, &head_set, (struct tolerances){0}, false, NULL);
    size_t kernels = rename_join(&comparison, true);
    compare_free(&comparison);
    free(base_set.items);
    free(head_set.items);
    intern_free(&strings);
    return kernels;
}

static const struct single {
    const char *what;
    size_t expected;
    bool from_file;
    struct row base[5], head[5];
} singles[] = {
    {"moved into a namespace", 1, false, {{"_Z1kPf", "sm_80", 8}}, {{"_ZN1n1kEPf", "sm_80", 8}}},
    {"other numbers", 0, false, {{"_Z1kPf", "sm_80", 8}}, {{"_ZN1n1kEPf", "sm_80", 9}}},
    {"numbers that are not known", 0, false, {{"_Z1kPf", "sm_80", UNKNOWN}}, {{"_ZN1n1kEPf", "sm_80", UNKNOWN}}},
    {"other numbers on one of two architectures",
     0,
     false,
     {{"_Z1kPf", "sm_80", 8}, {"_Z1kPf", "sm_90", 8}},
     {{"_ZN1n1kEPf", "sm_80", 8}, {"_ZN1n1kEPf", "sm_90", 10}}},
    {"an architecture that the head was not built for",
     1,
     false,
     {{"_Z1kPf", "sm_80", 8}, {"_Z1kPf", "sm_90", 8}, {"_Z1aPf", "sm_80", 8}},
     {{"_ZN1n1kEPf", "sm_80", 8}, {"_Z1aPf", "sm_80", 8}}},
    {"the old name is there on another architecture",
     0,
     false,
     {{"_Z1kPf", "sm_80", 8}, {"_Z1kPf", "sm_90", 8}},
     {{"_ZN1n1kEPf", "sm_80", 8}, {"_Z1kPf", "sm_90", 8}}},
    {"two candidates", 0, false, {{"_Z1kPf", "sm_80", 8}}, {{"_ZN1n1kEPf", "sm_80", 8}, {"_ZN1m1kEPf", "sm_80", 8}}},
    {"a renamed kernel between two that stay",
     1,
     false,
     {{"_Z1aPf", "sm_80", 8}, {"_Z1kPf", "sm_80", 8}, {"_Z1bPf", "sm_80", 8}},
     {{"_Z1aPf", "sm_80", 8}, {"_Z1lPf", "sm_80", 8}, {"_Z1bPf", "sm_80", 8}}},
    {"another kernel in another place",
     0,
     false,
     {{"_Z1aPf", "sm_80", 8}, {"_Z1kPf", "sm_80", 8}, {"_Z1bPf", "sm_80", 8}},
     {{"_Z1aPf", "sm_80", 8}, {"_Z1bPf", "sm_80", 8}, {"_Z1lPf", "sm_80", 8}}},
    {"another name where the order is not known",
     0,
     true,
     {{"_Z1aPf", "sm_80", 8}, {"_Z1kPf", "sm_80", 8}},
     {{"_Z1aPf", "sm_80", 8}, {"_Z1lPf", "sm_80", 8}}},
    {"two candidates, of which one is in another source",
     1,
     true,
     {{"_Z1kI3oldEvPf", "sm_80 a.cu", 8}},
     {{"_Z1kI3newEvPf", "sm_80 b.cu", 8}, {"_Z1kI5otherEvPf", "sm_80 a.cu", 8}}},
    {"a renamed type where the order is not known",
     1,
     true,
     {{"_Z1kI3oldEvPf", "sm_80", 8}},
     {{"_Z1kI3newEvPf", "sm_80", 8}}},
    {"a type that is still there was not renamed",
     0,
     false,
     {{"_Z1kI3oldEvPf", "sm_80", 8}, {"_Z1aI3oldEvPf", "sm_80", 8}},
     {{"_Z1kI3newEvPf", "sm_80", 8}, {"_Z1aI3oldEvPf", "sm_80", 8}}},
    {"a type that became two",
     0,
     false,
     {{"_Z1kI3oldEvPf", "sm_80", 8}, {"_Z1aI3oldEvPf", "sm_80", 8}},
     {{"_Z1kI3newEvPf", "sm_80", 8}, {"_Z1aI5otherEvPf", "sm_80", 8}}},
    {"two types that became one",
     0,
     false,
     {{"_Z1kI3oldEvPf", "sm_80", 8}, {"_Z1aI5otherEvPf", "sm_80", 8}},
     {{"_Z1kI3newEvPf", "sm_80", 8}, {"_Z1aI3newEvPf", "sm_80", 8}}},
    {"an argument of the scope", 0, false, {{"_ZN1mIfE1kEPf", "sm_80", 8}}, {{"_ZN1mIdE1kEPf", "sm_80", 8}}},
    {"moved with its type into a namespace that was there",
     1,
     false,
     {{"_ZN1a1kINS_1tEEEvPf", "sm_80", 8}, {"_ZN1a1xEPf", "sm_80", 9}, {"_ZN1b1yEPf", "sm_80", 10}},
     {{"_ZN1b1kINS_1tEEEvPf", "sm_80", 8}, {"_ZN1a1xEPf", "sm_80", 9}, {"_ZN1b1yEPf", "sm_80", 10}}},
    {"other parameters and other numbers", 1, false, {{"_Z1kPf", "sm_80", 8}}, {{"_Z1kPfi", "sm_80", 40}}},
    {"the same, of a template that had two instances",
     2,
     false,
     {{"_Z1kILi1EEvPf", "sm_80", 8}, {"_Z1kILi2EEvPf", "sm_80", 8}},
     {{"_Z1kILi1EEvPfi", "sm_80", 9}, {"_Z1kILi2EEvPfi", "sm_80", 40}}},
    {"a parameter that is a structure became a number, and the other way round",
     2,
     false,
     {{"_Z1kP6float4", "sm_80", 8}, {"_Z1lP6__half", "sm_80", 9}},
     {{"_Z1kP6__half", "sm_80", 8}, {"_Z1lP7double2", "sm_80", 9}}},
    {"a type of parameters that became one type here and another there",
     2,
     false,
     {{"_Z1kP6float4", "sm_80", 8}, {"_Z1lP6float4", "sm_80", 9}},
     {{"_Z1kP7double2", "sm_80", 18}, {"_Z1lP4int2", "sm_80", 19}}},
    {"other parameters in another file", 0, true, {{"_Z1kPf", "sm_80 a.cu", 8}}, {{"_Z1kPfi", "sm_80 b.cu", 40}}},
    {"other parameters, and an overload that stays",
     0,
     false,
     {{"_Z1kPf", "sm_80", 8}, {"_Z1kPd", "sm_80", 8}},
     {{"_Z1kPfi", "sm_80", 40}, {"_Z1kPd", "sm_80", 8}}},
    {"an overload that lost its argument beside a template that lost one",
     0,
     false,
     {{"_Z1kILi4ELb1EEvPf", "sm_80", 32}, {"_Z1kILi4EEvi", "sm_80", 80}},
     {{"_Z1kILi4EEvPf", "sm_80", 32}, {"_Z1ki", "sm_80", 80}}},
    {"other parameters of two overloads",
     0,
     false,
     {{"_Z1kPf", "sm_80", 8}, {"_Z1kPd", "sm_80", 9}},
     {{"_Z1kPfi", "sm_80", 40}, {"_Z1kPdi", "sm_80", 41}}},
    {"other parameters and another template argument",
     0,
     false,
     {{"_Z1kILi1EEvPf", "sm_80", 8}},
     {{"_Z1kILi2EEvPfi", "sm_80", 40}}},
    {"other parameters in another namespace", 0, false, {{"_ZN1n1kEPf", "sm_80", 8}}, {{"_ZN1m1kEPfi", "sm_80", 40}}},
    {"names that are not mangled",
     1,
     false,
     {{"a", "sm_80", 8}, {"old", "sm_80", 8}, {"b", "sm_80", 8}},
     {{"a", "sm_80", 8}, {"new", "sm_80", 8}, {"b", "sm_80", 8}}},
    {"names that are none", 0, false, {{"", "sm_80", 8}}, {{"_Z", "sm_80", 8}}},
    {"brackets that do not match", 0, false, {{"a)>(::<b", "sm_80", 8}}, {{"(((c", "sm_80", 8}}},
};

START_TEST(single_conditions)
{
    for (size_t at = 0; at < sizeof singles / sizeof *singles; at++) {
        size_t found = joined(singles[at].base, singles[at].head, singles[at].from_file);
        ck_assert_msg(found == singles[at].expected, "%s: %zu joined, expected %zu", singles[at].what, found,
                      singles[at].expected);
    }
}
END_TEST

/* A whole library of one namespace, and as many kernels of which none can be told from the others. */
START_TEST(many_at_once)
{
    enum { MANY = 5000 };
    struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
    struct comparison comparison;
    struct buf name = {0};
    for (uint32_t at = 0; at < 2 * MANY; at++)
        for (int side = 0; side < 2; side++) {
            struct kernel_metrics_set *set = side ? &head : &base;
            struct kernel_metrics *entry = kernel_metrics_add(set);
            buf_clear(&name);
            if (at < MANY)
                buf_fmt(&name, "_ZN3%s6kernelILi%uEEEvPf", side ? "new" : "old", at);
            else
                buf_fmt(&name, "%s_%u", side ? "after" : "before", at);
            entry->id = intern_add(set->strings, buf_str(&name));
            entry->arch = intern_add(set->strings, STR("sm_80"));
            entry->kernel = at;
            entry->values[MEASURE_REGISTERS] = 8;
        }
    compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
    ck_assert_uint_eq(rename_join(&comparison, true), MANY);
    compare_free(&comparison);
    free(base.items);
    free(head.items);
    intern_free(&strings);
    buf_free(&name);
}
END_TEST

/* ---- families: single cases ------------------------------------------------------------------------------------- */

static const struct family_case {
    const char *what;
    size_t families, lost, worse, successors; /* of the first family */
    struct row base[5], head[6];              /* registers: 32 reach 64 warps, 40 48 */
} family_cases[] = {
    {"no successor as good", 1, 1, 1, 1, {{"_Z1kILi1EEvPf", "sm_80", 32}}, {{"_Z1kILi1ELi2EEvPf", "sm_80", 40}}},
    {"one of two is as good",
     1,
     0,
     1,
     2,
     {{"_Z1kILi1EEvPf", "sm_80", 32}},
     {{"_Z1kILi1ELi2EEvPf", "sm_80", 40}, {"_Z1kILi1ELi3EEvPf", "sm_80", 32}}},
    {"arguments of another type: 8 and 16 are what they were",
     1,
     1,
     1,
     1,
     {{"_Z1kILm8EEvPf", "sm_80", 32}, {"_Z1kILm16EEvPf", "sm_80", 40}},
     {{"_Z1kILi8EEvPf", "sm_80", 40}, {"_Z1kILi16EEvPf", "sm_80", 40}}},
    {"another base name", 0, 0, 0, 0, {{"_Z1kILi1EEvPf", "sm_80", 32}}, {{"_Z1lILi1ELi2EEvPf", "sm_80", 40}}},
    {"another architecture",
     0,
     0,
     0,
     0,
     {{"_Z1kILi1EEvPf", "sm_80", 32}, {"_Z1aPf", "sm_90", 8}},
     {{"_Z1kILi1ELi2EEvPf", "sm_90", 40}, {"_Z1aPf", "sm_80", 8}}},
    {"a number that coincides: 128, 32 became 128, 32, 1 and not 128, 128, 32",
     1,
     1,
     1,
     1,
     {{"_Z1kILi128ELi32EEvPf", "sm_80", 32}, {"_Z1kILi128ELi64EEvPf", "sm_80", 32}},
     {{"_Z1kILi128ELi32ELi1EEvPf", "sm_80", 40},
      {"_Z1kILi128ELi128ELi32EEvPf", "sm_80", 32},
      {"_Z1kILi128ELi64ELi1EEvPf", "sm_80", 32}}},
    {"two sets of positions: their union",
     1,
     0,
     1,
     2,
     {{"_Z1kILi1EEvPf", "sm_80", 32}},
     {{"_Z1kILi1ELi2EEvPf", "sm_80", 40}, {"_Z1kILi3ELi1EEvPf", "sm_80", 32}}},
    {"no set: each may have taken the place of each",
     1,
     0,
     1,
     2,
     {{"_Z1kILi1EEvPf", "sm_80", 32}, {"_Z1kILi2EEvPf", "sm_80", 32}},
     {{"_Z1kILi3ELi1EEvPf", "sm_80", 40}, {"_Z1kILi4ELi1EEvPf", "sm_80", 32}}},
    {"one good new kernel replaces one gone kernel only",
     1,
     1,
     1,
     1,
     {{"_Z3mapI5AddOpEvPf", "sm_80", 32}, {"_Z3mapI5MulOpEvPf", "sm_80", 32}},
     {{"_Z3mapI5AddOpIfEEvPf", "sm_80", 32}, {"_Z3mapI5MulOpIfEEvPf", "sm_80", 40}}},
    {"no new kernel is worse than all gone ones, but two replace the only slow one",
     1,
     1,
     0,
     2,
     {{"_Z1kILi1EEvPf", "sm_80", 32}, {"_Z1kILi2EEvPf", "sm_80", 40}},
     {{"_Z1kILi3EEvPf", "sm_80", 40}, {"_Z1kILi4EEvPf", "sm_80", 40}}},
    {"one of two gone kernels is replaced, by one as good as it was",
     1,
     0,
     0,
     0,
     {{"_Z1kILi1EEvPf", "sm_80", 32}, {"_Z1kILi2EEvPf", "sm_80", 40}},
     {{"_Z1kILi3EEvPf", "sm_80", 40}}},
    {"overloads get a parameter",
     1,
     1,
     1,
     1,
     {{"_Z1kPf", "sm_80", 32}, {"_Z1kPi", "sm_80", 32}, {"_Z1kPd", "sm_80", 32}},
     {{"_Z1kPfi", "sm_80", 40}, {"_Z1kPii", "sm_80", 32}, {"_Z1kPdi", "sm_80", 32}}},
    {"an argument was removed",
     1,
     2,
     1,
     1,
     {{"_Z1kILi1ELi7EEvPf", "sm_80", 32}, {"_Z1kILi1ELi8EEvPf", "sm_80", 32}, {"_Z1kILi2ELi8EEvPf", "sm_80", 40}},
     {{"_Z1kILi1EEvPf", "sm_80", 40}, {"_Z1kILi2EEvPf", "sm_80", 40}}},
    {"a kernel became a template", 1, 1, 1, 1, {{"_Z1kPf", "sm_80", 32}}, {{"_Z1kILi1EEvPf", "sm_80", 40}}},
    {"an argument of the scope", 1, 1, 1, 1, {{"_ZN1mIfE1kEPf", "sm_80", 32}}, {{"_ZN1mIdE1kEPf", "sm_80", 40}}},
    {"other names at one place in the source",
     1,
     1,
     1,
     1,
     {{"_Z1kILi1EEvPf", "sm_80 a.cu:7", 32}},
     {{"_Z1lILi1EEvPf", "sm_80 a.cu:7", 40}}},
    {"other names at another place: the parameters are equal",
     1,
     1,
     1,
     1,
     {{"_Z1kILi1EEvPf", "sm_80 a.cu:7", 32}},
     {{"_Z1lILi1EEvPf", "sm_80 a.cu:8", 40}}},
    {"other names, and other parameters",
     0,
     0,
     0,
     0,
     {{"_Z1kPf", "sm_80 a.cu:7", 32}},
     {{"_Z1lPi", "sm_80 a.cu:8", 40}}},
    {"other names in another source", 0, 0, 0, 0, {{"_Z1kPf", "sm_80 a.cu:7", 32}}, {{"_Z1lPf", "sm_80 b.cu:8", 40}}},
    {"other names without parameters", 0, 0, 0, 0, {{"_Z1kv", "sm_80 a.cu:7", 32}}, {{"_Z1lv", "sm_80 a.cu:8", 40}}},
    {"other names that say no parameters", 0, 0, 0, 0, {{"k", "sm_80 a.cu:7", 32}}, {{"l", "sm_80 a.cu:8", 40}}},
    {"two new ones with these parameters",
     0,
     0,
     0,
     0,
     {{"_Z1kPf", "sm_80 a.cu:7", 32}},
     {{"_Z1lPf", "sm_80 a.cu:8", 40}, {"_Z1mPf", "sm_80 a.cu:9", 40}}},
    {"two gone ones with these parameters",
     0,
     0,
     0,
     0,
     {{"_Z1kPf", "sm_80 a.cu:7", 32}, {"_Z1lPf", "sm_80 a.cu:8", 32}},
     {{"_Z1mPf", "sm_80 a.cu:9", 40}}},
    {"two other names at one place",
     0,
     0,
     0,
     0,
     {{"_Z1kILi1EEvPf", "sm_80 a.cu:7", 32}},
     {{"_Z1lILi1EEvPf", "sm_80 a.cu:7", 40}, {"_Z1mILi1EEvPf", "sm_80 a.cu:7", 40}}},
    {"registers that are not known",
     1,
     0,
     0,
     0,
     {{"_Z1kILi1EEvPf", "sm_80", 32}},
     {{"_Z1kILi1ELi2EEvPf", "sm_80", UNKNOWN}}},
};

/* As fill, with numbers that occupancy follows from, and the line behind the source. */
static void fill_known(struct kernel_metrics_set *set, const struct row *rows)
{
    fill(set, rows, false);
    for (size_t at = 0; at < set->count; at++) {
        struct kernel_metrics *entry = &set->items[at];
        struct str source = intern_get(set->strings, entry->source), file, line = source;
        uint64_t number = 0;
        if (entry->source != NO_INDEX && str_split(&line, ':', &file) && str_to_uint(line, &number)) {
            entry->source = intern_add(set->strings, file);
            entry->line = (uint32_t)number;
        }
        for (int value = MEASURE_SPILL_STORES; value <= MEASURE_BARRIERS; value++)
            entry->values[value] = 0;
        entry->values[MEASURE_WARPS] = kernel_metrics_warps(&strings, entry, entry);
    }
}

START_TEST(single_families)
{
    for (size_t at = 0; at < sizeof family_cases / sizeof *family_cases; at++) {
        const struct family_case *test = &family_cases[at];
        struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
        struct comparison comparison;
        fill_known(&base, test->base);
        fill_known(&head, test->head);
        compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
        family_find(&comparison);
        struct family none = {0};
        const struct family *family = comparison.family_count ? &comparison.families[0] : &none;
        ck_assert_msg(comparison.family_count == test->families && family->shown.lost == test->lost &&
                          family->shown.worse == test->worse && family->shown.successors == test->successors,
                      "%s: %zu families, %zu lost, %zu worse, %zu successors", test->what, comparison.family_count,
                      family->shown.lost, family->shown.worse, family->shown.successors);
        compare_free(&comparison);
        free(base.items);
        free(head.items);
        intern_free(&strings);
    }
}
END_TEST

/* ---- families: random ones, against the definition --------------------------------------------------------------- */

enum { INSTANCES = 6, ARGUMENTS = 5 };

struct instance {
    uint32_t arguments[ARGUMENTS];
    int32_t warps, spills;
};

/* The instances of one base name on one side. */
struct instances {
    struct instance items[INSTANCES * 3];
    size_t count, arguments;
};

static bool same_arguments(const struct instance *a, const struct instance *b, size_t count)
{
    return memcmp(a->arguments, b->arguments, count * sizeof *a->arguments) == 0;
}

static void add_instance(struct instances *all, struct instance instance)
{
    instance.warps = 16 + 8 * (int32_t)any(4);
    instance.spills = any(3) ? 0 : 8 * (int32_t)any(3);
    for (size_t at = 0; at < all->count; at++)
        if (same_arguments(&all->items[at], &instance, all->arguments))
            return;
    all->items[all->count++] = instance;
}

static void make_gone(struct instances *gone)
{
    *gone = (struct instances){.arguments = any(4)};
    for (size_t count = 1 + any(INSTANCES); count; count--) {
        struct instance instance = {.warps = 0};
        for (size_t at = 0; at < gone->arguments; at++)
            instance.arguments[at] = any(3);
        add_instance(gone, instance);
    }
}

/* An argument is added, one is removed, two change places, or all is as it happens. */
static void make_new(const struct instances *gone, struct instances *new)
{
    uint32_t what = any(4);
    size_t place = any((uint32_t)gone->arguments + 1);
    what = what == 0 || gone->arguments > 1 ? what : 3;
    *new = (struct instances){.arguments = gone->arguments + (what == 0) - (what == 1)};
    for (size_t at = 0; at < gone->count; at++) {
        for (uint32_t copies = what == 0 ? 1 + any(3) : 1; copies; copies--) {
            const uint32_t *old = gone->items[at].arguments;
            struct instance instance = {.warps = 0};
            for (size_t to = 0; to < new->arguments; to++)
                instance.arguments[to] = what == 3     ? any(4)
                                         : what == 2   ? old[gone->arguments - 1 - to]
                                         : what == 1   ? old[to + (to >= place % gone->arguments)]
                                         : to == place ? 4 + any(2)
                                                       : old[to - (to > place)];
            add_instance(new, instance);
        }
    }
}

static void add_instances(const struct instances *all, char name, struct kernel_metrics_set *set)
{
    for (size_t at = 0; at < all->count; at++) {
        struct buf id = {0};
        buf_fmt(&id, "_Z1%c%s", name, all->arguments ? "I" : "");
        for (size_t argument = 0; argument < all->arguments; argument++)
            buf_fmt(&id, "Li%uE", all->items[at].arguments[argument]);
        buf_add(&id, all->arguments ? STR("EvPf") : STR("Pf"));
        struct kernel_metrics *entry = kernel_metrics_add(set);
        entry->id = intern_add(set->strings, buf_str(&id));
        entry->arch = intern_add(set->strings, STR("sm_80"));
        entry->values[MEASURE_SPILL_STORES] = all->items[at].spills;
        entry->values[MEASURE_SPILL_LOADS] = 0;
        entry->values[MEASURE_REGISTERS] = 8;
        entry->values[MEASURE_WARPS] = all->items[at].warps;
        buf_free(&id);
    }
}

/* The shorter list is the longer one without the positions of the set. */
static bool is_without(const struct instance *longer, size_t count, unsigned set, const struct instance *shorter)
{
    size_t found = 0;
    for (size_t at = 0; at < count; at++)
        if (!(set >> at & 1) && longer->arguments[at] != shorter->arguments[found++])
            return false;
    return true;
}

/* Without these positions of the longer list, or of both. */
static bool maps(const struct instances *gone, const struct instances *new, unsigned set, size_t g, size_t n)
{
    const struct instance *old = &gone->items[g], *now = &new->items[n];
    if (new->arguments > gone->arguments)
        return is_without(now, new->arguments, set, old);
    if (new->arguments < gone->arguments)
        return is_without(old, gone->arguments, set, now);
    for (size_t at = 0; at < new->arguments; at++)
        if (!(set >> at & 1) && old->arguments[at] != now->arguments[at])
            return false;
    return true;
}

static size_t bits(unsigned set)
{
    return set ? (set & 1) + bits(set >> 1) : 0;
}

/* Which are still without a counterpart. */
struct left {
    bool gone[INSTANCES], new[INSTANCES * 3];
};

/* How many gone and new ones that are left belong to the one at hand; of the gone one g these are itself and others. */
static void count_class(const struct instances *gone, const struct instances *new, unsigned set,
                        const struct left *left, size_t g, size_t *of_gone, size_t *of_new)
{
    size_t partner = new->count;
    *of_gone = *of_new = 0;
    for (size_t n = 0; n < new->count; n++) {
        bool mapped = left->new[n] && maps(gone, new, set, g, n);
        *of_new += mapped;
        partner = mapped ? n : partner;
    }
    for (size_t other = 0; other < gone->count && partner < new->count; other++)
        *of_gone += left->gone[other] && maps(gone, new, set, other, partner);
}

/* Where arguments were changed a class counts as often as both sides have one; else each gone one counts. */
static double count_mapped(const struct instances *gone, const struct instances *new, unsigned set,
                           const struct left *left)
{
    bool changed = gone->arguments == new->arguments;
    double mapped = 0;
    for (size_t g = 0; g < gone->count; g++) {
        size_t of_gone, of_new;
        count_class(gone, new, set, left, g, &of_gone, &of_new);
        if (left->gone[g] && of_new)
            mapped += changed && of_gone > of_new ? (double)of_new / (double)of_gone : 1;
    }
    return mapped;
}

/* By gone and new one: true if the new one may replace it. replaced: by gone one, true if some new one replaces it in
 * each case, because its class has no fewer new ones. */
struct links {
    bool links[INSTANCES][INSTANCES * 3], replaced[INSTANCES][INSTANCES * 3];
};

/* By the sets of so many positions that map the most. */
static void link_by(const struct instances *gone, const struct instances *new, size_t count, size_t most,
                    struct left *left, struct links *links)
{
    const struct left before = *left;
    const bool changed = gone->arguments == new->arguments;
    double best = 1;
    for (unsigned set = 0; set < 1u << most; set++)
        if (bits(set) == count && count_mapped(gone, new, set, &before) > best)
            best = count_mapped(gone, new, set, &before);
    for (unsigned set = 0; set < 1u << most; set++) {
        if (bits(set) != count || count_mapped(gone, new, set, &before) < best - 0.001)
            continue;
        for (size_t g = 0; g < gone->count; g++) {
            size_t of_gone, of_new;
            count_class(gone, new, set, &before, g, &of_gone, &of_new);
            bool crowded = changed && of_gone > of_new; /* some of the gone ones have no successor */
            for (size_t n = 0; n < new->count; n++) {
                if (!before.gone[g] || !before.new[n] || !maps(gone, new, set, g, n))
                    continue;
                links->links[g][n] = true;
                links->replaced[g][n] |= !crowded;
                left->gone[g] &= crowded;
                left->new[n] = false;
            }
        }
    }
}

/* The links from the definition. */
static void link(const struct instances *gone, const struct instances *new, struct links *links)
{
    size_t most = new->arguments > gone->arguments ? new->arguments : gone->arguments;
    size_t least = new->arguments > gone->arguments ? gone->arguments : new->arguments;
    struct left left;
    memset(&left, true, sizeof left);
    for (size_t count = most - least; count < (most == least ? most : most - least + 1); count++)
        link_by(gone, new, count, most, &left, links);
    size_t gone_left = 0, new_left = 0;
    for (size_t g = 0; g < gone->count; g++)
        gone_left += left.gone[g];
    for (size_t n = 0; n < new->count; n++)
        new_left += left.new[n];
    for (size_t g = 0; g < gone->count; g++)
        for (size_t n = 0; n < new->count; n++) {
            links->links[g][n] |= left.gone[g] && left.new[n];
            links->replaced[g][n] |= left.gone[g] && left.new[n] && (most != least || gone_left <= new_left);
        }
}

static bool is_as_good(const struct instance *new, const struct instance *gone)
{
    return new->warps >= gone->warps &&new->spills <= gone->spills;
}

/* How many pairs of a gone and a new one there are at most, from gone one `g` on; taken: the new ones with a pair. */
static size_t most_pairs(const struct links *links, size_t g, size_t gone, size_t new, bool *taken)
{
    size_t most = g < gone ? most_pairs(links, g + 1, gone, new, taken) : 0;
    for (size_t n = 0; g < gone && n < new; n++) {
        if (!links->links[g][n] || taken[n])
            continue;
        taken[n] = true;
        const size_t pairs = 1 + most_pairs(links, g + 1, gone, new, taken);
        taken[n] = false;
        most = pairs > most ? pairs : most;
    }
    return most;
}

/* The gone ones that are replaced, each time by a worse one. Where arguments were changed, or there are as many new
 * ones, each new one replaces a gone one of its own: first the pairs that there are less if none may be worse. */
static size_t lost_of(const struct instances *gone, const struct instances *new)
{
    struct links links, as_good;
    bool taken[INSTANCES * 3] = {false};
    size_t lost = 0;
    memset(&links, 0, sizeof links);
    memset(&as_good, 0, sizeof as_good);
    link(gone, new, &links);
    for (size_t g = 0; g < gone->count; g++) {
        bool any_good = false, any_link = false;
        for (size_t n = 0; n < new->count; n++) {
            as_good.links[g][n] = links.links[g][n] && is_as_good(&new->items[n], &gone->items[g]);
            any_link |= links.replaced[g][n];
            any_good |= links.replaced[g][n] && as_good.links[g][n];
        }
        lost += any_link && !any_good;
    }
    if (gone->arguments != new->arguments && gone->count != new->count)
        return lost;
    const size_t pairs = most_pairs(&links, 0, gone->count, new->count, taken);
    const size_t pairs_as_good = most_pairs(&as_good, 0, gone->count, new->count, taken);
    return pairs > pairs_as_good ? pairs - pairs_as_good : lost;
}

/* What keeps its arguments keeps its name: it is neither gone nor new. */
static void leave_out_staying(struct instances *gone, struct instances *new)
{
    if (gone->arguments != new->arguments)
        return;
    for (size_t g = 0; g < gone->count; g++)
        for (size_t n = 0; n < new->count; n++)
            if (same_arguments(&gone->items[g], &new->items[n], gone->arguments)) {
                gone->items[g--] = gone->items[--gone->count];
                new->items[n] = new->items[--new->count];
                break;
            }
}

static struct str base_name(const struct kernel_metrics_set *set, uint32_t item)
{
    return str_sub(intern_get(set->strings, set->items[item].id), 0, 4);
}

START_TEST(random_families)
{
    size_t told = 0, silent = 0;
    for (uint32_t round = 0; round < 3000; round++) {
        struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
        struct comparison comparison;
        struct instances gone[3], new[3];
        seed = round;
        for (int name = 0; name < 3; name++) {
            make_gone(&gone[name]);
            make_new(&gone[name], &new[name]);
            add_instances(&gone[name], (char)('k' + name), &base);
            add_instances(&new[name], (char)('k' + name), &head);
            leave_out_staying(&gone[name], &new[name]);
        }
        compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
        family_find(&comparison);
        for (int name = 0; name < 3; name++) {
            size_t lost = 0, expected = gone[name].count && new[name].count ? lost_of(&gone[name], &new[name]) : 0;
            for (size_t at = 0; at < comparison.family_count; at++) {
                const struct family *family = &comparison.families[at];
                if (base_name(&base, family->gone[0]).ptr[3] != 'k' + name)
                    continue;
                lost += family->shown.lost;
                for (size_t n = 0; n < family->new_count; n++)
                    ck_assert(str_eq(base_name(&base, family->gone[0]), base_name(&head, family->new[n])));
            }
            ck_assert_msg(lost == expected, "round %u, name %d: %zu lost, expected %zu", round, name, lost, expected);
            told += expected > 0;
            silent += expected == 0;
        }
        compare_free(&comparison);
        free(base.items);
        free(head.items);
        intern_free(&strings);
    }
    ck_assert_uint_ge(told, 2000);
    ck_assert_uint_ge(silent, 2000);
}
END_TEST

/* Thousands of instances, of which each may have replaced each, or each one. */
START_TEST(large_families)
{
    enum { MANY = 12000 };
    for (int mapped = 0; mapped < 2; mapped++) {
        struct kernel_metrics_set sets[2] = {{.strings = &strings}, {.strings = &strings}};
        struct comparison comparison;
        struct buf name = {0};
        for (uint32_t at = 0; at < 2 * MANY; at++) {
            struct kernel_metrics_set *set = &sets[at % 2];
            struct kernel_metrics *entry = kernel_metrics_add(set);
            uint32_t number = at / 2;
            buf_clear(&name);
            buf_fmt(&name, at % 2 ? "_Z1kILi%uELi%uEEvPf" : "_Z1kILi%uEEvPf",
                    mapped || at % 2 == 0 ? number : number + MANY, mapped ? 1 : number + 2 * MANY);
            entry->id = intern_add(set->strings, buf_str(&name));
            entry->arch = intern_add(set->strings, STR("sm_80"));
            entry->values[MEASURE_REGISTERS] = 8 + (int32_t)(number % 200);
            entry->values[MEASURE_WARPS] = 64 - (int32_t)(number % 50);
        }
        clock_t begin = clock();
        compare_make(&comparison, &sets[0], &sets[1], (struct tolerances){0}, false, NULL);
        family_find(&comparison);
        double ms = (double)(clock() - begin) * 1000 / CLOCKS_PER_SEC;
        ck_assert_uint_eq(comparison.families[0].shown.lost, 0);
        ck_assert((comparison.families[0].mapping_count > 1) == (mapped == 1));
        ck_assert_msg(ms < bound_ms(1500), "%.0f ms", ms);
        compare_free(&comparison);
        free(sets[0].items);
        free(sets[1].items);
        intern_free(&strings);
        buf_free(&name);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("rename");
    tcase_set_timeout(tcase, 120);
    tcase_add_test(tcase, only_one_kernel_is_joined);
    tcase_add_test(tcase, single_conditions);
    tcase_add_test(tcase, many_at_once);
    tcase_add_test(tcase, single_families);
    tcase_add_test(tcase, random_families);
    tcase_add_test(tcase, large_families);
    return run_suite("rename", &tcase, 1);
}
