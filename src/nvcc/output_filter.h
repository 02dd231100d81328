/*
 * output_filter: which bytes of the compiler's standard error are passed on to ours, and which are suppressed because
 * only we asked for them. Everything that the compiler would print without us passes at once and unchanged. A line is
 * held back only while its first words may still become the opening of a resource line.
 *
 * The filter is between the compiler and the reader of its messages, so it allocates nothing and cannot fail.
 */
#pragma once

#include "base/str.h"

enum passthrough {
    PASS_NONE,     /* suppresses resource usage of ptxas and nvlink, also if the command asks for it, and warnings */
    PASS_WARNINGS, /* suppresses resource usage that the command does not ask for */
    PASS_ALL,
};

enum { EMPTY_LINES_OF_REMARK = 2 }; /* one after each remark, and one more after the last remark of a run of cicc */
enum { OUTPUT_FILTER_HELD_BYTES = 128 }; /* more than the longest opening */

struct output_filter {
    enum passthrough level;
    enum { LINE_UNDECIDED, LINE_PASSES, LINE_SWALLOWED } line; /* the decision about the current line */
    bool ptxas, nvlink;     /* the command asks the tool for resource usage: the tool's lines about it pass */
    bool remarks;           /* only we asked for cicc's remarks: they are suppressed too */
    bool is_remark, is_gap; /* the current line is a remark; is an empty line that belongs to a remark */
    int empty_lines;        /* number of empty lines that may follow and belong to the previous remark */
    bool properties;        /* the previous line named a function: its stack line may follow */
    bool is_properties;     /* the current line names a function */
    char held[OUTPUT_FILTER_HELD_BYTES]; /* the beginning of an undecided line */
    size_t held_bytes;
};

/* Takes the next piece from the front of *bytes, which is not empty. Returns the bytes that pass; they are valid until
 * the next call. */
struct str output_filter_take(struct output_filter *output_filter, struct str *bytes);
/* Begins a new line, if the current line is one that passes and has no end yet. Otherwise returns false and changes
 * nothing. */
bool output_filter_begin_line(struct output_filter *output_filter);
/* Call it at the end: returns the bytes that are held. */
struct str output_filter_rest(struct output_filter *output_filter);
