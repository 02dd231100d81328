#define _XOPEN_SOURCE 700
#include "nvcc/program.h"

#include "base/file.h"
#include "nvcc/shim.h"

#include <stdlib.h>
#include <unistd.h>

/* Compares device and inode: they are the same under another name and through a link. */
static bool is_self(const char *path)
{
    return file_same(STR("/proc/self/exe"), str_of(path));
}

enum want { WANT_ANY, WANT_OTHER, WANT_OTHER_BEHIND_SELF };

/* The first program of that name in the folders of the list that matches `want`. */
static const char *find(struct str folders, const char *name, enum want want, struct arena *arena)
{
    struct str folder;
    bool behind = want != WANT_OTHER_BEHIND_SELF;
    while (str_split(&folders, ':', &folder)) {
        const char *path = arena_fmt(arena, "%.*s%s%s", STR_ARG(folder), folder.len ? "/" : "./", name).ptr;
        if (!file_is_regular(str_of(path)) || access(path, X_OK) != 0)
            continue;
        bool self = want != WANT_ANY && is_self(path);
        if (behind && !self)
            return path;
        behind |= self;
    }
    return NULL;
}

static struct str search_path(void)
{
    const char *path = getenv("PATH");
    return path ? str_of(path) : STR("/usr/local/bin:/usr/bin:/bin");
}

const char *program_unresolved(const char *word, struct arena *arena)
{
    return strchr(word, '/') ? word : find(search_path(), word, WANT_ANY, arena);
}

bool program_is_self(const char *word)
{
    SCOPED(arena) arena = {0};
    const char *path = program_unresolved(word, &arena);
    return path && is_self(path);
}

static const char *resolve(const char *path, struct arena *arena)
{
    char *resolved = path ? realpath(path, NULL) : NULL;
    const char *copy = resolved ? arena_cstr(arena, str_of(resolved)) : NULL;
    free(resolved);
    return copy;
}

const char *program_path(const char *word, struct arena *arena)
{
    return resolve(program_unresolved(word, arena), arena);
}

const char *program_whole_path(const char *path, struct arena *arena)
{
    const char *slash = path ? strrchr(path, '/') : NULL, *name = slash ? slash + 1 : path;
    const char *folder = slash ? resolve(arena_cstr(arena, (struct str){path, (size_t)(name - path)}), arena) : NULL;
    return folder ? arena_fmt(arena, "%s/%s", strcmp(folder, "/") == 0 ? "" : folder, name).ptr : NULL;
}

const char *program_find(const char *name, struct str folders, struct arena *arena)
{
    return find(folders, name, WANT_ANY, arena);
}

const char *program_own_path(struct arena *arena)
{
    return resolve("/proc/self/exe", arena);
}

/* A program after this one in PATH is preferred: two copies of this program in PATH would else call each other
 * forever. */
const char *program_find_other(const char *name, struct arena *arena)
{
    static const char *const homes[] = {"CUDA_HOME", "CUDA_PATH"};
    SCOPED(str_list) shim = {0};
    const char *compiler = shim_read(name, &shim, arena, NULL) ? shim.items[shim.count - 1].ptr : NULL;
    if (compiler && !program_is_self(compiler))
        return compiler;
    const char *slash = strrchr(name, '/');
    name = slash ? slash + 1 : name;
    struct str folders = search_path();
    const char *path = find(folders, name, WANT_OTHER_BEHIND_SELF, arena);
    path = path ? path : find(folders, name, WANT_OTHER, arena);
    for (size_t at = 0; at < sizeof homes / sizeof *homes && !path; at++) {
        const char *home = getenv(homes[at]);
        if (home)
            path = find(arena_fmt(arena, "%s/bin", home), name, WANT_OTHER, arena);
    }
    return path ? path : find(STR("/usr/local/cuda/bin"), name, WANT_OTHER, arena);
}

bool program_replace_self(const char **word, struct arena *arena, struct diags *diags)
{
    const char *other = program_is_self(*word) ? program_find_other(*word, arena) : *word;
    if (!other)
        return diag_error(
            diags, (struct place){0},
            "'%s' is warplint itself, and no other program of that name is in PATH or in the CUDA toolkit", *word);
    *word = other;
    return true;
}
