#include "cli/unrecorded.h"

#include "cli/folder.h"
#include "cli/records.h"
#include "nvcc/object.h"

#include <stdlib.h>

static int by_bytes(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

static bool is_among(struct str word, const struct str *sorted, size_t number)
{
    return number && bsearch(&word, sorted, number, sizeof *sorted, by_bytes);
}

/* Another file with the device code of a recorded object: it was installed, or taken out of a library. */
static bool is_copy(const char *object, const struct str_list *codes)
{
    struct buf stamp = {0};
    bool copy =
        codes->count && object_stamp(object, &stamp) == 0 && is_among(buf_str(&stamp), codes->items, codes->count);
    buf_free(&stamp);
    return copy;
}

#define OBJECT_SUFFIX ".o"
#define LINK_SUFFIX   "_dlink"
#define KEPT_SUFFIX   LINK_SUFFIX ".reg.c" /* nvcc writes it for each device link */

/* Where nvcc kept what it made for device links. */
struct kept_links {
    struct path_list paths;
    bool listed;
};

/* With --keep, `nvcc x.cu -o app` leaves x.o and app_dlink.o, with x.cudafe1.cpp and app_dlink.reg.c beside them: the
 * code is in the program. A command with -c leaves no app_dlink: then x.o is what it was to make. */
static bool is_kept(struct str object, struct str folder, struct kept_links *links, struct arena *arena)
{
    struct str stem = str_sub(object, 0, object.len - (sizeof OBJECT_SUFFIX - 1));
    if (str_ends(stem, STR(LINK_SUFFIX)))
        return file_exists(arena_fmt(arena, "%.*s.reg.c", STR_ARG(stem)));
    if (!file_exists(arena_fmt(arena, "%.*s.cudafe1.cpp", STR_ARG(stem))))
        return false;
    if (!links->listed)
        file_walk(folder, STR(KEPT_SUFFIX), &links->paths, NULL);
    links->listed = true;
    for (size_t at = 0; at < links->paths.count; at++)
        if (str_eq(path_folder(links->paths.paths[at]), path_folder(object)))
            return true;
    return false;
}

void unrecorded_find(struct str folder, const struct path_list *records, struct str_list *codes,
                     struct str_list *unrecorded, struct arena *arena)
{
    struct path_list objects = {0};
    struct kept_links links = {0};
    if (codes->count)
        qsort(codes->items, codes->count, sizeof *codes->items, by_bytes);
    file_walk(folder, STR(OBJECT_SUFFIX), &objects, NULL); /* what cannot be read was told: records were looked for */
    for (size_t at = 0; at < objects.count; at++) {
        struct str object = objects.paths[at];
        struct str record = arena_fmt(arena, "%.*s" RECORD_SUFFIX, STR_ARG(object));
        const char *path = arena_cstr(arena, object);
        if (!is_among(record, records->paths, records->count) &&
            !folder_is_trial_object(str_from(object, folder.len)) && object_has_device_code(path) &&
            !is_copy(path, codes) && !is_kept(object, folder, &links, arena))
            str_list_add(unrecorded, str_of(path));
    }
    path_list_free(&links.paths);
    path_list_free(&objects);
}
