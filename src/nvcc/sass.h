/*
 * sass: the few instructions of a GPU's machine code that say where local memory is accessed and how control flows.
 * All others are passed over. NVIDIA publishes no encoding; this one was compared with nvdisasm instruction by
 * instruction (sm_50 to sm_90), and the sums of all widths with what ptxas states (tests/test_sass.c).
 */
#ifndef NVCC_SASS_H
#define NVCC_SASS_H

#include "base/str.h"

enum sass_kind {
    SASS_OTHER,       /* passed over */
    SASS_LOCAL_LOAD,  /* LDL */
    SASS_LOCAL_STORE, /* STL */
    SASS_BRANCH,      /* BRA */
    SASS_INDIRECT,    /* BRX, JMX and the like: targets from .nv.info */
    SASS_CALL,        /* a subroutine; control comes back */
    SASS_PUSH,        /* BSSY, SSY, PBK: where a later SASS_SYNC of its barrier goes */
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
    uint32_t target;   /* the same, of a branch, call or push; SASS_NO_TARGET: none is known */
    int32_t offset;    /* of an access: bytes that are added to its base register */
    uint8_t kind;      /* enum sass_kind */
    uint8_t width;     /* of an access: bytes per thread */
    uint8_t base;      /* of an access: number of the register; SASS_STACK_REGISTER alone means the stack */
    uint8_t barrier;   /* of a push and a sync: which of them belong together */
    bool uniform_base; /* of an access: a uniform register is added too */
    bool conditional;  /* it can fall through to the next instruction */
};

static inline bool sass_is_local_access(const struct sass_instruction *instruction)
{
    return instruction->kind == SASS_LOCAL_LOAD || instruction->kind == SASS_LOCAL_STORE;
}

struct sass_code {
    struct sass_instruction *items; /* by address */
    size_t count, cap;
};

/* Code of this SM number (80 for sm_80) can be decoded: sm_50 to sm_121. */
bool sass_is_known(uint32_t sm);

/* Bytes of an instruction. */
uint32_t sass_instruction_bytes(uint32_t sm);

/* Appends what `bytes` holds of the kinds above. The list grows by mem_reserve; release items with free. */
void sass_decode(struct sass_code *code, struct str bytes, uint32_t sm);

/* Bytes per thread of the stack frame of a function, of which this is the code: what it subtracts from R1. 0: it has
 * none. SASS_NO_FRAME: not known, because R1 is lowered twice, or used without being lowered, or the code is not of
 * sm_70 to sm_121. */
enum { SASS_NO_FRAME = -1 };
int32_t sass_frame_bytes(struct str bytes, uint32_t sm);

/* What some instruction of the code shows; false proves nothing, and all are false below sm_70 and above sm_121. */
struct sass_traits {
    bool accesses_shared; /* one whose operands are always in shared memory: loads, stores and atomics by that address
                             space, mbarriers, copies of TMA, wgmma and tcgen05, as compared with the PTX that they
                             were made of (sm_75 to sm_120) */
    bool sets_registers;  /* USETMAXREG, into which setmaxnreg is compiled; from sm_90 on */
    bool states_shared_base; /* a MOV or UMOV of 0x400: where the shared memory of the block itself begins, behind what
                                the system reserves; from sm_90 on */
};
struct sass_traits sass_traits_of(struct str bytes, uint32_t sm);

#endif
