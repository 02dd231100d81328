/* The one door to the demangler (libiberty, linked statically): one spelling everywhere. */
#include "log/mangled.h"
#include "log/name.h"

#include "base/mem.h"

#include <demangle.h>
#include <setjmp.h>

/*
 * A hostile name of a few hundred characters can demangle to more text than fits into memory, and one of nothing but
 * nesting takes the demangler deeper than the stack: the text is cut off and the name shown as it is. By itself the
 * demangler refuses every name of more than 1,024 characters, which kernels of CUTLASS have; its limit is lifted for
 * those that our own walk understands, which refuses deep nesting.
 */
enum { LONGEST = 1 << 14, LONGEST_TRUSTED = 1024, LONGEST_READABLE = 1 << 16 };

struct readable {
    struct buf text;
    jmp_buf too_long;
};

static void keep(const char *text, size_t len, void *context)
{
    struct readable *readable = context;
    if (readable->text.len + len > LONGEST_READABLE)
        longjmp(readable->too_long, 1); /* there is no other way to stop it */
    buf_add(&readable->text, (struct str){text, len});
}

static void pass_over(void *context, struct identifier identifier)
{
    (void)context;
    (void)identifier;
}

static bool demangles(const char *name, int options, struct readable *readable)
{
    if (setjmp(readable->too_long))
        return false;
    return cplus_demangle_v3_callback(name, options, keep, readable) != 0;
}

bool name_demangle(struct str name, struct buf *out)
{
    struct readable readable = {.text.len = 0};
    struct str proper = name_proper(name);
    int options = DMGL_PARAMS | DMGL_ANSI | DMGL_TYPES;
    bool ok = str_starts(proper, STR("_Z")) && proper.len <= LONGEST;
    if (ok && proper.len > LONGEST_TRUSTED) {
        ok = mangled_walk(proper, pass_over, NULL);
        options |= DMGL_NO_RECURSE_LIMIT;
    }
    if (ok) {
        struct arena arena = {0};
        ok = demangles(arena_cstr(&arena, proper), options, &readable);
        arena_free(&arena);
    }
    buf_add(out, ok ? buf_str(&readable.text) : name);
    buf_free(&readable.text);
    return ok;
}
