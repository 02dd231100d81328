/* date: calendar days as numbers (0 is 1970-01-01), so that they can be compared and subtracted. */
#pragma once

#include "base/diag.h"

/* Parses a text that consists of one existing day, "2027-06-30". Returns false and leaves *day unchanged for anything
 * else. */
bool date_parse(struct str text, int64_t *day);

/* Today in UTC. Only this function reads a clock. If SOURCE_DATE_EPOCH is set (seconds, for reproducible builds), its
 * day is used instead; false with a diagnostic if it is not a number. */
bool date_today(int64_t *day, struct diags *diags);

/* Appends the day of SOURCE_DATE_EPOCH in UTC, "2026-01-31"; nothing if it is not set or is not a number of seconds. */
void date_of_build(struct buf *out);
