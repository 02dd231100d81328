#define _POSIX_C_SOURCE 200809L
#include "faults.h"

#include "base/mem.h"

#include <signal.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* A sanitizer would end the process with its own exit status, which the tests would take for another cause. */
const char *__asan_default_options(void);
const char *__asan_default_options(void)
{
    return "allocator_may_return_null=1:handle_segv=0:handle_abort=0";
}

static void *volatile piece; /* volatile: the compiler must not remove the endless allocation */

void fault(const char *moment)
{
    const char *kind = getenv("WARPLINT_FAULT");
    size_t length = strlen(moment);
    bool named = kind && strncmp(kind, moment, length) == 0 && kind[length] == '-';
    if (!kind || (!named && strcmp(moment, "judge") != 0))
        return;
    kind += named ? length + 1 : 0;
    if (strcmp(kind, "crash") == 0)
        raise(SIGSEGV);
    if (strcmp(kind, "abort") == 0)
        abort();
    if (strcmp(kind, "status") == 0)
        _exit(77);
    while (strcmp(kind, "loop") == 0)
        piece = NULL;
    while (strcmp(kind, "memory") == 0)
        piece = mem_alloc((size_t)1 << 44);
}
