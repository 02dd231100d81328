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

/* Whether the machine code of a record was read, and why not. */
enum code_state {
    CODE_NOT_SEEN, /* no binary, or only a record of one */
    CODE_READ,
    CODE_UNKNOWN_FORMAT, /* an architecture or an ABI that is not decoded */
    CODE_BROKEN,         /* no code, or loads and stores of local memory outside of every function */
    CODE_TOO_MANY_LOOPS, /* more loops within loops than are followed */
    CODE_UNREACHED,      /* no known branch leads to a load or store of local memory */
    CODE_OTHER_SUMS,     /* of a function in its callers' sections: no copy adds up to ptxas's numbers */
    CODE_COPIES_DIFFER,  /* of such a function: several copies do, and they are not the same */
};

/* The places in the code of one record. Sites are in model.code->sites, worst first: in the deepest loop, then most
 * bytes. */
struct kernel_code {
    enum code_state state;
    bool lines_broken;                   /* the line table of the binary cannot be read */
    uint32_t first_access, access_count; /* in model.code->accesses, by offset from the highest down */
    uint32_t first_spill_site, spill_site_count;
    uint32_t first_array_site, array_site_count;
    bool spill_sites_known, array_sites_known; /* there are sites, or no such access */
    uint64_t text;                             /* hash of the bytes of its section */
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
