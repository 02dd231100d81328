/*
 * issues: the input of formats with one entry per group: the groups of findings that count, worst first, each with the
 * location and the text of its worst finding.
 */
#pragma once

#include "report/location.h"

struct issues {
    const struct report *report;
    struct groups groups;
    size_t next; /* index in groups.shown */
    struct buf text, path;

    /* The current issue, set by issues_next. */
    const struct group *group;
    const struct rule *rule;
    enum severity severity;
    struct location location;
};

struct issues issues_open(const struct report *report); /* release with issues_free */
/* Goes to the next issue; returns false if there is none. */
bool issues_next(struct issues *issues);
void issues_free(struct issues *issues);

/* The result is valid until the next call for the text, or for a path: both paths use one buffer. */
struct str issue_text(struct issues *issues); /* as in finding_text and members_text */
struct str issue_path(struct issues *issues); /* relative to the working directory, see location_path */
struct str issue_file(struct issues *issues); /* relative to the repository, see location_repository_path */

/* Appends ",line=12,col=3", made with the texts `line` and `column`; unknown numbers are omitted. */
void issue_place(const struct issues *issues, const char *line, const char *column, struct buf *out);

/* Appends data of a command of a CI system: the characters in `special` as "%0A", and "%" as `percent`. */
void issue_data(struct str text, const char *special, const char *percent, struct buf *out);
