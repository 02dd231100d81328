#define _POSIX_C_SOURCE 200809L
#include "cli/wrap/second_compile.h"

#include "base/escape.h"
#include "base/stream.h"
#include "nvcc/binary.h"
#include "nvcc/pool.h"
#include "nvcc/recompile.h"

static void show_progress(struct str source, const struct str_list *archs)
{
    SCOPED(buf) text = {0};
    buf_add(&text, STR("warplint: compiling "));
    escape_text(source, &text);
    buf_add(&text, STR(" once more for "));
    for (size_t at = 0; at < archs->count; at++)
        buf_fmt(&text, "%s%.*s", at == 0 ? "" : at + 1 < archs->count ? ", " : " and ", STR_ARG(archs->items[at]));
    buf_add(&text, STR(" to find the source lines\n"));
    stream_say(buf_str(&text));
}

void second_compile(const struct invocation *invocation, const char *const *words, const struct str_list *archs,
                    time_t most_seconds, struct model *model)
{
    SCOPED(arena) arena = {0};
    const char *const added[] = {"-lineinfo", NULL};
    const struct recompile_request request = {.added = added, .archs = archs};
    SCOPED(recompile) recompile = {0};
    struct pool pool;
    if (!recompile_read(&recompile, invocation, words, &request, NULL))
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
