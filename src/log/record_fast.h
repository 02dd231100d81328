/*
 * record_fast: the messages of one kernel directly behind each other, as ptxas prints them and as most of a log
 * consists of them: "0 bytes gmem" before the first kernel of a module, Compiling, Function properties, the stack line,
 * Used and, where it is asked for, Compile time.
 */
#ifndef LOG_RECORD_FAST_H
#define LOG_RECORD_FAST_H

#include "log/model.h"

struct record {
    struct str name, arch; /* into the text */
    int64_t compile_us;    /* INT64_MIN without that line */
    int64_t stack_line[3]; /* bytes of stack frame, spill stores and spill loads */
    struct metrics used;   /* of the Used line */
    bool has_module;       /* the line of a module without global memory stands before it */
    uint8_t lines;         /* that it takes */
};

/*
 * Takes such a record off the front of the text; false, with the text as it was, when these are other lines or the
 * record has anything unusual (then the lines are read one by one, which gives the same).
 */
bool record_fast_take(struct str *text, struct record *record);

#endif
