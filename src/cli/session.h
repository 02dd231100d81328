/* session: the steps that check, report and other commands have in common: rules, inputs, judging, writing. */
#pragma once

#include "cli/baseline_session.h"
#include "cli/settings.h"
#include "config/config.h"
#include "config/profile.h"
#include "log/bounds.h"
#include "report/label.h"

/* An input that was read. */
struct session_input {
    uint32_t path;         /* into model.strings */
    uint32_t first_kernel; /* index in the model of the first record of the input */
};

struct session {
    const struct settings *settings;
    const struct str_list *sources; /* the search for the configuration starts in the folders of these sources, then in
                                       the working directory; NULL: only there */
    struct config config;           /* empty: no configuration */
    int64_t today;                  /* for exceptions, see base/date.h */
    bool partial_build;             /* the input is only a part of the build */
    enum severity fail_on;          /* from the command line, else from the configuration */
    struct profile profile;         /* of --launches */
    struct ruleset rules;
    struct model model;
    struct bounds_table declared; /* launch bounds that PTX among the inputs declares */
    struct linter *linter;
    struct regex *kernel; /* replaces --kernel if that matches no kernel as a pattern; NULL: not replaced */
    struct groups groups;
    struct labels labels;
    struct diags diags;
    bool ignores_found_config;  /* ignore a configuration that the search finds */
    bool input_failed;          /* an input could not be read */
    bool profile_failed;        /* a profile could not be read, so nothing is judged */
    bool records_mismatch;      /* the records of a folder do not match the objects there */
    bool lacks_links_only;      /* only device links of CMake lack a record, and the input is complete otherwise */
    struct str_list unrecorded; /* objects of a folder without a record; the input may contain their links */
    const char *partial_reason; /* the reason why a log shows only a part of a build; NULL: none */
    bool silent;                /* omit text on standard output or error: --quiet, and the status is 0 */
    bool has_records;           /* some input was NDJSON */
    bool has_lines;             /* some input was a log */
    bool patterns_not_judged;   /* rules with a pattern were not judged on all inputs */
    bool has_ptx;               /* a cubin has PTX that --assemble or --ptxas is for */
    bool compares;              /* compare findings with the baseline, if one is named */
    bool sorted;                /* the model was made of a baseline: its records are sorted by name */
    size_t inputs_from;         /* index of the first argument that is an input */
    struct baseline_session baseline;
    struct session_input *inputs;
    size_t input_count, input_cap;
    struct intern files;         /* files and folders that were read, see file_number */
    struct str_list first_paths; /* by number in `files`: the path by which it was read first, in the arena */
    struct report report;        /* before session_report: the settings, `brief` and `trials`; after it: complete */
    struct arena arena;          /* for the texts of the report */
};

/* Loads the configuration that the settings name or that the search finds. Returns false on error: status 2. */
bool session_config(struct session *session);
/* The same, then loads the rules and applies configuration and settings to them. Returns false on error: status 2. */
bool session_rules(struct session *session);
/* The same for commands that only explain: if a configuration that the search found is wrong, it is ignored with a
 * warning. One that the command line names must be right. */
bool session_rules_anyway(struct session *session);
/* Adds the rules of the configuration and of --rules; returns false with diagnostics. */
bool session_add_own_rules(struct session *session, struct ruleset *rules);
/* Reads and judges all inputs. If it returns false, session_failure is the exit status. An input that cannot be read
 * (input_failed) does not make it return false. */
bool session_read_and_judge(struct session *session);
/* The two parts of session_read_and_judge, for callers that fill the model themselves between the two calls. If one
 * returns false, session_failure is the exit status. */
bool session_begin(struct session *session);
bool session_judge(struct session *session);
/* 3 if a profile cannot be read; else 2: the configuration, a rule or a baseline is wrong. */
int session_failure(const struct session *session);
/* Reads one input: a file or a folder of records. */
void session_read(struct session *session, struct str path);
/* Reads all inputs that the settings name; the second reads the binaries of --objects. */
void session_read_inputs(struct session *session);
void session_read_objects(struct session *session);
/* Reads text as the log with this name. Call it between session_begin and session_judge. */
void session_read_text(struct session *session, struct str name, struct str text);
/* Reads the messages of one compile whose command is known (see log_reader_of_compile). `links`: they include messages
 * of a linker. */
void session_read_messages(struct session *session, struct str name, struct str text, struct str key, bool links);
/* Returns false with an error if a rule that can fail the verdict could judge no kernel because the log lacks the
 * values that the rule needs. With --strict, or if all records are of binaries, also if the rule could not judge every
 * kernel. Call it after session_judge. */
bool session_judges_enough(struct session *session);
/* True if some numbers are not judged because it is unknown which kernel they belong to. */
bool session_is_ambiguous(const struct session *session);
/* For commands that do not print the notes of a report: warns if --threads exceeds the launch bounds of some kernels,
 * or if they require another block size. */
void session_warn_past_bound(struct session *session);
/* True if a user's rule that is on and can fail the verdict judges kernels of debug builds. */
bool session_judges_debug(const struct session *session);
/* Returns false with an error if too little was judged for a pass. */
bool session_check_completeness(struct session *session);
/* True if at least one rule is on; else false with a warning. */
bool session_any_rule(struct session *session);
/* Completes the report for the writers. Call it after everything is judged. */
void session_report(struct session *session, enum report_kind kind);
/* The same, and writes every report; returns false on error: status 3. */
bool session_write(struct session *session, enum report_kind kind);
void session_free(struct session *session);

/* The exit status of a judged session, with diagnostics if the result cannot be trusted. */
int session_verdict(struct session *session);
/* Reads and judges the inputs and writes the reports of findings; the rules must be loaded. Returns the exit status of
 * `check`. */
int check_inputs(struct session *session);

/* Reports for each input why it has no kernels, and what to do. */
void session_explain_empty(struct session *session);
