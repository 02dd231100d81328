/* init: the text of a first configuration and of a block for a CI system. */
#ifndef CLI_INIT_H
#define CLI_INIT_H

#include "cli/session.h"

/*
 * Appends a configuration in which every setting stands as a comment, from the tables by which configurations are read:
 * lines with `##` explain, and what stands behind `# ` of the other lines is the setting itself. Of a session that read
 * logs come its architectures and its kernels, by template. baseline: a setting of its own, empty: none.
 */
void init_config(const struct session *session, struct str baseline, struct buf *out);

/* To add a CI system: a row in ci.c, and its word in the option --ci. */
struct ci_system {
    const char *name;   /* "GitHub Actions" */
    const char *sign;   /* the file or folder by which it is known */
    const char *where;  /* where the block goes */
    const char *logged; /* what keeps the log of a command, and its status */
    const char *block;  /* with {build}, the command that builds, and {judged}, what it leaves */
};
extern const struct ci_system ci_systems[]; /* in the order of the words */
extern const size_t ci_system_count;

/* Appends the block. `make`: make builds, not CMake; `records`: the build's records are judged, not its log. */
void ci_add_block(const struct ci_system *ci, bool make, bool records, struct buf *out);

/* Appends what has to be done before the block. */
void ci_add_before(bool make, bool records, struct buf *out);

#endif
