/* own_rules: the part of `config check` that tests the rules that are not built in, each on its own excerpts. */
#pragma once

#include "cli/session.h"

/* Appends the rules with the results to `out`. Returns false if an excerpt contradicts its rule, with a diagnostic at
 * its place. Reads the rules again, because the excerpts are written for the rule's own parameters, not for those that
 * the configuration changes. */
bool own_rules_hold(struct session *session, struct buf *out);
