/*
 * Every order in which the messages of two or three compilers of one kernel each can reach one stream, also with one
 * message lost or doubled, or with the log truncated. Each kernel has its own numbers, so the test sees a number that
 * belongs to another kernel. A kernel without registers must be reported: either it is ambiguous, or the log is
 * reported as incomplete. (Unknown spills are null, and the linter counts them.)
 *
 * A stack line is written together with its properties message. Tools that pass on output line by line can separate the
 * two, so the test also reads orders in which the stack line is a separate message. There a lost line can leave a stack
 * line with another kernel, and no reader can see that. If a label names the writer of each line, every kernel of a
 * complete log has all its numbers.
 */
#include "log/reader.h"
#include "logs.h"

#include <stdio.h>
#include <stdlib.h>

enum { MOST_KERNELS = 3, MOST_MESSAGES = MOST_KERNELS * 4 };
enum message { ENTRY, PROPERTIES, STACK, USED };

enum damage { WHOLE, LOST, TWICE, CUT, DAMAGES };
static const char *const damages[] = {"whole", "one message lost", "one message twice", "end cut off"};

/* Totals of one set of orders. */
struct tally {
    size_t logs, kernels, known, ambiguous, wrong, untold;
};

static bool with_barriers; /* "used N barriers": CUDA 12.4 and later */
static bool by_line;       /* a stack line is a separate message */
static const char *label;  /* before each line, with %u for the number of its writer; NULL: none */
static bool label_once;    /* only where another writer begins; its other lines begin with blanks, as in MSBuild */
static unsigned unlabelled = MOST_KERNELS; /* the kernel whose writer has no label */

static void add_message(struct buf *log, unsigned kernel, enum message message)
{
    const char name = (char)('a' + kernel);
    const unsigned n = kernel + 1;
    if (message == ENTRY)
        buf_fmt(log, "ptxas info    : Compiling entry function '%c' for 'sm_90'\n", name);
    if (message == PROPERTIES)
        buf_fmt(log, "ptxas info    : Function properties for %c\n", name);
    if (message == STACK || (message == PROPERTIES && !by_line))
        buf_fmt(log, "    %u bytes stack frame, %u bytes spill stores, %u bytes spill loads\n", 8 * n, 4 * n, 12 * n);
    if (message == USED)
        buf_fmt(log, "ptxas info    : Used %u registers%s\n", 20 * n, with_barriers ? ", used 0 barriers" : "");
}

/* The prefix of a line. `same`: the line before has the same writer. */
static void add_label(struct buf *log, unsigned kernel, bool same)
{
    char text[16];
    if (!label || kernel == unlabelled)
        return;
    snprintf(text, sizeof text, label, kernel + 1);
    buf_add(log, label_once && same ? STR("  ") : str_of(text));
}

/* The message at index `at` is lost or doubled; CUT: the log ends before it. */
static void make_log(const unsigned *order, size_t count, enum damage damage, size_t at, struct buf *log)
{
    unsigned next[MOST_KERNELS] = {0}, last = MOST_KERNELS;
    buf_clear(log);
    for (size_t place = 0; place < count && !(damage == CUT && place >= at); place++) {
        enum message message = next[order[place]]++;
        next[order[place]] += message == PROPERTIES && !by_line;
        for (int times = place != at || damage == WHOLE ? 1 : damage == TWICE ? 2 : 0; times; times--) {
            add_label(log, order[place], last == order[place]);
            add_message(log, order[place], message);
            last = order[place];
        }
    }
}

static bool is_own(int32_t value, unsigned own)
{
    return value == UNKNOWN || value == (int32_t)own;
}

static bool has_own_numbers(const struct model *model, const struct kernel *kernel)
{
    const unsigned n = (unsigned)kernel_name(model, kernel).ptr[0] - 'a' + 1;
    return is_own(kernel->registers, 20 * n) && is_own(kernel->stack_bytes, 8 * n) &&
           is_own(kernel->spill_store_bytes, 4 * n) && is_own(kernel->spill_load_bytes, 12 * n);
}

static void check_log(struct str text, struct tally *tally)
{
    struct model model = {0};
    size_t wrong = 0, untold = 0;
    read_in_pieces(&model, STR("log"), text, 0);
    const struct log_info *log = &model.logs[0];
    const bool log_told = log->cut || log->torn || log->unowned_line || log->lost_stack_line;
    tally->logs++;
    for (size_t at = 0; at < model.kernel_count; at++) {
        const struct kernel *kernel = &model.kernels[at];
        const bool ambiguous = kernel->flags & KERNEL_AMBIGUOUS;
        const bool known = kernel->registers != UNKNOWN && (!label || kernel->spill_store_bytes != UNKNOWN);
        wrong += !has_own_numbers(&model, kernel);
        untold += kernel->kind == KERNEL_ENTRY && kernel->registers == UNKNOWN && !ambiguous && !log_told;
        tally->known += known;
        tally->ambiguous += ambiguous;
        tally->kernels++;
    }
    if (wrong + untold && tally->wrong + tally->untold < 3) {
        struct buf out = {0};
        print_model(&model, &out);
        printf("%s:\n%.*s%.*s\n", wrong ? "wrong" : "untold", STR_ARG(text), STR_ARG(buf_str(&out)));
        buf_free(&out);
    }
    tally->wrong += wrong;
    tally->untold += untold;
    model_free(&model);
}

static void check_order(const unsigned *order, size_t count, enum damage damage, struct tally *tally)
{
    struct buf log = {0};
    for (size_t at = 0; at < (damage == WHOLE ? 1 : count); at++) {
        make_log(order, count, damage, at, &log);
        check_log(buf_str(&log), tally);
    }
    buf_free(&log);
}

/* All orders that begin like `order`. */
static void each_order(unsigned *order, size_t length, const unsigned *left, unsigned kernels, enum damage damage,
                       struct tally *tally)
{
    bool any = false;
    for (unsigned kernel = 0; kernel < kernels; kernel++) {
        if (!left[kernel])
            continue;
        unsigned rest[MOST_KERNELS] = {left[0], left[1], left[2]};
        rest[kernel]--;
        order[length] = kernel;
        each_order(order, length + 1, rest, kernels, damage, tally);
        any = true;
    }
    if (!any)
        check_order(order, length, damage, tally);
}

static void check_all(unsigned kernels, enum damage damage)
{
    const unsigned messages = by_line ? 4 : 3;
    unsigned order[MOST_MESSAGES], left[MOST_KERNELS] = {messages, messages, kernels > 2 ? messages : 0};
    struct tally tally = {0};
    each_order(order, 0, left, kernels, damage, &tally);
    printf("  %u kernels, %s: %zu logs, %zu records: registers of %zu, %zu ambiguous, %zu wrong, %zu untold\n", kernels,
           damages[damage], tally.logs, tally.kernels, tally.known, tally.ambiguous, tally.wrong, tally.untold);
    ck_assert_uint_eq(tally.wrong, 0);
    ck_assert_uint_eq(tally.untold, 0);
    if (label && damage == WHOLE && unlabelled == MOST_KERNELS)
        ck_assert_uint_eq(tally.known, tally.kernels);
}

static const bool barriers[] = {false, true};

START_TEST(every_order)
{
    with_barriers = barriers[_i];
    printf("messages%s\n", with_barriers ? " of CUDA 12.4" : "");
    for (unsigned kernels = 2; kernels <= MOST_KERNELS; kernels++)
        for (enum damage damage = WHOLE; damage < DAMAGES; damage++)
            check_all(kernels, damage);
}
END_TEST

START_TEST(every_order_of_lines)
{
    with_barriers = barriers[_i];
    by_line = true;
    printf("lines%s\n", with_barriers ? " of CUDA 12.4" : "");
    check_all(2, WHOLE);
    check_all(2, TWICE);
    check_all(2, CUT);
    check_all(3, WHOLE);
}
END_TEST

/* The labels of MSBuild (also if it labels only the first of several lines), Jenkins, docker, docker compose. */
static const char *const labels[] = {"%u>", "%u>", "[job%u] ", "#1%u 2.50 ", "job%u | "};

START_TEST(every_order_of_lines_with_labels)
{
    with_barriers = by_line = true;
    label = labels[_i];
    label_once = _i == 1;
    printf("lines behind '%s'%s\n", label, label_once ? ", not repeated" : "");
    for (enum damage damage = WHOLE; damage < DAMAGES; damage++)
        check_all(2, damage);
    if (_i == 0)
        check_all(3, WHOLE);
}
END_TEST

START_TEST(every_order_beside_lines_without_label)
{
    with_barriers = by_line = true;
    label = labels[_i];
    label_once = _i == 1;
    for (unlabelled = 0; unlabelled < 2; unlabelled++) {
        printf("lines behind '%s'%s, of kernel %u without it\n", label, label_once ? ", not repeated" : "", unlabelled);
        check_all(2, WHOLE);
        check_all(2, TWICE);
        if (_i == 0)
            check_all(3, WHOLE);
    }
}
END_TEST

int main(void)
{
    TCase *orders = tcase_create("orders");
    tcase_set_timeout(orders, 600);
    tcase_add_loop_test(orders, every_order, 0, 2);
    tcase_add_loop_test(orders, every_order_of_lines, 0, 2);
    tcase_add_loop_test(orders, every_order_of_lines_with_labels, 0, sizeof labels / sizeof *labels);
    tcase_add_loop_test(orders, every_order_beside_lines_without_label, 0, sizeof labels / sizeof *labels);
    return run_suite("orders", &orders, 1);
}
