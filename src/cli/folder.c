#include "cli/folder.h"

#include "base/mem.h"
#include "cli/records.h"
#include "log/local_memory.h"

/* ---- sources that only test the compiler ------------------------------------------------------------------------ */

/* True for the name of a target that CMake makes to test the compiler, "cmTC_" and five hexadecimal digits, and for its
 * files: the name, a dot and a suffix. */
static bool is_cmake_target(struct str name)
{
    enum { DIGITS = 5 };
    struct str mark = STR("cmTC_"), number = str_sub(name, mark.len, mark.len + DIGITS);
    bool starts = str_starts(name, mark) && number.len == DIGITS;
    for (size_t at = 0; at < number.len; at++)
        starts = starts && strchr("0123456789abcdef", number.ptr[at]);
    return starts && (name.len == mark.len + DIGITS || name.ptr[mark.len + DIGITS] == '.');
}

bool folder_is_trial(struct str path)
{
    struct str name;
    while (str_split(&path, '/', &name))
        if (is_cmake_target(name) || str_is_one_of(name, "CompilerIdCUDA CMakeScratch CMakeTmp meson-private"))
            return true;
    return false;
}

size_t folder_leave_trials(struct str folder, struct path_list *records)
{
    size_t kept = 0, left = 0;
    for (size_t at = 0; at < records->count; at++) {
        if (folder_is_trial(str_from(records->paths[at], folder.len)))
            left++;
        else
            records->paths[kept++] = records->paths[at];
    }
    records->count = kept;
    return left;
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

/* build/../flow/a.cu becomes flow/a.cu. */
static struct str path_without_dots(struct arena *arena, struct str path)
{
    struct buf clean = {0};
    path_clean(path, false, &clean);
    return arena_take(arena, &clean);
}

/* The search for the source paths of one log of a record. */
struct search {
    struct model *model;
    struct model_mark mark;
    size_t log;
    struct str folder;     /* where the compiler ran, from the working directory, with a slash at its end */
    bool leads;            /* some relative path is a file below the folder */
    bool has_sources;      /* `leads`, or some absolute path is a file */
    uint32_t given, found; /* the last path that was visited, and the path that replaces it */
    struct arena arena;
};

static bool is_relative(struct str path)
{
    return path.len && path.ptr[0] != '/';
}

struct str folder_join(struct arena *arena, struct str folder, struct str name)
{
    return arena_fmt(arena, "%.*s%.*s/", is_relative(name) ? (int)folder.len : 0, folder.ptr, STR_ARG(name));
}

struct str folder_log_path(const struct model *model, const struct log_info *log, struct arena *arena)
{
    const struct str path = model_string(model, log->path), folder = model_string(model, log->runs_in);
    if (!log->compiled || folder.len == 0 || !is_relative(path))
        return path;
    return path_without_dots(arena, arena_fmt(arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(path)));
}

/* Calls `visit` for each source path of the log. */
static void visit_paths(struct search *search, void (*visit)(struct search *search, uint32_t *path))
{
    struct model *model = search->model;
    for (size_t at = search->mark.kernels; at < model->kernel_count; at++)
        if (model->kernels[at].log == search->log)
            visit(search, &model->kernels[at].source);
    for (size_t at = search->mark.events; at < model->event_count; at++)
        if (model->events[at].log == search->log)
            visit(search, &model->events[at].file);
    for (size_t at = search->mark.source_exceptions; at < model->source_exception_count; at++)
        if (model->source_exceptions[at].log == search->log)
            visit(search, &model->source_exceptions[at].file);
    for (uint32_t at = (uint32_t)search->mark.places; at < model->code.places.count; at++) {
        uint32_t file = code_place_get(model, at).file;
        visit(search, &file);
        code_place_set_file(model, at, file);
    }
}

static void look_for(struct search *search, uint32_t *path)
{
    struct str given = model_string(search->model, *path);
    if (search->leads || *path == search->given || given.len == 0)
        return;
    search->given = *path;
    if (!is_relative(given)) {
        search->has_sources = search->has_sources || file_is_regular(given);
        return;
    }
    search->leads = file_is_regular(arena_fmt(&search->arena, "%.*s%.*s", STR_ARG(search->folder), STR_ARG(given)));
    search->has_sources |= search->leads;
}

/* True if the path itself shows that the file is not below the working directory. */
static bool is_outside(struct str path)
{
    return !is_relative(path) || str_starts(path, STR("../"));
}

struct str folder_above(struct str file)
{
    struct str above = path_folder(file);
    while (above.len > 1 && !file_is_dir(above))
        above = path_folder(str_sub(above, 0, above.len - 1));
    return above.len ? above : STR("./");
}

struct str path_from_here(struct arena *arena, struct str there)
{
    struct str clean = path_without_dots(arena, there), above = folder_above(there);
    struct str rest = str_starts(there, above) ? str_from(there, above.len) : there;
    SCOPED(buf) way = {0};
    bool same = file_same(clean, there) || file_same(folder_above(clean), above);
    if (same && !is_outside(clean))
        return clean;
    file_relative_path(STR("."), above, &way);
    if (way.len == 0)
        return same ? clean : there;
    buf_fmt(&way, "/%.*s", STR_ARG(rest));
    struct str real = path_without_dots(arena, buf_str(&way));
    return same && is_outside(real) ? clean : real;
}

static void rebase_path(struct search *search, uint32_t *path)
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

/* The folder where the compiler ran, for records of older versions: if the record's path ends with the object's name,
 * the part before that name. Empty: the working directory, or unknown. */
static struct str ran_before(struct str record, struct str object)
{
    struct str path = record_object(record);
    bool ends = str_ends(record, STR(RECORD_SUFFIX)) && is_relative(object) && str_ends(path, object) &&
                path.len > object.len && path.ptr[path.len - object.len - 1] == '/';
    return ends ? str_sub(path, 0, path.len - object.len) : STR("");
}

static void place_log(struct search *search, struct str record)
{
    struct model *model = search->model;
    struct log_info *log = &model->logs[search->log];
    struct str object = model_string(model, log->path), way = log_working_directory(model, log);
    bool is_beside = str_ends(record, STR(RECORD_SUFFIX)) && /* a stream of several records has another name */
                     str_eq(path_name(record_object(record)), path_name(object));
    if (way.len == 0)
        search->folder = ran_before(record, object);
    else if (is_beside)
        search->folder = folder_join(&search->arena, path_folder(record), way);
    /* If the sources are in the folder, all relative paths of the log become paths from the working directory. */
    search->given = NO_INDEX;
    if (search->folder.len)
        visit_paths(search, look_for);
    search->given = NO_INDEX;
    if (search->leads)
        visit_paths(search, rebase_path);
    log->from_here = search->leads;
    log->runs_in = NO_INDEX;
    if (search->has_sources) {
        struct str clean = path_without_dots(&search->arena, search->folder);
        log->runs_in = intern_add(&model->strings, clean.len ? clean : STR("."));
    }
    if (log->from_here)
        log->working_directory = log->runs_in;
}

void folder_rebase(struct model *model, struct model_mark mark, struct str path)
{
    SCOPED(arena) arena = {0};
    struct str record = file_target(path, &arena);
    for (size_t log = mark.logs; log < model->log_count; log++) {
        struct search search = {.model = model, .mark = mark, .log = log};
        place_log(&search, record);
        arena_free(&search.arena);
    }
}
