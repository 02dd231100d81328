#define _POSIX_C_SOURCE 200809L
#include "nvcc/relay.h"

#include "base/stream.h"
#include "log/line.h"

#include <errno.h>
#include <poll.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes the block. Only a reader that has gone makes us deaf; what cannot be written for another reason is dropped, as
 * the compiler would drop it. */
static void flush(struct relay *relay)
{
    size_t done = 0;
    stream_note((struct str){relay->block, relay->block_bytes});
    while (done < relay->block_bytes && !relay->deaf) {
        ssize_t wrote = write(STDERR_FILENO, relay->block + done, relay->block_bytes - done);
        if (wrote >= 0) {
            done += (size_t)wrote;
        } else if (errno == EAGAIN) {
            struct pollfd ready = {.fd = STDERR_FILENO, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (errno != EINTR) {
            relay->deaf = errno == EPIPE;
            break;
        }
    }
    relay->block_bytes = 0;
}

static bool pass(void *context, struct str bytes)
{
    struct relay *relay = context;
    while (bytes.len && !relay->deaf) {
        size_t room = RELAY_BLOCK_BYTES - relay->block_bytes;
        size_t length = bytes.len < room ? bytes.len : room;
        memcpy(relay->block + relay->block_bytes, bytes.ptr, length);
        relay->block_bytes += length;
        bytes = str_from(bytes, length);
        if (relay->block_bytes == RELAY_BLOCK_BYTES)
            flush(relay);
    }
    return !relay->deaf;
}

/* Not mem_reserve: that ends the program when memory runs out, and the compiler's status with it. */
static void keep(struct relay *relay, struct str bytes)
{
    enum { FIRST_BYTES = 1 << 16 };
    size_t need = relay->text_bytes + bytes.len;
    relay->lost = relay->lost || need > relay->limit;
    if (!relay->lost && need > relay->text_cap) {
        size_t cap = relay->text_cap ? relay->text_cap : FIRST_BYTES;
        while (cap < need)
            cap *= 2;
        char *text = realloc(relay->text, cap);
        relay->lost = !text;
        relay->text = text ? text : relay->text;
        relay->text_cap = text ? cap : relay->text_cap;
    }
    if (relay->lost)
        return;
    memcpy(relay->text + relay->text_bytes, bytes.ptr, bytes.len);
    relay->text_bytes = need;
}

/*
 * The first lines of cicc, ptxas and nvlink, which each write a line at once: where a piece begins with one, it is no
 * part of the line before that has no end yet. Only these: clang writes a message in many pieces, of which one may be a
 * quoted line of ptxas or "remark: ", but then no end of line or no place follows.
 */
static bool begins_line(struct str piece)
{
    struct placed placed;
    struct tag tag;
    uint64_t bytes = 0;
    size_t end = str_find_char(piece, '\n');
    struct str line = str_sub(piece, 0, end);
    if (end == STR_NONE)
        return false;
    if (str_starts(line, STR("remark: ")))
        return place_find(line, &placed);
    return (str_starts(line, STR("ptxas ")) || str_starts(line, STR("nvlink "))) && tag_find(line, &tag) &&
           str_uint(&tag.text, &bytes) &&
           (str_eq(tag.text, STR(" bytes gmem")) || str_starts(tag.text, STR(" bytes gmem, ")));
}

bool relay_take(void *context, struct str bytes)
{
    struct relay *relay = context;
    if (begins_line(bytes) && sieve_begin_line(&relay->sieve))
        keep(relay, STR("\n"));
    keep(relay, bytes);
    sieve_feed(&relay->sieve, bytes, pass, relay);
    flush(relay);
    return !relay->deaf;
}

void relay_finish(struct relay *relay)
{
    sieve_finish(&relay->sieve, pass, relay);
    flush(relay);
}

void relay_free(struct relay *relay)
{
    free(relay->text);
    relay->text = NULL;
    relay->text_bytes = relay->text_cap = 0;
}
