/* faults: what goes wrong in the process that judges, by order of the variable WARPLINT_FAULT: crash, abort, status,
 * loop, memory; with "prepare-" in front, before the compiler has ended. Put in front of every source of the program
 * that only tests use. */
#ifndef FAULTS_H
#define FAULTS_H

enum { MOST_SECONDS = 1, MOST_RECOMPILE_SECONDS = 1 };

void fault(const char *moment);
#define FAULT(moment) fault(moment)

#endif
