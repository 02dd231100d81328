#define _POSIX_C_SOURCE 200809L
#include "base/file.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { BLOCK = 1 << 18, SPILL_AT = 1 << 16, DEEPEST_FOLDER = 64 };

static bool is_stdin(struct str path)
{
    return str_eq(path, STR("-"));
}

static struct place at_path(struct str path)
{
    return (struct place){.path = is_stdin(path) ? STR("<stdin>") : path};
}

static int open_input(struct str path)
{
    if (is_stdin(path))
        return STDIN_FILENO;
    struct arena arena = {0};
    int fd = open(arena_cstr(&arena, path), O_RDONLY | O_CLOEXEC);
    arena_free(&arena);
    return fd;
}

/* read that goes on after a signal. */
static ssize_t read_some(int fd, char *into, size_t room)
{
    ssize_t got = 0;
    do
        got = read(fd, into, room);
    while (got < 0 && errno == EINTR);
    return got;
}

bool file_blocks(struct str path, void (*take)(void *context, struct str block), void *context, struct diags *diags)
{
    int fd = open_input(path);
    if (fd < 0)
        return diag_error(diags, at_path(path), "cannot be opened: %s", strerror(errno));
    char *block = mem_alloc(BLOCK);
    ssize_t got = 0;
    while ((got = read_some(fd, block, BLOCK)) > 0)
        take(context, (struct str){block, (size_t)got});
    int error = errno;
    free(block);
    if (fd != STDIN_FILENO)
        close(fd);
    return got == 0 || diag_error(diags, at_path(path), "cannot be read: %s", strerror(error));
}

struct gathering {
    struct buf *text;
    size_t limit;
    bool over;
};

static void gather(void *context, struct str block)
{
    struct gathering *g = context;
    g->over |= g->text->len + block.len > g->limit;
    if (!g->over)
        buf_add(g->text, block);
}

bool file_read(struct str path, size_t limit, struct buf *text, struct diags *diags)
{
    struct gathering g = {.text = text, .limit = text->len + limit};
    if (!file_blocks(path, gather, &g, diags))
        return false;
    return !g.over || diag_error(diags, at_path(path), "is larger than %zu bytes, the most that is read here", limit);
}

/* False: it is not there. */
static bool look_at(struct str path, struct stat *status)
{
    struct arena arena = {0};
    bool there = stat(arena_cstr(&arena, path), status) == 0;
    arena_free(&arena);
    return there;
}

bool file_is_dir(struct str path)
{
    struct stat status;
    return look_at(path, &status) && S_ISDIR(status.st_mode);
}

bool file_exists(struct str path)
{
    struct stat status;
    return look_at(path, &status);
}

bool file_same(struct str a, struct str b)
{
    struct stat one, other;
    return look_at(a, &one) && look_at(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

static void add_path(struct path_list *list, struct str path)
{
    list->paths = mem_reserve(list->paths, &list->cap, list->count + 1, sizeof *list->paths);
    list->paths[list->count++] = arena_str(&list->arena, path);
}

static bool walk(struct str dir, struct str suffix, int depth, struct path_list *list, struct diags *diags)
{
    DIR *stream = opendir(arena_cstr(&list->arena, dir));
    if (!stream)
        return diag_error(diags, at_path(dir), "folder cannot be read: %s", strerror(errno));
    bool ok = true;
    const struct dirent *entry = NULL;
    while ((entry = readdir(stream))) {
        struct str name = str_of(entry->d_name);
        if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
            continue;
        struct str path = arena_fmt(&list->arena, "%.*s/%s", STR_ARG(dir), entry->d_name);
        struct stat status;
        if (lstat(path.ptr, &status) != 0)
            continue;
        if (S_ISDIR(status.st_mode) && depth < DEEPEST_FOLDER)
            ok &= walk(path, suffix, depth + 1, list, diags);
        else if (S_ISREG(status.st_mode) && str_ends(name, suffix))
            add_path(list, path);
    }
    closedir(stream);
    return ok;
}

static int by_path(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

bool file_walk(struct str dir, struct str suffix, struct path_list *list, struct diags *diags)
{
    while (dir.len > 1 && dir.ptr[dir.len - 1] == '/')
        dir.len--;
    bool ok = walk(dir, suffix, 0, list, diags);
    if (list->count)
        qsort(list->paths, list->count, sizeof *list->paths, by_path);
    return ok;
}

void path_list_free(struct path_list *list)
{
    arena_free(&list->arena);
    free(list->paths);
    *list = (struct path_list){0};
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

bool out_open(struct out *out, struct str path, struct diags *diags)
{
    *out = (struct out){.fd = STDOUT_FILENO};
    if (str_eq(path, STR("-")))
        return true;
    out->path = path;
    buf_fmt(&out->temporary, "%.*s.%ld.tmp", STR_ARG(path), (long)getpid());
    buf_char(&out->temporary, '\0');
    out->fd = open(out->temporary.ptr, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
    if (out->fd >= 0)
        return true;
    diag_error(diags, at_path(path), "cannot be written: %s", strerror(errno));
    buf_free(&out->temporary);
    return false;
}

static void write_all(struct out *out)
{
    size_t done = 0;
    while (done < out->text.len && !out->error) {
        ssize_t wrote = write(out->fd, out->text.ptr + done, out->text.len - done);
        if (wrote > 0)
            done += (size_t)wrote;
        else if (wrote < 0 && errno != EINTR)
            out->error = errno;
    }
    buf_clear(&out->text);
}

void out_spill(struct out *out)
{
    if (out->text.len >= SPILL_AT)
        write_all(out);
}

/* The temporary file takes its name, or goes. */
static void settle_file(struct out *out)
{
    if (close(out->fd) != 0 && !out->error)
        out->error = errno;
    struct arena arena = {0};
    const char *path = arena_cstr(&arena, out->path);
    if (!out->error && rename(out->temporary.ptr, path) != 0)
        out->error = errno;
    if (out->error)
        unlink(out->temporary.ptr);
    arena_free(&arena);
}

bool out_close(struct out *out, struct diags *diags)
{
    write_all(out);
    if (out->path.len)
        settle_file(out);
    int error = out->error;
    struct place place = {.path = out->path.len ? out->path : STR("<stdout>")};
    buf_free(&out->text);
    buf_free(&out->temporary);
    return !error || diag_error(diags, place, "cannot be written: %s", strerror(error));
}
