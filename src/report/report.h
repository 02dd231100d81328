/*
 * report: what the writers get. Everything is decided before a writer runs: it shows, and computes nothing that another
 * format would show differently. To add a format: a row in FORMATS, and report/NAME.c with its writer, report_NAME.
 * `WARPLINT_UPDATE=1 tests/test_formats.sh PROGRAM SOURCE_DIR` writes its golden files; what reads them back is
 * tests/schemas/NAME.* or tests/parsers/NAME.py.
 */
#ifndef REPORT_REPORT_H
#define REPORT_REPORT_H

#include "base/file.h"
#include "baseline/compare.h"
#include "lint/group.h"

enum report_kind { REPORT_FINDINGS, REPORT_KERNELS, REPORT_DIFF }; /* check, report, diff */

/* What the reports are of, as the CI system says; empty: not known. Addresses are used only if they are https. */
struct build_run {
    struct str project, commit, branch, run; /* "org/name", a hash, a name, "build 12" */
    struct str project_url, commit_url, run_url;
    struct str files_url; /* in front of a path in the repository */
};

enum { REPORT_LEAST_BYTES = 4096 }; /* of max_bytes: so much has room for the verdict and what was not judged */

struct report {
    enum report_kind kind;
    struct linter *linter;
    const struct groups *groups;         /* REPORT_FINDINGS */
    const struct comparison *comparison; /* with the baseline; NULL: there is none */
    const struct model *model;
    struct labels *labels; /* of the model's names, shared by all formats of a run: label_of(report->labels, mangled) */
    const char *version;   /* of the program */
    bool all;              /* text: every finding, every row */
    bool brief;            /* text: one screen of the findings at or above fail_on or warning, no verdict */
    struct str record;     /* of a brief report: the file that `check` shows the others of; empty: there is none */
    bool summary;          /* text: statistics instead of the table of kernels */
    size_t max_bytes;      /* markdown: cut at a row, and said so; 0: nothing is cut */
    struct table_rows {
        const struct field
            *sort;      /* a number: the order of the table of kernels, largest first; NULL: the worst first */
        bool ascending; /* smallest first */
        size_t top;     /* rows; 0: a screen of them */
    } rows;             /* text */
    bool notes;         /* text: list the notes of a rule that has many of them, too */
    bool show_unknown;  /* text: the lines that were not understood */
    bool color;         /* text */
    size_t width;       /* text: columns of the terminal; 0: not a terminal, no line is folded */
    enum severity fail_on;
    bool incomplete;           /* not everything was judged that should have been: no finding is no pass */
    struct str why_incomplete; /* that and why, a sentence in one line, safe for a terminal */
    bool of_part;              /* something of what was built was not judged, of which --strict makes no pass */
    const char *partial;       /* why the input is of a part of the build, which is no error; NULL: it is not */
    size_t trials;             /* records that were left out: of compiles by which CMake or Meson tried the compiler */
    size_t unlinked;           /* kernels of relocatable code without its link */
    struct str folder; /* the working directory, absolute: paths below it are shown relative to it; empty: not known */
    struct str repository; /* the root of the repository that it is in, absolute; empty: not known */
    struct str title;      /* html: in front of the verdict; empty: none */
    struct build_run run;  /* html: below the title */
    struct str date;       /* html: of the build, "2026-01-31"; empty: not known */
    struct str category;   /* sarif: tells several runs for one commit apart; empty: none */
};

enum format_holds { KERNELS_TOO, FINDINGS_ONLY }; /* FINDINGS_ONLY: `report` does not write it */

/* Every format, sorted by name: what it holds, its writer for `diff` (NULL: the findings are shown), and one line for
 * `list formats`. */
#define FORMATS(ROW)                                                                                                   \
    ROW(azure, FINDINGS_ONLY, NULL, "logging commands of Azure Pipelines: issues, the worst first")                    \
    ROW(checkstyle, FINDINGS_ONLY, NULL, "XML of findings by file: Jenkins warnings-ng, reviewdog")                    \
    ROW(csv, KERNELS_TOO, diff_csv, "one row a kernel and architecture, or a finding")                                 \
    ROW(github, FINDINGS_ONLY, NULL, "workflow commands of GitHub Actions: annotations, the worst first")              \
    ROW(gitlab, FINDINGS_ONLY, NULL, "code quality report of GitLab")                                                  \
    ROW(html, KERNELS_TOO, NULL, "one page for browsers: tables, curves, a heat map")                                  \
    ROW(json, KERNELS_TOO, diff_json, "one document: run, kernels, findings, end")                                     \
    ROW(junit, FINDINGS_ONLY, NULL, "XML with a test case for each kernel and architecture")                           \
    ROW(markdown, KERNELS_TOO, diff_markdown, "for a pull request or a job summary (--max-bytes)")                     \
    ROW(ndjson, KERNELS_TOO, diff_ndjson, "the same as json, one object a line; warplint reads it back")               \
    ROW(rdjsonl, FINDINGS_ONLY, NULL, "diagnostics of reviewdog, one a line")                                          \
    ROW(sarif, FINDINGS_ONLY, NULL, "SARIF 2.1.0: GitHub code scanning and editors")                                   \
    ROW(teamcity, FINDINGS_ONLY, NULL, "service messages of TeamCity: code inspections")                               \
    ROW(text, KERNELS_TOO, diff_text, "for people: findings in the shape of gcc's, or a table")

struct format {
    const char *name;
    enum format_holds holds;
    const char *what;
    void (*write)(const struct report *report, struct out *out);
    void (*diff)(const struct report *report, struct out *out); /* NULL: it has no writer for `diff` */
};
extern const struct format format_table[];
extern const size_t format_count;
const struct format *format_find(struct str name); /* NULL: no such format */

#define DECLARE_WRITER(name, ...) void report_##name(const struct report *report, struct out *out);
FORMATS(DECLARE_WRITER)
#undef DECLARE_WRITER
void diff_csv(const struct report *report, struct out *out);
void diff_json(const struct report *report, struct out *out);
void diff_markdown(const struct report *report, struct out *out);
void diff_ndjson(const struct report *report, struct out *out);
void diff_text(const struct report *report, struct out *out);

/* ---- for the writers -------------------------------------------------------------------------------------------- */

/* Records in the order of a report: worst first (spilled bytes, then stack, registers, shared memory), then by name
 * and architecture. Indices into model.kernels, halves of linked pairs left out; released with free. */
uint32_t *report_order(const struct report *report, size_t *count);

/* The record is of a configuration of Triton: its name and members (log/triton_name.h). */
bool report_configuration(const struct model *model, uint32_t record, struct str *name, struct str *members);

/* The findings of each kernel as a list, in the order of the linter. */
struct kernel_findings {
    uint32_t *first_of; /* by kernel of the model; NO_INDEX: none */
    uint32_t *next_of;  /* by finding; NO_INDEX: the last of its kernel, or of none */
};
struct kernel_findings report_kernel_findings(const struct report *report, struct arena *arena);

/* Findings that count for the verdict; the suppressed ones are told apart. */
size_t report_shown_findings(const struct report *report);

/* ptxas says nothing in it of what kernels need, and should. */
bool log_is_silent(const struct log_info *log);

/* Why numbers of a log may be another kernel's, and what mends it; the later ones are the worse. */
enum doubt { DOUBT_MISSING, DOUBT_QUOTED, DOUBT_INTERLEAVED, DOUBT_TORN, DOUBT_WRAPPED };
enum doubt log_doubt(const struct log_info *log);
enum doubt logs_doubt(const struct model *model); /* the worst of all logs */
struct doubt_text {
    const char *reason, *cure;
};
extern const struct doubt_text doubt_texts[]; /* by enum doubt */

/* Totals of all inputs; kernels are in linter_counts. */
struct totals {
    uint64_t lines, unknown_lines, unread_members, unread_entries;
    size_t without_code, silent;
    bool interleaved, cut;
};
struct totals report_totals(const struct report *report);

#endif
