/* torn_line: parts of a message of ptxas that was split, because another compiler wrote into the same output at the
 * same time. */
#ifndef LOG_TORN_LINE_H
#define LOG_TORN_LINE_H

#include "base/str.h"

/* A line without a tag that is the end of a message: of one with a name, or of a stack line. */
bool torn_line_is(struct str line);

/* The name is not one: a mangled name contains no blank, so what follows the blank is a piece of another line. */
bool torn_line_name(struct str name);

/* The beginning of a message. */
enum torn_line {
    TORN_NONE,   /* not the beginning of a message, or a complete message */
    TORN_ENDS,   /* the line ends within the message: it was wrapped or truncated */
    TORN_BROKEN, /* the words of another message follow */
};

/* Of a stack line, from "0 bytes stack frame, " on. */
enum torn_line torn_line_stack_line(struct str line);

/* Of "Compiling entry function 'name' for 'sm_80'", from the first word on; the text is not such a message. */
enum torn_line torn_line_entry(struct str text);

/* The message contains words of another message. `text` is the message without its own words; the text of an event may
 * contain some of these words. */
bool torn_line_holds_another(struct str text, bool is_event);

/* Of a message that matches no phrase: its text without the words that a record begins with. */
struct str torn_line_rest(struct str text);

/* "ptxas inptxas info    : ": the beginning of one tag, and another. */
bool torn_line_half_tag(struct str before);

#endif
