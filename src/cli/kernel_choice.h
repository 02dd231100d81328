/* kernel_choice: finds the kernel or kernels that a word of the command line names. */
#pragma once

#include "base/json.h"
#include "cli/session.h"

/* The description of KERNEL in the help. */
#define KERNEL_WORD                                                                                                    \
    "KERNEL: its name, readable or mangled, its label in reports, or a regular\n"                                      \
    "expression (PCRE2) that the readable name of no other kernel matches\n"

/* Names of kernels without duplicates, as indexes into model.names, in the order of the log. */
struct kernel_names {
    uint32_t *items;
    size_t count, cap;
    bool also_functions; /* in: device functions too, if no kernel has the name */
    bool functions;      /* out: the names of device functions were found */
    bool any;            /* in: kernels and device functions, selected or not */
};
void kernel_names_free(struct kernel_names *names);
bool kernel_names_have(const struct kernel_names *names, uint32_t name);
/* Finds the kernels that the word names. The word is a name, a label, a pattern, or "name<*>" for all instances of a
 * template; it may match none or several. Call it after the session is judged. Returns false with diagnostics if
 * nothing has the name and the word is not a valid pattern. */
bool kernel_find(struct session *session, struct str wanted, struct kernel_names *names);
/* If --kernel as a pattern matches no name, selects the kernels that have its text as their name or label. Truncated
 * labels contain dots and names contain brackets, which have another meaning in a pattern. Call it after all inputs are
 * read and before they are judged. */
void kernel_select(struct session *session);
/* Reports that the word matches several kernels or none, and lists the kernels. several: the caller accepts
 * "name<*>". */
void kernel_refuse(struct session *session, struct str wanted, const struct kernel_names *names, bool several);

/* Reads and judges the inputs, which are the arguments from `inputs_from` on. Returns STATUS_OK if there are kernels
 * (functions: or device functions), else the status of the error. */
int kernels_read(struct session *session, size_t inputs_from, bool functions);

/* The answer of a command about each record of one kernel. */
struct kernel_answer {
    const char *type; /* of the JSON document */
    bool functions;   /* device functions too, if no kernel has the name */
    void (*text)(const struct report *report, uint32_t kernel, struct buf *out);
    /* Adds members to the JSON object of the record; NULL: adds none. */
    void (*json)(const struct report *report, uint32_t kernel, struct json *json);
};
/* Reads and judges the inputs after the first argument, which names the kernel, and writes the answer. Returns the exit
 * status. If the word matches no kernel or several, the diagnostics list the names. */
int kernel_answer(struct session *session, const struct kernel_answer *answer);
