#define _POSIX_C_SOURCE 200809L
#include "nvcc/output_tee.h"

#include "base/stream.h"
#include "log/line.h"

#include <errno.h>
#include <stdlib.h>
#include <unistd.h>

/* Writes the block. Only a reader that has gone sets reader_gone; bytes that cannot be written for another reason are
 * dropped, as the compiler would drop them. */
static void flush(struct output_tee *output_tee)
{
    stream_note((struct str){output_tee->block, output_tee->block_bytes});
    if (!output_tee->reader_gone && !stream_write(STDERR_FILENO, output_tee->block, output_tee->block_bytes))
        output_tee->reader_gone = errno == EPIPE;
    output_tee->block_bytes = 0;
}

static void add_to_block(struct output_tee *output_tee, struct str bytes)
{
    while (bytes.len && !output_tee->reader_gone) {
        size_t room = TEE_BLOCK_BYTES - output_tee->block_bytes;
        size_t length = bytes.len < room ? bytes.len : room;
        memcpy(output_tee->block + output_tee->block_bytes, bytes.ptr, length);
        output_tee->block_bytes += length;
        bytes = str_from(bytes, length);
        if (output_tee->block_bytes == TEE_BLOCK_BYTES)
            flush(output_tee);
    }
}

/* Not mem_reserve: it ends the program when memory runs out, and then the compiler's exit status would be lost. */
static void store_text(struct output_tee *output_tee, struct str bytes)
{
    enum { FIRST_BYTES = 1 << 16 };
    size_t need = output_tee->text_bytes + bytes.len;
    output_tee->lost = output_tee->lost || need > output_tee->limit;
    if (!output_tee->lost && need > output_tee->text_cap) {
        size_t cap = output_tee->text_cap ? output_tee->text_cap : FIRST_BYTES;
        while (cap < need)
            cap *= 2;
        char *text = realloc(output_tee->text, cap);
        output_tee->lost = !text;
        output_tee->text = text ? text : output_tee->text;
        output_tee->text_cap = text ? cap : output_tee->text_cap;
    }
    if (output_tee->lost)
        return;
    memcpy(output_tee->text + output_tee->text_bytes, bytes.ptr, bytes.len);
    output_tee->text_bytes = need;
}

/*
 * The piece begins with a first line of cicc, ptxas or nvlink. These tools write a line at once, so such a piece does
 * not belong to the previous line, even if that line has no end yet. Only these lines are recognised: clang writes a
 * message in many pieces. One of these pieces may be a quoted line of ptxas or "remark: ", but then no line end or no
 * place follows.
 */
static bool begins_line(struct str piece)
{
    struct source_message placed;
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

bool output_tee_take(void *context, struct str bytes)
{
    struct output_tee *output_tee = context;
    if (begins_line(bytes) && output_filter_begin_line(&output_tee->output_filter))
        store_text(output_tee, STR("\n"));
    store_text(output_tee, bytes);
    while (bytes.len)
        add_to_block(output_tee, output_filter_take(&output_tee->output_filter, &bytes));
    flush(output_tee);
    return !output_tee->reader_gone;
}

void output_tee_finish(struct output_tee *output_tee)
{
    add_to_block(output_tee, output_filter_rest(&output_tee->output_filter));
    flush(output_tee);
}

void output_tee_free(struct output_tee *output_tee)
{
    free(output_tee->text);
    output_tee->text = NULL;
    output_tee->text_bytes = output_tee->text_cap = 0;
}
