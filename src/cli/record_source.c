#include "cli/record_source.h"

#include "base/file.h"
#include "cli/records.h"
#include "log/command.h"
#include "log/option.h"

#include <stdlib.h>

/* The only input of a compile; empty: there are several, or it is no source of CUDA. `words`: what the compiler was
 * told.
 */
static struct str only_source(const struct json_value *words, struct arena *arena)
{
    struct str source = {"", 0}, word, value;
    struct buf scratch = {0};
    bool has_language = false;
    size_t inputs = 0;
    for (size_t at = 0; at < json_count(words); at++) {
        if (!json_get_string(json_item(words, at), &scratch, &word))
            continue;
        const struct nvcc_option *option = option_find(DIALECT_NVCC, word, &value);
        if (option) {
            has_language |= option->means == MEANS_LANGUAGE;
            at += (option->takes == TAKES_NEXT || option->takes == TAKES_JOINED) && !value.ptr;
        } else if (word.len && word.ptr[0] != '-') {
            inputs++;
            source = arena_str(arena, word);
        }
    }
    buf_free(&scratch);
    bool is_source = has_language || (source_is_cuda(source) && !str_ends(source, STR(".ptx")));
    return inputs == 1 && is_source ? source : STR("");
}

/* The folder where the compiler ran, as seen from here, with a slash at its end; empty: not known. */
static struct str compile_folder(struct str record, const struct json_value *log, struct arena *arena)
{
    struct buf scratch = {0};
    struct str way = {"", 0}, folder = {"", 0};
    json_get_string(json_member(log, "working_directory"), &scratch, &way);
    if (way.len)
        folder = arena_fmt(arena, "%.*s%.*s/", way.ptr[0] == '/' ? 0 : (int)path_folder(record).len, record.ptr,
                           STR_ARG(way));
    buf_free(&scratch);
    return folder.len && file_is_dir(folder) ? folder : STR("");
}

void record_sources_add(struct record_sources *sources, struct str record, const struct json_value *log,
                        struct arena *arena)
{
    struct str path = only_source(json_member(log, "flags"), arena);
    struct str base = compile_folder(file_target(record, arena), log, arena);
    int error = 0;
    if (path.len == 0 || base.len == 0)
        return;
    if (path.ptr[0] == '/')
        base = STR("");
    else
        path = arena_fmt(arena, "%.*s%.*s", STR_ARG(base), STR_ARG(path));
    bool gone = !file_check_regular(path, &error) && !file_exists(path);
    if (error == 0)
        *MEM_ADD(sources->items, sources->count, sources->cap) =
            (struct record_source){.record = record, .path = path, .base = base, .gone = gone};
}

/* The nearest folder above a file that is there. */
static struct str folder_above(struct str file)
{
    struct str above = path_folder(file);
    while (above.len > 1 && !file_is_dir(above))
        above = path_folder(str_sub(above, 0, above.len - 1));
    return above.len ? above : STR("./");
}

static struct str way(struct str from, struct str to, struct arena *arena)
{
    struct buf text = {0};
    bool known = file_way(from, to, &text);
    struct str found = arena_take(arena, &text);
    return known ? found : STR("");
}

static bool is_below(struct str folder, struct str file, struct arena *arena)
{
    struct str down = way(folder, folder_above(file), arena);
    return down.len && !str_eq(down, STR("..")) && !str_starts(down, STR("../"));
}

/* The path from here to a file that may be gone, with its folder. */
static struct str path_from_here(struct str file, struct arena *arena)
{
    struct buf text = {0};
    struct str above = folder_above(file), here = way(STR("."), above, arena);
    struct str rest = str_starts(file, above) ? str_from(file, above.len) : file;
    struct str path = here.len ? arena_fmt(arena, "%.*s/%.*s", STR_ARG(here), STR_ARG(rest)) : file;
    path_clean(path, false, &text);
    return arena_take(arena, &text);
}

/* Leaves out sources that are not below the folder, and sets the places of the others. */
static void set_places(struct record_sources *sources, struct str checkout, struct str folder, struct arena *arena)
{
    size_t kept = 0;
    for (size_t at = 0; at < sources->count; at++) {
        struct record_source source = sources->items[at];
        struct str base = source.base.len ? way(STR("."), source.base, arena) : STR("/");
        if (!is_below(checkout, source.path, arena))
            continue;
        source.place =
            arena_fmt(arena, "%s %.*s", is_below(folder, source.path, arena) ? "below" : "outside", STR_ARG(base));
        sources->items[kept++] = source;
    }
    sources->count = kept;
}

static int by_place(const void *a, const void *b)
{
    const struct record_source *left = a, *right = b;
    int order = str_cmp(left->place, right->place);
    order = order ? order : number_cmp(left->gone, right->gone); /* what is there comes first */
    return order ? order : str_cmp(left->record, right->record);
}

static void keep_gone(struct record_sources *sources, struct arena *arena)
{
    size_t kept = 0;
    struct str place = {"", 0};
    if (sources->count)
        qsort(sources->items, sources->count, sizeof *sources->items, by_place);
    for (size_t at = 0; at < sources->count; at++) {
        struct record_source source = sources->items[at];
        if (!source.gone) {
            place = source.place;
        } else if (str_eq(source.place, place)) {
            source.path = path_from_here(source.path, arena);
            sources->items[kept++] = source;
        }
    }
    sources->count = kept;
}

void record_sources_keep_gone(struct record_sources *sources, struct str folder, struct arena *arena)
{
    static const char *const no_marks[] = {NULL};
    struct buf root = {0}, here = {0};
    bool any = false;
    for (size_t at = 0; at < sources->count; at++)
        any |= sources->items[at].gone;
    file_checkout(no_marks, &root, &here);
    if (any && root.len) {
        set_places(sources, buf_str(&root), folder, arena);
        keep_gone(sources, arena);
    } else {
        sources->count = 0;
    }
    buf_free(&root);
    buf_free(&here);
}
