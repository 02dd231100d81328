/*
 * The table of compute capabilities.
 *
 * To add one, insert a row in its place (the table is sorted). Take every column from a document, and list that
 * document below if it is a new one. If documents disagree, the row states which one it follows and why. Then raise the
 * number of rows in tests/test_occupancy.c and run the tests: they check the table itself (order, sizes that fit into
 * each other) and, if a CUDA toolkit is installed, compare the model with NVIDIA's occupancy calculator on random
 * launches. test_cuda_header fails on a row that the header of that toolkit does not have.
 *
 * The sources of the columns. "Guide" is the CUDA C++ Programming Guide's tables of compute capabilities (11.x for what
 * later editions dropped, 13.1, and the current one), "header" is cuda_occupancy.h (CUDA 13.0 from cc 3.0, CUDA 7.0 for
 * 1.x and 2.x), "spreadsheet" is NVIDIA's CUDA Occupancy Calculator, "deviceQuery" is the output of that sample.
 *
 * - warp, block, warps, blocks: guide; blocks also header
 * - registers per SM, per block, thread: guide; per thread 124 on 1.x: spreadsheet
 * - register unit, double at, per block: header
 * - warp granularity, partitions, launch: header; "launch" is the partition count with which the header checks a
 *   launch: on 6.0 the 4 of GP10x
 * - carveouts: guide (shared memory capacity per SM), header
 * - per SM, per block, opt-in: guide; opt-in from 8.0 is the SM's size less the reserve
 * - unit, reserve: header; reserve also guide ("1 KB reserved by the system")
 * - barrier pool: header: twice the blocks on 9.0, 10.0 and 10.3, once the blocks on 10.1, 11.0 and 12.x
 *
 * ptxas 13.0 confirms the table: the register caps that it sets under .maxntid and .minnctapersm follow from these
 * numbers.
 */
#include "gpu/arch.h"

#include "base/mem.h"

#define KIB(n) ((n)*1024)

#define SIZES_TO_96                                                                                                    \
    {                                                                                                                  \
        0, 8, 16, 32, 64, 96, -1                                                                                       \
    }
#define SIZES_TO_100                                                                                                   \
    {                                                                                                                  \
        0, 8, 16, 32, 64, 100, -1                                                                                      \
    }
#define SIZES_TO_164                                                                                                   \
    {                                                                                                                  \
        0, 8, 16, 32, 64, 100, 132, 164, -1                                                                            \
    }
#define SIZES_TO_228                                                                                                   \
    {                                                                                                                  \
        0, 8, 16, 32, 64, 100, 132, 164, 196, 228, -1                                                                  \
    }

/* cc 2.x allocates registers in units of 64, at these counts of 128 (header 7.0; the spreadsheet has only 64). */
#define BIT(r)       (UINT64_C(1) << (r))
#define FERMI_COUNTS (BIT(21) | BIT(22) | BIT(29) | BIT(30) | BIT(37) | BIT(38) | BIT(45) | BIT(46))

/* clang-format off */
const struct arch arch_table[] = {
/* cc      chips   warp block warps blocks  regs/SM  block thread unit  double at   per block  gran  P launch  carveouts (KiB)
           per SM      per block   opt-in      unit reserve barriers */

    /* 124 registers per thread: the spreadsheet refuses more; copies of the guide state 128. The warp limit counts
     * warps in pairs, as in the header; the spreadsheet does not. */
    {1,  0, "G80",         32,  512, 24,  8,   8192,   8192, 124, 256, 0,            true,  2, 1, 1, {16, -1},
           KIB(16),    KIB(16),    KIB(16),    512, 0, 0},
    {1,  1, "G84-G98",     32,  512, 24,  8,   8192,   8192, 124, 256, 0,            true,  2, 1, 1, {16, -1},
           KIB(16),    KIB(16),    KIB(16),    512, 0, 0},
    {1,  2, "GT215-GT218", 32,  512, 32,  8,  16384,  16384, 124, 512, 0,            true,  2, 1, 1, {16, -1},
           KIB(16),    KIB(16),    KIB(16),    512, 0, 0},
    {1,  3, "GT200",       32,  512, 32,  8,  16384,  16384, 124, 512, 0,            true,  2, 1, 1, {16, -1},
           KIB(16),    KIB(16),    KIB(16),    512, 0, 0},

    /* P = 2: the header's sub-partitions, the spreadsheet's "warp allocation granularity". */
    {2,  0, "GF100-GF110", 32, 1024, 48,  8,  32768,  32768,  63,  64, FERMI_COUNTS, false, 1, 2, 2, {16, 48, -1},
           KIB(48),    KIB(48),    KIB(48),    128, 0, 0},
    {2,  1, "GF104-GF119", 32, 1024, 48,  8,  32768,  32768,  63,  64, FERMI_COUNTS, false, 1, 2, 2, {16, 48, -1},
           KIB(48),    KIB(48),    KIB(48),    128, 0, 0},

    /* 63 per thread: guide and spreadsheet. The header allows 255 on all of 3.x and relies on ptxas to report less. */
    {3,  0, "GK10x",       32, 1024, 64, 16,  65536,  65536,  63, 256, 0,            false, 1, 4, 4, {16, 32, 48, -1},
           KIB(48),    KIB(48),    KIB(48),    256, 0, 0},
    /* 32768 per block: deviceQuery on the device. A guide table that merges 3.0 to 3.2 has 65536 per block, and 63 per
     * thread where the spreadsheet has 255. */
    {3,  2, "GK20A",       32, 1024, 64, 16,  65536,  32768, 255, 256, 0,            false, 1, 4, 4, {16, 32, 48, -1},
           KIB(48),    KIB(48),    KIB(48),    256, 0, 0},
    {3,  5, "GK110-GK208", 32, 1024, 64, 16,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, {16, 32, 48, -1},
           KIB(48),    KIB(48),    KIB(48),    256, 0, 0},
    /* Sub-partitions split the register file of 131072 (header); the spreadsheet doubles the result for one block's
     * 65536. */
    {3,  7, "GK210",       32, 1024, 64, 16, 131072,  65536, 255, 256, 0,            false, 1, 4, 4, {80, 96, 112, -1},
           KIB(112),   KIB(48),    KIB(48),    256, 0, 0},

    {5,  0, "GM10x",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, {64, -1},
           KIB(64),    KIB(48),    KIB(48),    256, 0, 0},
    /* 65536 per block: guide 11.x and deviceQuery; the spreadsheet's 32768 models partitioned global caching (a block
     * on half an SM), which is off unless the kernel is compiled with -dlcm=ca. */
    {5,  2, "GM20x",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, {96, -1},
           KIB(96),    KIB(48),    KIB(48),    256, 0, 0},
    {5,  3, "GM20B",       32, 1024, 64, 32,  65536,  32768, 255, 256, 0,            false, 1, 4, 4, {64, -1},
           KIB(64),    KIB(48),    KIB(48),    256, 0, 0},

    /* GP100 has two sub-partitions, but the header also refuses launches that GP10x with its four could not run. */
    {6,  0, "GP100",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 2, 4, {64, -1},
           KIB(64),    KIB(48),    KIB(48),    256, 0, 0},
    {6,  1, "GP10x",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, {96, -1},
           KIB(96),    KIB(48),    KIB(48),    256, 0, 0},
    /* 64 warps and 32768 per block: guide 11.x, deviceQuery, CCCL; other tables have 128 warps or 65536. */
    {6,  2, "GP10B",       32, 1024, 64, 32,  65536,  32768, 255, 256, 0,            false, 1, 4, 4, {64, -1},
           KIB(64),    KIB(48),    KIB(48),    256, 0, 0},

    /* 255 per thread on this and all later rows: guide and ptxas; the header accepts 256. */
    {7,  0, "GV100",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_96,
           KIB(96),    KIB(48),    KIB(96),    256, 0, 0},
    /* Opt-in up to 96 KiB: guide 11.x; a third-party table has 48. */
    {7,  2, "GV10B",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_96,
           KIB(96),    KIB(48),    KIB(96),    256, 0, 0},
    {7,  5, "TU1xx",       32, 1024, 32, 16,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, {32, 64, -1},
           KIB(64),    KIB(48),    KIB(64),    256, 0, 0},

    /* Opt-in 163 and 99 KiB: guide, CCCL; copies of the spreadsheet omit the reserve. */
    {8,  0, "GA100",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_164,
           KIB(164),   KIB(48),    KIB(163),   128, KIB(1), 0},
    {8,  6, "GA10x",       32, 1024, 48, 16,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_100,
           KIB(100),   KIB(48),    KIB(99),    128, KIB(1), 0},
    {8,  7, "Orin",        32, 1024, 48, 16,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_164,
           KIB(164),   KIB(48),    KIB(163),   128, KIB(1), 0},
    /* Not in any edition of the guide: header, CCCL (which copies 8.6) and ptxas 13.0 agree. */
    {8,  8, "Tegra-class Ampere", 32, 1024, 48, 16, 65536, 65536, 255, 256, 0,       false, 1, 4, 4, SIZES_TO_100,
           KIB(100),   KIB(48),    KIB(99),    128, KIB(1), 0},
    {8,  9, "AD10x",       32, 1024, 48, 24,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_100,
           KIB(100),   KIB(48),    KIB(99),    128, KIB(1), 0},

    {9,  0, "GH100",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_228,
           KIB(228),   KIB(48),    KIB(227),   128, KIB(1), 64},
    {10, 0, "GB100",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_228,
           KIB(228),   KIB(48),    KIB(227),   128, KIB(1), 64},
    /* CUDA 12.8 and 12.9 gave Thor this number; the guide no longer lists it. Blocks and barrier pool: header; 1536
     * threads: 11.0, the same chip. A table that lists 10.1 as GB10 with 2048 threads is wrong. */
    {10, 1, "Thor",        32, 1024, 48, 24,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_228,
           KIB(228),   KIB(48),    KIB(227),   128, KIB(1), 24},
    {10, 3, "GB300",       32, 1024, 64, 32,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_228,
           KIB(228),   KIB(48),    KIB(227),   128, KIB(1), 64},
    {11, 0, "Thor",        32, 1024, 48, 24,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_228,
           KIB(228),   KIB(48),    KIB(227),   128, KIB(1), 24},

    /* The guides disagree about the unified cache of 12.0 (100 or 128 KB), but no limit here depends on it. */
    {12, 0, "GB20x",       32, 1024, 48, 24,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_100,
           KIB(100),   KIB(48),    KIB(99),    128, KIB(1), 24},
    /* The guide has 12.x, CCCL copies 12.0, header and ptxas agree. */
    {12, 1, "GB10",        32, 1024, 48, 24,  65536,  65536, 255, 256, 0,            false, 1, 4, 4, SIZES_TO_100,
           KIB(100),   KIB(48),    KIB(99),    128, KIB(1), 24},
};
/* clang-format on */

const size_t arch_count = sizeof arch_table / sizeof *arch_table;

static bool skip_prefix(struct str *name)
{
    static const struct str prefixes[] = {{"sm_", 3}, {"compute_", 8}, {"lto_", 4}};
    size_t length = str_starts_any(*name, prefixes, sizeof prefixes / sizeof *prefixes);
    *name = str_from(*name, length);
    return length > 0;
}

int arch_number(struct str name)
{
    uint64_t number = 0, minor = 0;
    bool prefixed = skip_prefix(&name);
    if (name.len && name.ptr[0] == '0')
        return 0;
    if (!str_uint(&name, &number) || number > 999)
        return 0;
    if (!prefixed && name.len >= 2 && str_take(&name, STR("."))) {
        size_t digits = name.len;
        if (number > 99 || !str_uint(&name, &minor) || digits - name.len != 1)
            return 0;
        number = number * 10 + minor;
    }
    bool specific = name.len == 1 && (name.ptr[0] == 'a' || name.ptr[0] == 'f');
    return number >= 10 && (name.len == 0 || specific) ? (int)number : 0;
}

static int number_of(const struct arch *arch)
{
    return arch->major * 10 + arch->minor;
}

const struct arch *arch_find(struct str name)
{
    const int cc = arch_number(name);
    size_t at = 0;
    MEM_FIND(at, arch_count, number_of(&arch_table[at]) < cc);
    return at < arch_count && number_of(&arch_table[at]) == cc ? &arch_table[at] : NULL;
}

const char *arch_nearest(struct str name, struct arena *arena)
{
    static const struct str letters = STR_INIT("sm");
    size_t at = 0;
    while (at < name.len && !is_digit(name.ptr[at]))
        at++;
    if (at == name.len || at > letters.len + 1 || !str_same_letters(str_sub(name, 0, letters.len), letters))
        return NULL;
    struct str meant = arena_fmt(arena, "sm_%.*s", STR_ARG(str_from(name, at)));
    return arch_find(meant) ? meant.ptr : NULL;
}

/* Registers per thread, a multiple of 8, at which `warps` warps fit a register file split into the sub-partitions. */
static int cap_of(const struct arch *arch, int registers, int warps)
{
    enum { ROUNDED_TO = 8 };
    const int parts = arch->sub_partitions, warps_per_part = (warps + parts - 1) / parts;
    return registers / parts / (warps_per_part * arch->warp_size) / ROUNDED_TO * ROUNDED_TO;
}

int arch_register_cap(const struct arch *arch, int threads, int min_blocks)
{
    enum { FIRST_KNOWN = 50 };
    const bool known = number_of(arch) >= FIRST_KNOWN && arch->sub_partitions == arch->launch_partitions;
    if (!known || threads < 1 || threads > arch->max_warps_per_sm * arch->warp_size)
        return -1;
    const int warps = arch_warps(arch, threads);
    const bool in_range =
        min_blocks > 0 && min_blocks <= arch->max_blocks_per_sm && warps * min_blocks <= arch->max_warps_per_sm;
    int cap = cap_of(arch, arch->registers_per_sm, warps * (in_range ? min_blocks : 1));
    const int of_block = cap_of(arch, arch->registers_per_block, warps);
    if (of_block < cap)
        cap = of_block;
    return cap < arch->registers_per_thread ? cap : arch->registers_per_thread;
}

bool arch_raise_register_cap(const struct arch *arch, int threads, int min_blocks, struct raised_bounds *raised)
{
    const int cap = arch_register_cap(arch, threads, min_blocks);
    if (cap <= 0)
        return false;
    for (int blocks = min_blocks - 1; blocks > 0; blocks--) {
        *raised = (struct raised_bounds){threads, blocks, arch_register_cap(arch, threads, blocks)};
        if (raised->register_cap > cap)
            return true;
    }
    for (int fewer = (threads - 1) / arch->warp_size * arch->warp_size; fewer > 0; fewer -= arch->warp_size) {
        *raised = (struct raised_bounds){fewer, 1, arch_register_cap(arch, fewer, 1)};
        if (raised->register_cap > cap)
            return true;
    }
    return false;
}

bool arch_bounds_above(const struct arch *arch, int threads, int cap, struct raised_bounds *bounds)
{
    const int by_warps = arch->max_warps_per_sm / arch_warps(arch, threads);
    for (int blocks = by_warps < arch->max_blocks_per_sm ? by_warps : arch->max_blocks_per_sm; blocks > 0; blocks--) {
        *bounds = (struct raised_bounds){threads, blocks, arch_register_cap(arch, threads, blocks)};
        if (bounds->register_cap > cap)
            return true;
    }
    return false;
}
