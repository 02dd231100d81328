/* Comparing sets of metrics: the cases of data/compare.test, and tests that the order of the records does not
 * matter. */
#include "testing.h"

#include "baseline/compare.h"
#include "log/checkout.h"

#include <stdlib.h>
#include <string.h>

/* Shared by all sets of this file; freed with them. */
static struct intern strings;

/* ---- sets from text --------------------------------------------------------------------------------------------- */

static int32_t number_or_unknown(struct str word)
{
    uint64_t value = 0;
    if (str_eq(word, STR("-")) || word.len == 0)
        return UNKNOWN;
    ck_assert_msg(str_to_uint(word, &value), "not a number: %.*s", STR_ARG(word));
    return (int32_t)value;
}

static uint32_t string_or_none(struct kernel_metrics_set *set, struct str word)
{
    return str_eq(word, STR("-")) ? NO_INDEX : intern_add(set->strings, word);
}

/* Like measuring a model: an entry that equals the one before it is stored as a copy of it. */
static void fold_copies(struct kernel_metrics_set *set)
{
    struct kernel_metrics *last = &set->items[set->count - 1];
    if (set->count < 2 || kernel_metrics_order(set->strings, last - 1, last) != 0)
        return;
    last[-1].copies++;
    kernel_metrics_join_units(&strings, &last[-1], last->units);
    set->count--;
}

/* Takes "debug", "elsewhere" and key=value options off the end of the line. */
static void take_options(struct kernel_metrics *entry, struct str *line)
{
    for (size_t blank; (blank = str_rfind(*line, STR(" "))) != STR_NONE; line->len = blank) {
        struct str value = str_from(*line, blank + 1), key;
        if (str_eq(value, STR("debug")) || str_eq(value, STR("elsewhere"))) {
            *(str_eq(value, STR("debug")) ? &entry->debug : &entry->elsewhere) = true;
            continue;
        }
        if (str_find_char(value, '=') == STR_NONE || !str_split(&value, '=', &key))
            return;
        if (str_eq(key, STR("object")) || str_eq(key, STR("unit"))) {
            *(str_eq(key, STR("unit")) ? &entry->units : &entry->object) = intern_add(&strings, value);
            continue;
        }
        int32_t number = number_or_unknown(value);
        if (str_eq(key, STR("threads")))
            entry->threads = number;
        else
            entry->values[str_eq(key, STR("stack")) ? MEASURE_STACK : MEASURE_BLOCKS] = number;
    }
}

static void add_entry(struct kernel_metrics_set *set, struct str line)
{
    struct str words[8] = {{0}};
    struct kernel_metrics *entry = kernel_metrics_add(set);
    take_options(entry, &line);
    for (size_t at = 0; at < 8 && str_split(&line, ' ', &words[at]); at++)
        ;
    entry->id = intern_add(set->strings, words[0]);
    entry->arch = string_or_none(set, words[1]);
    entry->source = string_or_none(set, words[2]);
    entry->values[MEASURE_REGISTERS] = number_or_unknown(words[3]);
    entry->values[MEASURE_SPILL_STORES] = number_or_unknown(words[4]);
    entry->values[MEASURE_SPILL_LOADS] = number_or_unknown(words[5]);
    entry->values[MEASURE_SMEM] = words[6].len ? number_or_unknown(words[6]) : 0;
    entry->values[MEASURE_WARPS] = kernel_metrics_warps(set->strings, entry, entry);
    ck_assert(words[7].len == 0 || toolkit_parse(words[7], &entry->toolkit));
    fold_copies(set);
}

/* ---- comparisons as text ---------------------------------------------------------------------------------------- */

static void print_numbers(const struct kernel_metrics *entry, struct buf *out)
{
    const int32_t *values = entry->values;
    if (values[MEASURE_REGISTERS] == UNKNOWN)
        buf_add(out, STR(" -/-"));
    else
        buf_fmt(out, " %d/%lld", values[MEASURE_REGISTERS],
                values[MEASURE_SPILL_STORES] == UNKNOWN
                    ? -1LL
                    : (long long)values[MEASURE_SPILL_STORES] + values[MEASURE_SPILL_LOADS]);
}

static void print_marks(const char *what, uint16_t marks, struct buf *out)
{
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (marks & 1u << at)
            buf_fmt(out, " %s:%s", what, measure_table[at].key);
}

static void print_pair(const struct comparison *c, const struct pair *pair, bool marks, struct buf *out)
{
    const struct kernel_metrics *base = pair->base == NO_INDEX ? NULL : &c->base->items[pair->base];
    const struct kernel_metrics *head = pair->head == NO_INDEX ? NULL : &c->head->items[pair->head];
    struct str id = intern_get(c->strings, (head ? head : base)->id);
    buf_fmt(out, "%s %.*s", compare_state_name((enum compare_state)pair->state), STR_ARG(id));
    if (base)
        print_numbers(base, out);
    else
        buf_add(out, STR(" -"));
    if (head)
        print_numbers(head, out);
    else
        buf_add(out, STR(" -"));
    if (pair->renamed)
        buf_fmt(out, " was %.*s", STR_ARG(intern_get(c->strings, base->id)));
    if (marks) {
        print_marks("worse", pair->worse, out);
        print_marks("better", pair->better, out);
        buf_add(out, pair->partial ? STR(" partial") : STR(""));
        buf_add(out, pair->other_variant ? STR(" another-variant") : STR(""));
    }
    buf_char(out, '\n');
}

static void print_toolkit(struct toolkit toolkit, struct buf *out)
{
    if (toolkit_known(toolkit))
        buf_fmt(out, " %d.%d", toolkit.major, toolkit.minor);
    else
        buf_add(out, STR(" -"));
}

static void print_comparison(const struct comparison *c, bool marks, struct buf *out)
{
    for (size_t at = 0; at < c->count; at++)
        print_pair(c, &c->pairs[at], marks, out);
    for (size_t at = 0; at < c->column_count; at++) {
        const struct column_pair *column = &c->columns[at];
        if (!toolkit_known(column->base) && !toolkit_known(column->head))
            continue;
        buf_add(out, STR("column"));
        print_toolkit(column->base, out);
        print_toolkit(column->head, out);
        buf_fmt(out, "%s%s\n", column->drift ? " drift" : "", column->unsure ? " unsure" : "");
    }
    for (size_t at = 0; at < c->missing.count; at++)
        buf_fmt(out, "missing %s %.*s%s%.*s %u\n", missing_kind_name(c->missing.items[at].kind),
                STR_ARG(c->missing.items[at].name), c->missing.items[at].source.len ? " of " : "",
                STR_ARG(c->missing.items[at].source), c->missing.items[at].entries);
}

/* ---- the cases -------------------------------------------------------------------------------------------------- */

struct test_case {
    struct str name, expected;
    struct kernel_metrics_set base, head;
    struct tolerances tolerances;
    bool part, marks;
};

static void finish_case(struct test_case *test, size_t *cases)
{
    struct comparison comparison;
    struct buf found = {0};
    struct str expected = test->expected;
    while (expected.len && expected.ptr[expected.len - 1] == '\n')
        expected.len--;
    if (!test->name.len)
        return;
    compare_make(&comparison, &test->base, &test->head, test->tolerances, test->part, NULL);
    if (!test->part)
        missing_find(&comparison, NULL);
    print_comparison(&comparison, test->marks, &found);
    while (found.len && found.ptr[found.len - 1] == '\n')
        found.len--;
    ck_assert_msg(str_eq(buf_str(&found), expected), "%.*s\nfound:\n%.*s\nexpected:\n%.*s", STR_ARG(test->name),
                  STR_ARG(buf_str(&found)), STR_ARG(expected));
    ++*cases;
    compare_free(&comparison);
    free(test->base.items);
    free(test->head.items);
    intern_free(&strings);
    buf_free(&found);
    *test = (struct test_case){0};
}

START_TEST(cases_of_the_file)
{
    struct buf text = read_file(source_path("tests/data/compare.test"));
    struct str rest = buf_str(&text), line;
    struct test_case test = {0};
    enum { BEFORE, BASE, HEAD, EXPECTED } part = BEFORE;
    size_t cases = 0;
    for (bool head_comment = true; str_split(&rest, '\n', &line);) {
        if (line.len == 0)
            head_comment = false;
        if (head_comment)
            continue;
        if (str_starts(line, STR("# "))) {
            finish_case(&test, &cases);
            test.name = line;
            test.base.strings = test.head.strings = &strings;
            part = BASE;
        } else if (str_starts(line, STR("with: "))) {
            test.tolerances.registers_of_block = str_find(line, STR("block")) != STR_NONE;
            test.part = str_find(line, STR("part")) != STR_NONE;
            test.marks = str_find(line, STR("marks")) != STR_NONE;
        } else if (str_eq(line, STR("->"))) {
            part = HEAD;
        } else if (str_eq(line, STR("="))) {
            part = EXPECTED;
            test.expected = (struct str){rest.ptr, 0};
        } else if (part == EXPECTED) {
            test.expected.len = (size_t)(line.ptr + line.len - test.expected.ptr);
        } else if (line.len) {
            add_entry(part == BASE ? &test.base : &test.head, line);
        }
    }
    finish_case(&test, &cases);
    ck_assert_uint_ge(cases, 20);
    buf_free(&text);
}
END_TEST

/* ---- order ------------------------------------------------------------------------------------------------------ */

static uint64_t seed = 11;

static unsigned pick(unsigned count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % count;
}

static void random_line(struct buf *line)
{
    static const char *const sources[] = {"a.cu", "b.cu", "x/a.cu", "-"};
    buf_clear(line);
    if (pick(4) == 0)
        buf_fmt(line, "_Z4eachIZ3runvEUlvE%u_EvT_", pick(3));
    else
        buf_fmt(line, "k%u", pick(3));
    static const char *const objects[] = {"", " object=x/k.o", " object=y/k.o"};
    static const char *const units[] = {"", " unit=a.cu", " unit=b.cu"};
    buf_fmt(line, " sm_%u0 %s %u %u %u%s%s", 8 + pick(2), sources[pick(4)], 30 + pick(4), 4 * pick(2), 4 * pick(2),
            objects[pick(3)], units[pick(3)]);
}

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The pairs as sorted lines, so that the results of two comparisons can be compared whatever the order of their
 * records. */
static void sorted_lines(const struct comparison *c, struct buf *out)
{
    struct buf text = {0};
    struct str lines[256], rest, line;
    size_t count = 0;
    print_comparison(c, false, &text);
    rest = buf_str(&text);
    while (count < 256 && str_split(&rest, '\n', &line))
        lines[count++] = line;
    qsort(lines, count, sizeof *lines, by_text);
    for (size_t at = 0; at < count; at++) {
        buf_add(out, lines[at]);
        buf_char(out, '\n');
    }
    buf_free(&text);
}

static void shuffle(struct kernel_metrics_set *set)
{
    for (size_t at = set->count; at > 1; at--) {
        size_t other = pick((unsigned)at);
        struct kernel_metrics moved = set->items[at - 1];
        set->items[at - 1] = set->items[other];
        set->items[other] = moved;
    }
}

START_TEST(the_order_of_records_does_not_matter)
{
    for (int round = 0; round < 500; round++) {
        struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
        struct buf line = {0}, first = {0}, second = {0};
        struct comparison comparison;
        for (unsigned count = pick(20); count > 0; count--) {
            random_line(&line);
            add_entry(pick(2) ? &base : &head, buf_str(&line));
        }
        compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
        size_t *states = comparison.counts.by_state;
        ck_assert_uint_eq(comparison.counts.expected, comparison.counts.seen + states[COMPARE_GONE]);
        ck_assert_uint_eq(comparison.count, head.count + states[COMPARE_GONE]);
        missing_find(&comparison, NULL);
        sorted_lines(&comparison, &first);
        compare_free(&comparison);
        shuffle(&base);
        shuffle(&head);
        compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
        missing_find(&comparison, NULL);
        sorted_lines(&comparison, &second);
        ck_assert_msg(str_eq(buf_str(&first), buf_str(&second)), "first:\n%.*s\nsecond:\n%.*s",
                      STR_ARG(buf_str(&first)), STR_ARG(buf_str(&second)));
        compare_free(&comparison);
        free(base.items);
        free(head.items);
        intern_free(&strings);
        buf_free(&line);
        buf_free(&first);
        buf_free(&second);
    }
}
END_TEST

/* ---- lambdas ---------------------------------------------------------------------------------------------------- */

enum { LAMBDAS = 12 };

static void add_lambda(struct kernel_metrics_set *set, unsigned registers)
{
    struct buf line = {0};
    buf_add(&line, STR("_Z4eachIZ3runvEUlvE"));
    if (set->count)
        buf_fmt(&line, "%zu", set->count - 1);
    buf_fmt(&line, "_EvT_ sm_80 a.cu %u 0 0", registers);
    add_entry(set, buf_str(&line));
    buf_free(&line);
}

/* Each lambda has its own number of registers, so the test knows which one was added, removed or kept. */
static void check_lambdas(void)
{
    struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
    struct comparison comparison;
    for (unsigned at = 0; at < LAMBDAS; at++)
        add_lambda(&base, 10 + at);
    bool of_base[3 * LAMBDAS] = {false};
    for (unsigned at = 0; at < LAMBDAS; at++) {
        for (; pick(6) == 0 && head.count < LAMBDAS; of_base[head.count - 1] = false)
            add_lambda(&head, 100 + (unsigned)head.count);
        if (pick(8) == 0)
            continue;
        of_base[head.count] = true;
        add_lambda(&head, 10 + at);
    }
    compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
    for (size_t at = 0; at < head.count && head.count != base.count; at++)
        ck_assert_msg(!of_base[at] || comparison.pairs[at].state == COMPARE_SAME, "lambda %zu of %zu", at, head.count);
    compare_free(&comparison);
    free(base.items);
    free(head.items);
    intern_free(&strings);
}

START_TEST(lambdas_are_compared_with_themselves)
{
    for (int round = 0; round < 500; round++)
        check_lambdas();
}
END_TEST

/* ---- growth ----------------------------------------------------------------------------------------------------- */

struct twin {
    unsigned name, source, registers;
};

static int by_numbers(const void *left, const void *right)
{
    return memcmp(left, right, sizeof(struct twin));
}

/* Equal entries in a row become copies. */
static void add_twins(struct kernel_metrics_set *set, const struct twin *twins, size_t count, bool sources)
{
    struct twin sorted[16];
    memcpy(sorted, twins, count * sizeof *sorted);
    qsort(sorted, count, sizeof *sorted, by_numbers);
    for (size_t at = 0; at < count; at++) {
        struct buf line = {0};
        buf_fmt(&line, "k%u sm_80 %s %u 0 0", sorted[at].name,
                !sources            ? "-"
                : sorted[at].source ? "a.cu"
                                    : "b.cu",
                sorted[at].registers);
        add_entry(set, buf_str(&line));
        buf_free(&line);
    }
}

static void expect_change(const struct comparison *c, enum compare_state expected)
{
    const size_t *states = c->counts.by_state;
    struct buf told = {0};
    print_comparison(c, false, &told);
    ck_assert_msg(states[expected] > 0 && states[expected] + states[COMPARE_SAME] == c->count, "%.*s",
                  STR_ARG(buf_str(&told)));
    buf_free(&told);
}

/* One kernel's registers change, often to the number of another kernel of the same name. Exactly this change must be
 * reported. */
START_TEST(one_change_among_equal_names_is_reported)
{
    for (int round = 0; round < 4000; round++) {
        struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
        struct comparison comparison;
        struct twin twins[16];
        size_t count = 1 + pick(16);
        bool grows = pick(2), sources = pick(2);
        for (size_t at = 0; at < count; at++)
            twins[at] = (struct twin){pick(2), sources ? pick(2) : 0, 30 + pick(4)};
        add_twins(&base, twins, count, sources);
        struct twin *changed = &twins[pick((unsigned)count)];
        changed->registers += grows ? 1 + pick(4) : 0u - 1 - pick(4);
        add_twins(&head, twins, count, sources);
        compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
        expect_change(&comparison, grows ? COMPARE_WORSE : COMPARE_IMPROVED);
        compare_free(&comparison);
        free(base.items);
        free(head.items);
        intern_free(&strings);
    }
}
END_TEST

START_TEST(a_renamed_kernel_is_compared_with_the_removed_one)
{
    struct kernel_metrics_set base = {.strings = &strings}, head = {.strings = &strings};
    struct comparison comparison;
    add_entry(&base, STR("old sm_80 a.cu 40 0 0"));
    add_entry(&base, STR("other sm_80 a.cu 60 0 0"));
    add_entry(&head, STR("new sm_80 a.cu 48 0 0"));
    compare_make(&comparison, &base, &head, (struct tolerances){0}, false, NULL);
    ck_assert_uint_eq(comparison.count, 3);
    compare_join(&comparison, 1, 0);
    compare_drop_joined(&comparison);
    ck_assert_uint_eq(comparison.count, 2);
    ck_assert(comparison.pairs[0].renamed && comparison.pairs[0].state == COMPARE_WORSE);
    ck_assert_int_eq(comparison.pairs[0].deltas[MEASURE_REGISTERS], 8);
    ck_assert_uint_eq(comparison.pairs[1].base, 1);
    ck_assert_uint_eq(comparison.counts.by_state[COMPARE_NEW], 0);
    ck_assert_uint_eq(comparison.counts.by_state[COMPARE_GONE], 1);
    ck_assert_uint_eq(comparison.counts.by_state[COMPARE_WORSE], 1);
    compare_free(&comparison);
    free(base.items);
    free(head.items);
    intern_free(&strings);
}
END_TEST

/* ---- sources ---------------------------------------------------------------------------------------------------- */

START_TEST(sources_are_the_same_on_every_machine)
{
    static const struct {
        const char *path, *root, *expected;
    } cases[] = {
        {"src/x.cu", "", "src/x.cu"},
        {"./src/../src/./x.cu", "", "src/x.cu"},
        {"../src/x.cu", "", "src/x.cu"},
        {"../../../x.cu", "", "x.cu"},
        {"src\\x.cu", "", "src/x.cu"},
        {"/home/me/proj/src/x.cu", "/home/me/proj/", "src/x.cu"},
        {"/home/me/proj/build/../src/x.cu", "/home/me/proj/", "src/x.cu"},
        {"/home/me/project2/src/x.cu", "/home/me/proj/", "src/x.cu"},
        {"/home/me/x.cu", "", "x.cu"},
        {"/x.cu", "", "x.cu"},
        {"C:\\Users\\me\\proj\\src\\x.cu", "", "src/x.cu"},
        {"/usr/local/cuda/include/cub/x.cuh", "/home/me/proj/", "cub/x.cuh"},
        {"", "", ""},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        struct buf found = {0};
        checkout_path(str_of(cases[at].path), (struct checkout){.root = str_of(cases[at].root)}, &found);
        ck_assert_msg(str_eq(buf_str(&found), str_of(cases[at].expected)), "%s: %.*s, expected %s", cases[at].path,
                      STR_ARG(buf_str(&found)), cases[at].expected);
        buf_free(&found);
    }
}
END_TEST

START_TEST(toolkits_are_two_numbers)
{
    static const char *const broken[] = {"", "12", "12.", ".4", "12.4.1", "12.4x", "0.1", "99999.1", "12.99999"};
    struct toolkit toolkit = {0};
    ck_assert(toolkit_parse(STR("12.4"), &toolkit) && toolkit.major == 12 && toolkit.minor == 4);
    for (size_t at = 0; at < sizeof broken / sizeof *broken; at++)
        ck_assert_msg(!toolkit_parse(str_of(broken[at]), &toolkit), "%s", broken[at]);
    ck_assert_int_lt(toolkit_order((struct toolkit){12, 9}, (struct toolkit){13, 0}), 0);
}
END_TEST

int main(void)
{
    TCase *cases = tcase_create("compare");
    tcase_add_test(cases, cases_of_the_file);
    tcase_add_test(cases, the_order_of_records_does_not_matter);
    tcase_add_test(cases, lambdas_are_compared_with_themselves);
    tcase_add_test(cases, one_change_among_equal_names_is_reported);
    tcase_add_test(cases, a_renamed_kernel_is_compared_with_the_removed_one);
    tcase_add_test(cases, sources_are_the_same_on_every_machine);
    tcase_add_test(cases, toolkits_are_two_numbers);
    return run_suite("compare", &cases, 1);
}
