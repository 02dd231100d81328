/* where_text: the listing of one record: the lines of its sources with what is spilled at each. */
#ifndef REPORT_WHERE_TEXT_H
#define REPORT_WHERE_TEXT_H

#include "report/report.h"

/* Appends what is known of the record's spills and local arrays, and the lines where they are accessed, with those
 * around them where the source can be read; else why they are not known. */
void where_text(const struct report *report, uint32_t kernel, struct buf *out);

#endif
