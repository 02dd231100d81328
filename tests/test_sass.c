/* The decoder of machine code on instructions of real cubins, and loop depths against a slow implementation of the
 * definition. */
#include "testing.h"

#include "nvcc/flow_graph.h"

#include <stdlib.h>
#include <string.h>

/* ---- instructions ------------------------------------------------------------------------------------------------ */

enum { CODE_BYTES = 65536, PLACE = 32768 + 16 }; /* position of the instruction */

/* Words of cubins that ptxas of CUDA 13.0 made of tests/data/spills.cu. ptxas 13.0 has no sm_60, so those words follow
 * the known encoding; tests/data/binaries has real code for sm_52. */
static const struct row {
    uint32_t sm;
    uint64_t low, high;
    int kind;     /* -1: no kind of interest */
    int distance; /* from the instruction to its target; 0: none */
    int offset, width, base, barrier;
    bool uniform, conditional;
} rows[] = {
    {75, 0x0000641c01007387, 0x043e80000100800, SASS_LOCAL_STORE, 0, 100, 4, 1, 0, false, false},
    {75, 0x0000600001117983, 0x0ea80000300c00, SASS_LOCAL_LOAD, 0, 96, 16, 1, 0, false, false},
    {75, 0x0000000003030983, 0x0ea80000100800, SASS_LOCAL_LOAD, 0, 0, 4, 3, 0, false, false},
    {75, 0xfffffc0010027983, 0x2e80000100800, SASS_LOCAL_LOAD, 0, -4, 4, 16, 0, false, false},
    {75, 0x0000080401007387, 0x4fe80000100a00, SASS_LOCAL_STORE, 0, 8, 8, 1, 0, false, false},
    {75, 0x00000004ff007987, 0x41e80008100c06, SASS_LOCAL_STORE, 0, 0, 16, 255, 0, true, false},
    {75, 0x00000006ff117983, 0x1ea20008100800, SASS_LOCAL_LOAD, 0, 0, 4, 255, 0, true, false},
    {75, 0x00001b3000008947, 0xfea0003800000, SASS_BRANCH, 6976, 0, 0, 0, 0, false, true},
    {75, 0xffffff1000000947, 0xfea000383ffff, SASS_BRANCH, -224, 0, 0, 0, 0, false, true},
    {75, 0x0000147000007947, 0xfea0003800000, SASS_BRANCH, 5248, 0, 0, 0, 0, false, false},
    {75, 0x0000009000007945, 0xfec0003800000, SASS_PUSH, 160, 0, 0, 0, 0, false, false},
    {75, 0x0000000000007941, 0xfea0003800000, SASS_SYNC, 0, 0, 0, 0, 0, false, false},
    {75, 0x0000100000007944, 0xfea0003c00000, SASS_CALL, 4112, 0, 0, 0, 0, false, false},
    {75, 0xffffd5e002007950, 0xfea0003c3ffff, SASS_RETURN, 0, 0, 0, 0, 0, false, false},
    {75, 0x000000000000794d, 0xfea0003800000, SASS_EXIT, 0, 0, 0, 0, 0, false, false},
    {90, 0x0000601a01007387, 0x43e80000100800, SASS_LOCAL_STORE, 0, 96, 4, 1, 0, false, false},
    {90, 0x0001c00001047983, 0x2ea80000300c00, SASS_LOCAL_LOAD, 0, 448, 16, 1, 0, false, false},
    {90, 0x0000001800d88947, 0xfea0003800000, SASS_BRANCH, 7024, 0, 0, 0, 0, false, true},
    {90, 0xfffffffc00c00947, 0xfea000383ffff, SASS_BRANCH, -240, 0, 0, 0, 0, false, true},
    {90, 0x0000001000207944, 0x1fea0003c00000, SASS_CALL, 4240, 0, 0, 0, 0, false, false},
    {90, 0x000000a000007945, 0xfee0003800000, SASS_PUSH, 176, 0, 0, 0, 0, false, false},
    {120, 0x0000641b01007387, 0x45e80000100800, SASS_LOCAL_STORE, 0, 100, 4, 1, 0, false, false},
    {120, 0xffffe008ff007987, 0x41e80008100c05, SASS_LOCAL_STORE, 0, -32, 16, 255, 0, true, false},
    {120, 0x00000008ff117983, 0x1f280008100800, SASS_LOCAL_LOAD, 0, 0, 4, 255, 0, true, false},
    {120, 0x0000001908e07547, 0x4fea000b800000, SASS_BRANCH, 7056, 0, 0, 0, 0, false, true},
    {120, 0xfffffffd00d47547, 0xfec000b83ffff, SASS_BRANCH, -160, 0, 0, 0, 0, false, true},
    {120, 0x0000001400207947, 0x1fec0003800000, SASS_BRANCH, 5264, 0, 0, 0, 0, false, false},
    {120, 0xfffffff802c87949, 0xfea000383ffff, SASS_INDIRECT, 0, 0, 0, 0, 0, false, false},
    {120, 0x0000047000007945, 0xfe80003800200, SASS_PUSH, 1152, 0, 0, 0, 0, false, false},
    {90, 0x0000000000007918, 0xfc00000000000, -1, 0, 0, 0, 0, 0, false, false}, /* NOP */
    {60, 0xef54000001070001, 0, SASS_LOCAL_STORE, 0, 16, 4, 0, 0, false, false},
    {60, 0xef45000002070102, 0, SASS_LOCAL_LOAD, 0, 32, 8, 1, 0, false, false},
    {60, 0xe24000000407000f, 0, SASS_BRANCH, 72, 0, 0, 0, 0, false, false},
    {60, 0xe24000000400000f, 0, SASS_BRANCH, 72, 0, 0, 0, 0, false, true},
    {60, 0xe24fffff0007000f, 0, SASS_BRANCH, -4088, 0, 0, 0, 0, false, false},
    {60, 0xe290000010070000, 0, SASS_PUSH, 264, 0, 0, 0, 0, false, false},
    {60, 0xe2a0000010070000, 0, SASS_PUSH, 264, 0, 0, 0, 1, false, false},
    {60, 0xf0f800000007000f, 0, SASS_SYNC, 0, 0, 0, 0, 0, false, false},
    {60, 0xe34000000007000f, 0, SASS_SYNC, 0, 0, 0, 0, 1, false, false},
    {60, 0xe30000000007000f, 0, SASS_EXIT, 0, 0, 0, 0, 0, false, false},
    {60, 0xe32000000007000f, 0, SASS_RETURN, 0, 0, 0, 0, 0, false, false},
};

static void put(char *at, uint64_t word)
{
    for (size_t byte = 0; byte < 8; byte++)
        at[byte] = (char)(word >> 8 * byte & 0xff);
}

START_TEST(decodes_instructions)
{
    const struct row *row = &rows[_i];
    const uint32_t place = row->sm < 70 ? PLACE + 8 : PLACE;
    char *code = calloc(CODE_BYTES, 1);
    struct sass_code found = {0};
    ck_assert(sass_is_known(row->sm));
    put(code + place, row->low);
    if (row->sm >= 70)
        put(code + place + 8, row->high);
    sass_decode(&found, (struct str){code, CODE_BYTES}, row->sm);
    ck_assert_uint_eq(found.count, row->kind >= 0);
    if (found.count) {
        const struct sass_instruction *is = &found.items[0];
        ck_assert_uint_eq(is->at, place);
        ck_assert_int_eq(is->kind, row->kind);
        ck_assert_int_eq(is->width, row->width);
        ck_assert_int_eq(is->barrier, row->barrier);
        ck_assert_int_eq(is->uniform_base, row->uniform);
        if (row->width) {
            ck_assert_int_eq(is->offset, row->offset);
            ck_assert_int_eq(is->base, row->base);
        } else {
            ck_assert_int_eq(is->conditional, row->conditional);
            ck_assert_uint_eq(is->target, row->distance ? (uint32_t)((int)place + row->distance) : SASS_NO_TARGET);
        }
    }
    free(found.items);
    free(code);
}
END_TEST

START_TEST(knows_architectures)
{
    ck_assert(!sass_is_known(37));
    ck_assert(sass_is_known(50) && sass_is_known(121));
    ck_assert(!sass_is_known(122));
    ck_assert_uint_eq(sass_instruction_bytes(61), 8);
    ck_assert_uint_eq(sass_instruction_bytes(70), 16);
}
END_TEST

/* The frame is known if R1 is lowered exactly once, by a constant. */
START_TEST(frames)
{
    enum { MOST = 3 };
    static const uint64_t down_40[] = {0xffffffd801017810, 0x001fca0007ffe0ff},
                          up_40[] = {0x0000002801017810, 0x7ffe0ff},
                          down_8[] = {0xfffffff801017836, 0x001fe20000000000}, sum[] = {0xffffffd801017810, 0x7ffe003},
                          load[] = {0x0001c00001047983, 0x2ea80000300c00},
                          exit[] = {0x000000000000794d, 0xfea0003800000};
    static const struct {
        uint32_t sm;
        const uint64_t *words[MOST];
        int32_t frame;
    } cases[] = {
        {90, {down_40, load, exit}, 40},
        {120, {down_8, exit}, 8},
        {90, {down_40, up_40, exit}, 40},
        {75, {exit}, 0},
        {75, {load, exit}, SASS_NO_FRAME},            /* the frame is unknown */
        {90, {down_40, down_8, exit}, SASS_NO_FRAME}, /* two candidates */
        {90, {sum, load, exit}, SASS_NO_FRAME},       /* another register is added */
        {60, {down_40, exit}, SASS_NO_FRAME},
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        uint64_t code[2 * MOST] = {0};
        size_t count = 0;
        for (; count < MOST && cases[at].words[count]; count++)
            memcpy(&code[2 * count], cases[at].words[count], 2 * sizeof *code);
        int32_t frame = sass_traits_of((struct str){(const char *)code, 16 * count}, cases[at].sm).frame_bytes;
        ck_assert_msg(frame == cases[at].frame, "case %zu: %d", at, frame);
    }
}
END_TEST

/* Kernels of one PTX instruction each, compiled by ptxas of CUDA 13.0. */
START_TEST(shared_accesses)
{
    static const struct {
        uint64_t low, high;
        uint32_t sm;
        bool accesses;
    } cases[] = {
        {0x0000000405057984, 0x02ea20008000800, 90, true},   /* ld.shared */
        {0x0000000300007988, 0x02fe20008000804, 90, true},   /* st.shared, by a uniform register */
        {0x0000000300ff798c, 0x02fe20009800004, 90, true},   /* red.shared */
        {0x000000020000758d, 0x00e240001800003, 100, true},  /* red.shared.add.f32 */
        {0x0000000300007844, 0x04fe20000000000, 90, true},   /* stmatrix */
        {0x00000004063f75b2, 0x001e40008000100, 90, true},   /* mbarrier.init */
        {0x00000000000079b1, 0x02fe20008000004, 90, true},   /* mbarrier.inval */
        {0x000000ff00ff79a7, 0x02fe20008100004, 90, true},   /* mbarrier.arrive */
        {0x00000000070075a7, 0x02e220008000144, 90, true},   /* mbarrier.try_wait */
        {0x00000000ff0079b0, 0x00fe20008000a44, 90, true},   /* cp.async.mbarrier.arrive.noinc */
        {0x0000000002007dbd, 0x04fe2000c00083f, 90, true},   /* st.async */
        {0x0000000002007dbe, 0x04fe2000800013f, 90, true},   /* red.async */
        {0x00000004060073ba, 0x001d80008000208, 90, true},   /* cp.async.bulk */
        {0x00000006040073bb, 0x001d80008000405, 90, true},   /* cp.reduce.async.bulk */
        {0x00000004080075b4, 0x001f40008008000, 90, true},   /* cp.async.bulk.tensor, to shared memory */
        {0x00000004080073b4, 0x001f4000800880a, 100, true},  /* the same with multicast */
        {0x00000004080073b5, 0x001e40008008000, 90, true},   /* cp.async.bulk.tensor, to global memory */
        {0x00000004080073b6, 0x001f40008008000, 90, true},   /* cp.reduce.async.bulk.tensor */
        {0x00000000041879f0, 0x00fe20008000818, 90, true},   /* wgmma of f16 */
        {0x000000041c187df0, 0x00fe60008000818, 90, true},   /* the same with A in registers */
        {0x00000000041879f1, 0x00fe20008041018, 90, true},   /* wgmma of s8 */
        {0x00000000041879f2, 0x00fe20008014018, 90, true},   /* wgmma of b1 */
        {0x00000000041879f3, 0x00fe20008000818, 90, true},   /* wgmma of e4m3 */
        {0x00ff0408080075ea, 0x077d8000b800006, 100, true},  /* tcgen05.mma */
        {0x00ff0408070079ea, 0x077d8000b800006, 100, true},  /* the same with A in tensor memory */
        {0x0006040a0a007dea, 0x061f4000b800308, 100, true},  /* tcgen05.mma.block_scale */
        {0x00000006040079e7, 0x035d80008000000, 100, true},  /* tcgen05.cp */
        {0x000000ff040073e9, 0x001d800080000ff, 100, true},  /* tcgen05.commit */
        {0x00000000040073ca, 0x00fd80008000000, 100, true},  /* clusterlaunchcontrol.try_cancel */
        {0x00000004060075b8, 0x001e40008008000, 90, false},  /* cp.async.bulk.prefetch.tensor */
        {0x00000000040073bc, 0x001e40008000006, 90, false},  /* cp.async.bulk.prefetch */
        {0x00000004000579ee, 0x01e620008040000, 100, false}, /* tcgen05.ld */
        {0x00000000040079e6, 0x01fd80008010000, 100, false}, /* tcgen05.shift */
        {0x00000004ff057980, 0x0ea20008100900, 90, false},   /* ld.shared::cluster: a generic load */
        {0x00000000000073c6, 0x00fe20000000000, 90, false},  /* fence.proxy.async */
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        const uint64_t words[] = {cases[at].low, cases[at].high};
        const struct str code = {(const char *)words, sizeof words};
        ck_assert_msg(sass_traits_of(code, cases[at].sm).accesses_shared == cases[at].accesses, "case %zu", at);
    }
}
END_TEST

/* setmaxnreg.dec in a kernel of 384 threads for sm_90a and sm_100a, and a NOP. */
START_TEST(sets_registers)
{
    const uint64_t hopper[] = {0x000000e8000079c8, 0x00e240008000600};
    const uint64_t blackwell[] = {0x00000028000079c8, 0x00e0000080e0500};
    const uint64_t nop[] = {0x0000000000007918, 0xfc00000000000};
    ck_assert(sass_traits_of((struct str){(const char *)hopper, sizeof hopper}, 90).sets_registers);
    ck_assert(sass_traits_of((struct str){(const char *)blackwell, sizeof blackwell}, 100).sets_registers);
    ck_assert(!sass_traits_of((struct str){(const char *)hopper, sizeof hopper}, 89).sets_registers);
    ck_assert(!sass_traits_of((struct str){(const char *)nop, sizeof nop}, 90).sets_registers);
}
END_TEST

/* ---- loops ------------------------------------------------------------------------------------------------------- */

enum { STEP = 16, MOST = 24 };

static unsigned next_random(unsigned *seed)
{
    *seed = *seed * 1103515245 + 12345;
    return *seed >> 16 & 0x7fff;
}

/* A program of at most MOST instructions of STEP bytes each: random branches, exits and accesses. */
struct program {
    struct sass_instruction items[MOST];
    size_t count;
    bool follows[MOST][MOST]; /* control can go from the first to the second */
    size_t order[MOST];       /* in depth-first order, from 1; 0: not reached */
    size_t last[MOST];        /* highest order of its subtree */
};

static struct program random_program(unsigned *seed)
{
    struct program program = {.count = 4 + next_random(seed) % (MOST - 4)};
    for (size_t at = 0; at < program.count; at++) {
        struct sass_instruction *is = &program.items[at];
        *is = (struct sass_instruction){.at = (uint32_t)(at * STEP), .target = SASS_NO_TARGET};
        switch (next_random(seed) % 6) {
        case 0:
        case 1:
            is->kind = SASS_BRANCH;
            is->target = next_random(seed) % (unsigned)program.count * STEP;
            is->conditional = next_random(seed) % 4 != 0;
            program.follows[at][is->target / STEP] = true;
            break;
        case 2:
            is->kind = SASS_EXIT;
            is->conditional = next_random(seed) % 4 != 0;
            break;
        default:
            is->kind = SASS_LOCAL_STORE;
            is->conditional = true;
            break;
        }
        if (is->conditional && at + 1 < program.count)
            program.follows[at][at + 1] = true;
    }
    return program;
}

/* Marks the instructions that control reaches from `from` (with `back`: from which it reaches `from`) without passing
 * `without`. */
static void reach(const struct program *program, size_t from, size_t without, bool back, bool *reached)
{
    if (from == without || reached[from])
        return;
    reached[from] = true;
    for (size_t to = 0; to < program->count; to++)
        if (back ? program->follows[to][from] : program->follows[from][to])
            reach(program, to, without, back, reached);
}

/* Instruction `header` dominates `node`: without passing it the first instruction does not reach `node`. */
static bool dominates(const struct program *program, size_t header, size_t node)
{
    bool reached[MOST] = {false};
    reach(program, 0, header, false, reached);
    return !reached[node];
}

/* The natural loop of `header`: instructions that reach a branch back to it without passing it. */
static bool in_loop(const struct program *program, size_t header, size_t node, const bool *live)
{
    for (size_t from = 0; from < program->count; from++) {
        bool body[MOST] = {false};
        if (!live[from] || !program->follows[from][header] || !dominates(program, header, from))
            continue;
        reach(program, from, header, true, body);
        if (node == header || (live[node] && body[node]))
            return true;
    }
    return false;
}

/* A depth-first search that follows the branch before the next instruction. */
static void search(struct program *program, size_t from, size_t *count)
{
    const struct sass_instruction *is = &program->items[from];
    program->order[from] = ++*count;
    const size_t ways[] = {is->kind == SASS_BRANCH ? is->target / STEP : MOST, is->conditional ? from + 1 : MOST};
    for (size_t way = 0; way < 2; way++)
        if (ways[way] < program->count && !program->order[ways[way]])
            search(program, ways[way], count);
    program->last[from] = *count;
}

static bool is_below(const struct program *program, size_t node, size_t header)
{
    return program->order[node] >= program->order[header] && program->order[node] <= program->last[header];
}

/* Marks the instructions that reach `node` within the subtree of `header`. */
static void lead(const struct program *program, size_t node, size_t header, bool *leads)
{
    if (leads[node] || !is_below(program, node, header))
        return;
    leads[node] = true;
    for (size_t from = 0; node != header && from < program->count; from++)
        if (program->order[from] && program->follows[from][node])
            lead(program, from, header, leads);
}

/* The loop of `header` by Havlak's definition. */
static bool in_any_loop(const struct program *program, size_t header, size_t node)
{
    bool leads[MOST] = {false}, is_header = false;
    for (size_t from = 0; from < program->count; from++)
        if (program->order[from] && program->follows[from][header] && is_below(program, from, header)) {
            lead(program, from, header, leads);
            is_header = true;
        }
    return is_header && (node == header || leads[node]);
}

/* Every way into a loop passes its header. */
static bool has_natural_loops_alone(const struct program *program)
{
    for (size_t from = 0; from < program->count; from++)
        for (size_t to = 0; to < program->count; to++)
            if (program->order[from] && program->follows[from][to] && is_below(program, from, to) &&
                !dominates(program, to, from))
                return false;
    return true;
}

START_TEST(loop_depths_by_definition)
{
    unsigned seed = 1;
    size_t loops = 0, natural = 0, searched;
    for (int round = 0; round < 3000; round++) {
        struct program program = random_program(&seed);
        struct sass_code code = {program.items, program.count, program.count};
        struct flow_input input = {
            .code = &code, .code_bytes = (uint32_t)program.count * STEP, .instruction_bytes = STEP};
        uint16_t depth[MOST];
        bool live[MOST] = {false};
        reach(&program, 0, SIZE_MAX, false, live);
        searched = 0;
        search(&program, 0, &searched);
        const bool all_natural = has_natural_loops_alone(&program);
        bool bounds_not_applied = false;
        for (size_t at = 0; at < program.count; at++)
            bounds_not_applied |= !live[at] && program.items[at].kind == SASS_LOCAL_STORE;
        ck_assert_int_eq(flow_loop_depths(&input, depth), bounds_not_applied ? UNLOCATED_UNREACHED : LOCATED);
        for (size_t node = 0; !bounds_not_applied && node < program.count; node++) {
            unsigned expected = 0, by_dominators = 0;
            for (size_t header = 0; live[node] && header < program.count; header++) {
                expected += live[header] && in_any_loop(&program, header, node);
                by_dominators += live[header] && in_loop(&program, header, node, live);
            }
            if (all_natural)
                ck_assert_uint_eq(expected, by_dominators);
            natural += all_natural ? expected : 0;
            ck_assert_msg(depth[node] == expected, "round %d, instruction %zu: depth %u, expected %u", round, node,
                          depth[node], expected);
            loops += expected;
        }
    }
    ck_assert_uint_gt(loops, 3000);
    ck_assert_uint_gt(natural, 1000);
}
END_TEST

/* 30,000 instructions of nested loops: the work is limited, and the depths are unknown. */
START_TEST(too_many_loops)
{
    enum { MANY = 30000 };
    struct sass_code code = {calloc(2 * MANY, sizeof *code.items), 2 * MANY, 2 * MANY};
    uint16_t *depth = calloc(2 * MANY, sizeof *depth);
    for (uint32_t at = 0; at < 2 * MANY; at++)
        code.items[at] = (struct sass_instruction){
            .at = at * STEP,
            .kind = at < MANY ? SASS_LOCAL_STORE : SASS_BRANCH,
            .target = at < MANY ? SASS_NO_TARGET : (2 * MANY - 1 - at) * STEP,
            .conditional = true,
        };
    struct flow_input input = {.code = &code, .code_bytes = 2 * MANY * STEP, .instruction_bytes = STEP};
    ck_assert_int_eq(flow_loop_depths(&input, depth), UNLOCATED_LOOPS);
    free(code.items);
    free(depth);
}
END_TEST

/* An indirect branch goes to the targets in .nv.info: here back to the first instruction, so that all instructions form
 * a loop. */
START_TEST(indirect_branches)
{
    struct sass_instruction items[] = {
        {.at = 0, .kind = SASS_LOCAL_STORE, .target = SASS_NO_TARGET},
        {.at = STEP, .kind = SASS_INDIRECT, .target = SASS_NO_TARGET},
        {.at = 2 * STEP, .kind = SASS_LOCAL_LOAD, .target = SASS_NO_TARGET},
        {.at = 3 * STEP, .kind = SASS_EXIT, .target = SASS_NO_TARGET},
    };
    struct flow_edge targets[] = {{STEP, 0}, {STEP, 2 * STEP}};
    struct sass_code code = {items, 4, 4};
    struct flow_input input = {.code = &code, .code_bytes = 4 * STEP, .instruction_bytes = STEP};
    uint16_t depth[4];
    ck_assert_int_eq(flow_loop_depths(&input, depth), UNLOCATED_UNREACHED); /* the load */
    input.indirect = (struct flow_edges){targets, 2, 2};
    ck_assert_int_eq(flow_loop_depths(&input, depth), LOCATED);
    ck_assert_uint_eq(depth[0], 1);
    ck_assert_uint_eq(depth[2], 0);
}
END_TEST

/* The sync belongs to the second push; a move in between copied its barrier to the register of the first push. */
START_TEST(moved_barriers)
{
    enum { OUTER = 11, INNER = 0 };
    struct sass_instruction items[] = {
        {.at = 0, .kind = SASS_PUSH, .barrier = OUTER, .target = 7 * STEP},
        {.at = STEP, .kind = SASS_PUSH, .barrier = INNER, .target = 5 * STEP},
        {.at = 2 * STEP, .kind = SASS_BRANCH, .target = 4 * STEP, .conditional = true},
        {.at = 3 * STEP, .kind = SASS_LOCAL_STORE, .target = SASS_NO_TARGET},
        {.at = 4 * STEP, .kind = SASS_SYNC, .barrier = OUTER, .target = SASS_NO_TARGET},
        {.at = 5 * STEP, .kind = SASS_LOCAL_LOAD, .target = SASS_NO_TARGET},
        {.at = 6 * STEP, .kind = SASS_BRANCH, .target = STEP, .conditional = true},
        {.at = 7 * STEP, .kind = SASS_EXIT, .target = SASS_NO_TARGET},
    };
    enum { COUNT = sizeof items / sizeof *items };
    struct sass_code code = {items, COUNT, COUNT};
    struct flow_input input = {.code = &code, .code_bytes = COUNT * STEP, .instruction_bytes = STEP};
    uint16_t depth[COUNT];
    ck_assert_int_eq(flow_loop_depths(&input, depth), LOCATED);
    ck_assert_uint_eq(depth[3], 1);
    ck_assert_uint_eq(depth[5], 1);
    ck_assert_uint_eq(depth[7], 0);
}
END_TEST

int main(void)
{
    TCase *cases[] = {tcase_create("decoder"), tcase_create("loops")};
    tcase_add_loop_test(cases[0], decodes_instructions, 0, (int)(sizeof rows / sizeof *rows));
    tcase_add_test(cases[0], knows_architectures);
    tcase_add_test(cases[0], frames);
    tcase_add_test(cases[0], shared_accesses);
    tcase_add_test(cases[0], sets_registers);
    tcase_add_test(cases[1], loop_depths_by_definition);
    tcase_add_test(cases[1], too_many_loops);
    tcase_add_test(cases[1], indirect_branches);
    tcase_add_test(cases[1], moved_barriers);
    return run_suite("sass", cases, 2);
}
