/* session: what check and report share: rules, inputs, judging, writing. */
#ifndef CLI_SESSION_H
#define CLI_SESSION_H

#include "cli/baseline_session.h"
#include "cli/settings.h"
#include "config/config.h"
#include "config/profile.h"
#include "log/bounds.h"
#include "report/label.h"

/* An input that was read. */
struct session_input {
    uint32_t path;         /* into model.strings */
    uint32_t first_kernel; /* its records begin here in the model */
};

struct session {
    const struct settings *settings;
    const struct str_list *sources; /* in their folders the search for the configuration begins, then in the working
                                       directory; NULL: none */
    struct config config;           /* empty where there is none */
    int64_t today;                  /* for exceptions, see base/date.h */
    bool part;                      /* what is judged is a part of the build */
    enum severity fail_on;          /* of the command line, else of the configuration */
    struct profile profile;         /* of --launches */
    struct ruleset rules;
    struct model model;
    struct bounds_table declared; /* by PTX among the inputs */
    struct linter *linter;
    struct regex *kernel; /* what --kernel means where it is no pattern; NULL: it is one */
    struct groups groups;
    struct labels labels;
    struct diags diags;
    bool leaves_config;         /* a configuration that is found is not used */
    bool input_failed;          /* something could not be read */
    bool profile_failed;        /* a profile could not, so nothing is judged */
    bool incomplete;            /* the records of a folder are not those of what was built there */
    bool lacks_links_only;      /* and nothing but device links of CMake has no record */
    struct str_list unrecorded; /* objects of a folder without a record: their links may be in the input */
    const char *partial;        /* why a log is of a part of a build only; NULL: none is */
    bool silent;                /* text on a stream is left out: it passed, and --quiet was given */
    bool has_records;           /* some input was our own NDJSON */
    bool has_lines;             /* some was a log */
    bool lines_unseen;          /* rules with a pattern were not judged on all of the input */
    bool compares;              /* findings are compared with the baseline where one is named */
    bool sorted;                /* the model was made of a baseline: its records stand in the order of their names */
    size_t inputs_from;         /* the first of the settings' arguments that is an input */
    struct baseline_session known;
    struct session_input *inputs;
    size_t input_count, input_cap;
    struct report report; /* what the settings say, brief and trials before session_report, then all of it */
    struct arena arena;   /* its texts */
};

/* The configuration that the settings ask for or that is found; false: status 2. */
bool session_config(struct session *session);
/* The same, and the rules, as configuration and settings select them; false: status 2. */
bool session_rules(struct session *session);
/* The same for commands that explain: a configuration that is found, not given, and is broken is left out with a
 * warning. */
bool session_rules_anyway(struct session *session);
/* Adds the rules of the configuration and of --rules; false with diagnostics. */
bool session_add_own_rules(struct session *session, struct ruleset *rules);
/* Reads every input and judges; false: session_failure (input_failed is no reason). */
bool session_linter(struct session *session);
/* The two halves of it around somebody else's reading: the model is filled in between. False: session_failure. */
bool session_begin(struct session *session);
bool session_conclude(struct session *session);
/* 3 for a profile, an input that cannot be read; else 2: the configuration, a rule or a baseline is wrong. */
int session_failure(const struct session *session);
/* Reads one input, a file or a folder of records. */
void session_read(struct session *session, struct str path);
/* Reads all inputs of the settings; the binaries of --objects. */
void session_read_inputs(struct session *session);
void session_read_objects(struct session *session);
/* Reads text as the log of that name; between session_begin and session_conclude. */
void session_read_text(struct session *session, struct str name, struct str text);
/* The same of what one compile said whose command is known (see log_reader_of_compile); with `links` a linker spoke,
 * too. */
void session_read_messages(struct session *session, struct str name, struct str text, struct str key, bool links);
/* False with an error: a rule that fails the verdict could judge no kernel, or under --strict or of binaries alone not
 * all, as the log does not state what it asks for. After session_conclude. */
bool session_judges_enough(struct session *session);
/* Some numbers are not judged because it is not known which kernel they belong to. */
bool session_is_ambiguous(const struct session *session);
/* For commands without the lines behind a report: a warning where --threads is more than some kernels allow. */
void session_warn_past_bound(struct session *session);
/* A rule of one's own that can fail the verdict judges debug builds. */
bool session_judges_debug(const struct session *session);
/* False with an error: what was judged is not enough for a pass. */
bool session_trusts(struct session *session);
/* Some rule can speak; false with a warning. */
bool session_any_rule(struct session *session);
/* Completes the report for writers, once everything is judged. */
void session_report(struct session *session, enum report_kind kind);
/* The same, and writes every report; false: status 3. */
bool session_write(struct session *session, enum report_kind kind);
void session_free(struct session *session);

/* The status of what was judged, with diagnostics where it cannot be trusted. */
int session_verdict(struct session *session);
/* Reads, judges, writes the reports of what was found: the status of `check`, once the rules are there. */
int check_inputs(struct session *session);

/* Why nothing was seen, with what to do, one sentence for each input. */
void session_explain_empty(struct session *session);

#endif
