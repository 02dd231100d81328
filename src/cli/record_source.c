#include "cli/record_source.h"

#include "base/file.h"
#include "cli/folder.h"
#include "log/command.h"
#include "log/option.h"
#include "nvcc/object.h"

#include <stdlib.h>

/* Adds every word that is neither an option nor the value of one. Returns true if an option sets the language of these
 * inputs. */
static bool read_inputs(const struct str_list *words, struct str_list *inputs)
{
    bool has_language = false;
    for (size_t at = 0; at < words->count; at++) {
        struct str word = words->items[at], value;
        const struct nvcc_option *option = option_take(DIALECT_NVCC, words, &at, &value);
        has_language |= option && option->means == MEANS_LANGUAGE;
        if (!option && word.len && word.ptr[0] != '-')
            str_list_add(inputs, word);
    }
    return has_language;
}

bool record_linked_code(const struct str_list *words, struct str folder, struct buf *code)
{
    SCOPED(str_list) inputs = {0};
    SCOPED(buf) stamps = {0}, path = {0};
    size_t linked = 0;
    bool known = true;
    read_inputs(words, &inputs);
    for (size_t at = 0; at < inputs.count && known; at++) {
        struct str input = inputs.items[at];
        if (!str_is_one_of(str_from(input, str_rfind(input, STR("."))), ".o .obj .a .lib .cubin .fatbin"))
            continue;
        buf_clear(&path);
        buf_fmt(&path, "%.*s%.*s%c", input.ptr[0] == '/' ? 0 : (int)folder.len, folder.ptr, STR_ARG(input), '\0');
        known = object_stamp(path.ptr, &stamps) == 0;
        linked++;
    }
    known = known && linked;
    if (known)
        buf_fmt(code, "%zu %016llx", linked, (unsigned long long)str_hash(buf_str(&stamps)));
    return known;
}

/* The folder where the compiler ran, from the working directory, with a slash at its end; empty if unknown. */
static struct str compile_folder(struct str record, const struct json_value *log, struct arena *arena)
{
    SCOPED(buf) scratch = {0};
    struct str way = {"", 0}, folder = {"", 0};
    json_get_string(json_member(log, "working_directory"), &scratch, &way);
    if (way.len)
        folder = folder_join(arena, path_folder(record), way);
    return folder.len && file_is_dir(folder) ? folder : STR("");
}

static void add_source(struct record_sources *sources, struct str record, struct str path, struct str base,
                       struct arena *arena)
{
    int error = 0;
    if (path.ptr[0] == '/')
        base = STR("");
    else
        path = arena_fmt(arena, "%.*s%.*s", STR_ARG(base), STR_ARG(path));
    bool gone = !file_check_regular(path, &error) && !file_exists(path);
    if (error == 0)
        *MEM_ADD(sources->items, sources->count, sources->cap) =
            (struct record_source){.record = record, .path = path, .base = base, .gone = gone};
}

bool record_inputs_add(struct record_sources *sources, struct str record, const struct json_value *log,
                       struct arena *arena)
{
    struct str base = compile_folder(file_target(record, arena), log, arena), linked = {"", 0}, word;
    SCOPED(str_list) words = {0}, inputs = {0};
    SCOPED(buf) scratch = {0}, code = {0};
    const struct json_value *flags = json_member(log, "flags");
    for (size_t at = 0; at < json_count(flags); at++)
        if (json_get_string(json_item(flags, at), &scratch, &word))
            str_list_add(&words, arena_str(arena, word));
    const bool has_language = read_inputs(&words, &inputs);
    const struct str source = inputs.count == 1 ? inputs.items[0] : STR(""); /* of a compile of one source */
    if (source.len && base.len && (has_language || (source_is_cuda(source) && !str_ends(source, STR(".ptx")))))
        add_source(sources, record, source, base, arena);
    return !base.len || !json_get_string(json_member(log, "linked_code"), &scratch, &linked) ||
           !record_linked_code(&words, base, &code) || str_eq(linked, buf_str(&code));
}

static struct str relative_path(struct str from, struct str to, struct arena *arena)
{
    struct buf text = {0};
    bool known = file_relative_path(from, to, &text);
    struct str found = arena_take(arena, &text);
    return known ? found : STR("");
}

static bool is_below(struct str folder, struct str file, struct arena *arena)
{
    struct str down = relative_path(folder, folder_above(file), arena);
    return down.len && !str_eq(down, STR("..")) && !str_starts(down, STR("../"));
}

/* Identifies the folder of the compile, and the side of the judged folder that the source is on; empty for a source
 * outside of the checkout. */
static struct str place_of(const struct record_source *source, struct str checkout, struct str folder,
                           struct arena *arena)
{
    struct str base = source->base.len ? relative_path(STR("."), source->base, arena) : STR("/");
    if (!is_below(checkout, source->path, arena))
        return STR("");
    return arena_fmt(arena, "%s %.*s", is_below(folder, source->path, arena) ? "below" : "outside", STR_ARG(base));
}

void record_sources_keep_gone(struct record_sources *sources, struct str folder, struct arena *arena)
{
    SCOPED(buf) root = {0};
    SCOPED(intern) places = {0}; /* of the sources that exist */
    size_t gone = 0, kept = 0;
    for (size_t at = 0; at < sources->count; at++)
        gone += sources->items[at].gone;
    file_checkout(STR(""), NULL, &root, NULL);
    const bool any = gone && root.len;
    for (size_t at = 0; at < sources->count && any; at++)
        if (!sources->items[at].gone)
            intern_add(&places, place_of(&sources->items[at], buf_str(&root), folder, arena));
    for (size_t at = 0; at < sources->count && any; at++) {
        struct record_source source = sources->items[at];
        struct str place = source.gone ? place_of(&source, buf_str(&root), folder, arena) : STR("");
        if (!place.len || intern_find(&places, place) == INTERN_NONE)
            continue;
        source.path = path_from_here(arena, source.path);
        sources->items[kept++] = source;
    }
    sources->count = kept;
}
