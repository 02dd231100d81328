/*
 * location: where a finding stands for a program that shows code, and how that is written. Where the line of a kernel
 * is not known its source file still is better than a line of the log, which is in no repository.
 */
#ifndef REPORT_LOCATION_H
#define REPORT_LOCATION_H

#include "report/report.h"

struct location {
    struct str path;       /* as the log has it */
    uint32_t line, column; /* from 1; 0 unknown */
    bool in_log;           /* it is the log and its line */
    bool from_here;        /* a relative path leads to the file from report.folder; else it is not known from where */
};
struct location location_of(const struct report *report, const struct finding *finding);
/* For a format with one place for a finding: of the sites in the code that the rule lists the worst that lies in the
 * repository, at its innermost line there; else as location_of. */
struct location location_worst(const struct report *report, const struct finding *finding);
/* The source of a kernel; path empty: not known. */
struct location location_of_kernel(const struct report *report, const struct kernel *kernel);
/* A place (code_place_get) in the code of the finding's kernel. */
struct location location_in_code(const struct report *report, const struct finding *finding, uint32_t place);

/* What people read: the path as the log has it, without report.folder where it lies below it. */
struct str location_shown(const struct report *report, struct str path);
/* Appends the path with "/" between its parts, without "." and with ".." taken up where that is possible, relative to
 * report.folder where it lies below it; safe for a terminal. */
void location_path(const struct report *report, struct str path, struct buf *out);
/* A finding's place with its line, "k.cu:12": of a line of code as location_path has it, else as location_shown. */
void location_place(const struct report *report, const struct finding_place *place, struct buf *out);
/* Appends it with the column, too, as compilers write it: "k.cu:12:3". */
void location_line(const struct report *report, const struct finding_place *place, struct buf *out);
/* The same for hosts of code, which know files by their path in the repository: relative to report.repository. */
void location_repository_path(const struct report *report, const struct location *location, struct buf *out);
/* The source may be read to be shown, as its path may be of a stranger's binary: once all links are followed it is a
 * regular file of the checkout (report.repository), and neither hidden nor in a hidden folder. */
bool location_may_be_read(const struct report *report, struct str path);
/* The same as a URI (RFC 3986): relative, or file:///... where it is absolute and not below the repository. */
void location_uri(const struct report *report, const struct location *location, struct buf *out);

/*
 * What a finding is about, for those who compare two reports: the rule, the template (or the text of a message that
 * names none), the name of its file. Lines, values, folders and the order of a log are not in it, so that it stays when
 * code moves. Of two files of one name with one template the second one's folder is in it, too. It is FNV-1a with 64
 * bits: others store it, so it never changes.
 */
struct fingerprints {
    struct intern seen, codes, paths; /* codes: templates of the model, each with the name of its file */
    uint32_t *times;                  /* by number in seen */
    uint32_t *first;                  /* by number in codes: into paths + 1; 0: none */
    size_t cap, first_cap;
};
struct fingerprints fingerprints_make(const struct report *report); /* release with fingerprints_free */
/* Appends 16 hexadecimal digits, and ":2" when they come the second time. */
void location_fingerprint(struct fingerprints *fingerprints, const struct report *report, const struct group *group,
                          struct buf *out);
void fingerprints_free(struct fingerprints *fingerprints);

#endif
