/* kernel_choice: the kernel, or the kernels, that a word of the command line means. */
#ifndef CLI_KERNEL_CHOICE_H
#define CLI_KERNEL_CHOICE_H

#include "base/json.h"
#include "cli/session.h"

/* How the help says it. */
#define KERNEL_WORD                                                                                                    \
    "KERNEL: its name, readable or mangled, its label in reports, or a regular\n"                                      \
    "expression (PCRE2) that the readable name of no other kernel matches\n"

/* Names of kernels, each once, as numbers of model.names in the order of the log. */
struct kernel_names {
    uint32_t *items;
    size_t count, cap;
    bool also_functions; /* in: device functions are meant where no kernel has the name */
    bool functions;      /* these are device functions */
    bool any;            /* in: of both, selected or not */
};
void kernel_names_free(struct kernel_names *names);
bool kernel_names_have(const struct kernel_names *names, uint32_t name);
/* Finds what the word means once the session is judged: a name, a label or a pattern, which may fit none or several, or
 * all instances of a template ("name<*>"). False with diagnostics when it is no pattern either. */
bool kernel_find(struct session *session, struct str wanted, struct kernel_names *names);
/* Where --kernel matches no name: what has it as its name or label is selected. Labels that are cut have dots, and
 * names have brackets, which mean something else in a pattern. Once all inputs are read, before they are judged. */
void kernel_select(struct session *session);
/* Says that these are several kernels, or that there is none, and lists what there is; several: "name<*>" may be
 * given. */
void kernel_refuse(struct session *session, struct str wanted, const struct kernel_names *names, bool several);

/* Reads and judges the inputs, the arguments from this one on: STATUS_OK, or another one where there is no kernel. */
int kernels_read(struct session *session, size_t inputs_from);

/* What is said of each record of one kernel, for people and as an object. */
struct kernel_answer {
    const char *type; /* of the JSON document */
    bool functions;   /* also of device functions, where no kernel has the name */
    void (*text)(const struct report *report, uint32_t kernel, struct buf *out);
    void (*json)(const struct report *report, uint32_t kernel, struct json *json);
};
/* Reads and judges the inputs behind the first argument, which is the kernel, and writes the answer: the exit status.
 * Diagnostics say when no kernel is meant, or several are, with the names that there are. */
int kernel_answer(struct session *session, const struct kernel_answer *answer);

#endif
