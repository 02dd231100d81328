/* date: days of the calendar as numbers, 0 is 1970-01-01, so that they compare and subtract. */
#ifndef BASE_DATE_H
#define BASE_DATE_H

#include "base/diag.h"

/* The whole of text as "2027-06-30", a day that exists. False, with *day unchanged, for everything else. */
bool date_parse(struct str text, int64_t *day);

/* The day it is, in UTC: the one place that asks a clock. SOURCE_DATE_EPOCH (seconds, as reproducible builds set it)
 * answers instead where it is set; false with a diagnostic where it is no number. */
bool date_today(int64_t *day, struct diags *diags);

/* Appends the day of SOURCE_DATE_EPOCH in UTC, "2026-01-31"; nothing where it is not set or is no number of seconds. */
void date_of_build(struct buf *out);

#endif
