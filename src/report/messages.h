/* messages: a finding as one line of text, the same in every format for people and for code hosts. */
#pragma once

#include "report/label.h"
#include "report/report.h"

enum { SHOWN_ARCHS = 12 }; /* longer lists of architectures are cut */

/* Appends "label (sm_80): message", safe for a terminal. */
void finding_text(const struct report *report, const struct finding *finding, struct buf *out);

/* Appends " (worst of 11 findings, 4 kernels: sm_80 sm_90)" if the group has more than one finding. `groups` must have
 * the members of the group. */
void members_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out);

/* Appends the findings that fail and belong to no kernel (no row of `diff` shows them): one line per group, at most
 * `most` lines, each with its location: "k.cu:12:3: warning: k: not unrolled: ... [unroll-failed]". */
void message_findings_text(const struct report *report, size_t most, struct buf *out);

/* How the shown member was chosen: "worst", or "one" if neither severity nor the rule's `worst` orders the members. */
const char *group_rank(const struct report *report, const struct groups *groups, const struct group *group);

/* Appends finding_text of the group's worst member, then members_text. */
void group_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out);

/* The verdict and its parts. */
enum verdict { VERDICT_FAILED, VERDICT_PASSED, VERDICT_NONE, VERDICT_NOT_ASKED, VERDICTS };
enum verdict verdict_of(const struct report *report);
extern const char *const verdict_words[VERDICTS];  /* "FAILED" "passed" "none" "not asked for" */
extern const char *const verdict_titles[VERDICTS]; /* the same as a title: "no verdict" ... */
/* Appends "8 errors and 6 warnings", the findings that fail by --fail-on; "no errors or warnings" if there are none,
 * for a part of a build followed by " in what was judged". */
void failing_text(const struct report *report, struct buf *out);

/* Appends ", 8 errors and 6 warnings", or the reason why there is no verdict. */
void verdict_reason(const struct report *report, struct buf *out);
/* Appends "57 errors, 218 warnings, 1093 notes in 58 groups; 3 suppressed by exceptions". */
void verdict_counts(const struct report *report, struct buf *out);
/* True if the inputs are records of compiles, as `wrap` writes them, and maybe binaries, which have no lines. */
bool inputs_are_records(const struct model *model);

/* Appends "3264 kernels for sm_80 sm_90, 5442 kernel x arch, 24 device functions": the kernels that were judged. */
void judged_kernels(const struct report *report, struct buf *out);
/* Appends judged_kernels, followed by "; 27566 lines read" unless the inputs are records of `wrap`. */
void verdict_judged(const struct report *report, struct buf *out);

/* Appends the line "judged: 4 kernels for sm_80 sm_90, ...". */
void judged_text(const struct report *report, struct buf *out);
/* Appends the last lines of a report on findings: the number of findings, what was judged and what not, the verdict. */
void verdict_text(const struct report *report, struct buf *out);

/* Appends one line with the reason if a part was not judged or not compared. */
void incomplete_text(const struct report *report, struct buf *out);

/* Appends a line for each toolkit that was compared with another toolkit of the baseline; reports begin with these
 * lines. */
void drift_text(const struct report *report, struct buf *out);

/* Appends "3 worse (2 fail), 1 new, 2 better, 40 the same": the kernels of the comparison by state, and how many of
 * them have a finding that fails the verdict. */
void comparison_text(const struct report *report, struct buf *out);
/* Appends how to accept a kernel with failing findings; nothing without failing findings or a comparison. */
void accept_text(const struct report *report, struct buf *out);
/* Appends the line "no record of source src/a.cu: 20 kernel x arch gone, the others are seen under other sources";
 * nothing if there is no such source. */
void moved_sources_text(const struct report *report, struct buf *out);

/* Appends "spills or stack frames", the names of bits of enum stated. */
void unstated_text(unsigned unstated, struct buf *out);
/* Appends a sentence about the rules with this result of linter_unjudged; there must be at least one. It names the
 * rules, the values that the log does not state, and a remedy. Returns the first kernel that they could not judge. */
uint32_t unjudged_text(const struct linter *linter, enum unjudged unjudged, struct buf *out);

/* Appends the last lines of reports for people: the reason for incompleteness, drift_text and not_judged_text. */
void tail_text(const struct report *report, struct buf *out);
/* Appends a line with the reason of each exception that covers findings, in the order of these findings. */
void allowed_text(const struct report *report, struct buf *out);
/* Appends a line if block sizes are unknown (in a comparison: of HEAD), with the meaning of occupancy then; and one if
 * --threads is above the launch bounds of some kernels. */
void best_case_text(const struct report *report, struct buf *out);
/* Appends a line for each reason why kernels or logs were not judged, or were judged on an assumption. */
void not_judged_text(const struct report *report, struct buf *out);
