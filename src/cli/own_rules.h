/* own_rules: the rules that are not built in, each tried on the excerpts that it brings; what `config check` says. */
#ifndef CLI_OWN_RULES_H
#define CLI_OWN_RULES_H

#include "cli/session.h"

/* What holds goes to `out`, what does not becomes a diagnostic with its place, and then it is false. The rules are read
 * again: a parameter that the configuration changes is the rule's own here, as its excerpts were written for it. */
bool own_rules_hold(struct session *session, struct buf *out);

#endif
