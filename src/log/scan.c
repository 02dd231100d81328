#define _GNU_SOURCE /* memrchr */
#include "log/scan.h"

#include "log/prefilter.h"

#include <stdlib.h>
#include <string.h>

static struct token *add(struct tokens *tokens)
{
    return MEM_ADD(tokens->items, tokens->count, tokens->cap);
}

static void add_raw(struct str line, struct tokens *tokens)
{
    struct token *token = add(tokens);
    token->line = line;
    token->number = tokens->lines;
    token->is_record = false;
    tokens->last_name.len = 0;
}

static void scan_piece(struct str line, bool all, struct tokens *tokens)
{
    if (all || prefilter_in_line(line))
        add_raw(line, tokens);
}

static void scan_pieces(struct str line, bool all, struct tokens *tokens)
{
    struct str rest = line, piece;
    while (rest.len && str_split(&rest, '\r', &piece))
        if (piece.len)
            scan_piece(piece, all, tokens);
}

/* Line by line. */
static void scan_lines(struct str block, bool all, struct tokens *tokens)
{
    while (block.len) {
        const char *lf = memchr(block.ptr, '\n', block.len);
        struct str line = {block.ptr, lf ? (size_t)(lf - block.ptr) : block.len};
        scan_pieces(line, all, tokens);
        tokens->lines += lf != NULL;
        block = str_from(block, line.len + (lf != NULL));
    }
}

/* A line that holds something that is sought. */
static const char *scan_line(const char *at, const char *end, struct tokens *tokens)
{
    const char *lf = memchr(at, '\n', (size_t)(end - at));
    struct str line = {at, (size_t)(lf - at)};
    if (memchr(at, '\r', line.len))
        scan_pieces(line, false, tokens);
    else
        add_raw(line, tokens);
    tokens->lines++;
    return lf + 1;
}

/* Where the record ends that begins at `at`; NULL: none does. */
static const char *scan_whole(const char *at, const char *end, struct tokens *tokens)
{
    struct token *token = add(tokens);
    const char *next = record_fast_read(at, end, tokens->last_name, &token->whole);
    if (!next) {
        tokens->count--;
        return NULL;
    }
    token->is_record = true;
    token->number = tokens->lines;
    token->line = (struct str){at, (size_t)(next - at)};
    tokens->last_name = token->whole.name;
    tokens->lines += (uint32_t)WHOLE_LINES + token->whole.has_module + (token->whole.compile_us != INT64_MIN);
    return next;
}

static inline bool is_tag(const char *at)
{
    static const char tag[] = "ptxas info    : ";
    return memcmp(at, tag, sizeof tag - 1) == 0;
}

/* Goes from one message to the next without looking for the ends of the lines between them. */
static void scan_messages(const char *at, const char *end, struct tokens *tokens)
{
    while (at < end) {
        const char *next = *at == 'p' ? scan_whole(at, end, tokens) : NULL;
        if (!next && !is_tag(at)) {
            const char *found = prefilter_find(at, end, &tokens->lines), *start = at;
            if (!found)
                return;
            at = memrchr(start, '\n', (size_t)(found - start));
            at = at ? at + 1 : start;
            if (at > start && is_tag(at))
                continue;
        }
        at = next ? next : scan_line(at, end, tokens);
    }
}

void scan_block(struct str block, bool all, struct tokens *tokens)
{
    tokens->count = tokens->lines = 0;
    tokens->last_name.len = 0;
    if (all || (block.len && block.ptr[block.len - 1] != '\n'))
        scan_lines(block, all, tokens);
    else
        scan_messages(block.ptr, block.ptr + block.len, tokens);
}

size_t scan_whole_lines(struct str bytes, size_t known)
{
    enum { LONGEST_WITHOUT_LF = 1 << 16 };
    const char *lf = bytes.len > known ? memrchr(bytes.ptr + known, '\n', bytes.len - known) : NULL;
    if (lf)
        return (size_t)(lf - bytes.ptr) + 1;
    if (bytes.len <= LONGEST_WITHOUT_LF)
        return 0;
    known = known <= LONGEST_WITHOUT_LF ? 0 : known; /* a CR in it was not looked for */
    const char *cr = memrchr(bytes.ptr + known, '\r', bytes.len - known);
    return cr ? (size_t)(cr - bytes.ptr) : 0;
}
