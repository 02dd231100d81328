/*
 * prefilter: selects the lines that the reader may understand. Each of them contains a word of the table, or a control
 * character, which may be inside a word. All other lines are skipped.
 */
#pragma once

#include "base/str.h"

/* False if the line contains nothing that the reader understands. May be true for such a line too. */
bool prefilter_in_line(struct str line);

/* Finds data that begin in this line and are not text of the log, because files were concatenated: compressed data,
 * records of warplint, text of another encoding. Returns what the data are and how they can be read, as the end of a
 * sentence; NULL if there are none. */
const char *prefilter_foreign(struct str line);
