/* fault_board: shared memory of a test and the library that it preloads (fault_shim.c): a file of this size, whose path
 * is in the variable FAULT_BOARD. The library acts only in the program whose full path is in FAULT_PROGRAM. */
#pragma once

enum fault_kind {
    FAULT_NOTHING,     /* calls are only counted */
    FAULT_MEMORY,      /* allocation number `at` fails */
    FAULT_MEMORY_REST, /* allocation number `at` and all later ones fail */
    FAULT_CALL,        /* call number `at` fails, with an error that this function can return */
    FAULT_INTERRUPT,   /* call number `at` fails with EINTR, if the function can return EINTR */
    FAULT_SHORT,       /* read or write number `at` moves one byte */
    FAULT_ALL_SHORT,   /* every read and write is interrupted once and then moves one byte */
    FAULT_NAMED,       /* every call of the function `name` fails with `error` */
    FAULT_DONE,        /* the same, but the call does its work before it fails */
    FAULT_FULL,        /* writes fail with `error` after `at` bytes were written */
    FAULT_CLOCK,       /* the clocks jump in turn one year back and one year ahead */
};

struct fault_board {
    int kind; /* enum fault_kind */
    int error;
    long at; /* counted from 1 */
    char name[16];

    long processes;   /* number that loaded the library */
    long allocations; /* total over all processes so far */
    long calls;       /* input and output calls, counted the same way */
    long hits;        /* calls that failed */
    long bytes;       /* written so far */
    char hit[48];     /* the function that failed first */
    int hit_error;    /* the errno that it got */
};
