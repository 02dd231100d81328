/* baseline_session: loads a baseline from a baseline file, log, record or folder, and compares a session with it. */
#pragma once

#include "baseline/baseline.h"
#include "log/checkout.h"

struct session;

struct baseline_session {
    struct intern strings; /* of all baselines of the session, and of the measured kernels */
    struct baseline stored;
    struct str path;                          /* of the baseline; empty: none */
    bool may_lack;                            /* a missing file counts as an empty baseline */
    bool is_base;                             /* the baseline is BASE of `diff` */
    bool file_only;                           /* the path must be a baseline file, which the command writes again */
    struct kernel_metrics_set kernel_metrics; /* of the session's model */
    struct comparison comparison;
    bool compared;
    size_t unknown_variants; /* kernels that may be another variant than the one they are compared with, and worse */
    struct acceptance *acceptance;
    struct buf root, here;  /* the root of the checkout, and the working directory relative to it */
    struct outside outside; /* of the session's model */
};

/* The checkout that contains the source of a compile, else the one that contains the working directory. */
struct checkout baseline_session_checkout(struct session *session);

/*
 * Reads a baseline file, or makes a baseline of NDJSON, a log or a folder of records, which it measures and judges with
 * the rules and launches of the session. Returns false with diagnostics; the caller frees `baseline` in both cases.
 * asked_at: the place in the configuration that names the path, for errors when the file is opened.
 */
bool baseline_session_read(struct session *session, struct str path, struct place asked_at, struct baseline *baseline);

/* True if the file begins as a baseline does, even if the rest is wrong. */
bool baseline_session_is_file(struct str path);

/* Reads the baseline that the settings or the configuration name, if any. Returns false if that fails: status 2. */
bool baseline_session_load(struct session *session);
/* Measures the session's model and compares it with the loaded baseline, if any. Call it before judging. */
void baseline_session_compare(struct session *session);
/* Makes a baseline of the judged session: its kernels, and the findings of rules on messages and lines. */
void baseline_session_measure(struct session *session, struct baseline *baseline);
/* Writes the file; returns false with a diagnostic. */
bool baseline_session_write(struct session *session, const struct baseline *baseline, struct str path);
/* Returns false with a diagnostic if a baseline of the judged session would be wrong. */
bool baseline_session_can_be_stored(struct session *session);
/* Returns false with diagnostics if it is unknown which toolkit column of the baseline applies. */
bool baseline_session_has_columns(struct session *session);
/* Call it after judging. Returns false with diagnostics if the comparison cannot be trusted: a whole source or
 * architecture has no record, no entry of the baseline was seen, or it is unknown which toolkit column of the baseline
 * applies. */
bool baseline_session_trusts(struct session *session);
/* For `diff`. Returns true with an error if the options select nothing of BASE, or no kernel of BASE is in HEAD. */
bool baseline_session_is_other(struct session *session);
void baseline_session_free(struct baseline_session *baseline_session);
