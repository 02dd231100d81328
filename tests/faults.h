/* faults: makes the process that judges fail in the way that the variable WARPLINT_FAULT names: crash, abort, status,
 * loop, memory; with "prepare-" in front, it fails before the compiler has ended. Test builds include this file before
 * every source of the program. */
#pragma once

enum { MOST_SECONDS = 1, MOST_RECOMPILE_SECONDS = 1 };

void fault(const char *moment);
#define FAULT(moment) fault(moment)
