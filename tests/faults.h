/* faults: what goes wrong in the process that judges, by order of WARPLINT_FAULT; only in the program that tests use.
 */
#ifndef FAULTS_H
#define FAULTS_H

#include <stdlib.h>
#include <string.h>

enum { MOST_SECONDS = 1 };

/* The pieces stay reachable: nothing may take the allocations out. */
static void *volatile fault_piece;

static void fault(void)
{
    const char *kind = getenv("WARPLINT_FAULT");
    if (!kind)
        return;
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(kind, "abort") == 0)
        abort();
    if (strcmp(kind, "status") == 0)
        _exit(77);
    while (strcmp(kind, "loop") == 0)
        fault_piece = NULL;
    while (strcmp(kind, "memory") == 0)
        fault_piece = mem_alloc((size_t)1 << 44);
}
#define FAULT() fault()

#endif
