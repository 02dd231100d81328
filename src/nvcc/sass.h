/*
 * sass: the few instructions of a GPU's machine code that show where local memory is accessed and how control flows.
 * All others are skipped. NVIDIA publishes no encoding; this one was compared with nvdisasm instruction by instruction
 * (sm_50 to sm_90), and the sums of all widths with the numbers that ptxas states (tests/test_sass.c).
 */
#pragma once

#include "base/str.h"

enum sass_kind {
    SASS_OTHER,       /* skipped */
    SASS_LOCAL_LOAD,  /* LDL */
    SASS_LOCAL_STORE, /* STL */
    SASS_BRANCH,      /* BRA */
    SASS_INDIRECT,    /* BRX, JMX and similar: targets from .nv.info */
    SASS_CALL,        /* a subroutine; control returns */
    SASS_PUSH,        /* BSSY, SSY, PBK: sets the target of a later SASS_SYNC of its barrier */
    SASS_SYNC,        /* BSYNC, SYNC, BRK */
    SASS_EXIT,        /* EXIT, KIL */
    SASS_RETURN,      /* RET */
};

enum {
    SASS_STACK_REGISTER = 1, /* R1: the base of the stack frame */
    SASS_NO_TARGET = UINT32_MAX,
};

struct sass_instruction {
    uint32_t at;       /* bytes from the start of the code */
    uint32_t target;   /* target of a branch, call or push, in the same units; SASS_NO_TARGET: unknown */
    int32_t offset;    /* of an access: bytes that are added to its base register */
    uint8_t kind;      /* enum sass_kind */
    uint8_t width;     /* of an access: bytes per thread */
    uint8_t base;      /* of an access: number of its base register; only SASS_STACK_REGISTER means the stack */
    uint8_t barrier;   /* of a push and a sync: those with the same barrier belong together */
    bool uniform_base; /* of an access: a uniform register is added too */
    bool conditional;  /* control can continue with the next instruction */
};

static inline bool sass_is_local_access(const struct sass_instruction *instruction)
{
    return instruction->kind == SASS_LOCAL_LOAD || instruction->kind == SASS_LOCAL_STORE;
}

struct sass_code {
    struct sass_instruction *items; /* sorted by address */
    size_t count, cap;
};

/* Code of this SM number (80 for sm_80) can be decoded: sm_50 to sm_121. */
bool sass_is_known(uint32_t sm);

/* Bytes per instruction. */
uint32_t sass_instruction_bytes(uint32_t sm);

/* Appends the instructions in `bytes` that are of the kinds above. The list grows by mem_reserve; release items with
 * free. */
void sass_decode(struct sass_code *code, struct str bytes, uint32_t sm);

/* Properties that some instruction of the code proves. false proves nothing, and all are false below sm_70 and above
 * sm_121. */
enum { SASS_NO_FRAME = -1 };
struct sass_traits {
    bool accesses_shared; /* operands that are always in shared memory: loads, stores and atomics of that address space,
                             mbarriers, copies of TMA, wgmma and tcgen05; compared with the PTX of the same code (sm_75
                             to sm_120) */
    bool sets_registers;  /* USETMAXREG, into which setmaxnreg is compiled; from sm_90 on */
    bool uses_shared_base; /* a MOV or UMOV of 0x400: the start of the block's own shared memory, after the part that
                                the system reserves; from sm_90 on */
    int32_t frame_bytes;   /* per thread, of the stack frame of the function that has this code: the bytes that it
                              subtracts from R1. 0: no frame. SASS_NO_FRAME: unknown, because R1 is lowered twice, or used
                              without being lowered, or the code is not for sm_70 to sm_121 */
};
struct sass_traits sass_traits_of(struct str bytes, uint32_t sm);
