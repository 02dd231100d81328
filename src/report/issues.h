/*
 * issues: what the formats with one entry a group write: the groups of findings that count, worst first, each with the
 * place and the words of its worst finding.
 */
#ifndef REPORT_ISSUES_H
#define REPORT_ISSUES_H

#include "report/location.h"

struct issues {
    const struct report *report;
    struct groups groups;
    size_t next; /* of groups.shown */
    struct buf text, path;

    /* Of the issue that issues_next found. */
    const struct group *group;
    const struct rule *rule;
    enum severity severity;
    struct location location;
};

struct issues issues_open(const struct report *report); /* release with issues_free */
/* False: there is no further one. */
bool issues_next(struct issues *issues);
void issues_free(struct issues *issues);

/* Each is valid until the next call for another issue. */
struct str issue_text(struct issues *issues); /* as finding_text and members_text write it */
struct str issue_path(struct issues *issues); /* relative to the working directory, as location_path */
struct str issue_file(struct issues *issues); /* relative to the repository, as location_repository_path */

/* Appends ",line=12,col=3" with the given words, what is known of it. */
void issue_place(const struct issues *issues, const char *line, const char *column, struct buf *out);

/* Appends data of a command of a CI system: the special characters as "%0A", "%" as the system has it. */
void issue_data(struct str text, const char *special, const char *percent, struct buf *out);

#endif
