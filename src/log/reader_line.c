/*
 * Reads one line: a mark, a message after a tag, or another line. The line may be whole, torn, or the end of the
 * previous line.
 */
#include "log/reader_private.h"

#include "base/diag.h"
#include "log/mark.h"
#include "log/prefilter.h"
#include "log/quoted_text.h"
#include "log/torn_line.h"

#include <string.h>

/* Removes " (target: sm_80)" from the end of a message of nvlink and returns the target. */
static struct str take_target(struct str *text)
{
    size_t at = str_rfind(*text, STR(" (target: "));
    if (at == STR_NONE || !str_ends(*text, STR(")")))
        return (struct str){"", 0};
    struct str target = str_sub(*text, at + 10, text->len - 1);
    *text = str_sub(*text, 0, at);
    return target;
}

static enum phrase_group group_of(enum tool tool)
{
    if (tool == TOOL_DRIVER)
        return GROUP_LINKER;
    return tool == TOOL_NVCC || tool == TOOL_FATBINARY ? GROUP_NVCC : GROUP_TOOL;
}

/* The text before the name of the tool. */
static struct str before_tool(struct str line, const struct tag *tag)
{
    struct str before = str_sub(line, 0, (size_t)(tag->text.ptr - line.ptr));
    size_t tool = str_rfind(before, STR("ptxas"));
    return str_sub(before, 0, tool == STR_NONE ? 0 : tool);
}

/* Matches the stack line of pending properties if it has a prefix that prefix.c does not have and that has the same
 * shape as the prefix of the properties. */
static bool match_behind_prefix(struct log_reader *r, struct str line, struct captures *captures)
{
    size_t at = str_find(line, STR(" bytes stack frame,"));
    if (!r->pending_shape || at == STR_NONE)
        return false;
    at -= str_span_end(str_sub(line, 0, at), is_digit);
    return prefix_shape(str_sub(line, 0, at)) == r->pending_shape &&
           phrasebook_match(GROUP_STACK, str_from(line, at), &r->blanks, captures) >= 0;
}

/* A message after a tag, and the row of the phrase table that it matches. */
struct message {
    struct tag tag;
    struct str target; /* the target that nvlink names */
    int row;           /* in the phrase table; -1: none */
    struct captures captures;
};

static bool message_find(struct log_reader *r, struct str line, struct message *message)
{
    struct tag *tag = &message->tag;
    if (!tag_find(line, tag))
        return false;
    message->target = tag->tool == TOOL_NVLINK ? take_target(&tag->text) : (struct str){"", 0};
    message->row = phrasebook_match(group_of(tag->tool), tag->text, &r->blanks, &message->captures);
    return true;
}

/* Notes the kind of a message that matches no row: a Compiling line, a Used line, properties, or the beginning of a
 * message. */
static void note_unreadable(struct log_reader *r, const struct tag *tag)
{
    if (str_starts(tag->text, STR("Used ")))
        reader_lost_used(r);
    if (str_starts(tag->text, STR("Compiling entry function")))
        r->attribution.lost_entry = r->attribution.message;
    if (str_starts(tag->text, STR("Function properties for ")))
        r->attribution.last_device_function = r->attribution.message;
    if (!r->finishing && tag->tool == TOOL_PTXAS && torn_line_entry(tag->text) == TORN_ENDS)
        reader_note_wrapped(r);
}

static void take_message(struct log_reader *r, const struct message *message, struct str line)
{
    const struct tag *tag = &message->tag;
    const struct phrase *phrase = message->row < 0 ? NULL : &phrase_table[message->row];
    if (r->of_compile && !r->linking && tag->tool == TOOL_NVLINK)
        return;
    if (reader_see_stream(r, line, tag->tool == TOOL_PTXAS))
        return;
    if (!phrase || phrase->kind != PHRASE_STACK) { /* properties and their stack line count as one message */
        r->attribution.message++;
        reader_drop_pending(r);
    }
    bool understood = phrase && reader_read_message(r, phrase, &message->captures, tag, message->target);
    if (r->pending_name != NO_INDEX && r->pending_line == r->number)
        r->pending_shape = prefix_shape(before_tool(line, tag));
    if (!phrase)
        note_unreadable(r, tag);
    bool half = r->finishing && phrasebook_could_begin(group_of(tag->tool), tag->text);
    if (!understood && !half && tag->tool != TOOL_DRIVER)
        reader_count_unknown(r, line);
}

static void take_torn(struct log_reader *r, struct str line)
{
    r->pending_name = NO_INDEX;
    reader_note_torn(r);
    reader_count_unknown(r, line);
}

/* Reads the end of a message that the previous line began, or of a torn message. */
static void take_end(struct log_reader *r, struct str line)
{
    if (!r->ends_line || !reader_is_next(r, r->ends_line)) {
        take_torn(r, line);
        return;
    }
    reader_note_wrapped(r);
    reader_count_unknown(r, line);
}

/* The variable part of a message about a record (its name, for example); the whole text of any other message. */
static struct str inner_text(const struct message *message, enum phrase_kind kind)
{
    if (message->tag.tool != TOOL_PTXAS)
        return (struct str){"", 0};
    if (message->row < 0)
        return torn_line_rest(message->tag.text);
    switch (kind) {
    case PHRASE_ENTRY:
    case PHRASE_PROPERTIES: return message->captures.name;
    case PHRASE_USED: return message->captures.metrics;
    case PHRASE_EVENT: return message->tag.text;
    default: return (struct str){"", 0};
    }
}

/* True if the message is not whole: a name with a piece of another line; a Compiling line that continues unlike the
 * earlier ones; or words of ptxas after "info    : ", which is the tag of the driver's linker and the end of ptxas's
 * tag. */
static bool is_broken_record(const struct log_reader *r, const struct message *message, enum phrase_kind kind)
{
    struct str text = message->tag.text;
    if (message->tag.tool == TOOL_DRIVER)
        return str_starts(text, STR("Used ")) || str_starts(text, STR("Compiling entry function '"));
    if (message->tag.tool != TOOL_PTXAS)
        return false;
    if (message->row < 0)
        return r->attribution.seen_entry && torn_line_entry(text) == TORN_BROKEN;
    return (kind == PHRASE_ENTRY || kind == PHRASE_PROPERTIES) && torn_line_name(message->captures.name);
}

/* True for a stack line inside a message, a message inside a stack line, or parts of two messages. text: the line
 * without its prefix. */
static bool is_torn(const struct log_reader *r, const struct message *message, struct str text)
{
    const struct tag *tag = &message->tag;
    enum phrase_kind kind = phrase_table[message->row < 0 ? 0 : message->row].kind;
    struct str before = str_sub(text, 0, (size_t)(tag->text.ptr - text.ptr));
    bool is_event = message->row >= 0 && kind == PHRASE_EVENT;
    bool behind_number = before.len > 0 && is_digit(before.ptr[0]);
    return tag->glued || torn_line_half_tag(before) || str_find(before, STR("bytes stack")) != STR_NONE ||
           str_find(before, STR(" registers, ")) != STR_NONE ||
           torn_line_holds_another(inner_text(message, kind), is_event) || is_broken_record(r, message, kind) ||
           (behind_number && r->pending_name != NO_INDEX);
}

/* True for a message of a CI system or a build tool that it removed lines at a length limit: before this line, after
 * it, or in its place. To add one, add a row here, a word of it in log/prefilter.c, and a group in tests/log.test. */
static bool says_truncated(struct str line)
{
    static const struct str notices[] = {
        STR_INIT("[output clipped, log limit "),                                     /* docker */
        STR_INIT("Job's log exceeded limit of "),                                    /* GitLab */
        STR_INIT("exceeded the maximum log length"),                                 /* Travis */
        STR_INIT("[...truncated "),                                                  /* Jenkins */
        STR_INIT(" exceeds maximum size of --experimental_ui_max_stdouterr_bytes="), /* Bazel, of one action */
    };
    return str_find_any(line, notices, sizeof notices / sizeof *notices) != STR_NONE;
}

/* A quick test: true if the end of a label (prefix_stream) may be before the words of the command. Most lines have no
 * such prefix. */
static bool may_hold_label(struct str line, const struct command *command)
{
    size_t end = command->text.len ? (size_t)(command->text.ptr - line.ptr) : line.len, at = 0;
    while (at < end && !memchr("|]>#", line.ptr[at], 4))
        at++;
    return at < end;
}

/* Reads the stack line of properties, or a part of one. False if it is another line. */
static bool read_stack_line(struct log_reader *r, struct str line, struct str text)
{
    struct captures captures;
    bool pending = r->pending_name != NO_INDEX, has_words = str_find(text, STR(" bytes stack frame,")) != STR_NONE;
    if (!pending && !has_words)
        return false;
    if (phrasebook_match(GROUP_STACK, text, &r->blanks, &captures) >= 0 ||
        (pending && match_behind_prefix(r, line, &captures))) {
        if (!reader_see_stream(r, line, true))
            reader_read_stack(r, captures.number);
        return true;
    }
    if (!pending && str_ends(text, STR(" bytes spill loads"))) {
        reader_stray_stack(r, NULL); /* after an unknown prefix */
        return true;
    }
    enum torn_line half = r->finishing ? TORN_NONE : torn_line_stack_line(text);
    if (half == TORN_BROKEN && r->seen_stack) {
        take_torn(r, line);
        return true;
    }
    if (half == TORN_ENDS)
        reader_note_wrapped(r);
    if (!pending || !has_words)
        return false;
    reader_drop_pending(r); /* the stack line cannot be read, so its values stay unknown */
    if (!r->finishing)
        reader_count_unknown(r, line);
    return true;
}

/* Reads a line without a tag. text: the line without the prefix of a CI system. */
static void read_untagged(struct log_reader *r, struct str line, struct str text)
{
    struct source_message source_message;
    struct command command;
    struct toolkit toolkit = {0};
    struct usage usage;
    if (read_stack_line(r, line, text))
        return;
    enum usage_line usage_line = r->of_compile ? USAGE_NONE : usage_text_read(&r->usage, text, &usage, &r->blanks);
    if (usage_line == USAGE_KERNEL)
        reader_read_usage(r, &usage);
    else if (usage_line == USAGE_CONTEXT)
        ;
    else if (str_find(line, STR("[-Rpass-analysis=kernel-resource-usage]")) != STR_NONE)
        reader_log(r)->amd_line = reader_log(r)->amd_line ? reader_log(r)->amd_line : r->number;
    else if (command_toolkit(line, &toolkit))
        reader_read_toolkit(r, toolkit);
    else if (place_find(text, &source_message)) /* tested first: it may quote a command */
        reader_read_source_message(r, &source_message, line);
    else if (reader_read_failure(r, text) || (!r->of_compile && reader_read_folder(r, text)))
        ;
    else if (!r->of_compile && command_find(text, &command)) {
        if (!may_hold_label(line, &command) || !reader_see_stream(r, line, false))
            reader_read_command(r, &command);
    } else if (!r->of_compile && command_is_of_host(text))
        r->command.debug = false;
    else if (torn_line_is(text))
        take_end(r, line);
    else if (says_truncated(line))
        reader_log(r)->clipped_line = reader_log(r)->clipped_line ? reader_log(r)->clipped_line : r->number;
    else
        reader_settle_pragma(r, line);
}

/* Reads a line that warplint printed before the output of ptxas. If it contains another message, it is torn. */
static bool read_own(struct log_reader *r, struct str line, struct str text)
{
    struct bounds bounds;
    struct tag tag;
    bool known = false;
    if (!bounds_read(text, &bounds, &known))
        return false;
    if (r->of_compile && !r->within_marks)
        return true; /* not a line of warplint, which prints them only between marks */
    if (tag_find(line, &tag))
        take_torn(r, line);
    else if (known)
        bounds_note(&r->bounds, r->model, &bounds);
    else
        reader_count_unknown(r, line);
    return true;
}

struct str reader_give_line(struct log_reader *r, struct str line)
{
    r->escaped = r->escaped || line_is_escaped(line);
    line = quoted_text_strip(suffix_cut(clean_line(line, r->escaped, &r->scratch)));
    if (r->on_line)
        r->on_line(r->on_line_context, line, r->log, r->number);
    return line;
}

/* Stores the first line with data that are not read (prefilter_foreign); the lines after it may belong to the same
 * data. */
static void note_foreign_part(struct log_reader *r, struct str line)
{
    struct log_info *log = reader_log(r);
    if (r->of_compile || log->foreign_line)
        return;
    log->foreign = prefilter_foreign(line);
    log->foreign_line = log->foreign ? r->number : 0;
}

/* Reads a mark with the key. The output of ptxas ends with the second mark, that of cicc before the first. */
static bool read_mark(struct log_reader *r, struct str line)
{
    struct str key;
    bool begins = false;
    if (!r->key.len || mark_find(line, &key, &begins) == STR_NONE || !str_eq(key, r->key))
        return false;
    reader_give_up_pending(r);
    reader_end_run(r);
    loops_end_pass(&r->loops);
    r->within_marks = begins;
    return true;
}

/* Reads a line outside of the marks: it may quote text that looks like a line of any tool. */
static void read_aside(struct log_reader *r, struct str line, struct str text)
{
    struct source_message source_message;
    struct message message;
    if (place_find(text, &source_message))
        reader_read_source_message(r, &source_message, line);
    else if (!message_find(r, line, &message))
        reader_settle_pragma(r, line);
    else if (message.tag.tool == TOOL_NVCC || message.tag.tool == TOOL_FATBINARY || message.tag.tool == TOOL_NVLINK)
        take_message(r, &message, line);
}

void reader_read_given_line(struct log_reader *r, struct str line)
{
    struct message message;
    struct str text = prefix_skip(line);
    if (read_mark(r, line))
        return;
    if (r->key.len && !r->within_marks) {
        read_aside(r, line, text);
        return;
    }
    if (read_own(r, line, text))
        return;
    if (!message_find(r, line, &message))
        read_untagged(r, line, text);
    else if (is_torn(r, &message, text))
        take_torn(r, line);
    else
        take_message(r, &message, line);
}

void reader_read_line(struct log_reader *r, struct str line)
{
    note_foreign_part(r, line);
    line = reader_give_line(r, line);
    if (r->labels)
        reader_keep_line(r, line);
    else
        reader_read_given_line(r, line);
}
