/*
 * prefilter: where in a block something stands that the reader may understand. Every line that it understands holds one
 * of twenty words, or a control character that may stand inside one; whatever has neither is passed over without being
 * cut into lines.
 */
#ifndef LOG_PREFILTER_H
#define LOG_PREFILTER_H

#include "base/str.h"

/*
 * The first byte in [at, end) that belongs to such a word or is such a character; NULL: there is none. Adds the line
 * ends before it (all of them when there is none) to *lines. `at` is the start of a line.
 */
const char *prefilter_find(const char *at, const char *end, uint64_t *lines);

/* False when nothing that the reader understands can stand in the line. It may say true too often. */
bool prefilter_in_line(struct str line);

#endif
