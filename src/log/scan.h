/*
 * scan: the part of reading that needs no memory of other lines: cutting a block into lines, passing over those that
 * cannot matter, and reading records whose messages stand directly behind each other. Because it knows nothing of other
 * lines it can run beside the state machine, some blocks ahead; what comes out is the same either way.
 */
#ifndef LOG_SCAN_H
#define LOG_SCAN_H

#include "log/phrase.h"
#include "log/record_fast.h"

enum { SCAN_SLACK = WHOLE_SLACK };

struct token {
    struct str line; /* of a record the first line */
    uint32_t number; /* of the line in its block, from 0 */
    bool is_record;  /* all messages of a kernel: `whole`; else a line, or a piece of one between CRs */
    struct whole whole;
};

struct tokens {
    struct token *items;
    size_t count, cap;
    uint32_t lines;       /* that ended in the block */
    struct str last_name; /* of the record before; empty behind a line */
};

/* The tokens of a block of whole lines; they point into it. `all`: every line is a token of its own, also those
 * that cannot matter. SCAN_SLACK bytes behind the block must be there to be read. */
void scan_block(struct str block, bool all, struct tokens *tokens);

/*
 * How much of the bytes are whole lines; 0: no line ends yet. An input without LF is cut at its CRs once it is long.
 * The first `known` bytes were asked about before and held no whole line.
 */
size_t scan_whole_lines(struct str bytes, size_t known);

#endif
