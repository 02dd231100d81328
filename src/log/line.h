/*
 * line: what a line of a log is made of: control sequences, the prefix of a CI system, the tag of a tool, the message
 * or the place in a source.
 */
#ifndef LOG_LINE_H
#define LOG_LINE_H

#include "base/buf.h"

/* The line shows that a web page has escaped the log: "entry function &#39;". Quotes that are printed as they are say
 * that "&lt;" is part of a name. */
bool line_is_escaped(struct str line);

/* The line without what terminals and CI systems put into it: ANSI and OSC sequences, NUL bytes, a BOM; when a web page
 * has escaped it, with the characters for "&#39;", "&quot;", "&lt;" and their like. Itself when it has none, else a
 * copy in `scratch`. */
struct str clean_line(struct str line, bool escaped, struct buf *scratch);

/*
 * A message's tag: "ptxas info    : ", in any of its spellings (collapsed blanks, "ptxas : info :", a place before the
 * severity, Triton's "ptxas-blackwell"), and the form "ptxas         .     " of a continued message.
 */
enum tool { TOOL_PTXAS, TOOL_NVLINK, TOOL_NVCC, TOOL_FATBINARY, TOOL_DRIVER };
struct tag {
    enum tool tool;
    int severity;    /* enum severity */
    struct str file; /* "application ptx input" or a PTX file, when the tag has a place */
    uint64_t line;   /* its line; 0 none */
    struct str text; /* the message behind the tag */
    bool glued;      /* a second tag stands inside the text, or the tag is glued to a word: a torn line */
};
/* Finds the tag wherever it stands in the line; false when there is none. */
bool tag_find(struct str line, struct tag *tag);

/* The line without what CI systems, IDEs and package managers put before it: the rows of the table in prefix.c. */
struct str prefix_skip(struct str line);

/* The line without the project that MSBuild puts behind what it takes for an error or a warning: " [C:\\x\\p.vcxproj]".
 */
struct str suffix_cut(struct str line);

/* Of a line in which a CI system names the one of several writers that wrote it: the same number for all its lines,
 * else 0. With STREAM_GOES_ON the indented lines that follow are its own, too, and need not name it (MSBuild). */
#define STREAM_GOES_ON UINT32_C(2)
uint32_t prefix_stream(struct str line);

/* The shape of what stands before a message, where each number of a time (17:45:02.123, 0.02) counts as one digit and
 * blanks as one, and those at the end as none: what a CI system puts before two lines of one writer has one shape. 0:
 * nothing stands there. */
uint32_t prefix_shape(struct str before);

/* A source place and what is said about it: "k.cu(3): warning #20058-D: text", "remark: k.cu:4:2: text"; the line
 * without what stood before it (prefix_skip). */
struct source_message {
    struct str file;
    uint64_t line, column; /* 0 unknown */
    int severity;          /* enum severity */
    struct str text;
};
bool place_find(struct str line, struct source_message *source_message);

#endif
