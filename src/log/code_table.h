/*
 * code_table: the accesses to local memory in machine code, as plain data of the model; see log/local_memory.h. Bytes
 * are per thread, and each instruction counts once, even in a loop.
 */
#pragma once

#include "base/intern.h"

/* A place in a source. If the code there was inlined, `caller` is the place of the call. */
struct code_place {
    uint32_t file;   /* in model.strings */
    uint32_t line;   /* from 1 */
    uint32_t caller; /* the place of the call (code_place_get); NO_INDEX: none */
    uint32_t
        function; /* in model.names: the inlined function, one instance if there are several; NO_INDEX: not inlined */
};

enum local_base {
    LOCAL_FRAME,   /* R1: the stack frame */
    LOCAL_ALLOCA,  /* R2: the stack frame of a function that calls alloca */
    LOCAL_POINTER, /* another register: an array */
};

/* A load or store instruction of local memory. */
struct local_access {
    int32_t offset; /* bytes from the base */
    uint32_t place; /* in the source (code_place_get); NO_INDEX: unknown */
    uint16_t depth; /* number of loops around it */
    uint8_t width;  /* bytes */
    uint8_t base;   /* enum local_base */
    bool is_store;
};

/* The accesses of one line of the source with the same inlined calls and the same loop depth. */
struct code_site {
    uint32_t place; /* NO_INDEX: no line information */
    uint32_t depth; /* number of loops around it */
    int32_t stores, loads;
    int32_t store_bytes, load_bytes;
    bool several_calls; /* code_sites_by_line: the line was inlined at several calls, `place` is that of the worst site
                         */
};

/* Why the places of a kernel's spills and arrays are unknown. */
enum unlocated {
    LOCATED,               /* the places are known, or there are no accesses */
    UNLOCATED_NO_CODE,     /* no binary with the kernel was read */
    UNLOCATED_NO_ARCH,     /* a device function of which the log states no architecture, so no binary is compared */
    UNLOCATED_OTHER_BUILD, /* the values of the binary differ from the log's */
    UNLOCATED_FORMAT,      /* the code's architecture or ABI is not decoded */
    UNLOCATED_BROKEN,      /* there is no code, or it accesses local memory outside of all functions */
    UNLOCATED_LOOPS,       /* loops are nested more deeply than is supported */
    UNLOCATED_UNREACHED,   /* no known branch leads to some load or store of local memory */
    UNLOCATED_COPIES,      /* several different functions with this name add up to the numbers of ptxas */
    UNLOCATED_SUMS,        /* no accesses of the code add up to the numbers of ptxas */
    UNLOCATED_NO_LINES,    /* the code has no line information */
    UNLOCATED_BAD_LINES,   /* the line information cannot be read */
    UNLOCATED_NO_NUMBERS,  /* a binary without a log: it accesses local memory, and the numbers of ptxas are unknown */
    UNLOCATED_COUNT,
};

/* The code of one function. */
struct kernel_code {
    uint32_t name, arch;   /* in model.names, model.strings */
    bool is_nested;        /* it is in the section of its only caller: a binary has no record of such a function */
    enum unlocated unread; /* why its code was not read or has no places; LOCATED: it was read */
    bool lines_broken;     /* the line table of the binary cannot be read */
    uint32_t first_access, access_count; /* in model.code->accesses, by offset, the highest first */
    struct code_sites {
        uint32_t first, count; /* in model.code->sites, worst first (deepest loop, then most bytes) */
        bool known;            /* there are sites, or there are no such accesses */
    } spills, arrays;
    uint64_t text; /* hash of the bytes of its section */
};

struct code_table {
    struct intern places; /* struct code_place, without the function */
    uint32_t *functions;  /* by place */
    size_t function_cap;
    struct local_access *accesses;
    size_t access_count, access_cap;
    struct code_site *sites;
    size_t site_count, site_cap;
    struct kernel_code *kernels;
    size_t kernel_count, kernel_cap;
};

void code_table_free(struct code_table *table);
