/*
 * The state machine between lines and records: which record a stack line, a compile time or a link's metrics belong to,
 * and where one tool's run ends and the next begins. What a message means is in the phrase table (phrase.c); which
 * entry a Used line belongs to is decided by attribute.c. Here blocks become lines and whole records; reader_private.h
 * says what the other files do with them.
 */
#include "log/reader_private.h"

#include "log/prefilter.h"

#include <string.h>

struct log_reader *log_reader_new(struct model *model, struct str path)
{
    struct log_reader *r = mem_alloc(sizeof *r);
    r->model = model;
    r->log = model_add_log(model, (struct log_info){.path = intern_add(&model->strings, path)});
    attribution_init(&r->attribution, model);
    r->first_kernel = r->run_first_kernel = (uint32_t)model->kernel_count;
    r->first_event = r->run_first_event = (uint32_t)model->event_count;
    r->pending_name = r->last_function = r->last_timed = r->link_kernel = NO_INDEX;
    r->run_arch = r->command_source = r->command_arch = r->last_name = NO_INDEX;
    r->run = no_times;
    return r;
}

void log_reader_on_line(struct log_reader *r, void (*handle)(void *, struct str, uint64_t), void *context)
{
    r->on_line = handle;
    r->on_line_context = context;
}

void log_reader_of_compile(struct log_reader *r, struct str key)
{
    r->of_compile = true;
    r->key = key;
}

void log_reader_links(struct log_reader *r)
{
    r->linking = true;
}

static void read_token(struct log_reader *r, const struct token *token)
{
    if (!token->is_record && r->on_line && !prefilter_in_line(token->line))
        reader_give_line(r, token->line); /* read only for the listener */
    else if (!token->is_record)
        reader_read_line(r, token->line);
    else if (!r->key.len || r->within_marks)
        reader_read_whole(r, &token->whole);
}

static void read_tokens(struct log_reader *r, const struct tokens *tokens)
{
    for (size_t at = 0; at < tokens->count; at++) {
        r->number = r->lines + tokens->items[at].number + 1;
        read_token(r, &tokens->items[at]);
    }
    r->lines += tokens->lines;
}

/* Reads the whole lines that are held; the first `before` bytes held none. */
static void read_held(struct log_reader *r, size_t before)
{
    enum { LONGEST_LINE = 1 << 28 }; /* of a longer one only the end is kept: input without end fits in memory */
    buf_room(&r->held, SCAN_SLACK);
    size_t whole = scan_whole_lines(buf_str(&r->held), before);
    if (!whole && r->held.len > LONGEST_LINE) {
        buf_clear(&r->held);
        buf_add(&r->held, STR("[the front of a line without end] "));
    }
    if (!whole)
        return;
    scan_block(str_sub(buf_str(&r->held), 0, whole), r->on_line != NULL, &r->tokens);
    read_tokens(r, &r->tokens);
    memmove(r->held.ptr, r->held.ptr + whole, r->held.len - whole);
    r->held.len -= whole;
}

enum { PIECE = 1 << 17 };

void log_reader_feed(struct log_reader *r, struct str bytes)
{
    for (size_t at = 0; at < bytes.len; at += PIECE) {
        size_t before = r->held.len;
        buf_add(&r->held, str_sub(bytes, at, at + PIECE));
        read_held(r, before);
    }
}

void log_reader_pump(struct log_reader *r, size_t (*fill)(void *source, char *into, size_t room), void *source)
{
    for (size_t got = 1; got > 0;) {
        size_t before = r->held.len;
        got = fill(source, buf_room(&r->held, PIECE + SCAN_SLACK), PIECE);
        r->held.len += got;
        read_held(r, before);
    }
}
