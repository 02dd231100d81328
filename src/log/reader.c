/*
 * The state machine that makes records from lines: it decides to which record a stack line, a compile time or the
 * metrics of a link belong, and where the run of a tool ends. Messages are described in the phrase table (phrase.c);
 * attribute.c decides to which entry a Used line belongs. This file splits blocks into lines and reads whole records at
 * once (record_fast.c); reader_private.h lists the other files.
 */
#define _GNU_SOURCE /* memrchr */
#include "log/reader_private.h"

#include "log/prefilter.h"
#include "log/quoted_text.h"

#include <string.h>

struct log_reader *log_reader_new(struct model *model, struct str path)
{
    struct log_reader *r = mem_alloc(sizeof *r);
    r->model = model;
    r->log = model_add_log(model, (struct log_info){.path = intern_add(&model->strings, path)});
    attribution_init(&r->attribution, model);
    r->loops = (struct loops){.model = model, .log = r->log};
    r->first_kernel = r->run_first_kernel = (uint32_t)model->kernel_count;
    r->first_event = r->run_first_event = (uint32_t)model->event_count;
    r->pending_name = r->last_function = r->last_timed = r->link_kernel = NO_INDEX;
    r->run_arch = r->command_source = NO_INDEX;
    r->run_gmem_bytes = r->run_constant_bytes = INT64_MIN;
    return r;
}

void log_reader_on_line(struct log_reader *r, line_listener *listener, void *context)
{
    r->on_line = listener;
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

/* Reads a string literal that contains several lines. In the log of a known compile quoted text is not read. */
static void read_quoted(struct log_reader *r, struct str literal)
{
    SCOPED(buf) text = {0};
    struct str rest, line;
    bool unfinished = r->finishing;
    quoted_text_unescape(literal, &text);
    rest = buf_str(&text);
    while (rest.len && str_split(&rest, '\n', &line)) {
        r->finishing = unfinished && rest.len == 0;
        reader_read_line(r, line);
    }
}

/* True for "nvcc -O3 \": make prints a recipe with its line breaks. A folder of Windows may end with "\" too. */
static bool begins_command(const struct log_reader *r, struct str piece)
{
    return !r->of_compile && str_ends(piece, STR("\\")) && str_find(piece, STR("nvcc")) != STR_NONE &&
           str_find(piece, STR(":\\")) == STR_NONE;
}

static void read_pieces(struct log_reader *r, struct str line, bool unfinished);

/* Reads the line, which is complete now or does not go on. Nothing if there is none. */
static void read_open_line(struct log_reader *r, struct open_line *open, bool unfinished)
{
    SCOPED(buf) text = open->text;
    const uint64_t number = r->number;
    open->text = (struct buf){0};
    if (text.len == 0)
        return;
    r->number = open->number;
    read_pieces(r, buf_str(&text), unfinished);
    r->number = number;
}

static struct str without_backslashes(struct str piece)
{
    while (str_ends(piece, STR("\\")))
        piece.len--;
    return piece;
}

/* Adds a line to the unfinished command; false if the line does not continue it, or the command is too long. */
static bool continue_command(struct log_reader *r, struct str piece)
{
    enum { LONGEST_COMMAND = 1 << 20 };
    static const struct str others[] = {STR_INIT("ptxas info"), STR_INIT("ptxas warning"), STR_INIT("nvlink "),
                                        STR_INIT(" bytes stack frame")};
    struct buf *text = &r->continued.text;
    const bool goes_on = str_ends(piece, STR("\\"));
    if (text->len > LONGEST_COMMAND || prefix_stream(piece) != prefix_stream(buf_str(text)) ||
        str_find_any(piece, others, sizeof others / sizeof *others) != STR_NONE) {
        read_open_line(r, &r->continued, r->finishing);
        return false;
    }
    buf_char(text, ' ');
    buf_add(text, prefix_skip(without_backslashes(piece)));
    if (!goes_on)
        read_open_line(r, &r->continued, r->finishing);
    return true;
}

/* Lines that the prefilter skips are read only for a listener. */
static void read_pieces(struct log_reader *r, struct str line, bool unfinished)
{
    struct str piece;
    while (line.len && str_split(&line, '\r', &piece)) {
        r->finishing = unfinished && line.len == 0;
        if (r->continued.text.len && continue_command(r, piece))
            continue;
        if (!prefilter_in_line(piece)) {
            if (piece.len && r->on_line)
                reader_give_line(r, piece);
        } else if (!r->of_compile && quoted_text_is(piece)) {
            read_quoted(r, piece);
        } else if (begins_command(r, piece)) {
            buf_add(&r->continued.text, without_backslashes(piece));
            r->continued.number = r->number;
        } else {
            reader_read_line(r, piece);
        }
    }
}

/* Keeps the beginning of a line that GitLab's runner may have cut, and adds its other parts. False if the line is none
 * of these. Lines of another stream may come between the parts. */
static bool keep_cut(struct log_reader *r, struct str line)
{
    enum { LONGEST = 1 << 24 };
    struct buf *cut = &r->cut.text;
    const bool is_long = line.len > GITLAB_BUFFER;
    struct gitlab_line part, first;
    if ((!is_long && cut->len == 0) || r->of_compile || !gitlab_line_find(line, &part))
        return false;
    const bool of_cut = gitlab_line_find(buf_str(cut), &first) && str_eq(first.stream, part.stream);
    if (of_cut && part.goes_on && cut->len < LONGEST) {
        cut->len -= cut->ptr[cut->len - 1] == '\r';
        buf_add(cut, part.text);
        if (!is_long)
            read_open_line(r, &r->cut, false);
        return true;
    }
    if (of_cut || is_long)
        read_open_line(r, &r->cut, false);
    if (is_long) {
        buf_add(cut, line);
        r->cut.number = r->number;
    }
    return is_long;
}

/* Reads whole lines, and records in consecutive lines at once. */
static void read_lines(struct log_reader *r, struct str rest)
{
    struct record record;
    while (rest.len) {
        r->number = r->lines + 1;
        const bool may_begin =
            !r->on_line && rest.ptr[0] == 'p' && !r->stream /* "ptxas", without a label */ && !r->continued.text.len;
        if (may_begin && record_fast_take(&rest, &record)) {
            if (!r->key.len || r->within_marks)
                reader_read_record(r, &record);
            r->lines += record.lines;
        } else {
            struct str line;
            const size_t before = rest.len;
            str_split(&rest, '\n', &line);
            if (!keep_cut(r, line))
                read_pieces(r, line, false);
            r->lines += line.len < before;
        }
    }
}

/* The length of the whole lines in the bytes; 0 if no line has ended yet. A long input without LF is split at its CRs.
 * The first `known` bytes are known to contain no line end. */
static size_t whole_lines(struct str bytes, size_t known)
{
    enum { LONGEST_WITHOUT_LF = 1 << 16 };
    const char *lf = bytes.len > known ? memrchr(bytes.ptr + known, '\n', bytes.len - known) : NULL;
    if (lf)
        return (size_t)(lf - bytes.ptr) + 1;
    if (bytes.len <= LONGEST_WITHOUT_LF)
        return 0;
    known = known <= LONGEST_WITHOUT_LF ? 0 : known; /* so few bytes were not searched for a CR */
    const char *cr = memrchr(bytes.ptr + known, '\r', bytes.len - known);
    return cr ? (size_t)(cr - bytes.ptr) : 0;
}

/* Adds the bytes up to the end of the line to the unfinished line, and reads that line if it ends there. Returns the
 * bytes after it. */
static struct str read_held(struct log_reader *r, struct str bytes)
{
    enum { LONGEST_LINE = 1 << 28 }; /* of a longer line only the end is kept, so that endless input fits in memory */
    const size_t before = r->held.len, lf = str_find_char(bytes, '\n'), end = lf == STR_NONE ? bytes.len : lf + 1;
    buf_add(&r->held, str_sub(bytes, 0, end));
    const size_t whole = whole_lines(buf_str(&r->held), before);
    if (!whole && r->held.len > LONGEST_LINE) {
        buf_clear(&r->held);
        buf_add(&r->held, STR("[the front of a line without end] "));
    }
    if (whole) {
        read_lines(r, str_sub(buf_str(&r->held), 0, whole));
        r->held.len -= whole;
        memmove(r->held.ptr, r->held.ptr + whole, r->held.len);
    }
    return str_from(bytes, end);
}

void log_reader_feed(struct log_reader *r, struct str bytes)
{
    if (r->held.len)
        bytes = read_held(r, bytes);
    const size_t whole = whole_lines(bytes, 0);
    read_lines(r, str_sub(bytes, 0, whole));
    buf_add(&r->held, str_from(bytes, whole));
}

void reader_read_rest(struct log_reader *r)
{
    const struct str line = buf_str(&r->held);
    r->number = r->lines + 1;
    if (!keep_cut(r, line))
        read_pieces(r, line, true);
    read_open_line(r, &r->cut, line.len > 0);
    read_open_line(r, &r->continued, false);
    if (r->labels)
        reader_read_labels(r);
}
