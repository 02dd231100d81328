/* The only file that uses the demangler (libiberty, linked statically), so that all readable names have one
 * spelling. */
#include "log/mangled.h"
#include "log/name.h"

#include <demangle.h>
#include <setjmp.h>
#include <stdlib.h>

/*
 * A hostile name of a few hundred characters can demangle to more text than fits into memory, and a deeply nested name
 * can exceed the stack of the demangler. So the text is limited, and such a name is shown as it is. The demangler
 * itself refuses every name of more than 1,024 characters, but kernels of CUTLASS have such names. This limit is lifted
 * for names that our own parser (log/mangled.h) accepts, because that parser refuses deep nesting.
 */
enum { LONGEST = 1 << 14, LONGEST_TRUSTED = 1024, LONGEST_READABLE = 1 << 16 };

struct readable {
    struct buf *text;
    jmp_buf too_long;
};

static void append_readable(const char *text, size_t len, void *context)
{
    struct readable *readable = context;
    if (readable->text->len + len > LONGEST_READABLE)
        longjmp(readable->too_long, 1); /* the only way to stop the demangler */
    buf_add(readable->text, (struct str){text, len});
}

/* True for const and similar qualifiers of a member function. */
static bool is_qualifier(const struct demangle_component *component)
{
    return component->type >= DEMANGLE_COMPONENT_RESTRICT_THIS &&
           component->type <= DEMANGLE_COMPONENT_RVALUE_REFERENCE_THIS;
}

/* The component of the name alone; for a typeinfo name of SYCL, that of the kernel's type. */
static struct demangle_component *without_parameters(struct demangle_component *tree)
{
    while (tree->type == DEMANGLE_COMPONENT_TYPED_NAME || tree->type == DEMANGLE_COMPONENT_TYPEINFO_NAME ||
           is_qualifier(tree))
        tree = tree->u.s_binary.left;
    if (tree->type == DEMANGLE_COMPONENT_LOCAL_NAME)
        while (is_qualifier(tree->u.s_binary.right))
            tree->u.s_binary.right = tree->u.s_binary.right->u.s_binary.left;
    return tree;
}

/* Writes the readable name; false if the name cannot be demangled. memory: of the tree; the caller frees it. */
static bool print_readable(const char *name, bool parameters, int options, struct readable *readable, void **memory)
{
    if (setjmp(readable->too_long))
        return false;
    if (parameters)
        return cplus_demangle_v3_callback(name, options, append_readable, readable) != 0;
    struct demangle_component *tree = cplus_demangle_v3_components(name, options, memory);
    return tree && cplus_demangle_print_callback(options, without_parameters(tree), append_readable, readable) != 0;
}

/* Appends the readable name. If the name cannot be demangled, appends nothing and returns false. */
static bool demangle(struct str name, bool parameters, struct buf *out)
{
    SCOPED(buf) text = {0}, terminated = {0};
    struct readable readable = {.text = &text};
    struct str proper = name_proper(name);
    int options = DMGL_PARAMS | DMGL_ANSI | DMGL_TYPES;
    void *memory = NULL;
    if (!str_starts(proper, STR("_Z")) || proper.len > LONGEST)
        return false;
    if (proper.len > LONGEST_TRUSTED) {
        if (!mangled_walk(proper, NULL, NULL))
            return false;
        options |= DMGL_NO_RECURSE_LIMIT;
    }
    buf_room(&terminated, proper.len + 1);
    buf_add(&terminated, proper);
    buf_char(&terminated, '\0');
    bool ok = print_readable(terminated.ptr, parameters, options, &readable, &memory);
    free(memory);
    if (ok)
        buf_add(out, buf_str(&text));
    return ok;
}

bool name_demangle(struct str name, struct buf *out)
{
    if (demangle(name, true, out))
        return true;
    buf_add(out, name);
    return false;
}

bool name_demangle_short(struct str name, struct buf *out)
{
    if (demangle(name, false, out))
        return true;
    SCOPED(buf) readable = {0}; /* the tree needs memory from malloc, and the name may refer to the parameters */
    bool ok = demangle(name, true, &readable);
    buf_add(out, name_alone(buf_str(&readable)));
    return ok;
}
