/*
 * record_fast: the messages of one kernel directly behind each other, as ptxas prints them and as most of a log
 * consists of them: "0 bytes gmem" before the first kernel of a module, Compiling, Function properties, the stack line,
 * Used and, where it is asked for, Compile time.
 */
#ifndef LOG_RECORD_FAST_H
#define LOG_RECORD_FAST_H

#include "log/model.h"

/* So many bytes behind `end` must be there to be read, whatever they are: no words that are compared at once are
 * longer. */
enum { RECORD_SLACK = 128 };

struct record {
    struct str name;       /* into the block */
    uint64_t arch;         /* its bytes ("sm_90a"), the first one lowest, then zeros */
    int64_t compile_us;    /* INT64_MIN without that line */
    int32_t stack_line[3]; /* bytes of stack frame, spill stores and spill loads */
    struct metrics used;   /* of the Used line */
    bool has_module;       /* the line of a module without global memory stands before it */
    uint8_t lines;         /* that it takes */
};

/*
 * Reads such a record from the front of [at, end), whose last byte is LF: returns where it ends, NULL when these are
 * other lines or the record has anything unusual (then the lines are read one by one, which gives the same).
 */
const char *record_fast_read(const char *at, const char *end, struct record *record);

#endif
