/* source_lines: the source lines of spills and local arrays. Changes their paths to those that the build uses; if the
 * object has no lines, compiles a second time. */
#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/wrap.h"

#include "base/stream.h"
#include "log/local_memory.h"
#include "nvcc/binary.h"
#include "nvcc/pool.h"
#include "nvcc/recompile.h"
#include "report/markup.h"

#include <stdlib.h>
#include <unistd.h>

uint32_t source_path(const struct wrap *wrap, struct model *model, uint32_t path)
{
    const struct str_list *sources = &wrap->invocation.sources;
    struct str full = model_string(model, path);
    for (size_t at = 0; at < sources->count; at++)
        if (file_same(sources->items[at], full))
            return intern_add(&model->strings, sources->items[at]);
    SCOPED(buf) clean = {0};
    path_clean(full, false, &clean);
    if (file_same(buf_str(&clean), full)) /* a different file if a folder is a link */
        full = buf_str(&clean);
    char *folder = getcwd(NULL, 0);
    struct str prefix = str_of(folder), rest = str_from(full, prefix.len + 1);
    bool below = prefix.len > 1 && str_starts(full, prefix) && rest.len > 0 && full.ptr[prefix.len] == '/';
    uint32_t shorter = intern_add(&model->strings, below ? rest : full);
    free(folder);
    return shorter;
}

void source_lines_shorten(const struct wrap *wrap, struct model *model)
{
    uint32_t full = NO_INDEX, shorter = NO_INDEX; /* most places have the file of the place before */
    for (uint32_t at = 0; at < model->code.places.count; at++) {
        uint32_t file = code_place_get(model, at).file;
        if (file != full)
            shorter = source_path(wrap, model, full = file);
        code_place_set_file(model, at, shorter);
    }
}

/* If the kernel has no source lines, adds its architecture to those of the second compile. */
static void want_lines(const struct model *model, uint32_t number, struct str_list *archs)
{
    const struct kernel *kernel = &model->kernels[number];
    if (local_memory_lacks_lines(model, kernel) && !str_list_has(archs, kernel_arch(model, kernel)))
        str_list_add(archs, kernel_arch(model, kernel));
}

static void show_progress(struct str source, const struct str_list *archs)
{
    SCOPED(buf) text = {0};
    text_fmt(&text, "warplint: compiling %.*s once more for ", STR_ARG(source));
    for (size_t at = 0; at < archs->count; at++)
        buf_fmt(&text, "%s%.*s", at == 0 ? "" : at + 1 < archs->count ? ", " : " and ", STR_ARG(archs->items[at]));
    buf_add(&text, STR(" to find the source lines\n"));
    stream_print(buf_str(&text));
}

/*
 * Compiles the source of the command a second time, with -lineinfo, for these architectures (names like sm_90a; at
 * least one), into a private folder. Records whose code is byte for byte the same get the lines of their accesses. The
 * output of this compile is deleted; the build's files are not changed. A compile that fails or takes too long is
 * ignored without a message. A signal that would end this process ends the compile and then this process.
 */
static void compile_with_lines(const struct wrap *wrap, const struct str_list *archs, struct model *model)
{
    const struct invocation *invocation = &wrap->invocation;
    const time_t most_seconds = MOST_RECOMPILE_SECONDS + 10 * (process_clock() - wrap->begun);
    SCOPED(arena) arena = {0};
    const char *const added[] = {"-lineinfo", NULL};
    const struct recompile_request request = {.added = added, .archs = archs};
    SCOPED(recompile) recompile = {0};
    struct pool pool;
    if (!recompile_read(&recompile, invocation, wrap->words, &request, NULL))
        return;
    if (pool_begin(&pool, most_seconds, &arena, NULL)) {
        show_progress(invocation->sources.items[0], archs);
        const struct str made = arena_fmt(&arena, "%s/made.fatbin", pool.folder);
        const struct recompile_run run = {.cap = recompile.cap, .output = made.ptr};
        if (pool_ask(&pool, recompile_words(&recompile, &run), NULL) == 0)
            binary_add_lines(model, made);
    }
    pool_end(&pool);
}

/* Changes only the places of the findings, never the findings themselves. */
void source_lines_find(struct wrap *wrap)
{
    struct model *model = &wrap->session.model;
    const struct linter *linter = wrap->session.linter;
    SCOPED(str_list) archs = {0};
    for (size_t at = 0; wrap->settings->where == WHERE_AUTO && at < linter->finding_count; at++) {
        const struct finding *finding = &linter->findings[at];
        bool shows_places = linter->rules->rules[finding->rule].sites != SITES_NONE;
        if (shows_places && finding->kernel != NO_INDEX && finding_fails(linter, finding))
            want_lines(model, finding->kernel, &archs);
    }
    for (uint32_t at = 0; wrap->settings->where == WHERE_ALWAYS && at < model->kernel_count; at++)
        want_lines(model, at, &archs);
    if (archs.count) {
        unsigned left = alarm(0); /* the second compile has its own time limit */
        compile_with_lines(wrap, &archs, model);
        alarm(left);
        source_lines_shorten(wrap, model);
    }
}
