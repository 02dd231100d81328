/*
 * log_tail: whether the build that a log was taken of ended with an error. In `make 2>&1 | warplint check -` nobody
 * else may see that make failed, and the kernels that were not compiled are missing without a trace.
 */
#ifndef CLI_LOG_TAIL_H
#define CLI_LOG_TAIL_H

#include "base/str.h"

#include <stdbool.h>

/* The last bytes of an input. */
struct log_tail {
    char bytes[2048];
    size_t len;
};

/* More of the input, in its order. */
void log_tail_add(struct log_tail *ending, struct str bytes);
/* A build tool says among the last lines that it gave up, and none behind it that all is built; *lines_from_end: where,
 * 1 is the last line. */
bool ending_is_error(const struct log_tail *ending, size_t *lines_from_end);

#endif
