/* truncation: lines by which a CI system or a build tool says that it left lines out, at a limit of length. */
#ifndef LOG_TRUNCATION_H
#define LOG_TRUNCATION_H

#include "base/str.h"

/* The lines that were left out stood before it, behind it, or in its place. */
bool truncation_is(struct str line);

#endif
