/*
 * scan: the part of reading that needs no memory of other lines: cutting a block into lines, passing over those that
 * cannot matter, and recognising the plain ones with their numbers and the hash of their names. Because it knows
 * nothing of other lines it can run beside the state machine, some blocks ahead; what comes out is the same either way.
 */
#ifndef LOG_SCAN_H
#define LOG_SCAN_H

#include "log/phrase.h"
#include "log/record_fast.h"

enum token_kind {
    TOKEN_WHOLE, /* all messages of a kernel */
    TOKEN_ENTRY,
    TOKEN_PROPERTIES,
    TOKEN_STACK,
    TOKEN_USED,
    TOKEN_MODULE,
    TOKEN_TIME,
    TOKEN_RAW
};
enum { TOKEN_BANKS = 2, SCAN_SLACK = WHOLE_SLACK };

/* A line, or a piece of one between CRs; of TOKEN_WHOLE the first line. Everything but TOKEN_RAW is plain (see
 * plain_match). */
struct token {
    struct str line;
    uint32_t number;    /* of the line in its block, from 0 */
    uint8_t kind;       /* enum token_kind */
    uint8_t bank_count; /* TOKEN_USED */
    union {
        struct whole whole;
        struct {
            struct str name, arch;
            uint64_t hash; /* of the name; 0 for properties: their name is most often the one before */
            bool again;    /* the name is that of the named token before, and no raw token stands between */
        } named;           /* TOKEN_ENTRY, TOKEN_PROPERTIES */
        struct {
            int32_t registers, barriers, cumulative_stack_bytes, smem_bytes; /* UNKNOWN where not printed */
            struct bank banks[TOKEN_BANKS];
        } used;
        int64_t stack[3]; /* stack frame, spill stores, spill loads */
        int64_t time_us;
        int64_t gmem_bytes; /* TOKEN_MODULE without constant banks of its own */
    };
};

struct tokens {
    struct token *items;
    size_t count, cap;
    uint32_t lines;       /* that ended in the block */
    struct str last_name; /* of the named token before; empty behind a raw one */
};

/* The tokens of a block of whole lines; they point into it. `all`: every line is a TOKEN_RAW, also those that cannot
 * matter. SCAN_SLACK bytes behind the block must be there to be read. */
void scan_block(struct str block, bool all, struct tokens *tokens);

/*
 * How much of the bytes are whole lines; 0: no line ends yet. An input without LF is cut at its CRs once it is long.
 * The first `known` bytes were asked about before and held no whole line.
 */
size_t scan_whole_lines(struct str bytes, size_t known);

#endif
