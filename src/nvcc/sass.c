#include "nvcc/sass.h"

#include "base/mem.h"
#include "nvcc/region.h"

enum { FIRST_SM = 50, LAST_SM = 121, FIRST_128_BIT_SM = 70, FIRST_WIDE_BRANCH_SM = 90, ALWAYS = 7 };
enum { SHORT_BYTES = 8, LONG_BYTES = 16 }; /* of an instruction */

bool sass_is_known(uint32_t sm)
{
    return sm >= FIRST_SM && sm <= LAST_SM;
}

uint32_t sass_instruction_bytes(uint32_t sm)
{
    return sm < FIRST_128_BIT_SM ? SHORT_BYTES : LONG_BYTES;
}

/* `count` bits of a word from bit `first` on. */
static uint64_t bits(uint64_t word, unsigned first, unsigned count)
{
    return word >> first & (((uint64_t)1 << count) - 1);
}

static int64_t signed_bits(uint64_t value, unsigned count)
{
    uint64_t sign = (uint64_t)1 << (count - 1);
    return (int64_t)((value ^ sign) - sign);
}

/* An address relative to the next instruction; SASS_NO_TARGET if it is outside the code. */
static uint32_t target_at(uint64_t next, int64_t distance, size_t code_bytes)
{
    int64_t target = (int64_t)next + distance;
    return target >= 0 && (uint64_t)target < code_bytes ? (uint32_t)target : SASS_NO_TARGET;
}

/* Bytes for the width field of LDL and STL; 7 is not a width. */
static const uint8_t width_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

/* ---- sm_70 and later: 128 bits per instruction, the opcode in bits 0 to 8, its form in bits 9 to 11 ------------- */

/* By opcode. */
static const uint8_t kinds_128[512] = {
    [0x141] = SASS_SYNC,       /* BSYNC */
    [0x144] = SASS_CALL,       /* CALL */
    [0x145] = SASS_PUSH,       /* BSSY */
    [0x147] = SASS_BRANCH,     /* BRA */
    [0x149] = SASS_INDIRECT,   /* BRX */
    [0x14a] = SASS_INDIRECT,   /* JMP */
    [0x14c] = SASS_INDIRECT,   /* JMX */
    [0x14d] = SASS_EXIT,       /* EXIT */
    [0x150] = SASS_RETURN,     /* RET */
    [0x158] = SASS_INDIRECT,   /* BRXU */
    [0x159] = SASS_INDIRECT,   /* JMXU */
    [0x183] = SASS_LOCAL_LOAD, /* LDL */
    [0x187] = SASS_LOCAL_STORE /* STL */
};

/* The distance of a branch or call in bytes. The field has 48 bits, in units of 4 bytes; from sm_90 on it has 8 more
 * low bits. */
static int64_t branch_distance(uint64_t low, uint64_t high, uint32_t sm)
{
    int64_t words = signed_bits(low >> 34 | bits(high, 0, 18) << 30, 48);
    if (sm >= FIRST_WIDE_BRANCH_SM)
        words = words * 256 + (int64_t)bits(low, 16, 8);
    return words * 4;
}

/* False for an instruction that is of none of the kinds. */
static bool decode_128(struct sass_instruction *out, uint64_t low, uint64_t high, uint32_t at, size_t bytes,
                       uint32_t sm)
{
    enum { RELATIVE_CALL = 4, UNIFORM_BRANCH = 2 };
    const unsigned form = (unsigned)bits(low, 9, 3);
    const bool guarded = bits(low, 12, 4) != ALWAYS, predicated = bits(high, 23, 4) != ALWAYS;
    const uint64_t next = (uint64_t)at + LONG_BYTES;
    *out = (struct sass_instruction){
        .kind = kinds_128[bits(low, 0, 9)], .at = at, .target = SASS_NO_TARGET, .conditional = guarded};
    switch (out->kind) {
    case SASS_LOCAL_LOAD:
    case SASS_LOCAL_STORE:
        out->width = width_bytes[bits(high, 9, 3)];
        out->base = (uint8_t)bits(low, 24, 8);
        out->offset = (int32_t)signed_bits(bits(low, 40, 24), 24);
        out->uniform_base = bits(high, 27, 1);
        break;
    case SASS_BRANCH:
        out->target = target_at(next, branch_distance(low, high, sm), bytes);
        out->conditional = guarded || predicated || bits(low, 32, 2) != 0 || form == UNIFORM_BRANCH;
        break;
    case SASS_CALL:
        if (form == RELATIVE_CALL)
            out->target = target_at(next, branch_distance(low, high, sm), bytes);
        break;
    case SASS_PUSH:
        out->barrier = (uint8_t)bits(low, 16, 4);
        out->target = target_at(next, 4 * signed_bits(bits(low, 34, 30), 30), bytes);
        break;
    case SASS_SYNC: out->barrier = (uint8_t)bits(low, 16, 4); break;
    case SASS_EXIT: out->conditional = guarded || predicated; break;
    default: break;
    }
    return out->kind != SASS_OTHER;
}

/* ---- sm_50 to sm_62: 64 bits per instruction, the opcode in the upper 16; every 4th word is a control word ------ */

enum { BARRIER_SYNC, BARRIER_BREAK };

static const struct {
    uint16_t opcode, mask;
    uint8_t kind, barrier;
} kinds_64[] = {
    {0xe200, 0xfff0, SASS_INDIRECT, 0},         /* JMX */
    {0xe240, 0xfff0, SASS_BRANCH, 0},           /* BRA */
    {0xe250, 0xfff0, SASS_INDIRECT, 0},         /* BRX */
    {0xe260, 0xfff0, SASS_CALL, 0},             /* CAL */
    {0xe290, 0xfff0, SASS_PUSH, BARRIER_SYNC},  /* SSY */
    {0xe2a0, 0xfff0, SASS_PUSH, BARRIER_BREAK}, /* PBK */
    {0xe300, 0xfff0, SASS_EXIT, 0},             /* EXIT */
    {0xe320, 0xfff0, SASS_RETURN, 0},           /* RET */
    {0xe340, 0xfff0, SASS_SYNC, BARRIER_BREAK}, /* BRK */
    {0xef40, 0xfff8, SASS_LOCAL_LOAD, 0},       /* LDL */
    {0xef50, 0xfff8, SASS_LOCAL_STORE, 0},      /* STL */
    {0xf0f8, 0xffff, SASS_SYNC, BARRIER_SYNC},  /* SYNC */
};

static bool decode_64(struct sass_instruction *out, uint64_t word, uint32_t at, size_t bytes)
{
    enum { KINDS = sizeof kinds_64 / sizeof *kinds_64, ALWAYS_FLAGS = 15 };
    const int64_t number = signed_bits(bits(word, 20, 24), 24);
    size_t row = 0;
    while (row < KINDS && (word >> 48 & kinds_64[row].mask) != kinds_64[row].opcode)
        row++;
    if (row == KINDS)
        return false;
    *out = (struct sass_instruction){.kind = kinds_64[row].kind,
                                     .barrier = kinds_64[row].barrier,
                                     .at = at,
                                     .target = SASS_NO_TARGET,
                                     .conditional = bits(word, 16, 4) != ALWAYS};
    if (sass_is_local_access(out)) {
        out->width = width_bytes[bits(word, 48, 3)];
        out->base = (uint8_t)bits(word, 8, 8);
        out->offset = (int32_t)number;
    }
    if (out->kind == SASS_BRANCH || out->kind == SASS_CALL || out->kind == SASS_PUSH)
        out->target = target_at((uint64_t)at + SHORT_BYTES, number, bytes);
    if (out->kind == SASS_BRANCH)
        out->conditional |= bits(word, 0, 5) != ALWAYS_FLAGS;
    return true;
}

void sass_decode(struct sass_code *code, struct str bytes, uint32_t sm)
{
    enum { CONTROL_WORD_EVERY = 32 };
    const uint32_t step = sass_instruction_bytes(sm);
    struct sass_instruction instruction;
    for (size_t at = 0; at + step <= bytes.len && at < SASS_NO_TARGET - step; at += step) {
        uint64_t low = little_endian(bytes.ptr + at, 8);
        bool matters = false;
        if (step == LONG_BYTES)
            matters = decode_128(&instruction, low, little_endian(bytes.ptr + at + 8, 8), (uint32_t)at, bytes.len, sm);
        else if (at % CONTROL_WORD_EVERY != 0)
            matters = decode_64(&instruction, low, (uint32_t)at, bytes.len);
        if (matters)
            *MEM_ADD(code->items, code->count, code->cap) = instruction;
    }
}

/* R1 = R1 + a constant: IADD3 with RZ as its third operand, or VIADD. */
static bool moves_stack(uint64_t low, uint64_t high)
{
    enum { OP_IADD3 = 0x810, OP_VIADD = 0x836, ZERO_REGISTER = 255 };
    const uint64_t opcode = bits(low, 0, 12);
    const bool adds = opcode == OP_VIADD || (opcode == OP_IADD3 && bits(high, 0, 8) == ZERO_REGISTER);
    return adds && bits(low, 12, 4) == ALWAYS && bits(low, 16, 8) == SASS_STACK_REGISTER &&
           bits(low, 24, 8) == SASS_STACK_REGISTER;
}

/* Instructions whose operands are always in shared memory, by opcode. STSM and those from 0x1a7 on, except LDGSTS and
 * ARRIVES, are for sm_90 and later. Prefetches of TMA (0x1b8, 0x1bc) and accesses to tensor memory are not included. */
static const bool accesses_shared_128[512] = {
    [0x03b] = true, /* LDSM */
    [0x044] = true, /* STSM */
    [0x184] = true, /* LDS */
    [0x188] = true, /* STS */
    [0x18c] = true, /* ATOMS */
    [0x18d] = true, /* ATOMS.CAS */
    [0x1a7] = true, /* SYNCS: arrives at an mbarrier, or waits for it */
    [0x1ae] = true, /* LDGSTS */
    [0x1b0] = true, /* ARRIVES: an mbarrier that cp.async completes */
    [0x1b1] = true, /* invalidates an mbarrier */
    [0x1b2] = true, /* SYNCS: initialises an mbarrier */
    [0x1b4] = true, /* UTMALDG */
    [0x1b5] = true, /* UTMASTG */
    [0x1b6] = true, /* UTMAREDG */
    [0x1ba] = true, /* UBLKCP */
    [0x1bb] = true, /* UBLKRED */
    [0x1bd] = true, /* STAS */
    [0x1be] = true, /* REDAS */
    [0x1ca] = true, /* clusterlaunchcontrol.try_cancel */
    [0x1e7] = true, /* tcgen05.cp */
    [0x1e9] = true, /* tcgen05.commit */
    [0x1ea] = true, /* tcgen05.mma: its matrix B, always */
    [0x1f0] = true, /* HGMMA: wgmma, its matrix B, always */
    [0x1f1] = true, /* IGMMA */
    [0x1f2] = true, /* BGMMA */
    [0x1f3] = true, /* QGMMA */
};

struct sass_traits sass_traits_of(struct str bytes, uint32_t sm)
{
    enum { OP_USETMAXREG = 0x9c8, OP_MOV = 0x802, OP_UMOV = 0x882, SHARED_BASE = 0x400, FIRST_SM_WITH_RESERVE = 90 };
    struct sass_traits traits = {0};
    bool uses_stack = false, several = false;
    for (size_t at = 0; sm >= FIRST_128_BIT_SM && sm <= LAST_SM && at + LONG_BYTES <= bytes.len; at += LONG_BYTES) {
        const uint64_t low = little_endian(bytes.ptr + at, 8), high = little_endian(bytes.ptr + at + 8, 8);
        const uint64_t opcode = bits(low, 0, 12);
        const uint8_t kind = kinds_128[bits(low, 0, 9)];
        const int64_t moved = moves_stack(low, high) ? signed_bits(low >> 32, 32) : 0;
        traits.accesses_shared |= accesses_shared_128[bits(low, 0, 9)];
        traits.sets_registers |= opcode == OP_USETMAXREG && sm >= FIRST_SM_WITH_RESERVE;
        traits.uses_shared_base |=
            (opcode == OP_MOV || opcode == OP_UMOV) && low >> 32 == SHARED_BASE && sm >= FIRST_SM_WITH_RESERVE;
        uses_stack |= (kind == SASS_LOCAL_LOAD || kind == SASS_LOCAL_STORE) && bits(low, 24, 8) == SASS_STACK_REGISTER;
        several |= moved < 0 && traits.frame_bytes;
        if (moved < 0 && moved > INT32_MIN)
            traits.frame_bytes = (int32_t)-moved;
    }
    if (sm < FIRST_128_BIT_SM || sm > LAST_SM || several || (uses_stack && traits.frame_bytes == 0))
        traits.frame_bytes = SASS_NO_FRAME;
    return traits;
}
