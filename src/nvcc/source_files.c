#define _POSIX_C_SOURCE 200809L
#include "nvcc/source_files.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { MOST_FILES = 4096, MOST_BYTES = 1 << 27, LARGEST_FILE = 1 << 24 };

struct unit_file {
    struct str path;
    struct buf text;
    dev_t device;
    ino_t number;
};

struct str source_files_path(const struct source_files *unit, uint32_t file)
{
    return unit->files[file].path;
}

uint32_t source_files_find(const struct source_files *unit, uint32_t device, uint32_t inode)
{
    uint32_t found = UINT32_MAX;
    for (size_t at = 0; at < unit->count; at++) {
        if ((uint32_t)unit->files[at].device != device || (uint32_t)unit->files[at].number != inode)
            continue;
        if (found != UINT32_MAX)
            return UINT32_MAX;
        found = (uint32_t)at;
    }
    return found;
}

void source_files_free(struct source_files *unit)
{
    for (size_t at = 0; at < unit->count; at++)
        buf_free(&unit->files[at].text);
    free(unit->files);
    declarations_free(&unit->found);
    arena_free(&unit->arena);
    *unit = (struct source_files){0};
}

/* ---- selection and reading of files ----------------------------------------------------------------------------- */

/* The folder, or one above it, is the toolkit's include folder. */
static bool is_toolkit(struct str folder)
{
    SCOPED(arena) arena = {0};
    for (; folder.len; folder = path_folder(str_sub(folder, 0, folder.len - 1)))
        if (file_exists(arena_fmt(&arena, "%.*scuda_runtime.h", STR_ARG(folder))) &&
            file_exists(arena_fmt(&arena, "%.*svector_types.h", STR_ARG(folder))))
            return true;
    return false;
}

static bool is_foreign(struct str path)
{
    return str_starts(path, STR("/usr/include/")) || str_starts(path, STR("/usr/lib/")) ||
           is_toolkit(path_folder(path));
}

static bool is_known(const struct source_files *unit, const struct stat *status)
{
    for (size_t at = 0; at < unit->count; at++)
        if (unit->files[at].number == status->st_ino && unit->files[at].device == status->st_dev)
            return true;
    return false;
}

static void note_unread(struct source_files *unit, struct str path, struct str why)
{
    if (unit->unread.len)
        return;
    unit->unread = path;
    unit->unread_why = arena_str(&unit->arena, why);
}

/* Why one more file would exceed a limit; NULL if it does not. */
static const char *limit_of(const struct source_files *unit, const struct stat *status)
{
    if (status->st_size > LARGEST_FILE)
        return "not read: it has more than 16 MiB";
    if (unit->bytes + (size_t)status->st_size > MOST_BYTES)
        return "not read: with it the sources have more than 128 MiB";
    return unit->count >= MOST_FILES ? "not read: 4096 sources have been" : NULL;
}

/* Adds the file with its text; NULL if it is already known, cannot be read or exceeds a limit. */
static struct unit_file *add_file(struct source_files *unit, struct str path)
{
    struct stat status;
    path = arena_str(&unit->arena, path);
    if (stat(path.ptr, &status) != 0) {
        if (errno != ENOENT && errno != ENOTDIR)
            note_unread(unit, path, arena_fmt(&unit->arena, "cannot be looked at: %s", strerror(errno)));
        return NULL;
    }
    if (!S_ISREG(status.st_mode) || is_known(unit, &status))
        return NULL;
    const char *limit = limit_of(unit, &status);
    if (limit) {
        note_unread(unit, path, str_of(limit));
        return NULL;
    }
    SCOPED(diags) unsaid = {0};
    struct unit_file file = {.path = path, .device = status.st_dev, .number = status.st_ino};
    bool ok = file_read(path, INPUT_REGULAR, LARGEST_FILE, &file.text, &unsaid);
    unit->bytes += file.text.len;
    if (!ok) {
        note_unread(unit, path, unsaid.items[0].message);
        buf_free(&file.text);
        return NULL;
    }
    *MEM_ADD(unit->files, unit->count, unit->cap) = file;
    return &unit->files[unit->count - 1];
}

static void read_declarations(struct source_files *unit, uint32_t file)
{
    declarations_read(&unit->found, buf_str(&unit->files[file].text), file, &unit->arena);
}

/* ---- files that the compile listed ------------------------------------------------------------------------------ */

/* Takes one word of a rule of make; false at the end. A backslash keeps a blank, a tab or '#'; "$$" is a dollar. */
static bool next_word(struct str *rest, struct buf *word)
{
    size_t at = 0;
    buf_clear(word);
    for (; at < rest->len; at++) {
        char c = rest->ptr[at], next = at + 1 < rest->len ? rest->ptr[at + 1] : '\n';
        bool line_goes_on = c == '\\' && (next == '\n' || next == '\r');
        if (line_goes_on || c == ' ' || c == '\t' || c == '\n' || c == '\r') {
            if (word->len)
                break;
            continue;
        }
        bool escape = (c == '\\' && (next == ' ' || next == '#' || next == '\t')) || (c == '$' && next == '$');
        at += escape;
        buf_char(word, rest->ptr[at]);
    }
    *rest = str_from(*rest, at);
    return word->len > 0;
}

static void split_dependencies(struct str rest, struct str_list *paths, struct arena *arena)
{
    SCOPED(buf) word = {0};
    bool target = true; /* before the colon of the first rule */
    while (next_word(&rest, &word)) {
        if (str_ends(buf_str(&word), STR(":"))) { /* a rule without a recipe for a header (-MP) ends the list */
            if (!target)
                break;
            target = false;
        } else if (!target) {
            str_list_add(paths, arena_str(arena, buf_str(&word)));
        }
    }
}

static bool read_dependencies(struct source_files *unit, struct str path)
{
    SCOPED(buf) text = {0};
    SCOPED(str_list) paths = {0};
    if (file_read(path, INPUT_REGULAR, LARGEST_FILE, &text, NULL))
        split_dependencies(buf_str(&text), &paths, &unit->arena);
    for (size_t at = 0; at < paths.count; at++) {
        const struct unit_file *file = is_foreign(paths.items[at]) ? NULL : add_file(unit, paths.items[at]);
        const struct str code = file ? buf_str(&file->text) : STR("");
        if (str_find(code, STR("__global__")) != STR_NONE || str_find(code, STR("warplint:")) != STR_NONE)
            read_declarations(unit, (uint32_t)unit->count - 1);
    }
    return paths.count > 0;
}

/* If the command gives no name, the list is beside each output, under its name with another suffix. */
static bool find_dependencies(struct source_files *unit, const struct invocation *invocation)
{
    const struct str_list *outputs = &invocation->outputs;
    if (!invocation->writes_dependencies)
        return false;
    if (invocation->dependencies.len)
        return read_dependencies(unit, invocation->dependencies);
    bool all = outputs->count > 0;
    for (size_t at = 0; at < outputs->count; at++) {
        struct str output = outputs->items[at];
        size_t dot = str_rfind(output, STR("."));
        bool suffix = dot != STR_NONE && dot >= path_folder(output).len;
        struct str stem = str_sub(output, 0, suffix ? dot : output.len);
        all &= read_dependencies(unit, arena_fmt(&unit->arena, "%.*s.d", STR_ARG(stem)));
    }
    return all;
}

/* ---- files that #include finds ---------------------------------------------------------------------------------- */

static struct str join_path(struct source_files *unit, struct str folder, struct str name)
{
    bool whole = name.len && name.ptr[0] == '/';
    const char *slash = whole || folder.len == 0 || str_ends(folder, STR("/")) ? "" : "/";
    return arena_fmt(&unit->arena, "%.*s%s%.*s", STR_ARG(whole ? STR("") : folder), slash, STR_ARG(name));
}

/* Adds the first file of that name in the folders that the preprocessor searches. */
static void add_included_file(struct source_files *unit, const struct invocation *invocation, struct str from,
                              const struct inclusion *inclusion)
{
    struct str path = join_path(unit, path_folder(from), inclusion->name);
    bool found = inclusion->quoted && file_is_regular(path);
    for (size_t at = 0; !found && at < invocation->includes.count; at++) {
        path = join_path(unit, invocation->includes.items[at], inclusion->name);
        found = file_is_regular(path);
    }
    if (found && !is_foreign(path))
        add_file(unit, path);
}

static void follow_includes(struct source_files *unit, const struct invocation *invocation)
{
    for (uint32_t at = 0; at < unit->count; at++) {
        size_t first = unit->found.inclusion_count;
        read_declarations(unit, at);
        for (size_t include = first; include < unit->found.inclusion_count; include++)
            add_included_file(unit, invocation, unit->files[at].path, &unit->found.inclusions[include]);
    }
}

void source_files_read(struct source_files *unit, const struct invocation *invocation)
{
    *unit = (struct source_files){0};
    if (find_dependencies(unit, invocation)) {
        unit->complete = true;
        return;
    }
    source_files_free(unit);
    for (size_t at = 0; at < invocation->pre_includes.count; at++)
        add_file(unit, invocation->pre_includes.items[at]);
    for (size_t at = 0; at < invocation->sources.count; at++)
        add_file(unit, invocation->sources.items[at]);
    follow_includes(unit, invocation);
}

void source_files_add(struct source_files *unit, struct str path)
{
    if (!is_foreign(path) && add_file(unit, path))
        read_declarations(unit, (uint32_t)unit->count - 1);
}
