#define _XOPEN_SOURCE 700
#include "nvcc/shim.h"

#include "base/file.h"
#include "nvcc/probe.h"
#include "nvcc/program.h"

#include <dirent.h>
#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define WORDS_SUFFIX ".warplint"
enum { MOST_BYTES = 1 << 16 };

bool shim_read(const char *word, struct str_list *words, struct arena *arena, struct diags *diags)
{
    const char *path = program_unresolved(word, arena);
    struct str file = path ? arena_fmt(arena, "%s" WORDS_SUFFIX, path) : (struct str){"", 0};
    SCOPED(buf) text = {0};
    bool complete = false;
    if (!file.len || !file_exists(file))
        return false;
    if (file_read(file, INPUT_REGULAR, MOST_BYTES, &text, diags)) {
        struct str lines = buf_str(&text), line;
        while (lines.len && str_split(&lines, '\n', &line)) {
            complete = words->count && str_eq(words->items[words->count - 1], STR("--"));
            str_list_add(words, arena_str(arena, line));
        }
        if (!complete)
            diag_error(diags, (struct place){.path = file},
                       "is not what --install-shim writes: expected options, `--` and the compiler, a line each; make "
                       "the shim again");
    }
    if (!complete)
        str_list_free(words);
    return complete;
}

static bool fail(struct diags *diags, struct str path, const char *what)
{
    return diag_error(diags, (struct place){.path = path}, "%s: %s", what, strerror(errno));
}

/* Lists the names in a folder except "." and ".."; false with errno. */
static bool list(struct str folder, struct str_list *names, struct arena *arena)
{
    DIR *dir = opendir(arena_cstr(arena, folder));
    if (!dir)
        return false;
    for (struct dirent *entry; (entry = readdir(dir));)
        if (strcmp(entry->d_name, ".") != 0 && strcmp(entry->d_name, "..") != 0)
            str_list_add(names, arena_str(arena, str_of(entry->d_name)));
    closedir(dir);
    return true;
}

/* Removes the links of a previous toolkit, so that two toolkits do not mix. */
static bool remove_links(struct str folder, struct arena *arena, struct diags *diags)
{
    SCOPED(str_list) names = {0};
    bool ok = list(folder, &names, arena) || fail(diags, folder, "cannot be read");
    for (size_t at = 0; at < names.count && ok; at++) {
        struct stat status;
        struct str path = arena_fmt(arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(names.items[at]));
        if (lstat(path.ptr, &status) == 0 && S_ISLNK(status.st_mode) && unlink(path.ptr) != 0)
            ok = fail(diags, path, "cannot be removed");
    }
    return ok;
}

/* Creates a link in `folder` for each entry of `from`, except for one. */
static bool make_links(struct str from, struct str folder, const char *but, struct arena *arena, struct diags *diags)
{
    SCOPED(str_list) names = {0};
    bool ok = list(from, &names, arena) || fail(diags, from, "cannot be read");
    for (size_t at = 0; at < names.count && ok; at++) {
        struct str target = arena_fmt(arena, "%.*s/%.*s", STR_ARG(from), STR_ARG(names.items[at]));
        struct str path = arena_fmt(arena, "%.*s/%.*s", STR_ARG(folder), STR_ARG(names.items[at]));
        if (!str_eq(names.items[at], str_of(but)) && symlink(target.ptr, path.ptr) != 0)
            ok = fail(diags, path, "cannot be linked into the toolkit");
    }
    return ok;
}

static bool write_words(struct str path, const struct str_list *options, const char *compiler, struct diags *diags)
{
    SCOPED(buf) text = {0};
    for (size_t at = 0; at < options->count; at++)
        buf_fmt(&text, "%.*s\n", STR_ARG(options->items[at]));
    buf_fmt(&text, "--\n%s\n", compiler);
    return file_write(path, buf_str(&text), diags);
}

/* The folder two levels above the file, if the file is an nvcc with an nvcc.profile beside it; empty if it is not. */
static struct str toolkit_above(const char *path, struct arena *arena)
{
    struct str file = str_of(program_whole_path(path, arena));
    size_t slash = str_rfind(file, STR("/")),
           above = slash == STR_NONE ? slash : str_rfind(str_sub(file, 0, slash), STR("/"));
    if (above != STR_NONE && str_starts(str_from(file, slash + 1), STR("nvcc")) &&
        file_exists(arena_fmt(arena, "%.*s/nvcc.profile", STR_ARG(str_sub(file, 0, slash)))))
        return arena_str(arena, str_sub(file, 0, above));
    return (struct str){"", 0};
}

/* A script or a compiler cache with the compiler's name is in another folder, but its dry run shows the toolkit. */
static struct str toolkit_of(const char *compiler, struct arena *arena, struct diags *diags)
{
    const char *file = program_path(compiler, arena);
    struct str toolkit = toolkit_above(program_unresolved(compiler, arena), arena);
    if (!toolkit.len)
        toolkit = toolkit_above(file, arena);
    if (!toolkit.len)
        toolkit = toolkit_above(probe_nvcc(compiler, arena), arena);
    if (!toolkit.len)
        diag_error(diags, (struct place){.path = str_of(compiler)},
                   "is %s, which lies in no CUDA toolkit (there is no nvcc.profile beside it) and does not say with "
                   "--dryrun where the toolkit is; name the toolkit's own compiler behind --, as in "
                   "`-- /usr/local/cuda/bin/nvcc`",
                   file ? file : "not there");
    return toolkit;
}

static bool fill(struct str root, struct str toolkit, const struct str_list *options, const char *compiler,
                 struct arena *arena, struct diags *diags)
{
    struct str bin = arena_fmt(arena, "%.*s/bin", STR_ARG(root)), nvcc = arena_fmt(arena, "%.*s/nvcc", STR_ARG(bin));
    const char *own = program_own_path(arena);
    if (!own)
        return diag_error(diags, (struct place){0}, "the path of this program is not known");
    if (mkdir(bin.ptr, 0777) != 0 && errno != EEXIST)
        return fail(diags, bin, "cannot be made");
    return write_words(arena_fmt(arena, "%.*s" WORDS_SUFFIX, STR_ARG(nvcc)), options, compiler, diags) &&
           remove_links(root, arena, diags) && remove_links(bin, arena, diags) &&
           make_links(toolkit, root, "bin", arena, diags) &&
           make_links(arena_fmt(arena, "%.*s/bin", STR_ARG(toolkit)), bin, "nvcc", arena, diags) &&
           (symlink(own, nvcc.ptr) == 0 || fail(diags, nvcc, "cannot be linked to this program"));
}

bool shim_install(struct str folder, const struct str_list *options, const char *compiler, struct str *made,
                  struct arena *arena, struct diags *diags)
{
    const char *path = arena_cstr(arena, folder);
    struct str toolkit = toolkit_of(compiler, arena, diags);
    if (!toolkit.len)
        return false;
    if (mkdir(path, 0777) != 0 && errno != EEXIST)
        return fail(diags, folder, "cannot be made");
    char *whole = realpath(path, NULL);
    *made = whole ? arena_str(arena, str_of(whole)) : (struct str){"", 0};
    free(whole);
    if (!made->len)
        return fail(diags, folder, "is no folder that can be used");
    struct str words = arena_fmt(arena, "%.*s/bin/nvcc" WORDS_SUFFIX, STR_ARG(*made));
    SCOPED(str_list) names = {0};
    if (!list(*made, &names, arena))
        return fail(diags, folder, "cannot be read");
    if (!file_is_regular(words) && names.count > 0)
        return diag_error(diags, (struct place){.path = folder},
                          "is not empty and was not made by --install-shim; name a folder that is not there yet");
    return fill(*made, toolkit, options, compiler, arena, diags);
}
