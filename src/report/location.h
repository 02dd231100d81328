/*
 * location: the place of a finding for programs that show code, and how it is printed. If the line of a kernel is
 * unknown, its source file is still better than a line of the log: the log is not in the repository.
 */
#pragma once

#include "report/report.h"

struct location {
    struct str path;       /* as in the log */
    uint32_t line, column; /* from 1; 0: unknown */
    bool in_log;           /* path and line are those of the log */
    bool from_here;        /* a relative path starts at report.folder; false: its folder is unknown */
    bool of_site;          /* path and line are those of a code site */
};
struct location location_of(const struct report *report, const struct finding *finding);
/* For people, to whom a line of the log is more useful than a source file without a line. */
struct location location_of_line(const struct report *report, const struct finding *finding);
/* For formats with one place per finding: of the code sites that the rule lists, the worst one with a line in the
 * repository, at its innermost such line. The same as location_of if there is none. */
struct location location_worst(const struct report *report, const struct finding *finding);
/* The source of a kernel; path is empty if unknown. */
struct location location_of_kernel(const struct report *report, const struct kernel *kernel);
/* The location of a place (code_place_get) in the code of the finding's kernel. */
struct location location_in_code(const struct report *report, const struct finding *finding, uint32_t place);

/* The path for people: as in the log, but relative to report.folder if it is below that folder. */
struct str location_shown(const struct report *report, struct str path);
/* Appends the path with "/" as separator, without "." and with ".." resolved if possible, relative to report.folder if
 * it is below that folder; safe for a terminal. */
void location_path(const struct report *report, struct str path, struct buf *out);
/* Appends the place of a finding with its line, "k.cu:12": written by location_path for a line of a code site, else by
 * location_shown. */
void location_place(const struct report *report, const struct location *location, struct buf *out);
/* The same with the column, as compilers print it: "k.cu:12:3". */
void location_line(const struct report *report, const struct location *location, struct buf *out);
/* Appends the path for code hosts, which identify files by their path in the repository: relative to
 * report.repository. */
void location_repository_path(const struct report *report, const struct location *location, struct buf *out);
/* True if the source may be read and shown. Its path may come from an untrusted binary, so the file, with all links
 * followed, must be a regular file of the checkout (report.repository), not hidden and not in a hidden folder. */
bool location_may_be_read(const struct report *report, struct str path);
/* The same as location_repository_path, as a URI (RFC 3986): relative, or file:///... if the path is absolute and not
 * below the repository. */
void location_uri(const struct report *report, const struct location *location, struct buf *out);

/*
 * Fingerprints identify a finding for tools that compare two reports. A fingerprint is a hash of the rule, the template
 * (or the text of a message without a template) and the name of the file. It contains no lines, values, folders or
 * order of the log, so it stays the same when code moves. If two files of one name contain one template, the
 * fingerprint for the second file also contains its folder. The hash is 64-bit FNV-1a. Others store it, so it must
 * never change.
 */
struct fingerprints {
    struct intern seen, codes, paths; /* codes: each template of the model with the name of its file */
    uint32_t *times;                  /* by index in `seen`: how often the fingerprint was used */
    uint32_t *first;                  /* by index in `codes`: 1 + the index of its first path in `paths`; 0: none */
    size_t cap, first_cap;
};
struct fingerprints fingerprints_make(const struct report *report); /* release with fingerprints_free */
/* Appends 16 hexadecimal digits, followed by ":2" for the second finding with these digits. */
void location_fingerprint(struct fingerprints *fingerprints, const struct report *report, const struct group *group,
                          struct buf *out);
void fingerprints_free(struct fingerprints *fingerprints);
