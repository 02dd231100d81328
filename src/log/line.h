/*
 * line: from bytes to clean lines. Bytes come in pieces of any size; a line ends at LF, and at each CR inside it too
 * (progress bars); CRLF ends one line. Only an unfinished line is held.
 *
 * clean_line takes out what terminals and CI systems put into lines: ANSI and OSC sequences, NUL bytes, a BOM; and in a
 * log that a web page has escaped it decodes the characters.
 */
#ifndef LOG_LINE_H
#define LOG_LINE_H

#include "base/buf.h"

typedef void line_handler(void *context, struct str line);

struct line_splitter {
    struct buf held; /* the unfinished line */
    uint64_t number; /* of the line being read, from 1 (counted at LF); 0 before the first byte */
};

/* Calls `handle` for each line that ends in `bytes`, without its end; `number` is right during the call. */
void line_feed(struct line_splitter *splitter, struct str bytes, line_handler *handle, void *context);

/* The end of input: hands out what is held. True when the last line had no end. */
bool line_finish(struct line_splitter *splitter, line_handler *handle, void *context);

/* The line shows that a web page has escaped the log: "entry function &#39;". Quotes that are printed as they are say
 * that "&lt;" is part of a name. */
bool line_is_escaped(struct str line);

/* The line without control sequences, and when it is escaped with characters for "&#39;", "&quot;", "&lt;" and their
 * like: itself when it has none, else a copy in `scratch`. */
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
