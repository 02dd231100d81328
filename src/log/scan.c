#define _POSIX_C_SOURCE 200809L
#include "log/scan.h"

#include "base/buf.h"
#include "log/line.h"

#include <pthread.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>

/* ---- one block -------------------------------------------------------------------------------------------------- */

static struct token *add(struct tokens *tokens)
{
    tokens->items = mem_reserve(tokens->items, &tokens->cap, tokens->count + 1, sizeof *tokens->items);
    return &tokens->items[tokens->count++];
}

static bool used_token(struct str metrics, const struct holes *holes, struct token *token)
{
    enum { MOST_REGISTERS = 256 };
    struct kernel kernel = {.barriers = UNKNOWN, .cumulative_stack_bytes = UNKNOWN, .smem_bytes = UNKNOWN};
    size_t bank_count = 0;
    if (holes->number[0] < 0 || holes->number[0] > MOST_REGISTERS ||
        plain_metrics(metrics, &kernel, token->used.banks, TOKEN_BANKS, &bank_count) != metrics.len)
        return false;
    token->bank_count = (uint8_t)bank_count;
    token->used.registers = (int32_t)holes->number[0];
    token->used.barriers = kernel.barriers;
    token->used.cumulative_stack_bytes = kernel.cumulative_stack_bytes;
    token->used.smem_bytes = kernel.smem_bytes;
    return true;
}

static bool named_token(const struct holes *holes, enum phrase_kind kind, struct str *last, struct token *token)
{
    token->named.again = last->len && str_eq(*last, holes->name);
    *last = holes->name;
    token->named.name = holes->name;
    token->named.arch = kind == PHRASE_ENTRY ? holes->arch : (struct str){NULL, 0};
    token->named.hash = kind == PHRASE_ENTRY && !token->named.again ? str_hash(holes->name) : 0;
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
    struct holes holes;
    enum phrase_kind kind;
    if (line.len < plain.len)
        return false;
    if (line.ptr[0] == ' ') {
        if (!plain_stack_match(line, &holes))
            return false;
        token->kind = TOKEN_STACK;
        memcpy(token->stack, holes.number, sizeof token->stack);
        return true;
    }
    if (memcmp(line.ptr, plain.ptr, plain.len) != 0 || !plain_match(str_from(line, plain.len), &kind, &holes))
        return false;
    token->kind = kinds[kind];
    if (kind == PHRASE_ENTRY || kind == PHRASE_PROPERTIES)
        return named_token(&holes, kind, last, token);
    if (kind == PHRASE_USED)
        return used_token(holes.metrics, &holes, token);
    token->time_us = kind == PHRASE_TIME ? holes.time_us : holes.number[0];
    return kind == PHRASE_TIME || holes.metrics.len == 0;
}

static void scan_piece(struct str line, bool all, struct tokens *tokens)
{
    struct token *token = add(tokens);
    token->line = line;
    token->number = tokens->lines;
    if (!all && plain_token(line, &tokens->last_name, token))
        return;
    token->kind = TOKEN_RAW;
    if (!all && !line_may_matter(line))
        tokens->count--;
    else
        tokens->last_name.len = 0;
}

static void scan_pieces(struct str line, bool all, struct tokens *tokens)
{
    struct str rest = line, piece;
    while (rest.len && str_split(&rest, '\r', &piece))
        if (piece.len)
            scan_piece(piece, all, tokens);
}

void scan_block(struct str block, bool all, struct tokens *tokens)
{
    bool has_cr = block.len && memchr(block.ptr, '\r', block.len);
    tokens->count = tokens->lines = 0;
    tokens->last_name.len = 0;
    while (block.len) {
        const char *lf = memchr(block.ptr, '\n', block.len);
        struct str line = {block.ptr, lf ? (size_t)(lf - block.ptr) : block.len};
        if (has_cr)
            scan_pieces(line, all, tokens);
        else if (line.len)
            scan_piece(line, all, tokens);
        tokens->lines += lf != NULL;
        block = str_from(block, line.len + (lf != NULL));
    }
}

size_t scan_whole_lines(struct str bytes)
{
    enum { LONGEST_WITHOUT_LF = 1 << 16 };
    size_t lf = str_rfind(bytes, STR("\n"));
    if (lf != STR_NONE)
        return lf + 1;
    size_t cr = bytes.len > LONGEST_WITHOUT_LF ? str_rfind(bytes, STR("\r")) : STR_NONE;
    return cr == STR_NONE ? 0 : cr;
}

/* ---- beside the state machine ----------------------------------------------------------------------------------- */

enum { SLOTS = 4, BLOCK = 1 << 17, BLOCKS_WITHOUT_THREAD = 16 };

struct slot {
    struct buf block;
    struct tokens tokens;
};

struct scanner {
    struct slot slots[SLOTS];
    size_t given;       /* of the blocks made, how many were handed out */
    size_t made, taken; /* numbers of blocks; the slot of one is its number modulo SLOTS. Under the lock */
    struct buf carry;   /* the unfinished line behind the last block */
    scan_fill *fill;
    void *source;
    bool all, threaded, ended, stopping; /* the last two under the lock */
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

struct scanner *scanner_new(scan_fill *fill, void *source, struct str before, bool all)
{
    struct scanner *s = mem_alloc(sizeof *s);
    s->fill = fill;
    s->source = source;
    s->all = all;
    buf_add(&s->carry, before);
    return s;
}

/* Fills the slot with whole lines and scans them. False at the end of the source: then the slot holds the last of it.
 */
static bool make(struct scanner *s, struct slot *slot)
{
    struct buf *block = &slot->block;
    size_t whole = 0, got = 0;
    buf_clear(block);
    buf_add(block, buf_str(&s->carry));
    do {
        char *room = buf_room(block, BLOCK);
        got = s->fill(s->source, room, BLOCK);
        block->len += got;
        whole = scan_whole_lines(buf_str(block));
    } while (got && !whole);
    buf_clear(&s->carry);
    buf_add(&s->carry, str_from(buf_str(block), whole));
    scan_block(str_sub(buf_str(block), 0, whole), s->all, &slot->tokens);
    return got > 0;
}

static void *work(void *context)
{
    struct scanner *s = context;
    bool more = true;
    pthread_mutex_lock(&s->lock);
    while (more && !s->stopping) {
        if (s->made - s->taken == SLOTS) {
            pthread_cond_wait(&s->changed, &s->lock);
            continue;
        }
        pthread_mutex_unlock(&s->lock);
        more = make(s, &s->slots[s->made % SLOTS]);
        pthread_mutex_lock(&s->lock);
        s->made++;
        s->ended = !more;
        pthread_cond_signal(&s->changed);
    }
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

/* The thread takes no signals: they are the program's. When it cannot be started the work is done without it. */
static void start_thread(struct scanner *s)
{
    sigset_t all, before;
    line_may_matter(STR("")); /* its table is filled before two threads ask for it */
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    s->threaded = pthread_create(&s->thread, NULL, work, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

static const struct tokens *next_alone(struct scanner *s)
{
    if (s->ended)
        return NULL;
    struct slot *slot = &s->slots[s->made++ % SLOTS];
    s->taken = s->made;
    s->ended = !make(s, slot);
    return &slot->tokens;
}

/* The block that was handed out before is free from now on. */
static const struct tokens *next_of_thread(struct scanner *s)
{
    const struct tokens *tokens = NULL;
    pthread_mutex_lock(&s->lock);
    s->taken = s->given;
    pthread_cond_signal(&s->changed);
    while (s->made == s->taken && !s->ended)
        pthread_cond_wait(&s->changed, &s->lock);
    if (s->made != s->taken)
        tokens = &s->slots[s->given++ % SLOTS].tokens;
    pthread_mutex_unlock(&s->lock);
    return tokens;
}

const struct tokens *scanner_next(struct scanner *s)
{
    if (!s->threaded && s->made == BLOCKS_WITHOUT_THREAD && !s->ended) {
        s->given = s->made;
        start_thread(s);
    }
    return s->threaded ? next_of_thread(s) : next_alone(s);
}

struct str scanner_rest(const struct scanner *s)
{
    return buf_str(&s->carry);
}

void scanner_free(struct scanner *s)
{
    if (s->threaded) {
        pthread_mutex_lock(&s->lock);
        s->stopping = true;
        pthread_cond_signal(&s->changed);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
        pthread_mutex_destroy(&s->lock);
        pthread_cond_destroy(&s->changed);
    }
    for (size_t at = 0; at < SLOTS; at++) {
        buf_free(&s->slots[at].block);
        free(s->slots[at].tokens.items);
    }
    buf_free(&s->carry);
    free(s);
}
