/* where_text: the listing of one record: its source lines with the spills at each line. */
#pragma once

#include "report/report.h"

/* Appends the known facts about spills and local arrays of the record, and the lines that access them, with the lines
 * around these if the source can be read; if the lines are unknown, the reason. */
void where_text(const struct report *report, uint32_t kernel, struct buf *out);
