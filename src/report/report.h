/*
 * report: the input of all report writers. Everything is decided before a writer runs. A writer only prints: it
 * computes nothing that another format could show differently. To add a format: a row in FORMATS, and report/NAME.c
 * with its writer, report_NAME. `WARPLINT_UPDATE=1 tests/test_formats.sh PROGRAM SOURCE_DIR` writes its golden files;
 * tests/schemas/NAME.* or tests/parsers/NAME.py check them.
 */
#pragma once

#include "base/file.h"
#include "baseline/compare.h"
#include "lint/group.h"

enum report_kind { REPORT_FINDINGS, REPORT_KERNELS, REPORT_DIFF }; /* check, report, diff */

/* The build that the reports are about, as the CI system states it; empty: unknown. Only https addresses are used. */
struct build_run {
    struct str project, commit, branch, run; /* "org/name", a hash, a name, "build 12" */
    struct str project_url, commit_url, run_url;
    struct str files_url; /* prefix of a path in the repository */
};

enum { REPORT_LEAST_BYTES = 4096 }; /* smallest max_bytes: room for the verdict and what was not judged */

struct report {
    enum report_kind kind;
    struct linter *linter;
    const struct groups *groups;         /* REPORT_FINDINGS */
    const struct comparison *comparison; /* with the baseline; NULL: no baseline */
    const struct model *model;
    struct labels *labels; /* of the model's names, shared by all formats of a run: label_of(report->labels, mangled) */
    const char *version;   /* of the program */
    bool all;              /* text: every finding, every row */
    bool brief;            /* text: one screen of the findings at or above fail_on or warning, no verdict */
    struct str record;     /* brief report: file for which `check` lists the notes; empty: none */
    bool summary;          /* text: statistics instead of the table of kernels */
    size_t max_bytes;      /* markdown: cut at a row, with a note; 0: no limit */
    struct table_rows {
        const struct field
            *sort;      /* numeric field that sorts the table of kernels, largest first; NULL: worst kernel first */
        bool ascending; /* smallest value first */
        size_t top;     /* number of kernels; 0: as many as fit a screen */
    } rows;             /* text */
    bool notes;         /* text: list also the notes of a rule that has many of them */
    bool show_unknown;  /* text: print the lines that were not understood */
    bool color;         /* text */
    size_t width;       /* text: columns of the terminal; 0: no terminal, lines are not folded */
    enum severity fail_on;
    bool incomplete;           /* an expected part was not judged: without findings the verdict is not "passed" */
    struct str why_incomplete; /* the reason for `incomplete`, one sentence in one line, safe for a terminal */
    bool says_unjudged;   /* why_incomplete names the rules of linter_most_unjudged and the values that they lack */
    bool part_not_judged; /* a part of the build was not judged; --strict then does not pass */
    const char *partial_reason; /* why the input is only a part of the build, which is no error; NULL: all of it */
    size_t trials;              /* omitted records: compiles by which CMake or Meson tested the compiler */
    size_t unlinked;            /* kernels of relocatable code without their device link */
    struct str folder;     /* absolute working directory: paths below it are printed relative to it; empty: unknown */
    struct str repository; /* absolute root of the repository with `folder`; empty: unknown */
    struct str title;      /* html: text before the verdict; empty: none */
    struct build_run run;  /* html: printed below the title */
    struct str date;       /* html: date of the build, "2026-01-31"; empty: unknown */
    struct str category;   /* sarif: distinguishes several runs for one commit; empty: none */
};

enum format_holds { KERNELS_TOO, FINDINGS_ONLY }; /* FINDINGS_ONLY: `report` cannot write the format */

/* All formats, sorted by name: its contents, its writer for `diff` (NULL: `diff` prints the findings) and one line for
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
    void (*diff)(const struct report *report, struct out *out); /* NULL: no writer for `diff` */
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
 * and architecture. Indices into model.kernels, halves of linked pairs left out; in the arena. */
uint32_t *report_order(const struct report *report, struct arena *arena, size_t *count);

/* True if the record is a configuration of a Triton kernel; *name and *members are its parts (log/triton_name.h). */
bool report_configuration(const struct model *model, uint32_t record, struct str *name, struct str *members);

/* The findings of each kernel as a linked list, in the order of the linter. */
struct kernel_findings {
    uint32_t *first_of; /* by kernel of the model: its first finding; NO_INDEX: none */
    uint32_t *next_of;  /* by finding: the next one of its kernel; NO_INDEX: none, or no kernel */
};
struct kernel_findings report_kernel_findings(const struct report *report, struct arena *arena);

/* Number of findings that count for the verdict, without those that an exception or the baseline accepts. */
size_t report_shown_findings(const struct report *report);

/* True if the log should contain resource lines of ptxas and contains none. */
bool log_lacks_resource_lines(const struct log_info *log);

/* Reasons why numbers of a log may belong to another kernel, in ascending order of severity. */
enum doubt { DOUBT_MISSING, DOUBT_QUOTED, DOUBT_INTERLEAVED, DOUBT_TORN, DOUBT_WRAPPED };
enum doubt log_doubt(const struct log_info *log);
enum doubt logs_doubt(const struct model *model); /* the worst of all logs */
struct doubt_text {
    const char *reason, *fix;
};
extern const struct doubt_text doubt_texts[]; /* by enum doubt: the reason, and how to avoid it */

/* Totals of all inputs; linter_counts has the counts of kernels. */
struct totals {
    uint64_t lines, unknown_lines, unread_members, unread_entries;
    size_t without_code, silent;
    bool interleaved, cut;
};
struct totals report_totals(const struct report *report);
