#include "log/input.h"

#include "log/ndjson_reader.h"

#include <stdlib.h>

enum { LONGEST_HEAD = 1 << 20 }; /* a longer first line is not a line of NDJSON */

struct input {
    struct model *model;
    struct str path;
    struct diags *diags;
    struct buf head; /* bytes that came before the kind of input was known */
    struct log_reader *log;
    struct ndjson_reader *records;
    line_listener *on_line;
    void *on_line_context;
};

struct input *input_new(struct model *model, struct str path, struct diags *diags)
{
    struct input *input = mem_alloc(sizeof *input);
    input->model = model;
    input->path = path;
    input->diags = diags;
    if (str_ends(path, STR(".ndjson")))
        input->records = ndjson_reader_new(model, path, diags);
    return input;
}

void input_on_line(struct input *input, line_listener *listener, void *context)
{
    input->on_line = listener;
    input->on_line_context = context;
}

static void pass_to_reader(struct input *input, struct str bytes)
{
    if (input->records)
        ndjson_reader_feed(input->records, bytes);
    else
        log_reader_feed(input->log, bytes);
}

/* Sets the kind of the input, and passes the head to its reader. */
static void start_reader(struct input *input, bool records)
{
    if (records)
        input->records = ndjson_reader_new(input->model, input->path, input->diags);
    else
        input->log = log_reader_new(input->model, input->path);
    if (input->log && input->on_line)
        log_reader_on_line(input->log, input->on_line, input->on_line_context);
    pass_to_reader(input, buf_str(&input->head));
    buf_free(&input->head);
}

/* Decides the kind of input when the first line is complete, or cannot be a line of NDJSON. */
static void detect_kind(struct input *input, bool at_end)
{
    struct str head = buf_str(&input->head);
    size_t end = str_find_char(head, '\n');
    bool may_be = head.len == 0 || head.ptr[0] == '{';
    if (may_be && end == STR_NONE && !at_end && head.len <= LONGEST_HEAD)
        return;
    start_reader(input, may_be && head.len && record_is_run(str_sub(head, 0, end)));
}

void input_feed(struct input *input, struct str bytes)
{
    if (input->log || input->records) {
        pass_to_reader(input, bytes);
        return;
    }
    buf_add(&input->head, bytes);
    detect_kind(input, false);
}

/* Ends the log. False if a part of it was not read. */
static bool finish_log(struct input *input)
{
    struct model *model = input->model;
    size_t number = model->log_count - 1;
    log_reader_finish(input->log);
    struct log_info *log = &model->logs[number];
    struct place place = {.path = input->path, .line = log->foreign_line};
    log->unread = log->foreign != NULL;
    return !log->foreign || diag_error(input->diags, place, "here begin %s", log->foreign);
}

bool input_finish(struct input *input, bool *records)
{
    if (!input->log && !input->records)
        detect_kind(input, true);
    if (records)
        *records = input->records != NULL;
    bool ok = input->records ? ndjson_reader_finish(input->records) : finish_log(input);
    free(input);
    return ok;
}
