/*
 * The table of architectures and the occupancy model against known results: NVIDIA's answers (the golden launches),
 * numbers from published documents (right and wrong ones), and properties that hold for every launch.
 */
#include "gpu/advice.h"
#include "launches.h"
#include "testing.h"

#include <stdio.h>
#include <stdlib.h>

enum { LAUNCHES_PER_ARCH = 300 };

/* The next line of a text that is neither empty nor a comment. */
static bool next_line(struct str *text, struct str *line)
{
    while (str_split(text, '\n', line))
        if (line->len && line->ptr[0] != '#')
            return true;
    return false;
}

static int64_t number(struct str text)
{
    int64_t value = 0;
    ck_assert_msg(str_int(&text, &value) && text.len == 0, "no number: '%.*s'", STR_ARG(text));
    return value;
}

/* ---- the table ---- */

static bool is_power_of_two(int value)
{
    return value > 0 && (value & (value - 1)) == 0;
}

START_TEST(table_is_sorted_and_consistent)
{
    ck_assert_uint_eq(arch_count, 31);
    for (size_t at = 0; at < arch_count; at++) {
        const struct arch *a = &arch_table[at], *before = at ? a - 1 : NULL;
        ck_assert(!before || before->major * 10 + before->minor < a->major * 10 + a->minor);
        ck_assert_int_eq(a->warp_size, 32);
        ck_assert(is_power_of_two(a->register_unit) && is_power_of_two(a->smem_unit_bytes));
        ck_assert(is_power_of_two(a->warp_granularity) && is_power_of_two(a->sub_partitions));
        ck_assert(is_power_of_two(a->launch_partitions));
        ck_assert_int_eq(a->max_threads_per_block % 32, 0);
        ck_assert_int_le(a->max_threads_per_block, a->max_warps_per_sm * 32);
        ck_assert_int_le(a->max_blocks_per_sm, a->max_warps_per_sm);
        ck_assert_int_le(a->registers_per_block, a->registers_per_sm);
        ck_assert_int_eq(a->registers_per_sm % (a->register_unit * a->sub_partitions), 0);
        ck_assert_int_ge(a->launch_partitions, a->sub_partitions);
        ck_assert_int_ge(a->smem_per_block_optin_bytes, a->smem_per_block_bytes);
        ck_assert_int_le(a->smem_per_block_optin_bytes + a->smem_reserved_bytes, a->smem_per_sm_bytes);
        ck_assert_int_eq(a->smem_per_block_optin_bytes % a->smem_unit_bytes, 0);
        ck_assert_int_eq(a->smem_reserved_bytes % a->smem_unit_bytes, 0);
        ck_assert_int_eq(a->barriers_per_sm > 0, a->major >= 9);
        ck_assert_int_eq(a->registers_per_block_alloc, a->major == 1);
    }
}
END_TEST

START_TEST(carveouts_ascend_to_the_maximum)
{
    for (size_t at = 0; at < arch_count; at++) {
        const int *size = arch_table[at].smem_sizes_kib;
        int last = 0;
        while (size[last + 1] >= 0) {
            ck_assert_int_lt(size[last], size[last + 1]);
            last++;
            ck_assert_int_lt(last + 1, ARCH_SMEM_SIZES);
        }
        ck_assert_int_eq(size[last] * 1024, arch_table[at].smem_per_sm_bytes);
    }
}
END_TEST

static const struct {
    const char *name;
    int major, minor; /* major 0: not in the table */
    int order;
} names[] = {
    {"sm_90", 9, 0, 90},   {"sm_90a", 9, 0, 90},    {"sm_100f", 10, 0, 100}, {"compute_80", 8, 0, 80},
    {"lto_90", 9, 0, 90},  {"9.0", 9, 0, 90},       {"90", 9, 0, 90},        {"12.1", 12, 1, 121},
    {"sm_10", 1, 0, 10},   {"sm_120a", 12, 0, 120}, {"sm_91", 0, 0, 91},     {"sm_130", 0, 0, 130},
    {"sm_999", 0, 0, 999}, {"sm_1000", 0, 0, 0},    {"sm_", 0, 0, 0},        {"", 0, 0, 0},
    {"sm_9", 0, 0, 0},     {"sm_090", 0, 0, 0},     {"9.00", 0, 0, 0},       {"9.", 0, 0, 0},
    {".0", 0, 0, 0},       {"sm_9.0", 0, 0, 0},     {"sm_90b", 0, 0, 0},     {"sm_90aa", 0, 0, 0},
    {"sm_90 ", 0, 0, 0},   {"SM_90", 0, 0, 0},      {"gfx90", 0, 0, 0},      {"compute_", 0, 0, 0},
    {"-90", 0, 0, 0},      {"100.0", 0, 0, 0},      {"90-real", 0, 0, 0},    {"18446744073709551616", 0, 0, 0},
};

START_TEST(names_are_found_and_ordered)
{
    const struct arch *arch = arch_find(str_of(names[_i].name));
    ck_assert_msg((arch != NULL) == (names[_i].major > 0), "'%s'", names[_i].name);
    if (arch) {
        ck_assert_int_eq(arch->major, names[_i].major);
        ck_assert_int_eq(arch->minor, names[_i].minor);
    }
    ck_assert_int_eq(arch_number(str_of(names[_i].name)), names[_i].order);
}
END_TEST

/* ---- the golden launches: cc block regs smem_static smem_dynamic carveout barriers | blocks .. ---- */

enum { GOLDEN_COLUMNS = 17, GOLDEN_ANSWERS = 7 };

static void format_limit(struct buf *out, int limit)
{
    if (limit == OCCUPANCY_NO_LIMIT)
        buf_add(out, STR("inf"));
    else
        buf_int(out, limit);
}

/* The answer as the file writes it, from the tab before "blocks" to the end of the line. */
static void format_answer(struct buf *out, const struct occupancy *o)
{
    static const enum limiter order[] = {LIMIT_REGISTERS, LIMIT_SHARED_MEMORY, LIMIT_WARPS, LIMIT_BLOCKS,
                                         LIMIT_BARRIERS};
    buf_fmt(out, "\t%d\t%d\t", o->blocks, o->warps);
    for (size_t at = 0; at < LIMIT_COUNT; at++)
        if (o->limiters >> at & 1)
            buf_char(out, "WRSBN"[at]);
    buf_fmt(out, "\t%lld\t%lld", (long long)o->registers_per_block, (long long)o->smem_per_block_bytes);
    for (size_t at = 0; at < sizeof order / sizeof *order; at++) {
        buf_char(out, '\t');
        format_limit(out, o->limit[order[at]]);
    }
}

/* 1 if every column of the row is as computed. */
static size_t check_golden(struct str line, struct buf *answer)
{
    struct str rest = line, field[GOLDEN_ANSWERS];
    for (size_t at = 0; at < GOLDEN_ANSWERS; at++)
        ck_assert(str_split(&rest, '\t', &field[at]));
    const struct arch *arch = arch_find(field[0]);
    ck_assert_msg(arch != NULL, "%.*s", STR_ARG(line));
    struct launch launch = {(int)number(field[1]), (int)number(field[2]), number(field[3]),
                            number(field[4]),      (int)number(field[6]), (int)number(field[5])};
    struct occupancy o = {0};
    ck_assert(occupancy_compute(arch, &launch, &o));
    buf_clear(answer);
    format_answer(answer, &o);
    struct str expected = {rest.ptr - 1, rest.len + 1};
    if (str_eq(expected, buf_str(answer)))
        return 1;
    printf("golden: %.*s\n   got: ..%.*s\n", STR_ARG(line), STR_ARG(buf_str(answer)));
    return 0;
}

/* ptxas's own cap for launch bounds, read from its cubins. */
START_TEST(launch_bounds_cap_registers)
{
    struct buf text = read_file(source_path("tests/data/register-caps.tsv"));
    struct str rest = buf_str(&text), line = {0}, field[4];
    int rows = 0;
    while (next_line(&rest, &line)) {
        if (str_starts(line, STR("#")))
            continue;
        struct str left = line;
        for (int at = 0; at < 4; at++)
            ck_assert(str_split(&left, '\t', &field[at]));
        int cap = arch_register_cap(arch_find(field[0]), (int)number(field[1]), (int)number(field[2]));
        ck_assert_msg(cap == (int)number(field[3]), "%.*s: got %d", STR_ARG(line), cap);
        rows++;
    }
    ck_assert_int_eq(rows, 5368);
    ck_assert_int_eq(arch_register_cap(arch_find(STR("sm_37")), 256, 2), -1);
    ck_assert_int_eq(arch_register_cap(arch_find(STR("sm_60")), 256, 2), -1);
    ck_assert_int_eq(arch_register_cap(arch_find(STR("sm_90")), 0, 2), -1);
    ck_assert_int_eq(arch_register_cap(arch_find(STR("sm_90")), 2049, 0), -1);
    ck_assert_int_eq(arch_register_cap(arch_find(STR("sm_120")), 1537, 0), -1);
    buf_free(&text);
}
END_TEST

static void replay(const char *path, size_t expected_rows)
{
    struct buf text = read_file(path), answer = {0};
    struct str rest = buf_str(&text), line = {0};
    size_t rows = 0, passed = 0;
    ck_assert(next_line(&rest, &line) && str_starts(line, STR("cc\tblock\tregs\tsmem_static\tsmem_dynamic\t"
                                                              "carveout\tbarriers\tblocks\twarps\tlimiters\t")));
    for (; next_line(&rest, &line); rows++)
        passed += check_golden(line, &answer);
    printf("golden launches: %zu of %zu\n", passed, rows);
    ck_assert_uint_eq(passed, rows);
    ck_assert_uint_eq(rows, expected_rows);
    buf_free(&answer);
    buf_free(&text);
}

START_TEST(golden_sample)
{
    replay(source_path("tests/data/occupancy.tsv"), 620);
}
END_TEST

START_TEST(golden_all)
{
    const char *path = shared_path("facts/occupancy-golden.tsv");
    if (path)
        replay(path, 15138);
}
END_TEST

/* ---- the cases: inputs <tab> expected values <tab> remark, as words key=value ---- */

struct question {
    const struct arch *arch;
    struct launch launch;
    int blocks; /* for ceilings */
    int blocks_per_sm, sms;
    int64_t grid;
};

struct answers {
    struct question q;
    struct occupancy occupancy;
    struct cliff cliff, best_cliff;
    struct best_case best;
    struct block_sizes sizes;
    struct waves waves;
};

/* The answers that a case can expect: fields of the results, or of the architecture. */
#define ANSWER(key, field)                                                                                             \
    {                                                                                                                  \
        key, offsetof(struct answers, field), sizeof(((struct answers *)0)->field), false                              \
    }
#define LIMIT(key, field)                                                                                              \
    {                                                                                                                  \
        key, offsetof(struct arch, field), sizeof(((struct arch *)0)->field), true                                     \
    }
static const struct {
    const char *key;
    size_t offset, bytes;
    bool in_arch;
} fields[] = {
    ANSWER("blocks", occupancy.blocks),
    ANSWER("warps", occupancy.warps),
    ANSWER("max_warps", occupancy.max_warps),
    ANSWER("registers_per_block", occupancy.registers_per_block),
    ANSWER("smem_per_block", occupancy.smem_per_block_bytes),
    ANSWER("smem_capacity", occupancy.smem_capacity_bytes),
    ANSWER("optin", occupancy.needs_optin),
    ANSWER("limit_registers", occupancy.limit[LIMIT_REGISTERS]),
    ANSWER("limit_shared_memory", occupancy.limit[LIMIT_SHARED_MEMORY]),
    ANSWER("limit_barriers", occupancy.limit[LIMIT_BARRIERS]),
    ANSWER("registers_up", cliff.registers_up),
    ANSWER("blocks_up", cliff.blocks_up),
    ANSWER("register_slack", cliff.register_slack),
    ANSWER("registers_down", cliff.registers_down),
    ANSWER("blocks_down", cliff.blocks_down),
    ANSWER("smem_up", cliff.smem_up_bytes),
    ANSWER("smem_blocks_up", cliff.smem_blocks_up),
    ANSWER("smem_slack", cliff.smem_slack_bytes),
    ANSWER("smem_blocks_down", cliff.smem_blocks_down),
    ANSWER("best_warps", best.warps),
    ANSWER("best_registers_up", best_cliff.registers_up),
    ANSWER("best_warps_up", best_cliff.warps_up),
    ANSWER("best_register_slack", best_cliff.register_slack),
    ANSWER("best_registers_down", best_cliff.registers_down),
    ANSWER("best_sizes", sizes.count),
    ANSWER("smallest_best", sizes.sizes[0].threads),
    ANSWER("nvidia_threads", sizes.nvidia_threads),
    ANSWER("nvidia_blocks", sizes.nvidia_blocks),
    ANSWER("wave_blocks", waves.wave_blocks),
    ANSWER("full_waves", waves.full_waves),
    ANSWER("last_blocks", waves.last_blocks),
    ANSWER("most_blocks", waves.most_blocks),
    ANSWER("sm_waves", waves.sm_waves),
    LIMIT("threads_per_block", max_threads_per_block),
    LIMIT("warps_per_sm", max_warps_per_sm),
    LIMIT("blocks_per_sm", max_blocks_per_sm),
    LIMIT("registers_per_sm", registers_per_sm),
    LIMIT("registers_per_thread", registers_per_thread),
    LIMIT("smem_per_sm", smem_per_sm_bytes),
};

static int64_t load(const void *at, size_t bytes)
{
    if (bytes == sizeof(int64_t))
        return *(const int64_t *)at;
    return bytes == sizeof(int) ? *(const int *)at : *(const bool *)at;
}

/* Percent, rounded. */
static int64_t wave_efficiency(const struct question *q, const struct waves *waves)
{
    int64_t started = (waves->full_waves + (waves->last_blocks > 0)) * waves->wave_blocks;
    return (200 * q->grid + started) / (2 * started);
}

/* The advice for `blocks` blocks. */
static int64_t price(struct str key, const struct question *q)
{
    struct advice_question question = {.arch = q->arch, .launch = q->launch};
    struct advice advice = {0};
    ck_assert(advice_make(&question, &advice) && advice.size_count == 1);
    ck_assert_uint_ge(advice.sizes[0].count, (size_t)q->blocks);
    const struct advice_step *step = &advice.sizes[0].steps[q->blocks - 1];
    ck_assert_int_eq(step->blocks, q->blocks);
    if (str_eq(key, STR("register_cap")))
        return step->register_cap;
    return str_eq(key, STR("give_up")) ? step->registers_over : step->smem_over_bytes;
}

/* Values that are not fields but are computed from fields. */
static int64_t derived(struct str key, const struct answers *a)
{
    const struct arch *arch = a->q.arch;
    if (str_eq(key, STR("threads_per_sm")))
        return (int64_t)arch->max_warps_per_sm * arch->warp_size;
    if (str_eq(key, STR("register_file_bytes")))
        return (int64_t)arch->registers_per_sm * 4;
    if (str_eq(key, STR("smem_smallest")))
        return (int64_t)arch->smem_sizes_kib[0] * 1024;
    if (str_eq(key, STR("registers_used")))
        return a->occupancy.blocks * a->occupancy.registers_per_block;
    if (str_eq(key, STR("registers_left")))
        return arch->registers_per_sm - a->occupancy.blocks * a->occupancy.registers_per_block;
    if (str_eq(key, STR("smem_used")))
        return a->occupancy.blocks * a->occupancy.smem_per_block_bytes;
    if (str_eq(key, STR("register_ceiling")))
        return occupancy_register_ceiling(arch, a->q.launch.threads, a->q.blocks);
    if (str_eq(key, STR("smem_ceiling")))
        return occupancy_smem_ceiling(arch, a->q.launch.carveout, a->q.blocks, INT64_MAX);
    if (str_eq(key, STR("wave_percent"))) /* percent of the last wave, as printed without decimals */
        return (200 * a->waves.last_blocks + a->waves.wave_blocks) / (2 * a->waves.wave_blocks);
    if (str_eq(key, STR("wave_efficiency")))
        return wave_efficiency(&a->q, &a->waves);
    if (str_eq(key, STR("register_cap")) || str_eq(key, STR("give_up")) || str_eq(key, STR("smem_give_up")))
        return price(key, &a->q);
    if (str_eq(key, STR("largest_block")))
        return occupancy_largest_block(arch, a->q.launch.registers);
    ck_abort_msg("unknown key '%.*s'", STR_ARG(key));
    return 0;
}

static int64_t answer(struct str key, const struct answers *a)
{
    for (size_t at = 0; at < sizeof fields / sizeof *fields; at++) {
        const char *base = fields[at].in_arch ? (const char *)a->q.arch : (const char *)a;
        if (str_eq(key, str_of(fields[at].key)))
            return load(base + fields[at].offset, fields[at].bytes);
    }
    return derived(key, a);
}

static void set_input(struct question *q, struct str key, struct str value)
{
    if (str_eq(key, STR("arch"))) {
        q->arch = arch_find(value);
        ck_assert(q->arch != NULL);
        return;
    }
    int64_t given = number(value);
    const struct {
        const char *key;
        int *small;
        int64_t *large;
    } inputs[] = {
        {"threads", &q->launch.threads, NULL},
        {"registers", &q->launch.registers, NULL},
        {"smem", NULL, &q->launch.smem_bytes},
        {"dynamic", NULL, &q->launch.dynamic_smem_bytes},
        {"barriers", &q->launch.barriers, NULL},
        {"carveout", &q->launch.carveout, NULL},
        {"blocks", &q->blocks, NULL},
        {"blocks_per_sm", &q->blocks_per_sm, NULL},
        {"sms", &q->sms, NULL},
        {"grid", NULL, &q->grid},
    };
    for (size_t at = 0; at < sizeof inputs / sizeof *inputs; at++) {
        if (!str_eq(key, str_of(inputs[at].key)))
            continue;
        if (inputs[at].small)
            *inputs[at].small = (int)given;
        else
            *inputs[at].large = given;
        return;
    }
    ck_abort_msg("unknown input '%.*s'", STR_ARG(key));
}

static bool next_word(struct str *rest, struct str *key, struct str *value)
{
    struct str word = {0};
    if (!str_split(rest, ' ', &word))
        return false;
    ck_assert_msg(str_split(&word, '=', key), "no key=value");
    *value = word;
    return true;
}

static void solve(struct answers *a)
{
    struct question *q = &a->q;
    if (q->arch && q->launch.threads) {
        ck_assert(occupancy_compute(q->arch, &q->launch, &a->occupancy));
        ck_assert(occupancy_cliff(q->arch, &q->launch, &a->cliff));
    }
    if (q->arch) {
        struct launch any = q->launch;
        any.threads = 0;
        ck_assert(occupancy_best_case(q->arch, &any, &a->best));
        ck_assert(occupancy_cliff(q->arch, &any, &a->best_cliff));
        ck_assert(occupancy_block_sizes(q->arch, &any, 0, &a->sizes));
    }
    if (q->grid)
        ck_assert(occupancy_waves(q->blocks_per_sm, q->sms, q->grid, &a->waves));
}

static void check_limiters(struct str expected, unsigned limiters, struct str line)
{
    unsigned wanted = 0;
    struct str word = {0};
    while (str_split(&expected, '|', &word))
        for (int at = 0; at < LIMIT_COUNT; at++)
            wanted |= str_eq(word, str_of(limiter_ids[at])) ? 1u << at : 0;
    ck_assert_msg(wanted == limiters, "%.*s: limiters are %x, not %x", STR_ARG(line), limiters, wanted);
}

static void check_case(struct str line)
{
    struct str rest = line, given = {0}, expected = {0}, key = {0}, value = {0};
    struct answers a = {.q.launch.carveout = -1};
    ck_assert(str_split(&rest, '\t', &given) && str_split(&rest, '\t', &expected));
    while (next_word(&given, &key, &value))
        set_input(&a.q, key, value);
    solve(&a);
    while (next_word(&expected, &key, &value)) {
        if (str_eq(key, STR("limiters")))
            check_limiters(value, a.occupancy.limiters, line);
        else
            ck_assert_msg(answer(key, &a) == number(value), "%.*s: %.*s is %lld", STR_ARG(line), STR_ARG(key),
                          (long long)answer(key, &a));
    }
}

START_TEST(documented_cases)
{
    struct buf text = read_file(source_path("tests/data/occupancy-cases.tsv"));
    struct str rest = buf_str(&text), line = {0};
    size_t rows = 0;
    for (; next_line(&rest, &line); rows++)
        check_case(line);
    printf("documented cases: %zu\n", rows);
    ck_assert_uint_ge(rows, 130);
    buf_free(&text);
}
END_TEST

/* ---- properties: each for one architecture (_i) ---- */

/* An assertion that costs nothing while it holds: Check reports each of its own, and these tests make millions. */
#define HOLDS(left, operation, right)                                                                                  \
    do {                                                                                                               \
        int64_t left_value = (left), right_value = (right);                                                            \
        if (!(left_value operation right_value))                                                                       \
            ck_abort_msg("%s " #operation " %s: %lld, %lld", #left, #right, (long long)left_value,                     \
                         (long long)right_value);                                                                      \
    } while (0)

static int blocks_at(const struct arch *arch, struct launch launch)
{
    struct occupancy o = {0};
    HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
    return o.blocks;
}

static int best_warps_at(const struct arch *arch, struct launch launch)
{
    int best = 0;
    struct occupancy o = {0};
    for (launch.threads = 32; launch.threads <= arch->max_threads_per_block; launch.threads += 32) {
        HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
        best = o.warps > best ? o.warps : best;
    }
    return best;
}

static struct launch at_registers(struct launch launch, int registers)
{
    launch.registers = registers;
    return launch;
}

static struct launch at_smem(struct launch launch, int64_t bytes)
{
    launch.smem_bytes = bytes;
    launch.dynamic_smem_bytes = 0;
    return launch;
}

static int64_t total_smem(struct launch launch)
{
    return launch.smem_bytes + launch.dynamic_smem_bytes;
}

/* cc 2.x and 3.x give a block that does not fit the preferred size all of the memory, so there a larger block can reach
 * higher occupancy. */
static bool is_monotone(const struct arch *arch, struct launch launch)
{
    return arch->major >= 7 || launch.carveout != 0;
}

START_TEST(more_is_never_better)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {0x9E3779B97F4A7C15u + (uint64_t)_i};
    for (int round = 0; round < 20000; round++) {
        struct launch launch = roll_launch(&dice, arch), more = launch;
        int blocks = blocks_at(arch, launch);
        more.threads += (int)roll(&dice, 100);
        HOLDS(blocks_at(arch, more), <=, blocks);
        more = at_registers(launch,
                            launch.registers + (int)roll(&dice, arch->registers_per_thread + 1 - launch.registers));
        HOLDS(blocks_at(arch, more), <=, blocks);
        more = launch;
        more.dynamic_smem_bytes += roll(&dice, 9000);
        if (is_monotone(arch, launch))
            HOLDS(blocks_at(arch, more), <=, blocks);
        more = launch;
        more.barriers += (int)roll(&dice, 3);
        if (launch.barriers > 0)
            HOLDS(blocks_at(arch, more), <=, blocks);
    }
}
END_TEST

/* The limits agree: the answer is their minimum, and exactly the limits that equal it are named. */
START_TEST(answer_is_the_least_limit)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {77 + (uint64_t)_i};
    for (int round = 0; round < 20000; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct occupancy o = {0};
        HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
        for (int at = 0; at < LIMIT_COUNT; at++) {
            HOLDS(o.limit[at], >=, o.blocks);
            HOLDS(o.limiters >> at & 1, ==, o.limit[at] == o.blocks);
        }
        HOLDS(o.limiters, !=, 0);
        HOLDS(o.warps, <=, o.max_warps);
        HOLDS(o.blocks * o.registers_per_block, <=, arch->registers_per_sm);
        HOLDS(o.blocks * o.smem_per_block_bytes, <=, o.smem_capacity_bytes);
        HOLDS(o.smem_capacity_bytes, <=, arch->smem_per_sm_bytes);
    }
}
END_TEST

START_TEST(register_steps_are_exact)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {1234567 + (uint64_t)_i};
    for (int round = 0; round < LAUNCHES_PER_ARCH * 5; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct cliff cliff = {0};
        int blocks = blocks_at(arch, launch), up = launch.registers - 1, last = launch.registers;
        HOLDS(occupancy_cliff(arch, &launch, &cliff), ==, true);
        while (up >= 1 && blocks_at(arch, at_registers(launch, up)) <= blocks)
            up--;
        while (last < arch->registers_per_thread && blocks_at(arch, at_registers(launch, last + 1)) == blocks)
            last++;
        HOLDS(cliff.registers_up, ==, up >= 1 ? up : -1);
        HOLDS(cliff.blocks_up, ==, up >= 1 ? blocks_at(arch, at_registers(launch, up)) : 0);
        HOLDS(cliff.register_slack, ==, last - launch.registers);
        HOLDS(cliff.registers_down, ==, last < arch->registers_per_thread ? last + 1 : -1);
        if (cliff.registers_down > 0) {
            HOLDS(cliff.blocks_down, ==, blocks_at(arch, at_registers(launch, last + 1)));
            HOLDS(cliff.blocks_down, <, blocks);
        }
    }
}
END_TEST

/* The number of blocks can change only where the allocation changes: after each multiple of the unit. */
static int64_t brute_smem_up(const struct arch *arch, struct launch launch, int blocks)
{
    int64_t unit = arch->smem_unit_bytes, bytes = total_smem(launch) - 1;
    while (bytes >= 0 && blocks_at(arch, at_smem(launch, bytes)) <= blocks)
        bytes = bytes == 0 ? -1 : (bytes - 1) / unit * unit;
    return bytes;
}

static int64_t brute_smem_last(const struct arch *arch, struct launch launch, int blocks)
{
    int64_t unit = arch->smem_unit_bytes, bytes = total_smem(launch);
    while (blocks_at(arch, at_smem(launch, bytes / unit * unit + (bytes % unit ? unit : 0) + 1)) >= blocks)
        bytes = bytes / unit * unit + (bytes % unit ? unit : 0) + 1;
    return (bytes + unit - 1) / unit * unit;
}

START_TEST(smem_steps_are_exact)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {424242 + (uint64_t)_i};
    for (int round = 0; round < LAUNCHES_PER_ARCH; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct cliff cliff = {0};
        int blocks = blocks_at(arch, launch);
        int64_t up = brute_smem_up(arch, launch, blocks);
        HOLDS(occupancy_cliff(arch, &launch, &cliff), ==, true);
        HOLDS(cliff.smem_up_bytes, ==, up);
        HOLDS(cliff.smem_blocks_up, ==, up >= 0 ? blocks_at(arch, at_smem(launch, up)) : 0);
        if (blocks == 0) {
            HOLDS(cliff.smem_slack_bytes, ==, -1);
            continue;
        }
        int64_t last = brute_smem_last(arch, launch, blocks);
        HOLDS(cliff.smem_slack_bytes, ==, last - total_smem(launch));
        HOLDS(cliff.smem_blocks_down, ==, blocks_at(arch, at_smem(launch, last + 1)));
        HOLDS(cliff.smem_blocks_down, <, blocks);
    }
}
END_TEST

START_TEST(register_ceilings_are_tight)
{
    const struct arch *arch = &arch_table[_i];
    for (int threads = 32; threads <= arch->max_threads_per_block; threads += 32) {
        for (int blocks = 1; blocks <= arch->max_blocks_per_sm; blocks++) {
            struct launch launch = {threads, 0, 0, 0, 0, -1};
            struct occupancy o = {0};
            launch.registers = occupancy_register_ceiling(arch, threads, blocks);
            HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
            HOLDS(o.limit[LIMIT_REGISTERS], >=, blocks);
            launch.registers++;
            if (occupancy_compute(arch, &launch, &o))
                HOLDS(o.limit[LIMIT_REGISTERS], <, blocks);
        }
    }
}
END_TEST

/* The published formula of the ceiling for 64K registers and four partitions. */
/* Each register count is the cap of some number of warps, or of none. */
START_TEST(caps_are_ceilings)
{
    const struct arch *arch = &arch_table[_i];
    bool caps[1024] = {0};
    for (int warps = 1; warps <= arch->max_warps_per_sm; warps++)
        caps[occupancy_register_ceiling(arch, arch->warp_size, warps)] = true;
    for (int registers = 0; registers < 1024; registers++)
        ck_assert_msg(occupancy_caps_at(arch, registers) == caps[registers], "cc %d.%d at %d", arch->major, arch->minor,
                      registers);
    ck_assert(!occupancy_caps_at(arch, -1));
}
END_TEST

START_TEST(register_ceiling_has_a_closed_form)
{
    const struct arch *arch = arch_find(STR("sm_80"));
    for (int warps = 1; warps <= 32; warps++) {
        for (int blocks = 1; blocks * warps <= 64; blocks++) {
            int formula = 64 / ((blocks * warps + 3) / 4) * 8;
            HOLDS(occupancy_register_ceiling(arch, warps * 32, blocks), ==, formula > 255 ? 255 : formula);
        }
    }
}
END_TEST

START_TEST(smem_ceilings_are_tight)
{
    static const int carveouts[] = {-1, 0, 10, 50, 75, 100};
    const struct arch *arch = &arch_table[_i];
    for (size_t at = 0; at < sizeof carveouts / sizeof *carveouts; at++) {
        for (int blocks = 1; blocks <= 40; blocks++) {
            int64_t most = occupancy_smem_ceiling(arch, carveouts[at], blocks, INT64_MAX);
            struct launch launch = {32, 0, most, 0, 0, carveouts[at]};
            struct occupancy o = {0};
            if (most >= 0) {
                HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
                HOLDS(o.limit[LIMIT_SHARED_MEMORY], >=, blocks);
            }
            for (launch.smem_bytes = most + 1; launch.smem_bytes <= arch->smem_per_sm_bytes;
                 launch.smem_bytes += arch->smem_unit_bytes) {
                HOLDS(occupancy_compute(arch, &launch, &o), ==, true);
                HOLDS(o.limit[LIMIT_SHARED_MEMORY], <, blocks);
            }
        }
    }
}
END_TEST

START_TEST(largest_block_launches_and_the_next_does_not)
{
    const struct arch *arch = &arch_table[_i];
    for (int registers = 0; registers <= arch->registers_per_thread; registers++) {
        struct launch launch = {occupancy_largest_block(arch, registers), registers, 0, 0, 0, -1};
        HOLDS(launch.threads, >=, 32);
        HOLDS(blocks_at(arch, launch), >=, 1);
        launch.threads += 32;
        HOLDS(blocks_at(arch, launch), ==, 0);
    }
    HOLDS(occupancy_largest_block(arch, arch->registers_per_thread + 1), ==, 0);
}
END_TEST

START_TEST(best_case_is_the_maximum)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {99 + (uint64_t)_i};
    for (int round = 0; round < LAUNCHES_PER_ARCH * 5; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct best_case best = {0};
        struct best_step step = {0};
        HOLDS(occupancy_best_case(arch, &launch, &best), ==, true);
        HOLDS(best.warps, ==, best_warps_at(arch, launch));
        HOLDS(best.max_warps, ==, arch->max_warps_per_sm);
        HOLDS(occupancy_best_step(arch, &launch, &step), ==, true);
        HOLDS(step.warps, ==, best.warps);
        HOLDS(step.max_warps, ==, best.max_warps);
        if (best.warps == 0)
            continue;
        launch.threads = best.threads_largest;
        HOLDS(blocks_at(arch, launch), ==, best.blocks);
        HOLDS(best.blocks * best.threads_largest / 32, ==, best.warps);
        for (launch.threads = 32; launch.threads <= arch->max_threads_per_block; launch.threads += 32)
            if (blocks_at(arch, launch) * launch.threads / 32 == best.warps)
                HOLDS(launch.threads, <=, best.threads_largest);
    }
}
END_TEST

static void check_best_registers(const struct arch *arch, struct launch launch, const struct cliff *cliff, int warps)
{
    int up = launch.registers - 1, last = launch.registers;
    while (up >= 1 && best_warps_at(arch, at_registers(launch, up)) <= warps)
        up--;
    while (last < arch->registers_per_thread && best_warps_at(arch, at_registers(launch, last + 1)) >= warps)
        last++;
    HOLDS(cliff->registers_up, ==, up >= 1 ? up : -1);
    HOLDS(cliff->register_slack, ==, last - launch.registers);
    if (up >= 1)
        HOLDS(cliff->warps_up, ==, best_warps_at(arch, at_registers(launch, up)));
    if (cliff->registers_down >= 0)
        HOLDS(cliff->warps_down, ==, best_warps_at(arch, at_registers(launch, last + 1)));
}

START_TEST(best_steps_are_exact)
{
    const struct arch *arch = &arch_table[_i];
    struct dice dice = {31337 + (uint64_t)_i};
    for (int round = 0; round < 60; round++) {
        struct launch launch = roll_launch(&dice, arch);
        struct cliff cliff = {0};
        struct best_step step = {0};
        int warps = best_warps_at(arch, launch);
        launch.threads = 0;
        HOLDS(occupancy_cliff(arch, &launch, &cliff), ==, true);
        HOLDS(occupancy_best_step(arch, &launch, &step), ==, true);
        HOLDS(step.registers, ==, cliff.registers_up);
        HOLDS(step.warps_there, ==, cliff.warps_up);
        check_best_registers(arch, launch, &cliff, warps);
        if (warps == 0)
            continue;
        int64_t end = total_smem(launch) + cliff.smem_slack_bytes;
        HOLDS(best_warps_at(arch, at_smem(launch, end)), >=, warps);
        HOLDS(best_warps_at(arch, at_smem(launch, end + 1)), <, warps);
        HOLDS(best_warps_at(arch, at_smem(launch, end + 1)), ==, cliff.smem_warps_down);
        int64_t up = cliff.smem_up_bytes, unit = arch->smem_unit_bytes;
        HOLDS(up, <, total_smem(launch));
        if (up >= 0)
            HOLDS(best_warps_at(arch, at_smem(launch, up)), ==, cliff.smem_warps_up);
        for (int64_t size = up + 1; size < total_smem(launch); size += unit * 8)
            HOLDS(best_warps_at(arch, at_smem(launch, size)), <=, warps);
    }
}
END_TEST

/* ---- what is no question ---- */

START_TEST(invalid_launches_are_refused)
{
    const struct arch *arch = arch_find(STR("sm_80"));
    const struct launch good = {256, 32, 0, 0, 0, -1};
    const struct launch bad[] = {
        {0, 32, 0, 0, 0, -1},         {-1, 32, 0, 0, 0, -1},          {256, -1, 0, 0, 0, -1},
        {256, 256, 0, 0, 0, -1},      {256, 32, -1, 0, 0, -1},        {256, 32, 0, -1, 0, -1},
        {256, 32, 0, 0, -1, -1},      {256, 32, 0, 0, 0, -2},         {256, 32, 0, 0, 0, 101},
        {INT32_MAX, 32, 0, 0, 0, -1}, {256, 32, INT64_MAX, 0, 0, -1}, {256, 32, 0, INT64_MAX, 0, -1},
    };
    struct occupancy o = {.blocks = 42};
    struct cliff cliff = {0};
    for (size_t at = 0; at < sizeof bad / sizeof *bad; at++) {
        ck_assert(!occupancy_compute(arch, &bad[at], &o));
        ck_assert_int_eq(o.blocks, 42);
        ck_assert(bad[at].threads == 0 || !occupancy_cliff(arch, &bad[at], &cliff));
    }
    ck_assert(occupancy_compute(arch, &good, &o));
}
END_TEST

START_TEST(impossible_launches_have_no_blocks)
{
    const struct arch *arch = arch_find(STR("sm_80"));
    const struct launch impossible[] = {
        {1025, 32, 0, 0, 0, -1},
        {1 << 20, 32, 0, 0, 0, -1},
        {1024, 65, 0, 0, 0, -1},
        {32, 32, 166913, 0, 0, -1},
        {32, 32, INT64_C(1) << 40, INT64_C(1) << 40, 0, 0},
    };
    for (size_t at = 0; at < sizeof impossible / sizeof *impossible; at++)
        ck_assert_int_eq(blocks_at(arch, impossible[at]), 0);
}
END_TEST

START_TEST(waves_need_three_positive_numbers)
{
    struct waves waves = {0};
    ck_assert(!occupancy_waves(0, 108, 1000, &waves));
    ck_assert(!occupancy_waves(6, 0, 1000, &waves));
    ck_assert(!occupancy_waves(6, 108, 0, &waves));
    ck_assert(occupancy_waves(32, 1000000, INT64_MAX, &waves));
    ck_assert_int_eq(waves.full_waves * waves.wave_blocks + waves.last_blocks, INT64_MAX);
}
END_TEST

/* SMs that run blocks, step by step; a block goes to an SM with the fewest blocks. */
struct machine {
    int sms, room;                          /* blocks that fit on an SM */
    int held[8];                            /* blocks on each SM */
    int left[8][8];                         /* steps until a block ends; 0: no block */
    int64_t peak, active_blocks, sm_cycles; /* most blocks on an SM; blocks and active SMs summed over the steps */
};

static bool place_block(struct machine *m, int time)
{
    int to = 0, slot = 0;
    for (int sm = 1; sm < m->sms; sm++)
        to = m->held[sm] < m->held[to] ? sm : to;
    if (m->held[to] == m->room)
        return false;
    while (m->left[to][slot])
        slot++;
    m->left[to][slot] = time;
    m->held[to]++;
    return true;
}

static void step_time(struct machine *m)
{
    for (int sm = 0; sm < m->sms; sm++) {
        m->peak = m->held[sm] > m->peak ? m->held[sm] : m->peak;
        m->active_blocks += m->held[sm];
        m->sm_cycles += m->held[sm] > 0;
        for (int slot = 0; slot < m->room; slot++)
            if (m->left[sm][slot] && --m->left[sm][slot] == 0)
                m->held[sm]--;
    }
}

static struct machine run_grid(struct dice *dice, int room, int sms, int grid, int longest)
{
    struct machine m = {.sms = sms, .room = room};
    int64_t before = -1;
    for (int placed = 0; placed < grid || m.active_blocks > before; step_time(&m)) {
        before = m.active_blocks;
        while (placed < grid && place_block(&m, longest == 1 ? 3 : 1 + (int)roll(dice, longest)))
            placed++;
    }
    return m;
}

/* The average number of blocks on an active SM: never more than most_blocks, which is reached; exactly grid / sm_waves
 * if all blocks take the same time. */
START_TEST(waves_bound_achieved_occupancy)
{
    struct dice dice = {99};
    for (int room = 1; room <= 6; room++) {
        for (int sms = 1; sms <= 8; sms++) {
            for (int grid = 1; grid <= 3 * room * sms + 1; grid++) {
                struct waves waves = {0};
                HOLDS(occupancy_waves(room, sms, grid, &waves), ==, true);
                struct machine even = run_grid(&dice, room, sms, grid, 1);
                HOLDS(even.active_blocks * waves.sm_waves, ==, grid * even.sm_cycles);
                struct machine uneven = run_grid(&dice, room, sms, grid, 9);
                HOLDS(uneven.active_blocks, <=, waves.most_blocks * uneven.sm_cycles);
                HOLDS(uneven.peak, ==, waves.most_blocks);
                HOLDS(grid, <=, waves.most_blocks * waves.sm_waves);
            }
        }
    }
}
END_TEST

static TCase *table_case(void)
{
    TCase *tests = tcase_create("table");
    tcase_add_test(tests, table_is_sorted_and_consistent);
    tcase_add_test(tests, carveouts_ascend_to_the_maximum);
    tcase_add_loop_test(tests, names_are_found_and_ordered, 0, (int)(sizeof names / sizeof *names));
    return tests;
}

static TCase *golden_case(void)
{
    TCase *tests = tcase_create("golden");
    tcase_add_test(tests, golden_sample);
    tcase_add_test(tests, golden_all);
    tcase_add_test(tests, documented_cases);
    tcase_add_test(tests, launch_bounds_cap_registers);
    tcase_add_test(tests, invalid_launches_are_refused);
    tcase_add_test(tests, impossible_launches_have_no_blocks);
    tcase_add_test(tests, waves_need_three_positive_numbers);
    tcase_add_test(tests, waves_bound_achieved_occupancy);
    tcase_add_test(tests, register_ceiling_has_a_closed_form);
    return tests;
}

static TCase *property_case(void)
{
    TCase *tests = tcase_create("properties");
    tcase_set_timeout(tests, 120);
    tcase_add_loop_test(tests, more_is_never_better, 0, (int)arch_count);
    tcase_add_loop_test(tests, answer_is_the_least_limit, 0, (int)arch_count);
    tcase_add_loop_test(tests, register_steps_are_exact, 0, (int)arch_count);
    tcase_add_loop_test(tests, smem_steps_are_exact, 0, (int)arch_count);
    tcase_add_loop_test(tests, register_ceilings_are_tight, 0, (int)arch_count);
    tcase_add_loop_test(tests, caps_are_ceilings, 0, (int)arch_count);
    tcase_add_loop_test(tests, smem_ceilings_are_tight, 0, (int)arch_count);
    tcase_add_loop_test(tests, largest_block_launches_and_the_next_does_not, 0, (int)arch_count);
    tcase_add_loop_test(tests, best_case_is_the_maximum, 0, (int)arch_count);
    tcase_add_loop_test(tests, best_steps_are_exact, 0, (int)arch_count);
    return tests;
}

int main(void)
{
    TCase *const cases[] = {table_case(), golden_case(), property_case()};
    return run_suite("occupancy", cases, sizeof cases / sizeof *cases);
}
