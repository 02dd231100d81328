#define _GNU_SOURCE /* memrchr */
#include "log/scan.h"

#include "log/prefilter.h"

#include <stdlib.h>
#include <string.h>

static struct token *add(struct tokens *tokens)
{
    if (tokens->count == tokens->cap)
        tokens->items = mem_reserve(tokens->items, &tokens->cap, tokens->count + 1, sizeof *tokens->items);
    return &tokens->items[tokens->count++];
}

static bool used_token(struct str metrics, const struct captures *captures, struct token *token)
{
    enum { MOST_REGISTERS = 256 };
    struct metrics read = no_metrics;
    size_t bank_count = 0;
    if (captures->number[0] < 0 || captures->number[0] > MOST_REGISTERS ||
        line_fast_metrics(metrics, &read, token->used.banks, TOKEN_BANKS, &bank_count) != metrics.len)
        return false;
    token->bank_count = (uint8_t)bank_count;
    token->used.registers = (int32_t)captures->number[0];
    token->used.barriers = read.barriers;
    token->used.cumulative_stack_bytes = read.cumulative_stack_bytes;
    token->used.smem_bytes = read.smem_bytes;
    return true;
}

static bool named_token(const struct captures *captures, enum phrase_kind kind, struct str *last, struct token *token)
{
    token->named.again = last->len && str_eq(*last, captures->name);
    *last = captures->name;
    token->named.name = captures->name;
    token->named.arch = kind == PHRASE_ENTRY ? captures->arch : (struct str){NULL, 0};
    token->named.hash = kind == PHRASE_ENTRY && !token->named.again ? str_hash(captures->name) : 0;
    return true;
}

/* Fills the token when the line is plain; false leaves it to be raw. */
static bool plain_token(struct str line, struct str *last, struct token *token)
{
    static const struct str plain = STR_INIT("ptxas info    : ");
    static const uint8_t kinds[] = {[PHRASE_ENTRY] = TOKEN_ENTRY,
                                    [PHRASE_PROPERTIES] = TOKEN_PROPERTIES,
                                    [PHRASE_USED] = TOKEN_USED,
                                    [PHRASE_MODULE] = TOKEN_MODULE,
                                    [PHRASE_TIME] = TOKEN_TIME};
    struct captures captures;
    enum phrase_kind kind;
    if (line.len < plain.len)
        return false;
    if (line.ptr[0] == ' ') {
        if (!line_fast_stack_match(line, &captures))
            return false;
        token->kind = TOKEN_STACK;
        memcpy(token->stack, captures.number, sizeof token->stack);
        return true;
    }
    if (memcmp(line.ptr, plain.ptr, plain.len) != 0 || !line_fast_match(str_from(line, plain.len), &kind, &captures))
        return false;
    token->kind = kinds[kind];
    if (kind == PHRASE_ENTRY || kind == PHRASE_PROPERTIES)
        return named_token(&captures, kind, last, token);
    if (kind == PHRASE_USED)
        return used_token(captures.metrics, &captures, token);
    token->time_us = kind == PHRASE_TIME ? captures.time_us : captures.number[0];
    return kind == PHRASE_TIME || captures.metrics.len == 0;
}

/* False when it is not plain. */
static bool add_plain(struct str line, struct tokens *tokens)
{
    struct token *token = add(tokens);
    token->line = line;
    token->number = tokens->lines;
    bool plain = plain_token(line, &tokens->last_name, token);
    tokens->count -= !plain;
    return plain;
}

static void add_raw(struct str line, struct tokens *tokens)
{
    struct token *token = add(tokens);
    token->line = line;
    token->number = tokens->lines;
    token->kind = TOKEN_RAW;
    tokens->last_name.len = 0;
}

static void scan_piece(struct str line, bool all, struct tokens *tokens)
{
    if (all || (!add_plain(line, tokens) && prefilter_in_line(line)))
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
    else if (!add_plain(line, tokens))
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
    token->kind = TOKEN_WHOLE;
    token->number = tokens->lines;
    token->line = (struct str){at, (size_t)(next - at)};
    tokens->last_name = token->whole.name;
    tokens->lines += token->whole.compile_us == INT64_MIN ? WHOLE_LINES : WHOLE_LINES + 1;
    return next;
}

static const char *scan_stack(const char *at, struct tokens *tokens)
{
    int32_t bytes[3];
    const char *next = record_fast_read_stack(at, bytes);
    if (!next)
        return NULL;
    struct token *token = add(tokens);
    token->kind = TOKEN_STACK;
    token->number = tokens->lines++;
    token->line = (struct str){at, (size_t)(next - at - 1)};
    token->line.len -= token->line.ptr[token->line.len - 1] == '\r';
    for (int number = 0; number < 3; number++)
        token->stack[number] = bytes[number];
    return next;
}

/* The commonest line of a module, which has no memory of its own. */
static const char *scan_module(const char *at, struct tokens *tokens)
{
    static const char module[] = "ptxas info    : 0 bytes gmem\n";
    enum { BYTES = sizeof module - 1 };
    if (memcmp(at, module, BYTES) != 0)
        return NULL;
    struct token *token = add(tokens);
    token->kind = TOKEN_MODULE;
    token->number = tokens->lines++;
    token->line = (struct str){at, BYTES - 1};
    token->gmem_bytes = 0;
    return at + BYTES;
}

static inline const char *scan_message(const char *at, const char *end, struct tokens *tokens)
{
    if (*at == ' ')
        return scan_stack(at, tokens);
    if (*at != 'p')
        return NULL;
    const char *next = scan_whole(at, end, tokens);
    return next ? next : scan_module(at, tokens);
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
        const char *next = scan_message(at, end, tokens);
        if (!next && !is_tag(at)) {
            const char *found = prefilter_find(at, end, &tokens->lines), *start = at;
            if (!found)
                return;
            at = memrchr(start, '\n', (size_t)(found - start));
            at = at ? at + 1 : start;
            if (at > start && (is_tag(at) || *at == ' '))
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
