/*
 * scan: the part of reading that needs no memory of other lines: cutting a block into lines, passing over those that
 * cannot matter, and recognising the plain ones with their numbers and the hash of their names. Because it knows
 * nothing of other lines it can run beside the state machine, some blocks ahead; what comes out is the same either way.
 */
#ifndef LOG_SCAN_H
#define LOG_SCAN_H

#include "log/phrase.h"

enum token_kind { TOKEN_ENTRY, TOKEN_PROPERTIES, TOKEN_STACK, TOKEN_USED, TOKEN_MODULE, TOKEN_TIME, TOKEN_RAW };
enum { TOKEN_BANKS = 2 };

/* A line, or a piece of one between CRs. Everything but TOKEN_RAW is a plain message (see plain_match). */
struct token {
    struct str line;
    uint32_t number;    /* of the line in its block, from 0 */
    uint8_t kind;       /* enum token_kind */
    uint8_t bank_count; /* TOKEN_USED */
    union {
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

/* The tokens of a block of whole lines; they point into it. `all`: lines that cannot matter are tokens too. */
void scan_block(struct str block, bool all, struct tokens *tokens);

/* How much of the bytes are whole lines. An input without LF is cut at its CRs once it is long; 0: no line ends yet. */
size_t scan_whole_lines(struct str bytes);

/* Reads up to `room` bytes; 0 at the end and after an error, which the source keeps. */
typedef size_t scan_fill(void *source, char *into, size_t room);

/*
 * A scanner reads a source to its end and hands out the tokens of one block after the other. Once the source proves
 * large it does so on a thread of its own, some blocks ahead; where none can be started the work is done in the call.
 */
struct scanner;
struct scanner *scanner_new(scan_fill *fill, void *source, struct str before,
                            bool all);                      /* before: bytes already read */
const struct tokens *scanner_next(struct scanner *scanner); /* good until the next call; NULL at the end */
struct str scanner_rest(const struct scanner *scanner);     /* after the end: the line that had none */
void scanner_free(struct scanner *scanner);

#endif
