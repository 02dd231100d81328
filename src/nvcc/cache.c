#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE /* st_mtim */
#include "nvcc/cache.h"

#include "base/file.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>

struct str cache_identity(const char *path, struct arena *arena)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return arena_fmt(arena, "none %s", path);
    return arena_fmt(arena, "%lld %lld.%09ld %s", (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, path);
}

const char *cache_folder(struct arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct str base = {"", 0};
    if (cache && cache[0] == '/')
        base = str_of(cache);
    else if (home && home[0] == '/')
        base = arena_fmt(arena, "%s/.cache", home);
    if (base.len == 0)
        return NULL;
    const char *folder = arena_fmt(arena, "%.*s/warplint", STR_ARG(base)).ptr;
    if (mkdir(folder, 0700) != 0 && errno == ENOENT) {
        mkdir(arena_cstr(arena, base), 0700);
        mkdir(folder, 0700);
    }
    return folder;
}

void cache_write(const char *file, struct str text)
{
    struct out out;
    out_replace(&out, str_of(file));
    buf_add(&out.text, text);
    out_close(&out, NULL);
}
