#include "cli/folder.h"

#include "base/mem.h"
#include "cli/records.h"

static bool has_part(struct str path, struct str part)
{
    struct str piece;
    while (str_split(&path, '/', &piece))
        if (str_eq(piece, part))
            return true;
    return false;
}

static bool is_trial(struct str record)
{
    static const char *const folders[] = {"meson-private", "CMakeScratch", "CMakeTmp", "CompilerIdCUDA"};
    for (size_t at = 0; at < sizeof folders / sizeof *folders; at++)
        if (has_part(record, str_of(folders[at])))
            return true;
    return false;
}

void folder_leave_trials(struct path_list *records)
{
    size_t kept = 0;
    for (size_t at = 0; at < records->count; at++)
        if (!is_trial(records->paths[at]))
            records->paths[kept++] = records->paths[at];
    records->count = kept;
}

struct folder_mark folder_mark(const struct model *model)
{
    return (struct folder_mark){model->kernel_count, model->event_count, model->allow_count, model->log_count};
}

/* Where the compiler ran: what stands before the object's name in the path of its record; empty: here, or unknown. */
static struct str ran_in(const struct model *model, size_t log, struct str record)
{
    struct str object = model_string(model, model->logs[log].path);
    struct str path = str_sub(record, 0, record.len - (sizeof RECORD_SUFFIX - 1));
    bool ends = str_ends(record, STR(RECORD_SUFFIX)) && object.len > 0 && object.ptr[0] != '/' &&
                str_ends(path, object) && path.len > object.len && path.ptr[path.len - object.len - 1] == '/';
    return ends ? str_sub(path, 0, path.len - object.len) : STR("");
}

/* build/../flow/a.cu is flow/a.cu. */
static struct str without_dots(struct arena *arena, struct str path)
{
    struct buf clean = {0};
    struct str piece, rest = path;
    if (str_starts(path, STR("/")))
        buf_char(&clean, '/');
    size_t fixed = clean.len;
    while (str_split(&rest, '/', &piece)) {
        if (piece.len == 0 || str_eq(piece, STR(".")))
            continue;
        struct str done = str_from(buf_str(&clean), fixed);
        size_t slash = str_rfind(done, STR("/"));
        struct str last = slash == STR_NONE ? done : str_from(done, slash + 1);
        if (str_eq(piece, STR("..")) && last.len && !str_eq(last, STR(".."))) {
            clean.len = fixed + (slash == STR_NONE ? 0 : slash);
            continue;
        }
        if (done.len)
            buf_char(&clean, '/');
        buf_add(&clean, piece);
    }
    struct str kept = arena_str(arena, buf_str(&clean));
    buf_free(&clean);
    return kept;
}

static void rebase(struct model *model, struct str folder, uint32_t *path)
{
    struct str given = model_string(model, *path);
    if (given.len == 0 || given.ptr[0] == '/')
        return;
    struct arena arena = {0};
    struct str there = arena_fmt(&arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(given));
    if (file_is_regular(there)) {
        struct str clean = without_dots(&arena, there);
        *path = intern_add(&model->strings, file_same(clean, there) ? clean : there);
    }
    arena_free(&arena);
}

static void rebase_log(struct model *model, struct folder_mark mark, size_t log, struct str folder)
{
    for (size_t at = mark.kernels; at < model->kernel_count; at++)
        if (model->kernels[at].log == log)
            rebase(model, folder, &model->kernels[at].source);
    for (size_t at = mark.events; at < model->event_count; at++)
        if (model->events[at].log == log)
            rebase(model, folder, &model->events[at].file);
    for (size_t at = mark.allows; at < model->allow_count; at++)
        if (model->allows[at].log == log)
            rebase(model, folder, &model->allows[at].file);
}

void folder_rebase(struct model *model, struct folder_mark mark, struct str record)
{
    for (size_t log = mark.logs; log < model->log_count; log++) {
        struct str folder = ran_in(model, log, record);
        if (folder.len)
            rebase_log(model, mark, log, folder);
    }
}
