/* clip: lines by which a CI system or a build tool says that it left lines out, at a limit of length. */
#ifndef LOG_CLIP_H
#define LOG_CLIP_H

#include "base/str.h"

/* The lines that were left out stood before it, behind it, or in its place. */
bool clip_is(struct str line);

#endif
