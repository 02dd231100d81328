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

/* ---- places ----------------------------------------------------------------------------------------------------- */

static struct str folder_of(struct str path)
{
    size_t slash = str_rfind(path, STR("/"));
    return str_sub(path, 0, slash == STR_NONE ? 0 : slash + 1);
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

/* The log of a record whose paths are looked for. */
struct search {
    struct model *model;
    struct folder_mark mark;
    size_t log;
    struct str folder;     /* where the compiler ran, as seen from here, with a slash at its end */
    bool leads;            /* some path is a file below the folder */
    uint32_t given, found; /* the last path, and what it became */
    struct arena arena;
};

static bool is_relative(struct str path)
{
    return path.len && path.ptr[0] != '/';
}

/* A folder below another, with a slash at the end of both. */
static struct str join(struct arena *arena, struct str folder, struct str name)
{
    return arena_fmt(arena, "%.*s%.*s/", is_relative(name) ? (int)folder.len : 0, folder.ptr, STR_ARG(name));
}

/* Each path of a source in the log. */
static void visit_paths(struct search *search, void (*visit)(struct search *search, uint32_t *path))
{
    struct model *model = search->model;
    for (size_t at = search->mark.kernels; at < model->kernel_count; at++)
        if (model->kernels[at].log == search->log)
            visit(search, &model->kernels[at].source);
    for (size_t at = search->mark.events; at < model->event_count; at++)
        if (model->events[at].log == search->log)
            visit(search, &model->events[at].file);
    for (size_t at = search->mark.allows; at < model->allow_count; at++)
        if (model->allows[at].log == search->log)
            visit(search, &model->allows[at].file);
}

static void look_for(struct search *search, uint32_t *path)
{
    struct str given = model_string(search->model, *path);
    if (search->leads || *path == search->given || !is_relative(given))
        return;
    search->given = *path;
    search->leads = file_is_regular(arena_fmt(&search->arena, "%.*s%.*s", STR_ARG(search->folder), STR_ARG(given)));
}

static bool leads_up(struct str path)
{
    return str_starts(path, STR("../"));
}

/* The path from here to a file, which may be gone since the compiler ran: without "..", where that leads to the same
 * folder and does not go up, else by the way between the folders behind all links. */
static struct str path_from_here(struct arena *arena, struct str there)
{
    struct str clean = without_dots(arena, there), folder = folder_of(clean).len ? folder_of(clean) : STR("./");
    struct buf way = {0};
    bool same = file_same(clean, there) || file_same(folder, folder_of(there));
    if (same && !leads_up(clean))
        return clean;
    file_way(STR("."), folder_of(there), &way);
    if (way.len == 0)
        return same ? clean : there;
    buf_fmt(&way, "/%.*s", STR_ARG(str_from(there, folder_of(there).len)));
    struct str real = without_dots(arena, buf_str(&way));
    buf_free(&way);
    return same && leads_up(real) ? clean : real;
}

static void rebase(struct search *search, uint32_t *path)
{
    struct str given = model_string(search->model, *path);
    if (!is_relative(given))
        return;
    if (*path != search->given) {
        struct str there = arena_fmt(&search->arena, "%.*s%.*s", STR_ARG(search->folder), STR_ARG(given));
        search->given = *path;
        search->found = intern_add(&search->model->strings, path_from_here(&search->arena, there));
    }
    *path = search->found;
}

/* True: the sources are where the folder of the search says, and all paths of the log are now as seen from here. */
static bool rebase_log(struct search *search)
{
    search->given = NO_INDEX;
    visit_paths(search, look_for);
    search->given = NO_INDEX;
    if (search->leads)
        visit_paths(search, rebase);
    return search->leads;
}

/* What older versions recorded: where the path of the record ends with the name of the object, what stands before it
 * is where the compiler ran; empty: here, or unknown. */
static struct str ran_before(struct str record, struct str object)
{
    struct str path = str_sub(record, 0, record.len - (sizeof RECORD_SUFFIX - 1));
    bool ends = str_ends(record, STR(RECORD_SUFFIX)) && is_relative(object) && str_ends(path, object) &&
                path.len > object.len && path.ptr[path.len - object.len - 1] == '/';
    return ends ? str_sub(path, 0, path.len - object.len) : STR("");
}

/* The record has the name that `wrap` gave it; a stream of several has another one. */
static bool is_beside(struct arena *arena, struct str record, struct str object)
{
    struct str name = arena_fmt(arena, "%.*s" RECORD_SUFFIX, STR_ARG(object));
    return str_eq(str_from(name, folder_of(name).len), str_from(record, folder_of(record).len));
}

static void place_log(struct search *search, struct str record)
{
    struct model *model = search->model;
    struct log_info *log = &model->logs[search->log];
    struct str object = model_string(model, log->path), way = log_working_directory(model, log);
    if (way.len == 0)
        search->folder = ran_before(record, object);
    else if (is_beside(&search->arena, record, object))
        search->folder = join(&search->arena, folder_of(record), way);
    log->from_here = search->folder.len && rebase_log(search);
    if (log->from_here) {
        struct str clean = without_dots(&search->arena, search->folder);
        log->working_directory = intern_add(&model->strings, clean.len ? clean : STR("."));
    }
}

void folder_rebase(struct model *model, struct folder_mark mark, struct str record)
{
    for (size_t log = mark.logs; log < model->log_count; log++) {
        struct search search = {.model = model, .mark = mark, .log = log};
        place_log(&search, record);
        arena_free(&search.arena);
    }
}
