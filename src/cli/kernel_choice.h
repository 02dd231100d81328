/* kernel_choice: the one kernel that a word of the command line means. */
#ifndef CLI_KERNEL_CHOICE_H
#define CLI_KERNEL_CHOICE_H

#include "cli/session.h"

/* How the help says it. */
#define KERNEL_WORD                                                                                                    \
    "KERNEL: its name, readable or mangled, its label in reports, or a regular\n"                                      \
    "expression (PCRE2) that the readable name of no other kernel matches\n"

/* An entry function that is asked for, and no half of another record. */
bool kernel_is_judged_entry(struct session *session, uint32_t kernel);

/* The number in model.names of the kernel that is meant, once the session is judged. False with diagnostics, and the
 * names that there are: none is, or several are. */
bool kernel_choose(struct session *session, struct str wanted, uint32_t *name);

#endif
