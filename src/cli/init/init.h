/* init: makes a first configuration, and a block for the configuration of a CI system. */
#pragma once

#include "cli/session.h"

/*
 * Appends a configuration in which every setting is a comment, made from the tables that read configurations. Lines
 * with `##` are explanations; the other lines are settings behind `# `. If the session has read logs, the text has
 * their architectures and their kernels, by template. baseline: the path of a baseline, which becomes an active
 * setting; empty: none.
 */
void init_config(const struct session *session, struct str baseline, struct buf *out);

/* To add a CI system: a row in ci.c, and its word in the option --ci. */
struct ci_system {
    const char *name;   /* "GitHub Actions" */
    const char *sign;   /* the file or folder that shows its use */
    const char *where;  /* where the user puts the block */
    const char *logged; /* appended to a command: stores its output as the log and keeps its exit status */
    const char *block;  /* {build}: the command that builds; {judged}: the log or folder that it makes */
};
extern const struct ci_system ci_systems[]; /* in the order of the words of --ci */
extern const size_t ci_system_count;

/* Appends the block. `make`: make builds, not CMake. `records`: the build's records are judged, not its log. */
void ci_add_block(const struct ci_system *ci, bool make, bool records, struct buf *out);

/* Appends the steps that are needed before the block. */
void ci_add_before(bool make, bool records, struct buf *out);
