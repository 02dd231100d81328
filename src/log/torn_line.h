/* torn_line: a part of a message of ptxas whose other part stands elsewhere, because another compiler wrote in between.
 */
#ifndef LOG_TORN_LINE_H
#define LOG_TORN_LINE_H

#include "base/str.h"

/* A line without a tag that ends as a message with a name does, or holds a stack line whose beginning is gone. */
bool torn_line_is(struct str line);

/* A name that begins as mangled ones do has blanks only where it is none: behind them stands a piece of another line.
 */
bool torn_line_name(struct str name);

/* The beginning of a message. */
enum torn_line {
    TORN_NONE,   /* it is none, or a whole one */
    TORN_ENDS,   /* the line ends there: it was wrapped, or its end was cut off */
    TORN_BROKEN, /* it goes on with other words: another compiler's */
};

/* Of a stack line, from "0 bytes stack frame, " on. */
enum torn_line torn_line_stack_line(struct str line);

/* Of "Compiling entry function 'name' for 'sm_80'", from the first word on; the text is not such a message. */
enum torn_line torn_line_entry(struct str text);

/* Pieces of two messages in one: no name and no number of one message holds the words of another. `text` is what the
 * message holds besides its own words; an event's may hold some of them. */
bool torn_line_holds_another(struct str text, bool is_event);

/* What the text of a message that is not understood holds behind the words with which records begin. */
struct str torn_line_rest(struct str text);

/* "ptxas inptxas info    : ": the beginning of one tag, and another. */
bool torn_line_half_tag(struct str before);

#endif
