/* The one door to the demangler of the C++ runtime, which is linked statically: one spelling everywhere. */
#include "log/name.h"

#include "base/mem.h"

#include <stdlib.h>

/* From <cxxabi.h>, which is C++: status 0 is success, the result is malloc'ed. */
extern char *__cxa_demangle(const char *mangled, char *output, size_t *length, int *status);

enum { LONGEST = 1 << 16 }; /* a hostile name may demangle to exponential length: beyond this it is shown as it is */

bool name_demangle(struct str name, struct buf *out)
{
    int status = -1;
    char *readable = NULL;
    struct str proper = name_proper(name);
    if (str_starts(proper, STR("_Z")) && proper.len < LONGEST) {
        struct arena arena = {0};
        readable = __cxa_demangle(arena_cstr(&arena, proper), NULL, NULL, &status);
        arena_free(&arena);
    }
    bool ok = status == 0 && readable;
    buf_add(out, ok ? str_of(readable) : name);
    free(readable);
    return ok;
}
