/* fault_board: what a test and the library that it preloads (fault_shim.c) share: a file of this size in memory, named
 * by the variable FAULT_BOARD. The library acts only in the program that FAULT_PROGRAM names, by its whole path. */
#ifndef FAULT_BOARD_H
#define FAULT_BOARD_H

enum fault_kind {
    FAULT_NOTHING,     /* calls are only counted */
    FAULT_MEMORY,      /* the allocation number `at` fails */
    FAULT_MEMORY_REST, /* that one and all behind it */
    FAULT_CALL,        /* the call number `at` fails, with an error that it may have */
    FAULT_INTERRUPT,   /* the call number `at` fails with EINTR, if it is one of those that may */
    FAULT_SHORT,       /* the read or write number `at` moves one byte */
    FAULT_ALL_SHORT,   /* every read and write moves one byte, and is interrupted before it */
    FAULT_NAMED,       /* every call of the function `name` fails with `error` */
    FAULT_DONE,        /* the same, but what it was asked to do is done */
    FAULT_FULL,        /* writes fail with `error` once `at` bytes were written */
    FAULT_CLOCK,       /* each clock jumps by turns a year back and a year ahead */
};

struct fault_board {
    int kind; /* enum fault_kind */
    int error;
    long at; /* from 1 */
    char name[16];

    long processes;   /* that loaded the library */
    long allocations; /* counted so far, over all processes */
    long calls;       /* the same of input and output */
    long hits;        /* calls that failed */
    long bytes;       /* written */
    char hit[48];     /* the function that failed first */
    int hit_error;    /* how */
};

#endif
