#include "log/scanner.h"

#include "base/buf.h"
#include "base/thread.h"

#include <stdlib.h>

enum { BLOCK = 1 << 18, BLOCKS_WITHOUT_THREADS = 8 };

struct slot {
    struct buf block;
    size_t whole; /* of it is whole lines */
    struct tokens tokens;
    bool ready; /* scanned; under the lock */
};

struct scanner {
    struct slot *slots; /* the slot of a block is its number modulo slot_count */
    size_t slot_count;
    /* How many blocks were filled, begun to be scanned, handed out, and are not needed any more; under the lock. */
    size_t filled, begun, given, taken;
    struct buf carry; /* the unfinished line behind the last block */
    scan_fill *fill;
    void *source;
    bool all, filling, ended, stopping; /* the last three under the lock */
    unsigned threads;                   /* at most, with the caller */
    pthread_t *workers;
    size_t worker_count;
    pthread_mutex_t lock;
    pthread_cond_t changed;
};

struct scanner *scanner_new(scan_fill *fill, void *source, struct str before, bool all, unsigned threads)
{
    struct scanner *s = mem_alloc(sizeof *s);
    s->fill = fill;
    s->source = source;
    s->all = all;
    s->threads = threads_to_use(threads);
    s->slot_count = s->threads > 1 ? 2 * s->threads : 1;
    s->slots = mem_alloc(s->slot_count * sizeof *s->slots);
    pthread_mutex_init(&s->lock, NULL);
    pthread_cond_init(&s->changed, NULL);
    buf_add(&s->carry, before);
    return s;
}

enum { LONGEST_LINE = 1 << 28 }; /* of a longer one only what lies behind is kept: input without end fits in memory */

/* Fills the slot's block up to the end of a line. False at the end of the source: the slot holds the last of it. */
static bool fill_block(struct scanner *s, struct slot *slot)
{
    struct buf *block = &slot->block;
    size_t got = 0, known = 0;
    buf_clear(block);
    buf_add(block, buf_str(&s->carry));
    slot->whole = 0;
    do {
        char *room = buf_room(block, BLOCK + SCAN_SLACK);
        got = s->fill(s->source, room, BLOCK);
        block->len += got;
        if (block->len < BLOCK && got)
            continue;
        slot->whole = scan_whole_lines(buf_str(block), known);
        if (!slot->whole && block->len > LONGEST_LINE) {
            buf_clear(block);
            buf_add(block, STR("[the front of a line without end] "));
        }
        known = block->len;
    } while (got && !slot->whole);
    buf_clear(&s->carry);
    buf_add(&s->carry, str_from(buf_str(block), slot->whole));
    return got > 0;
}

static bool can_fill(const struct scanner *s)
{
    return !s->ended && !s->filling && s->filled - s->taken < s->slot_count;
}

static size_t waiting_blocks(const struct scanner *s)
{
    return s->filled - s->begun;
}

/* Fills the next block. The lock is held before and after, and free while there is work; so it is in scan_next. */
static void fill_next(struct scanner *s)
{
    struct slot *slot = &s->slots[s->filled % s->slot_count];
    s->filling = true;
    pthread_mutex_unlock(&s->lock);
    bool more = fill_block(s, slot);
    pthread_mutex_lock(&s->lock);
    s->filling = false;
    s->ended = !more;
    s->filled++;
    pthread_cond_broadcast(&s->changed);
}

/* Scans the first block that waits for it. */
static void scan_next(struct scanner *s)
{
    struct slot *slot = &s->slots[s->begun++ % s->slot_count];
    pthread_mutex_unlock(&s->lock);
    scan_block(str_sub(buf_str(&slot->block), 0, slot->whole), s->all, &slot->tokens);
    pthread_mutex_lock(&s->lock);
    slot->ready = true;
    pthread_cond_broadcast(&s->changed);
}

/* Does a piece of the work, where there is one: only one thread fills at a time, so `enough` blocks that wait to be
 * scanned are left to the others before this one fills another. */
static bool help(struct scanner *s, size_t enough)
{
    size_t waiting = waiting_blocks(s);
    bool fills = waiting < enough && can_fill(s);
    if (fills)
        fill_next(s);
    else if (waiting)
        scan_next(s);
    return fills || waiting;
}

static void *work(void *context)
{
    struct scanner *s = context;
    pthread_mutex_lock(&s->lock);
    while (!s->stopping && !(s->ended && !waiting_blocks(s)))
        if (!help(s, 2))
            pthread_cond_wait(&s->changed, &s->lock);
    pthread_mutex_unlock(&s->lock);
    return NULL;
}

static void start_threads(struct scanner *s)
{
    s->workers = mem_alloc(s->threads * sizeof *s->workers);
    while (s->worker_count + 1 < s->threads && thread_start(&s->workers[s->worker_count], work, s))
        s->worker_count++;
}

/* The next block in order; NULL at the end. The lock is held. */
static struct slot *next_slot(struct scanner *s)
{
    struct slot *slot = &s->slots[s->given % s->slot_count];
    while (!slot->ready) {
        if (s->given == s->filled && s->ended)
            return NULL;
        if (!help(s, 1))
            pthread_cond_wait(&s->changed, &s->lock);
    }
    return slot;
}

const struct tokens *scanner_next(struct scanner *s)
{
    if (!s->workers && s->threads > 1 && s->given == BLOCKS_WITHOUT_THREADS && !s->ended)
        start_threads(s);
    pthread_mutex_lock(&s->lock);
    if (s->taken < s->given)
        s->slots[s->taken++ % s->slot_count].ready = false; /* the block before is not needed any more */
    pthread_cond_broadcast(&s->changed);
    struct slot *slot = next_slot(s);
    s->given += slot != NULL;
    pthread_mutex_unlock(&s->lock);
    return slot ? &slot->tokens : NULL;
}

struct str scanner_rest(const struct scanner *s)
{
    return buf_str(&s->carry);
}

void scanner_free(struct scanner *s)
{
    pthread_mutex_lock(&s->lock);
    s->stopping = true;
    pthread_cond_broadcast(&s->changed);
    pthread_mutex_unlock(&s->lock);
    for (size_t at = 0; at < s->worker_count; at++)
        pthread_join(s->workers[at], NULL);
    for (size_t at = 0; at < s->slot_count; at++) {
        buf_free(&s->slots[at].block);
        free(s->slots[at].tokens.items);
    }
    buf_free(&s->carry);
    free(s->slots);
    free(s->workers);
    pthread_mutex_destroy(&s->lock);
    pthread_cond_destroy(&s->changed);
    free(s);
}
