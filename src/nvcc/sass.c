#include "nvcc/sass.h"

#include "base/mem.h"
#include "nvcc/region.h"

enum { FIRST_SM = 50, LAST_SM = 121, FIRST_128_BIT_SM = 70, FIRST_WIDE_BRANCH_SM = 90, ALWAYS = 7 };

bool sass_is_known(uint32_t sm)
{
    return sm >= FIRST_SM && sm <= LAST_SM;
}

uint32_t sass_instruction_bytes(uint32_t sm)
{
    return sm < FIRST_128_BIT_SM ? 8 : 16;
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

/* An address relative to the next instruction; SASS_NO_TARGET where it lies outside of the code. */
static uint32_t target_at(uint64_t next, int64_t distance, size_t code_bytes)
{
    int64_t target = (int64_t)next + distance;
    return target >= 0 && (uint64_t)target < code_bytes ? (uint32_t)target : SASS_NO_TARGET;
}

/* The width field of LDL and STL; 7 is no width. */
static const uint8_t width_bytes[8] = {1, 1, 2, 2, 4, 8, 16, 0};

/* ---- sm_70 and later: 128 bits an instruction, the opcode in bits 0 to 8, its form in 9 to 11 ------------------- */

enum opcode {
    OP_SYNC = 0x141,
    OP_CALL = 0x144,
    OP_PUSH = 0x145,
    OP_BRANCH = 0x147,
    OP_BRX = 0x149,
    OP_JUMP = 0x14a,
    OP_JMX = 0x14c,
    OP_EXIT = 0x14d,
    OP_RETURN = 0x150,
    OP_BRX_UNIFORM = 0x158,
    OP_JMX_UNIFORM = 0x159,
    OP_LOAD = 0x183,
    OP_STORE = 0x187,
};

static struct sass_instruction access_128(uint64_t low, uint64_t high)
{
    return (struct sass_instruction){
        .kind = bits(low, 0, 9) == OP_LOAD ? SASS_LOCAL_LOAD : SASS_LOCAL_STORE,
        .target = SASS_NO_TARGET,
        .width = width_bytes[bits(high, 9, 3)],
        .base = (uint8_t)bits(low, 24, 8),
        .offset = (int32_t)signed_bits(bits(low, 40, 24), 24),
        .uniform_base = bits(high, 27, 1),
    };
}

/* The distance of a branch or call: 48 bits, counted in 4 bytes; from sm_90 on 8 more bits below them. */
static int64_t branch_distance(uint64_t low, uint64_t high, uint32_t sm)
{
    int64_t words = signed_bits(low >> 34 | bits(high, 0, 18) << 30, 48);
    if (sm >= FIRST_WIDE_BRANCH_SM)
        words = words * 256 + (int64_t)bits(low, 16, 8);
    return words * 4;
}

/* False: an instruction that does not matter here. */
static bool decode_128(struct sass_instruction *out, uint64_t low, uint64_t high, uint32_t at, size_t bytes,
                       uint32_t sm)
{
    enum { RELATIVE_CALL = 4, UNIFORM_BRANCH = 2 };
    const unsigned opcode = (unsigned)bits(low, 0, 9), form = (unsigned)bits(low, 9, 3);
    const bool guarded = bits(low, 12, 4) != ALWAYS, predicated = bits(high, 23, 4) != ALWAYS;
    *out = (struct sass_instruction){.target = SASS_NO_TARGET, .conditional = guarded};
    switch (opcode) {
    case OP_LOAD:
    case OP_STORE: *out = access_128(low, high); break;
    case OP_BRANCH:
        out->kind = SASS_BRANCH;
        out->target = target_at((uint64_t)at + 16, branch_distance(low, high, sm), bytes);
        out->conditional = guarded || predicated || bits(low, 32, 2) != 0 || form == UNIFORM_BRANCH;
        break;
    case OP_CALL:
        out->kind = SASS_CALL;
        if (form == RELATIVE_CALL)
            out->target = target_at((uint64_t)at + 16, branch_distance(low, high, sm), bytes);
        break;
    case OP_PUSH:
        out->kind = SASS_PUSH;
        out->barrier = (uint8_t)bits(low, 16, 4);
        out->target = target_at((uint64_t)at + 16, 4 * signed_bits(bits(low, 34, 30), 30), bytes);
        break;
    case OP_SYNC:
        out->kind = SASS_SYNC;
        out->barrier = (uint8_t)bits(low, 16, 4);
        break;
    case OP_BRX:
    case OP_JUMP:
    case OP_JMX:
    case OP_BRX_UNIFORM:
    case OP_JMX_UNIFORM: out->kind = SASS_INDIRECT; break;
    case OP_EXIT:
        out->kind = SASS_EXIT;
        out->conditional = guarded || predicated;
        break;
    case OP_RETURN: out->kind = SASS_RETURN; break;
    default: return false;
    }
    out->at = at;
    return true;
}

/* ---- sm_50 to sm_62: 64 bits an instruction, the opcode in the upper 16; each fourth word is a control word
 * ---------- */

static bool decode_64(struct sass_instruction *out, uint64_t word, uint32_t at, size_t bytes)
{
    enum { BARRIER_SYNC, BARRIER_BREAK, ALWAYS_FLAGS = 15 };
    const unsigned opcode = (unsigned)(word >> 48);
    const uint32_t target = target_at((uint64_t)at + 8, signed_bits(bits(word, 20, 24), 24), bytes);
    *out = (struct sass_instruction){.target = SASS_NO_TARGET, .at = at, .conditional = bits(word, 16, 4) != ALWAYS};
    if ((opcode & 0xfff8) == 0xef40 || (opcode & 0xfff8) == 0xef50) {
        out->kind = (opcode & 0xfff8) == 0xef40 ? SASS_LOCAL_LOAD : SASS_LOCAL_STORE;
        out->width = width_bytes[opcode & 7];
        out->base = (uint8_t)bits(word, 8, 8);
        out->offset = (int32_t)signed_bits(bits(word, 20, 24), 24);
        return true;
    }
    if (opcode == 0xf0f8) {
        out->kind = SASS_SYNC;
        out->barrier = BARRIER_SYNC;
        return true;
    }
    switch (opcode & 0xfff0) {
    case 0xe240:
        out->kind = SASS_BRANCH;
        out->target = target;
        out->conditional = out->conditional || bits(word, 0, 5) != ALWAYS_FLAGS;
        return true;
    case 0xe260:
        out->kind = SASS_CALL;
        out->target = target;
        return true;
    case 0xe290:
    case 0xe2a0:
        out->kind = SASS_PUSH;
        out->barrier = (opcode & 0xfff0) == 0xe290 ? BARRIER_SYNC : BARRIER_BREAK;
        out->target = target;
        return true;
    case 0xe340:
        out->kind = SASS_SYNC;
        out->barrier = BARRIER_BREAK;
        return true;
    case 0xe200:
    case 0xe250: out->kind = SASS_INDIRECT; return true;
    case 0xe300: out->kind = SASS_EXIT; return true;
    case 0xe320: out->kind = SASS_RETURN; return true;
    default: return false;
    }
}

void sass_decode(struct sass_code *code, struct str bytes, uint32_t sm)
{
    enum { CONTROL_WORD_EVERY = 32 };
    const uint32_t step = sass_instruction_bytes(sm);
    struct sass_instruction instruction;
    for (size_t at = 0; at + step <= bytes.len && at < SASS_NO_TARGET - step; at += step) {
        uint64_t low = little_endian(bytes.ptr + at, 8);
        bool matters = false;
        if (step == 16)
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

int32_t sass_frame_bytes(struct str bytes, uint32_t sm)
{
    enum { BYTES = 16 };
    int32_t frame = 0;
    bool accesses = false, several = false;
    if (sm < FIRST_128_BIT_SM || sm > LAST_SM)
        return SASS_NO_FRAME;
    for (size_t at = 0; at + BYTES <= bytes.len; at += BYTES) {
        const uint64_t low = little_endian(bytes.ptr + at, 8), high = little_endian(bytes.ptr + at + 8, 8);
        const uint64_t opcode = bits(low, 0, 9);
        const int64_t moved = moves_stack(low, high) ? signed_bits(low >> 32, 32) : 0;
        accesses |= (opcode == OP_LOAD || opcode == OP_STORE) && bits(low, 24, 8) == SASS_STACK_REGISTER;
        several |= moved < 0 && frame;
        if (moved < 0 && moved > INT32_MIN)
            frame = (int32_t)-moved;
    }
    return several || (accesses && frame == 0) ? SASS_NO_FRAME : frame;
}

bool sass_accesses_shared(struct str bytes, uint32_t sm)
{
    enum { BYTES = 16, OP_LDS = 0x984, OP_STS = 0x388, OP_ATOMS = 0x38c, OP_ATOMS_CAS = 0x38d, OP_LDSM = 0x83b };
    enum { OP_LDGSTS = 0xfae };
    if (sm < FIRST_128_BIT_SM || sm > LAST_SM)
        return false;
    for (size_t at = 0; at + BYTES <= bytes.len; at += BYTES) {
        const uint64_t opcode = little_endian(bytes.ptr + at, 2) & 0xfff;
        if (opcode == OP_LDS || opcode == OP_STS || opcode == OP_ATOMS || opcode == OP_ATOMS_CAS || opcode == OP_LDSM ||
            opcode == OP_LDGSTS)
            return true;
    }
    return false;
}

bool sass_states_shared_base(struct str bytes, uint32_t sm)
{
    enum { BYTES = 16, OP_MOV = 0x802, OP_UMOV = 0x882, SHARED_BASE = 0x400, FIRST_SM_WITH_BASE = 90 };
    if (sm < FIRST_SM_WITH_BASE || sm > LAST_SM)
        return false;
    for (size_t at = 0; at + BYTES <= bytes.len; at += BYTES) {
        const uint64_t low = little_endian(bytes.ptr + at, 8);
        const uint64_t opcode = bits(low, 0, 12);
        if ((opcode == OP_MOV || opcode == OP_UMOV) && low >> 32 == SHARED_BASE)
            return true;
    }
    return false;
}
