/*
 * Reads mixed lines of several writers that a CI system or a build tool marks with labels (prefix_stream). From the
 * first line of the second writer on, lines are kept by label until the log ends; then the lines of each writer are
 * read in their order, one writer after the other. Lines without a label count as one more writer, unless the lines of
 * a labelled writer are incomplete without them: then their metrics are ambiguous.
 */
#include "log/reader_private.h"

#include <stdlib.h>

enum { MAX_WRITERS = 64, MOST_BYTES = 1 << 28, NO_STREAM = 1 };

struct kept_line {
    uint64_t number;
    size_t bytes;
    bool unfinished;
};

struct writer {
    uint32_t stream;
    struct buf text; /* of its lines, without line ends */
    struct kept_line *lines;
    size_t count, cap;
};

struct reader_labels {
    struct writer writers[1 + MAX_WRITERS]; /* the first one: unlabelled lines and further writers; read last */
    size_t count, bytes;
    uint32_t last;   /* stream */
    bool unlabelled; /* some record has lines without a label */
    bool mixed;      /* unlabelled is true, and the writer of an indented line is unknown */
};

static struct writer *writer_of(struct reader_labels *labels, uint32_t stream)
{
    size_t at = stream ? 1 : 0;
    while (at && at < labels->count && labels->writers[at].stream != stream)
        at++;
    if (at > MAX_WRITERS)
        return &labels->writers[0];
    if (at == labels->count)
        labels->writers[labels->count++].stream = stream;
    return &labels->writers[at];
}

void reader_keep_line(struct log_reader *r, struct str line)
{
    struct reader_labels *labels = r->labels;
    uint32_t stream = prefix_stream(line);
    bool goes_on = !stream && labels->last & STREAM_GOES_ON && line.len && line.ptr[0] == ' ';
    bool speaks = !goes_on && str_find(line, STR("ptxas")) != STR_NONE;
    labels->unlabelled |= !stream && speaks;
    labels->mixed |= goes_on && labels->unlabelled;
    stream = goes_on ? labels->last : stream;
    if (stream || speaks)
        labels->last = stream;
    struct writer *writer = writer_of(labels, stream);
    buf_add(&writer->text, line);
    *MEM_ADD(writer->lines, writer->count, writer->cap) = (struct kept_line){r->number, line.len, r->finishing};
    labels->bytes += line.len + sizeof(struct kept_line);
    if (labels->bytes > MOST_BYTES) {
        reader_read_labels(r);
        attribution_note_too_many(&r->attribution);
    }
}

bool reader_split_labels(struct log_reader *r, uint32_t stream)
{
    if (!r->stream || !stream || r->of_compile || r->were_labels || r->left_within)
        return false;
    r->were_labels = true;
    r->labels = mem_alloc(sizeof *r->labels);
    r->labels->count = 1;
    r->labels->last = r->stream;
    writer_of(r->labels, r->stream); /* read first, because its record may be open */
    return true;
}

/* Resets the state that is not valid for the next writer. */
static void end_writer(struct log_reader *r)
{
    r->ends_within |= r->pending_name != NO_INDEX;
    reader_give_up_pending(r);
    reader_end_commands(r, r->attribution.first_kernel);
    r->ends_within |= attribution_end_writer(&r->attribution) > r->own_output || r->link_open > 0;
    reader_end_run(r);
    loops_end_pass(&r->loops);
    r->seen_module = false;
    r->link_kernel = r->last_function = NO_INDEX;
    r->link_open = 0;
    r->ptxas_pending = 0;
    r->parallel = r->foreign_run = r->seen_headless = r->limits_runs = false;
    r->usual_runs = (struct command_runs){0};
    r->command = (struct command){0};
    r->command_source = NO_INDEX;
    r->folders = (struct make_folders){0};
}

static void read_writer(struct log_reader *r, const struct writer *writer, bool mixed)
{
    struct str text = buf_str(&writer->text);
    const bool ambiguous = mixed || (!writer->stream && r->ends_within);
    r->stream = ambiguous ? NO_STREAM : writer->stream;
    r->left_within = ambiguous; /* so that the next change of the writer makes all ambiguous */
    r->number = 0;
    EACH(const struct kept_line, line, writer->lines, writer->count) {
        r->before = r->number == line->number ? r->before : r->number;
        r->number = line->number;
        r->finishing = line->unfinished;
        reader_read_given_line(r, str_sub(text, 0, line->bytes));
        text = str_from(text, line->bytes);
    }
}

void reader_read_labels(struct log_reader *r)
{
    struct reader_labels *labels = r->labels;
    const uint64_t number = r->number;
    r->labels = NULL;
    for (size_t n = 1; n <= labels->count; n++) {
        struct writer *writer = &labels->writers[n % labels->count];
        read_writer(r, writer, labels->mixed);
        end_writer(r);
        buf_free(&writer->text);
        free(writer->lines);
    }
    r->number = number;
    free(labels);
}
