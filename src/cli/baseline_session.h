/* baseline_session: what a baseline knows, loaded from whatever holds it, and a session compared with it. */
#ifndef CLI_BASELINE_SESSION_H
#define CLI_BASELINE_SESSION_H

#include "baseline/baseline.h"
#include "log/checkout.h"

struct session;

struct baseline_session {
    struct intern strings; /* of all baselines of the session, and of what is measured */
    struct baseline baseline;
    struct str path;                          /* of the baseline; empty: there is none */
    bool may_lack;                            /* a file that is not there is an empty baseline */
    bool is_base;                             /* it is that of `diff` */
    bool file_only;                           /* it has to be a baseline's file, which is written again */
    struct kernel_metrics_set kernel_metrics; /* of the session's model */
    struct comparison comparison;
    bool compared;
    size_t unknown_variants; /* kernels that may be another variant than the one they are compared with, and worse */
    struct acceptance *acceptance;
    struct buf root, here;  /* of the checkout, and the working directory as seen from there */
    struct outside outside; /* of the session's model */
};

/* The checkout that the source of a compile is in, else the one that the working directory is in. */
struct checkout baseline_session_checkout(struct session *session);

/*
 * Reads a baseline, or makes one of NDJSON, of a log or of a folder of records: measured and judged with the rules and
 * launches of the session. False with diagnostics; `baseline` is to be freed in both cases. asked_at: where a
 * configuration names it, for errors of opening.
 */
bool baseline_session_read(struct session *session, struct str path, struct place asked_at, struct baseline *baseline);

/* The file begins as a baseline does, whatever is wrong with it. */
bool baseline_session_is_file(struct str path);

/* The baseline that the settings or the configuration name, when one does; false: status 2. */
bool baseline_session_load(struct session *session);
/* Measures the session's model and compares it with the baseline that was loaded, if any; before judging. */
void baseline_session_compare(struct session *session);
/* Makes a baseline of what the judged session has: kernels, and findings of rules on messages and lines. */
void baseline_session_measure(struct session *session, struct baseline *baseline);
/* Writes the file; false with a diagnostic. */
bool baseline_session_write(struct session *session, const struct baseline *baseline, struct str path);
/* False with a sentence: a baseline of the judged session would be wrong. */
bool baseline_session_can_be_stored(struct session *session);
/* It is known which column of the baseline counts; false with diagnostics. */
bool baseline_session_has_columns(struct session *session);
/* After judging: false with diagnostics when the judgement cannot be trusted: a whole source or architecture has no
 * record, nothing of the baseline was seen, or it is not known which column of the baseline counts. */
bool baseline_session_trusts(struct session *session);
/* Nothing of the base of `diff` is selected or is in its head, and that was told. */
bool baseline_session_is_other(struct session *session);
void baseline_session_free(struct baseline_session *known);

#endif
