/*
 * code_table: what machine code says of local memory, as plain data of the model. log/local_memory.h says what it
 * means. Bytes are per thread, and of the code once: an access in a loop counts once.
 */
#ifndef LOG_CODE_TABLE_H
#define LOG_CODE_TABLE_H

#include "base/intern.h"

/* A place in a source and, through `caller`, the call that was inlined there. */
struct code_place {
    uint32_t file;     /* into model.strings */
    uint32_t line;     /* from 1 */
    uint32_t caller;   /* the place of the call (code_place_get); NO_INDEX: none */
    uint32_t function; /* into model.names: what was inlined here, of several instances one; NO_INDEX: the outermost
                          place */
};

enum local_base {
    LOCAL_FRAME,   /* R1: the stack frame */
    LOCAL_ALLOCA,  /* R2: the stack frame of a function that calls alloca */
    LOCAL_POINTER, /* another register: an array */
};

/* One load or store of local memory. */
struct local_access {
    int32_t offset; /* bytes from the base */
    uint32_t place; /* where in the source (code_place_get); NO_INDEX unknown */
    uint16_t depth; /* loops around it */
    uint8_t width;  /* bytes */
    uint8_t base;   /* enum local_base */
    bool is_store;
};

/* The accesses of one line of the source, under the same inlined calls and in as many loops. */
struct code_site {
    uint32_t place; /* NO_INDEX: the code has no line information there */
    uint32_t depth; /* loops around it */
    int32_t stores, loads;
    int32_t store_bytes, load_bytes;
    bool several_calls; /* code_sites_by_line: the line was inlined into several, `place` is that of the worst site */
};

/* Why the places of a kernel's spills and arrays are not known. */
enum unlocated {
    LOCATED,               /* they are, or there is nothing to place */
    UNLOCATED_NO_CODE,     /* no binary with it was read */
    UNLOCATED_OTHER_BUILD, /* the binary's numbers are not the log's */
    UNLOCATED_FORMAT,      /* the code's architecture or ABI is not decoded */
    UNLOCATED_BROKEN,      /* there is no code, or it accesses local memory outside of every function */
    UNLOCATED_LOOPS,       /* the code has more loops within loops than are followed */
    UNLOCATED_UNREACHED,   /* no known branch leads to a load or store of local memory */
    UNLOCATED_COPIES,      /* several functions of this name add up to ptxas's numbers, and they are not the same */
    UNLOCATED_SUMS,        /* no accesses of the code add up to ptxas's numbers */
    UNLOCATED_NO_LINES,    /* the code has no line information */
    UNLOCATED_BAD_LINES,   /* the line information cannot be read */
    UNLOCATED_NO_NUMBERS,  /* of a binary: it accesses local memory, and ptxas's numbers are not known */
    UNLOCATED_COUNT,
};

/* The places in the code of one record. Sites are in model.code->sites, worst first: in the deepest loop, then most
 * bytes. */
struct kernel_code {
    enum unlocated unread; /* why its code was not read, or why it says nothing of places; LOCATED: it was read */
    bool lines_broken;     /* the line table of the binary cannot be read */
    uint32_t first_access, access_count; /* in model.code->accesses, by offset from the highest down */
    struct code_sites {
        uint32_t first, count; /* in model.code->sites */
        bool known;            /* there are sites, or no such access */
    } spills, arrays;
    uint64_t text; /* hash of the bytes of its section */
};

/* A function that lies within its only caller's section has no record of a binary: its name, architecture, and code. */
struct nested_code {
    uint32_t name, arch; /* into model.names, model.strings */
    uint32_t code;       /* into kernels */
};

struct code_table {
    struct intern places; /* each a struct code_place, without the function */
    uint32_t *functions;  /* of each place */
    size_t function_cap;
    struct nested_code *nested;
    size_t nested_count, nested_cap;
    struct local_access *accesses;
    size_t access_count, access_cap;
    struct code_site *sites;
    size_t site_count, site_cap;
    struct kernel_code *kernels;
    size_t kernel_count, kernel_cap;
};

void code_table_free(struct code_table *table);

#endif
