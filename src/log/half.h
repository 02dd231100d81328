/* half: a part of a message of ptxas whose other part stands elsewhere, because another compiler wrote in between. */
#ifndef LOG_HALF_H
#define LOG_HALF_H

#include "base/str.h"

/* A line without a tag that ends as a message with a name does, or holds a stack line whose beginning is gone. */
bool half_is(struct str line);

/* The beginning of a stack line ("0 bytes stack frame, ") that goes on with other words, or ends. */
bool half_stack_line(struct str line);

#endif
