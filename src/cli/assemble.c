#define _POSIX_C_SOURCE 200809L
#include "cli/assemble.h"

#include "base/file.h"
#include "cli/session.h"
#include "log/input.h"
#include "log/local_memory.h"
#include "nvcc/cubin.h"
#include "nvcc/pool.h"
#include "nvcc/program.h"

#include <stdlib.h>

enum { MOST_CUBIN_BYTES = 1 << 29, MOST_PTXAS_SECONDS = 600 };

/* The path of NAME.ptx for NAME.cubin; empty if there is none or the file's name does not end with .cubin. */
static struct str ptx_of(const struct session *session, struct arena *arena, struct str cubin)
{
    const struct str none = {"", 0};
    const struct str_list *inputs = &session->settings->arguments;
    if (!str_ends(cubin, STR(".cubin")))
        return none;
    struct str ptx = arena_fmt(arena, "%.*s.ptx", STR_ARG(str_sub(cubin, 0, cubin.len - sizeof ".cubin" + 1)));
    if (file_is_regular(ptx))
        return ptx;
    for (size_t at = session->inputs_from; at < inputs->count; at++)
        if (str_eq(path_name(inputs->items[at]), path_name(ptx)))
            return inputs->items[at];
    return none;
}

/* An option of ptxas with the number from the cubin's note: `written` and the number. NULL if the note has no such
 * option. */
static const char *option_from_note(struct arena *arena, struct str note, const char *option, const char *written)
{
    uint64_t number = 0;
    struct str rest = str_after(note, str_of(option));
    return str_uint(&rest, &number) ? arena_fmt(arena, "%s%llu", written, (unsigned long long)number).ptr : NULL;
}

/* Cubins from before CUDA 13 have no note with options. If all kernels without launch bounds have the same register
 * cap, the cap is that of the command. NULL if there is no such cap. */
static const char *common_cap(struct arena *arena, const struct model *model, size_t first)
{
    int32_t cap = UNKNOWN;
    for (size_t at = first; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        const struct rare_metrics *rare = kernel_rare(model, kernel);
        if (kernel->kind != KERNEL_ENTRY || rare->register_cap_from == CAP_LAUNCH_BOUNDS ||
            rare->register_cap_from == CAP_SETMAXNREG)
            continue;
        if (rare->register_cap == UNKNOWN || (cap != UNKNOWN && cap != rare->register_cap))
            return NULL;
        cap = rare->register_cap;
    }
    return cap == UNKNOWN ? NULL : arena_fmt(arena, "-maxrregcount=%d", cap).ptr;
}

/* The command of ptxas with the options that affect registers, as the cubin notes them. */
static const char *const *command_of(struct arena *arena, const char *ptxas, struct str ptx, struct str cubin,
                                     const struct model *model, size_t first, const char *output)
{
    enum { MOST_WORDS = 10 };
    const char **words = arena_alloc(arena, MOST_WORDS * sizeof *words);
    SCOPED(buf) image = {0}, note = {0};
    size_t count = 0;
    if (file_read(cubin, INPUT_REGULAR, MOST_CUBIN_BYTES, &image, NULL))
        cubin_note(buf_str(&image), &note);
    const struct str arch = kernel_arch(model, &model->kernels[first]);
    const char *cap = note.len ? option_from_note(arena, buf_str(&note), "-maxrregcount ", "-maxrregcount=")
                               : common_cap(arena, model, first);
    const char *level = option_from_note(arena, buf_str(&note), "-O ", "-O");
    words[count++] = ptxas;
    words[count++] = "-v";
    words[count++] = arena_fmt(arena, "-arch=%.*s", STR_ARG(arch)).ptr;
    if (cap)
        words[count++] = cap;
    if (level)
        words[count++] = level;
    words[count++] = "-o";
    words[count++] = output;
    words[count++] = arena_fmt(arena, "%s%.*s", str_starts(ptx, STR("-")) ? "./" : "", STR_ARG(ptx)).ptr;
    words[count] = NULL;
    return words;
}

/* Runs ptxas and reads its messages into a separate model. Returns false if it failed. */
static bool run_ptxas(struct arena *arena, const char *ptxas, struct str ptx, struct str cubin,
                      const struct model *model, size_t first, struct model *stated)
{
    struct pool pool;
    SCOPED(buf) text = {0};
    bool ok = pool_begin(&pool, MOST_PTXAS_SECONDS, arena, NULL);
    if (ok) {
        const char *made = arena_fmt(arena, "%s/made", pool.folder).ptr;
        ok = pool_ask(&pool, command_of(arena, ptxas, ptx, cubin, model, first, made), &text) == 0;
    }
    pool_end(&pool);
    if (!ok)
        return false;
    struct input *input = input_new(stated, STR("ptxas"), NULL);
    input_feed(input, buf_str(&text));
    return input_finish(input, NULL);
}

/* Returns true if the spills are known now. */
static bool take_spills(struct model *model, struct kernel *kernel, const struct model *stated)
{
    EACH(const struct kernel, other, stated->kernels, stated->kernel_count)
        if (str_eq(kernel_name(stated, other), kernel_name(model, kernel)) &&
            str_eq(kernel_arch(stated, other), kernel_arch(model, kernel)) && !(other->flags & KERNEL_AMBIGUOUS) &&
            other->registers == kernel->registers && other->stack_bytes == kernel->stack_bytes &&
            other->spill_store_bytes != UNKNOWN && other->spill_load_bytes != UNKNOWN)
            return local_memory_state(model, kernel, other->spill_store_bytes, other->spill_load_bytes);
    return false;
}

/* The result of assembling. */
struct assembly {
    const char *ptxas; /* NULL: no ptxas was needed, or none was found */
    size_t unknown;    /* records without spill bytes before */
    size_t left;       /* records without spill bytes after */
    bool ran;
};

/* ptxas: the program; NULL: search for it if it is needed. */
static struct assembly assemble_ptx(struct session *session, struct arena *arena, struct str ptx, struct str cubin,
                                    const char *ptxas, size_t first)
{
    SCOPED(model) stated = {0};
    struct model *model = &session->model;
    struct assembly done = {0};
    for (size_t at = first; at < model->kernel_count; at++)
        done.unknown += model->kernels[at].spill_store_bytes == UNKNOWN;
    if (done.unknown)
        done.ptxas = ptxas ? ptxas : program_find_other("ptxas", arena);
    done.ran = done.ptxas && run_ptxas(arena, done.ptxas, ptx, cubin, model, first, &stated);
    for (size_t at = first; done.ran && at < model->kernel_count; at++) {
        struct kernel *kernel = &model->kernels[at];
        done.left += kernel->spill_store_bytes == UNKNOWN && !take_spills(model, kernel, &stated);
    }
    return done;
}

void assemble(struct session *session, struct str path, size_t first)
{
    SCOPED(arena) arena = {0};
    struct str ptx = ptx_of(session, &arena, path);
    struct place place = {.path = path};
    struct assembly done = {0};
    session->has_ptx |= ptx.len > 0;
    if (ptx.len)
        done = assemble_ptx(session, &arena, ptx, path, session->settings->ptxas, first);
    if (done.unknown && !done.ptxas)
        diag_warning(&session->diags, place, "--assemble: there is no ptxas in PATH or in the CUDA toolkit");
    else if (done.ptxas && !done.ran)
        diag_warning(&session->diags, place, "--assemble: '%s' does not assemble %.*s", done.ptxas, STR_ARG(ptx));
    else if (done.left)
        diag_warning(&session->diags, place,
                     "--assemble: the code of %zu kernel%s is not what '%s' makes of %.*s, so its spills stay unknown; "
                     "give the PTX of the same compile, with the ptxas of the build in PATH",
                     done.left, PLURAL(done.left), done.ptxas, STR_ARG(ptx));
}

void assemble_entry(struct session *session, struct str stem, size_t first)
{
    SCOPED(arena) arena = {0};
    struct str ptx = arena_fmt(&arena, "%.*s.ptx", STR_ARG(stem)),
               cubin = arena_fmt(&arena, "%.*s.cubin", STR_ARG(stem));
    const char *ptxas = session->settings->ptxas, *triton = getenv("TRITON_PTXAS_PATH");
    if (!ptxas && triton && *triton)
        ptxas = program_path(triton, &arena);
    session->has_ptx = true;
    assemble_ptx(session, &arena, ptx, cubin, ptxas, first);
}
