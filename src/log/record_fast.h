/*
 * record_fast: reads the messages of one kernel at once if they are in consecutive lines, in the order in which ptxas
 * prints them. Most of a log consists of such lines: "0 bytes gmem" before the first kernel of a module, Compiling,
 * Function properties, the stack line, Used and, if it was requested, Compile time.
 */
#pragma once

#include "log/model.h"

struct record {
    struct str name, arch; /* slices of the text */
    int64_t compile_us;    /* INT64_MIN: no Compile time line */
    int64_t stack_line[3]; /* bytes of stack frame, spill stores and spill loads */
    struct metrics used;   /* of the Used line */
    bool has_module;       /* the line of a module without global memory precedes the record */
    uint8_t lines;         /* number of its lines */
};

/*
 * Takes such a record from the front of the text. Returns false, with the text unchanged, if these are other lines or
 * the record has anything unusual; then the lines are read one by one, with the same result.
 */
bool record_fast_take(struct str *text, struct record *record);
