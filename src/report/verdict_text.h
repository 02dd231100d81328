/* verdict_text: what every report for people says of the whole, in the same words. */
#ifndef REPORT_VERDICT_TEXT_H
#define REPORT_VERDICT_TEXT_H

#include "report/report.h"

/* "1 kernel", "2 kernels" */
void counted(struct buf *out, uint64_t count, const char *noun);

/* "FAILED" "passed" "none" "not asked for"; empty where kernels are only shown. */
const char *verdict_word(const struct report *report);
/* "18 at or above warning", or why there is none. */
void verdict_reason(const struct report *report, struct buf *out);
/* "57 errors, 218 warnings, 1093 notes in 58 groups; 3 suppressed by exceptions" */
void verdict_counts(const struct report *report, struct buf *out);
/* "3264 kernels for sm_80 sm_90, 5442 records, 24 device functions; 27566 lines read" */
void verdict_judged(const struct report *report, struct buf *out);
/* A line for each thing that could not be judged, assumed or understood, "not judged: 12 records ...". */
void verdict_not_judged(const struct report *report, struct buf *out);

#endif
