/* torn_line: recognises parts of a message of ptxas that was split because another compiler wrote to the same output at
 * the same time. */
#pragma once

#include "base/str.h"

/* True for a line without a tag that is the end of a message: of a message with a name, or of a stack line. */
bool torn_line_is(struct str line);

/* True if the name contains a piece of another line: a mangled name contains no blank, so the text after a blank is not
 * part of it. */
bool torn_line_name(struct str name);

/* Whether a text is the incomplete beginning of a message. */
enum torn_line {
    TORN_NONE,   /* not the beginning of a message, or a complete message */
    TORN_ENDS,   /* the line ends within the message: it was wrapped or truncated */
    TORN_BROKEN, /* the words of another message follow */
};

/* Tests a stack line without its indentation: it begins with "0 bytes stack frame, ". */
enum torn_line torn_line_stack_line(struct str line);

/* Tests the beginning of "Compiling entry function 'name' for 'sm_80'". The text begins with the first word and is not
 * a complete message. */
enum torn_line torn_line_entry(struct str text);

/* True if the message contains words of another message. `text` is the message without its own words; the text of an
 * event may contain some of these words. */
bool torn_line_holds_another(struct str text, bool is_event);

/* The text of a message that matches no phrase, without the words with which messages of a record begin. */
struct str torn_line_rest(struct str text);

/* True for "ptxas inptxas info    : ": the beginning of one tag, followed by another tag. */
bool torn_line_half_tag(struct str before);
