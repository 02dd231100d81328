/*
 * output_filter: which bytes of the compiler's standard error go on to ours, and which are swallowed because only we
 * asked for them. Everything that the compiler would have said without us passes at once and unchanged; a line is held
 * back no longer than its opening words may still turn out to be a resource line.
 *
 * It stands between the compiler and whoever reads its messages, so it allocates nothing and cannot fail.
 */
#ifndef NVCC_OUTPUT_FILTER_H
#define NVCC_OUTPUT_FILTER_H

#include "base/str.h"

enum passthrough {
    PASS_NONE,     /* swallow what ptxas and nvlink print of resources, whoever asked, and their warnings */
    PASS_WARNINGS, /* swallow what they print of resources without being asked by the command */
    PASS_ALL,
};

enum { EMPTY_LINES_OF_REMARK = 2 };      /* one behind each, and one more behind the last of a run of cicc */
enum { OUTPUT_FILTER_HELD_BYTES = 128 }; /* more than the longest opening that is looked for */

struct output_filter {
    enum passthrough level;
    enum { LINE_UNDECIDED, LINE_PASSES, LINE_SWALLOWED } line; /* what becomes of the line at hand */
    bool ptxas, nvlink;                  /* the command asks it for what the kernels use: those lines of it pass */
    bool remarks;                        /* cicc's remarks were asked for by us alone: they are swallowed too */
    bool is_remark, is_gap;              /* the line at hand is one; it is an empty line that belongs to one */
    int empty_lines;                     /* so many that may follow belong to the remark before */
    bool properties;                     /* the line before named a function: its stack line may follow */
    bool is_properties;                  /* the line at hand does */
    char held[OUTPUT_FILTER_HELD_BYTES]; /* the beginning of an undecided line */
    size_t held_bytes;
};

/* Hands what passes to `pass`, piece by piece; false when pass said false. */
bool output_filter_feed(struct output_filter *output_filter, struct str bytes,
                        bool (*pass)(void *context, struct str bytes), void *context);
/* What comes next begins a line, whatever came before: false where it would have done so anyway. */
bool output_filter_begin_line(struct output_filter *output_filter);
/* The end: hands out what is held. */
bool output_filter_finish(struct output_filter *output_filter, bool (*pass)(void *context, struct str bytes),
                          void *context);

#endif
