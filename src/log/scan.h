/*
 * scan: the part of reading that needs no memory of other lines: cutting a block into lines, passing over those that
 * cannot matter, and recognising the plain ones with their numbers and the hash of their names. Because it knows
 * nothing of other lines it can run beside the state machine, one block ahead; what comes out is the same either way.
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
            uint64_t hash; /* of the name */
        } named;           /* TOKEN_ENTRY, TOKEN_PROPERTIES */
        struct {
            int32_t registers, barriers, cumulative_stack_bytes, smem_bytes; /* UNKNOWN where not printed */
            struct bank banks[TOKEN_BANKS];
        } used;
        int64_t stack[3];  /* stack frame, spill stores, spill loads */
        int64_t time_us;
        int64_t gmem_bytes; /* TOKEN_MODULE without constant banks of its own */
    };
};

struct tokens {
    struct token *items;
    size_t count, cap;
    uint32_t lines; /* that ended in the block */
};

/* The tokens of a block of whole lines; they point into it. `all`: lines that cannot matter are tokens too. */
void scan_block(struct str block, bool all, struct tokens *tokens);

/*
 * A scanner takes blocks and gives them back with their tokens, in order. It works on a thread of its own once the
 * input is large enough to be worth one; without a thread, or where none can be started, it does the work itself.
 */
struct scanner;
struct scanner *scanner_new(bool all);
/* Room for the bytes of the next block behind what is there; the block is whole when scanner_submit is called. */
struct buf *scanner_block(struct scanner *scanner);
void scanner_submit(struct scanner *scanner);
/* The oldest block that was submitted and not yet taken; NULL: none. Good until the next call of scanner_block. With
 * `wait` false also NULL when taking it now would leave the thread without work. */
const struct tokens *scanner_take(struct scanner *scanner, bool wait);
void scanner_free(struct scanner *scanner);

#endif
