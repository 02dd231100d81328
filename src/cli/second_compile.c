#define _POSIX_C_SOURCE 200809L
#include "cli/second_compile.h"

#include "base/escape.h"
#include "base/stream.h"
#include "cli/private_folder.h"
#include "nvcc/binary.h"
#include "nvcc/pool.h"
#include "nvcc/recompile.h"

#include <stdlib.h>
#include <unistd.h>

static void show_progress(struct str source, const struct str *archs, size_t count)
{
    struct buf text = {0};
    buf_add(&text, STR("warplint: compiling "));
    escape_text(source, &text);
    buf_add(&text, STR(" once more for "));
    for (size_t at = 0; at < count; at++)
        buf_fmt(&text, "%s%.*s", at == 0 ? "" : at + 1 < count ? ", " : " and ", STR_ARG(archs[at]));
    buf_add(&text, STR(" to find the source lines\n"));
    stream_begin_line(STDERR_FILENO);
    ssize_t wrote = write(STDERR_FILENO, text.ptr, text.len);
    (void)wrote;
    buf_free(&text);
}

/* Compiles into the folder: the path of what was made, or NULL. */
static const char *compile(struct recompile *recompile, struct pool *pool, const char *folder)
{
    struct job job = {.said = arena_fmt(&recompile->arena, "%s/said", folder).ptr};
    const char *made = arena_fmt(&recompile->arena, "%s/made.fatbin", folder).ptr;
    unsetenv("NVCC_PREPEND_FLAGS"); /* the invocation has them */
    unsetenv("NVCC_APPEND_FLAGS");
    job.words = recompile_words(recompile, recompile->cap, made, NULL);
    return pool_run(pool, &job, 1, 1, NULL, NULL) ? made : NULL;
}

void second_compile(const struct invocation *invocation, const char *const *words, const struct str *archs,
                    size_t arch_count, struct model *model)
{
    static const char *const added[] = {"-lineinfo", NULL};
    const struct recompile_request request = {.added = added, .archs = archs, .arch_count = arch_count};
    struct recompile recompile;
    struct diags unsaid = {0};
    struct pool pool;
    if (recompile_read(&recompile, invocation, words, &request, &unsaid)) {
        pool_begin(&pool);
        const char *folder = private_folder_make(&recompile.arena, &unsaid), *made = NULL;
        if (folder) {
            show_progress(invocation->sources.items[0], archs, arch_count);
            made = compile(&recompile, &pool, folder);
        }
        if (made)
            binary_add_lines(model, str_of(made));
        private_folder_remove();
        pool_end(&pool);
    }
    recompile_free(&recompile);
    diags_free(&unsaid);
}
