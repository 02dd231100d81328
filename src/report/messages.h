/* messages: a finding in one line, as every format for people and for code hosts says it. */
#ifndef REPORT_MESSAGES_H
#define REPORT_MESSAGES_H

#include "report/label.h"
#include "report/report.h"

enum { SHOWN_ARCHS = 12 }; /* lists of architectures are cut behind so many */

/* Appends "label (sm_80): message", safe for a terminal. */
void finding_text(const struct report *report, const struct finding *finding, struct buf *out);

/* Appends " (worst of 11 findings, 4 kernels: sm_80 sm_90)" where the group, which must have its members, has more than
 * one. */
void members_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out);

/* Appends what fails and is of no kernel, so that no row of `diff` shows it: a line each, at most `most`, with its
 * place in front: "k.cu:12:3: warning: k: not unrolled: ... [unroll-failed]". */
void message_findings_text(const struct report *report, size_t most, struct buf *out);

/* How the member that is shown was chosen: "worst"; "one" where neither severity nor the rule's `worst` orders them. */
const char *group_rank(const struct report *report, const struct groups *groups, const struct group *group);

/* Both, for the group's worst member. */
void group_text(const struct report *report, const struct groups *groups, const struct group *group, struct buf *out);

/* The parts of the verdict. */
enum verdict { VERDICT_FAILED, VERDICT_PASSED, VERDICT_NONE, VERDICT_NOT_ASKED, VERDICTS };
enum verdict verdict_of(const struct report *report);
extern const char *const verdict_words[VERDICTS]; /* "FAILED" "passed" "none" "not asked for" */
/* Appends "8 errors and 6 warnings", what counts by --fail-on; "no errors or warnings", and of a part of a build
 * " in what was judged". */
void failing_text(const struct report *report, struct buf *out);

/* Appends ", 8 errors and 6 warnings", or why there is no verdict. */
void verdict_reason(const struct report *report, struct buf *out);
/* Appends "57 errors, 218 warnings, 1093 notes in 58 groups; 3 suppressed by exceptions". */
void verdict_counts(const struct report *report, struct buf *out);
/* The inputs are records of compiles, as `wrap` writes them; binaries, which have no lines, may be given beside them.
 */
bool inputs_are_records(const struct model *model);

/* Appends "3264 kernels for sm_80 sm_90, 5442 kernel x arch, 24 device functions": what was judged. */
void judged_kernels(const struct report *report, struct buf *out);
/* Appends the same with "; 27566 lines read", but of records of `wrap`. */
void verdict_judged(const struct report *report, struct buf *out);

/* Appends the line "judged: 4 kernels for sm_80 sm_90, ...". */
void judged_text(const struct report *report, struct buf *out);
/* Appends the last lines of a report on findings: how many, what was judged and what not, and whether it passed. */
void verdict_text(const struct report *report, struct buf *out);

/* Appends a line that says that not everything was judged or compared, and why; nothing where it was. */
void incomplete_text(const struct report *report, struct buf *out);

/* Appends a line for each toolkit that was compared with another one in the baseline: reports begin with it. */
void drift_text(const struct report *report, struct buf *out);

/* Appends "3 worse (2 fail), 1 new, 2 better, 40 the same": the kernels of the comparison, and of how many a finding
 * fails the verdict. */
void comparison_text(const struct report *report, struct buf *out);
/* Appends how a kernel whose findings fail is accepted; nothing where nothing fails or nothing was compared. */
void accept_text(const struct report *report, struct buf *out);
/* Appends a line "no record of source src/a.cu: 20 kernel x arch gone, the others are seen under other sources";
 * nothing where there is no such source. */
void moved_sources_text(const struct report *report, struct buf *out);

/* Appends "spills or stack frames": bits of enum stated. */
void unstated_text(unsigned unstated, struct buf *out);
/* Appends a sentence about the rules of which linter_unjudged is the same, which some are: which, what the log does not
 * state, and what to do. The first kernel that is concerned. */
uint32_t unjudged_text(const struct linter *linter, enum unjudged unjudged, struct buf *out);

/* Appends what reports for people end with, one line each: what is incomplete, which compilers differ, and
 * not_judged_text. */
void tail_text(const struct report *report, struct buf *out);
/* Appends a line for each exception that covers something, in the order of what they cover, with its reason. */
void allowed_text(const struct report *report, struct buf *out);
/* Appends a line where block sizes are unknown, of HEAD in a comparison: what occupancy is then; and one where
 * --threads is more than some kernels allow. */
void best_case_text(const struct report *report, struct buf *out);
/* Appends a line for each reason why something was not judged, or was judged on an assumption. */
void not_judged_text(const struct report *report, struct buf *out);

#endif
