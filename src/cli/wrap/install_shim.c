/* install_shim: `wrap --install-shim DIR` makes a folder that replaces the CUDA toolkit in a build (nvcc/shim.h). */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "base/escape.h"
#include "nvcc/program.h"
#include "nvcc/shim.h"

/* Collects the options of this call for the compiles through the shim. Returns false with an error if the shim cannot
 * store one. */
static bool shim_options(struct wrap *wrap, struct str_list *options)
{
    const struct settings *settings = &wrap->settings->common;
    int end = settings->argc - (int)wrap->settings->common.arguments.count;
    options->items = arena_alloc(&wrap->arena, (size_t)settings->argc * sizeof *options->items);
    for (int at = 1; at < end; at++) {
        struct str word = str_of(settings->argv[at]);
        if (str_eq(word, STR("--install-shim")))
            at++;
        else if (str_find_char(word, '\n') != STR_NONE)
            return diag_error(wrap->diags, nowhere, "an option holds an end of line, which a shim cannot keep");
        else if (!str_starts(word, STR("--install-shim=")) && !str_eq(word, STR("--")))
            options->items[options->count++] = word;
    }
    return true;
}

static bool is_whole_path(struct wrap *wrap, struct str path)
{
    if (path.len == 0 || path.ptr[0] == '/' || str_eq(path, STR("-")))
        return true;
    return diag_error(wrap->diags, nowhere,
                      "'%.*s' is a relative path, and compiles run in any folder; a shim takes absolute paths",
                      STR_ARG(path));
}

static bool have_whole_paths(struct wrap *wrap)
{
    const struct settings *settings = &wrap->settings->common;
    bool ok = is_whole_path(wrap, settings->config) && is_whole_path(wrap, settings->baseline);
    for (size_t at = 0; at < settings->rule_dirs.count; at++)
        ok = ok && is_whole_path(wrap, settings->rule_dirs.items[at]);
    for (size_t at = 0; at < settings->outputs.count; at++)
        ok = ok && is_whole_path(wrap, settings->outputs.items[at].path);
    return ok;
}

/* The compiler that the shim runs: never this program, and never an older shim. */
static const char *shim_compiler(struct wrap *wrap)
{
    const struct str_list *given = &wrap->settings->common.arguments;
    const char *word = given->count ? given->items[0].ptr : "nvcc";
    const char *path = program_unresolved(word, &wrap->arena);
    if (!path || program_is_self(path))
        path = program_find_other(word, &wrap->arena);
    if (path && program_path(path, &wrap->arena))
        return *path == '/' ? path : program_whole_path(path, &wrap->arena);
    diag_error(wrap->diags, nowhere,
               "'%s' is not in PATH or in the CUDA toolkit; name the compiler, as in `wrap --install-shim DIR -- "
               "/usr/local/cuda/bin/nvcc`",
               word);
    return NULL;
}

int install_shim(struct wrap *wrap)
{
    struct str_list options = {0};
    struct str made;
    if (wrap->settings->common.arguments.count > 1)
        return usage_error(wrap->diags, "--install-shim takes one compiler behind --, and no arguments of it");
    if (!have_whole_paths(wrap) || !shim_options(wrap, &options))
        return STATUS_USAGE;
    const char *compiler = shim_compiler(wrap);
    if (!compiler)
        return STATUS_NOT_FOUND;
    if (!shim_install(wrap->settings->install_shim, &options, compiler, &made, &wrap->arena, wrap->diags))
        return STATUS_UNTRUSTED;
    SCOPED(buf) text = {0}, quoted = {0};
    escape_single_quotes(made, &quoted);
    struct str folder = buf_str(&quoted);
    buf_fmt(&text,
            "make NVCC='%.*s/bin/nvcc' CUDA_HOME='%.*s'\n"
            "export CUDA_HOME='%.*s' CUDACXX='%.*s/bin/nvcc' PATH='%.*s/bin':\"$PATH\"   # CMake, setuptools\n",
            STR_ARG(folder), STR_ARG(folder), STR_ARG(folder), STR_ARG(folder), STR_ARG(folder));
    return command_print(&text, wrap->diags);
}
