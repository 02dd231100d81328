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

static bool named_token(const struct holes *holes, enum phrase_kind kind, struct token *token)
{
    token->named.name = holes->name;
    token->named.arch = kind == PHRASE_ENTRY ? holes->arch : (struct str){NULL, 0};
    token->named.hash = str_hash(holes->name);
    return true;
}

/* Fills the token when the line is plain; false leaves it to be raw. */
static bool plain_token(struct str line, struct token *token)
{
    static const struct str plain = STR_INIT("ptxas info    : ");
    static const uint8_t kinds[] = {[PHRASE_ENTRY] = TOKEN_ENTRY,   [PHRASE_PROPERTIES] = TOKEN_PROPERTIES,
                                    [PHRASE_USED] = TOKEN_USED,     [PHRASE_MODULE] = TOKEN_MODULE,
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
        return named_token(&holes, kind, token);
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
    if (!all && plain_token(line, token))
        return;
    token->kind = TOKEN_RAW;
    if (!all && !line_may_matter(line))
        tokens->count--;
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

/* ---- beside the state machine ----------------------------------------------------------------------------------- */

enum { SLOTS = 4, BLOCKS_WITHOUT_THREAD = 16 };
enum state { FREE, SUBMITTED, DONE };

struct slot {
    struct buf block;
    struct tokens tokens;
    enum state state;
};

struct scanner {
    struct slot slots[SLOTS];
    size_t next, oldest; /* numbers of blocks; their slots are modulo SLOTS */
    size_t to_scan;      /* the thread's next */
    bool all, threaded, stopping;
    pthread_t thread;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

struct scanner *scanner_new(bool all)
{
    struct scanner *s = mem_alloc(sizeof *s);
    s->all = all;
    return s;
}

static void *work(void *context)
{
    struct scanner *s = context;
    pthread_mutex_lock(&s->lock);
    for (;;) {
        struct slot *slot = &s->slots[s->to_scan % SLOTS];
        while (slot->state != SUBMITTED && !s->stopping)
            pthread_cond_wait(&s->changed, &s->lock);
        if (slot->state != SUBMITTED)
            break;
        pthread_mutex_unlock(&s->lock);
        scan_block(buf_str(&slot->block), s->all, &slot->tokens);
        pthread_mutex_lock(&s->lock);
        slot->state = DONE;
        s->to_scan++;
        pthread_cond_broadcast(&s->changed);
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
    s->to_scan = s->next;
    s->threaded = pthread_create(&s->thread, NULL, work, s) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

struct buf *scanner_block(struct scanner *s)
{
    return &s->slots[s->next % SLOTS].block;
}

void scanner_submit(struct scanner *s)
{
    struct slot *slot = &s->slots[s->next % SLOTS];
    if (s->next == BLOCKS_WITHOUT_THREAD)
        start_thread(s);
    if (!s->threaded) {
        scan_block(buf_str(&slot->block), s->all, &slot->tokens);
        slot->state = DONE;
        s->next++;
        return;
    }
    pthread_mutex_lock(&s->lock);
    slot->state = SUBMITTED;
    s->next++;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
}

const struct tokens *scanner_take(struct scanner *s, bool wait)
{
    enum { KEPT_AHEAD = 2 };
    struct slot *slot = &s->slots[s->oldest % SLOTS];
    if (s->oldest == s->next || (!wait && s->threaded && s->next - s->oldest < KEPT_AHEAD))
        return NULL;
    if (s->threaded) {
        pthread_mutex_lock(&s->lock);
        while (slot->state != DONE)
            pthread_cond_wait(&s->changed, &s->lock);
        pthread_mutex_unlock(&s->lock);
    }
    slot->state = FREE;
    buf_clear(&slot->block); /* the bytes stay where they are until the slot is used again */
    s->oldest++;
    return &slot->tokens;
}

void scanner_free(struct scanner *s)
{
    if (s->threaded) {
        pthread_mutex_lock(&s->lock);
        s->stopping = true;
        pthread_cond_broadcast(&s->changed);
        pthread_mutex_unlock(&s->lock);
        pthread_join(s->thread, NULL);
    }
    for (size_t at = 0; at < SLOTS; at++) {
        buf_free(&s->slots[at].block);
        free(s->slots[at].tokens.items);
    }
    free(s);
}
