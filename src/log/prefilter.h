/*
 * prefilter: which lines the reader may understand. Each of them contains a word of the table, or a control character,
 * which may stand inside a word. All other lines are passed over.
 */
#ifndef LOG_PREFILTER_H
#define LOG_PREFILTER_H

#include "base/str.h"

/* False when nothing that the reader understands can stand in the line. It may say true too often. */
bool prefilter_in_line(struct str line);

/* Data that begin in this line and are not text of the log, because files were concatenated: compressed data, records
 * of warplint, text of another encoding. Says what it is and how it can be read, as the end of a sentence; NULL: none.
 */
const char *prefilter_foreign(struct str line);

#endif
