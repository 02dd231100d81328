/*
 * line: the parts of a log line: control sequences, the prefix of a CI system, the tag of a tool, the message or the
 * source place.
 */
#pragma once

#include "base/buf.h"

/* True if the line shows that a web page escaped the log: "entry function &#39;". In a log without escaped quotes,
 * "&lt;" is part of a name. */
bool line_is_escaped(struct str line);

/* The line without ANSI and OSC sequences, NUL bytes and a byte order mark. escaped: "&#39;", "&quot;", "&lt;" and
 * similar entities are also replaced by their characters. Returns the line itself if it has none of these, else a copy
 * in `scratch`. */
struct str clean_line(struct str line, bool escaped, struct buf *scratch);

/*
 * A message's tag: "ptxas info    : ", in any of its spellings (collapsed blanks, "ptxas : info :", a place before the
 * severity, Triton's "ptxas-blackwell"), and the form "ptxas         .     " of a continued message.
 */
enum tool { TOOL_PTXAS, TOOL_NVLINK, TOOL_NVCC, TOOL_FATBINARY, TOOL_DRIVER };
struct tag {
    enum tool tool;
    int severity;    /* enum severity */
    struct str file; /* "application ptx input" or a PTX file, if the tag has a place */
    uint64_t line;   /* its line; 0: none */
    struct str text; /* the message after the tag */
    bool glued;      /* the line is torn: a second tag is in the text, or the tag directly follows a word */
};
/* Finds a tag anywhere in the line; false if there is none. */
bool tag_find(struct str line, struct tag *tag);

/* The line without the prefixes of CI systems, IDEs and package managers: the rows of the table in prefix.c. */
struct str prefix_skip(struct str line);

/*
 * A line of GitLab's runner with its time: "2025-03-04T10:00:00.000000Z 01E text". The runner cuts a line that is
 * longer than GITLAB_BUFFER bytes: each part but the last is longer than that, with its time, and each part but the
 * first has a
 * "+" before its text. Source: common/buildlogger of gitlab-runner 17.
 */
enum { GITLAB_BUFFER = 8192 };
struct gitlab_line {
    struct str stream, text;
    bool goes_on; /* it goes on with the line before it of the same stream */
};
/* False for any other line. */
bool gitlab_line_find(struct str line, struct gitlab_line *found);

/* The line without the project that MSBuild appends to lines that look like errors or warnings: " [C:\\x\\p.vcxproj]".
 */
struct str suffix_cut(struct str line);

/* A number for the label with which a CI system marks lines of one of several writers; 0 if the line has no label. If
 * the number contains STREAM_GOES_ON, the following indented lines without a label are of the same writer (MSBuild). */
#define STREAM_GOES_ON UINT32_C(2)
uint32_t prefix_stream(struct str line);

/* The shape of the text before a message: each number of a time (17:45:02.123, 0.02) counts as one digit, a run of
 * blanks counts as one, and blanks at the end do not count. The prefixes of two lines of one writer have the same
 * shape. 0 if there is no text. */
uint32_t prefix_shape(struct str before);

/* A message with a source place: "k.cu(3): warning #20058-D: text", "remark: k.cu:4:2: text", in a line without prefix
 * (prefix_skip). */
struct source_message {
    struct str file;
    uint64_t line, column; /* 0: unknown */
    int severity;          /* enum severity */
    struct str text;
};
bool place_find(struct str line, struct source_message *source_message);
