#define _GNU_SOURCE /* O_TMPFILE */
#include "base/file.h"

#include "base/intern.h"
#include "base/stream.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { BLOCK = 1 << 18, SPILL_AT = 1 << 16, NEW_FILE = 0666 };

static struct place at_path(struct str path)
{
    return (struct place){.path = str_eq(path, STR("-")) ? STR("<stdin>") : path};
}

/* Reads until the text has `most` bytes, or a few more. */
static bool read_up_to(struct str path, enum input_allowed allowed, size_t most, struct buf *text, struct diags *diags)
{
    enum { LEAST = 64 }; /* of room: input_stream_read needs it */
    struct input_stream source;
    size_t got = 1;
    if (!input_stream_open(&source, path, allowed, diags))
        return false;
    while (got > 0 && text->len < most) {
        size_t room = most - text->len < BLOCK ? most - text->len : BLOCK;
        room = room < LEAST ? LEAST : room;
        got = input_stream_read(&source, buf_room(text, room), room);
        text->len += got;
    }
    return input_stream_close(&source, diags);
}

bool file_read_head(struct str path, size_t bytes, struct buf *text)
{
    const size_t most = text->len + bytes;
    bool ok = read_up_to(path, INPUT_REGULAR, most, text, NULL);
    text->len = text->len < most ? text->len : most;
    return ok;
}

bool file_read(struct str path, enum input_allowed allowed, size_t limit, struct buf *text, struct diags *diags)
{
    const size_t most = text->len + limit;
    if (!read_up_to(path, allowed, most + 1, text, diags))
        return false;
    return text->len <= most ||
           diag_error(diags, at_path(path), "is larger than %zu bytes, the most that is read here", limit);
}

/* Returns false if the path does not exist. */
static bool look_at(struct str path, struct stat *status)
{
    struct arena arena = {0};
    bool there = stat(arena_cstr(&arena, path), status) == 0;
    int error = errno;
    arena_free(&arena);
    errno = error;
    return there;
}

bool file_is_device(struct str path)
{
    struct stat status;
    return look_at(path, &status) && (S_ISCHR(status.st_mode) || S_ISBLK(status.st_mode));
}

bool file_is_dir(struct str path)
{
    struct stat status;
    return look_at(path, &status) && S_ISDIR(status.st_mode);
}

bool file_check_regular(struct str path, int *error)
{
    struct stat status;
    errno = 0;
    bool there = look_at(path, &status);
    *error = there || errno == ENOENT || errno == ENOTDIR ? 0 : errno;
    return there && S_ISREG(status.st_mode);
}

bool file_is_regular(struct str path)
{
    int error = 0;
    return file_check_regular(path, &error);
}

bool file_exists(struct str path)
{
    struct stat status;
    return look_at(path, &status);
}

bool file_name_exists(struct str path)
{
    SCOPED(arena) arena = {0};
    struct stat status;
    return lstat(arena_cstr(&arena, path), &status) == 0;
}

int64_t file_changed_ns(struct str path)
{
    struct stat status;
    if (!look_at(path, &status))
        return INT64_MIN;
    return (int64_t)status.st_mtim.tv_sec * 1000000000 + status.st_mtim.tv_nsec;
}

bool file_same(struct str a, struct str b)
{
    struct stat one, other;
    return look_at(a, &one) && look_at(b, &other) && one.st_dev == other.st_dev && one.st_ino == other.st_ino;
}

/* Adds a file by device and inode, which are the same through every link. */
static uint32_t add_identity(struct intern *files, const struct stat *status)
{
    const uint64_t identity[] = {status->st_dev, status->st_ino};
    return intern_add(files, (struct str){(const char *)identity, sizeof identity});
}

uint32_t file_number(struct intern *files, struct str path)
{
    struct stat status;
    return look_at(path, &status) ? add_identity(files, &status) : INTERN_NONE;
}

/* The folder of a path, with a slash at its end. */
static struct str folder_of(struct str path)
{
    struct str folder = path_folder(path);
    return folder.len ? folder : STR("./");
}

bool file_same_place(struct str a, struct str b)
{
    if (file_exists(a) || file_exists(b))
        return file_is_regular(a) && file_same(a, b);
    return str_eq(path_name(a), path_name(b)) && file_same(folder_of(a), folder_of(b));
}

struct str file_target(struct str path, struct arena *arena)
{
    struct stat status;
    const char *name = arena_cstr(arena, path);
    char *target = lstat(name, &status) == 0 && S_ISLNK(status.st_mode) ? realpath(name, NULL) : NULL;
    if (!target)
        return path;
    SCOPED(buf) way = {0};
    size_t slash = str_rfind(str_of(target), STR("/"));
    file_relative_path(STR("."), slash ? str_sub(str_of(target), 0, slash) : STR("/"), &way);
    struct str seen = arena_fmt(arena, "%.*s%s", STR_ARG(buf_str(&way)), target + slash);
    free(target);
    return seen;
}

static bool is_marked(struct str folder, const char *mark)
{
    SCOPED(arena) arena = {0};
    return file_exists(arena_fmt(&arena, "%.*s/.git", STR_ARG(folder))) ||
           (mark && file_exists(arena_fmt(&arena, "%.*s/%s", STR_ARG(folder), mark)));
}

void file_checkout(struct str start, const char *mark, struct buf *path, struct buf *here)
{
    SCOPED(arena) arena = {0};
    char *working = getcwd(NULL, 0), *real = start.len ? realpath(arena_cstr(&arena, start), NULL) : NULL;
    struct str all = str_of(working), folder = real ? str_of(real) : all;
    while (folder.len > 1 && !is_marked(folder, mark))
        folder = str_sub(folder, 0, str_rfind(folder, STR("/")));
    if (folder.len <= 1)
        folder = all;
    bool inside = str_starts(all, folder) && (all.len == folder.len || all.ptr[folder.len] == '/');
    if (working)
        buf_fmt(path, "%.*s/", STR_ARG(folder));
    if (here && all.len > (inside ? folder.len : 0))
        buf_fmt(here, "%.*s/", STR_ARG(inside ? str_from(all, folder.len + 1) : all));
    free(real);
    free(working);
}

/* Appends the relative path from one folder to the other. Both are absolute paths without links. */
static void add_way(struct str from, struct str to, struct buf *path)
{
    size_t start = path->len;
    struct str from_rest = from, to_rest = to, down = {0}, up = {0};
    while (path_next(&from_rest, false, &down) && path_next(&to_rest, false, &up) && str_eq(down, up)) {
        from = from_rest;
        to = to_rest;
    }
    while (path_next(&from, false, &up))
        buf_add(path, STR("../"));
    while (path_next(&to, false, &down))
        buf_fmt(path, "%.*s/", STR_ARG(down));
    if (path->len == start)
        buf_add(path, STR("./"));
    path->len--;
}

bool file_relative_path(struct str from, struct str to, struct buf *path)
{
    struct arena arena = {0};
    char *end = realpath(arena_cstr(&arena, to), NULL), *start = end ? realpath(arena_cstr(&arena, from), NULL) : NULL;
    int error = errno;
    if (start && end)
        add_way(str_of(start), str_of(end), path);
    else if (end)
        buf_add(path, str_of(end));
    bool relative = start != NULL;
    free(start);
    free(end);
    arena_free(&arena);
    errno = error;
    return relative;
}

static void add_path(struct path_list *list, struct str path)
{
    *MEM_ADD(list->paths, list->count, list->cap) = arena_str(&list->arena, path);
}

/* State of a walk. A folder is opened only after its parent is closed, so that deep trees do not use up file
 * descriptors. */
struct walk {
    struct str suffix;
    struct path_list *list;
    struct path_list links, folders;
    size_t entries, most; /* number seen in all folders; its limit */
    struct diags *diags;
    bool begun; /* the start folder is open: a folder that disappears after it was listed is not an error */
    bool ok;
};

/* False if the path disappeared after its folder was listed, which is not an error, or with a diagnostic. */
static bool look_in_folder(struct walk *walk, struct str path, struct stat *status)
{
    if (lstat(path.ptr, status) == 0)
        return true;
    if (errno != ENOENT)
        walk->ok = diag_error(walk->diags, at_path(path), "cannot be looked at: %s", strerror(errno));
    return false;
}

/* NULL at the end of the folder, and after an error, with a diagnostic. */
static const struct dirent *next_entry(struct walk *walk, DIR *stream, struct str dir)
{
    errno = 0;
    const struct dirent *entry = readdir(stream);
    if (!entry && errno)
        walk->ok = diag_error(walk->diags, at_path(dir), "folder cannot be read: %s", strerror(errno));
    return entry;
}

static void leave_out(struct path_list *list, struct str path)
{
    if (list->left_out++ == 0)
        list->first_left = arena_str(&list->arena, path);
}

static void walk_folder(struct walk *walk, struct str dir)
{
    struct path_list *list = walk->list;
    DIR *stream = opendir(arena_cstr(&list->arena, dir));
    if (!stream && errno == ENOENT && walk->begun)
        return;
    walk->begun = true;
    if (!stream) {
        walk->ok = diag_error(walk->diags, at_path(dir), "folder cannot be read: %s", strerror(errno));
        return;
    }
    const struct dirent *entry = NULL;
    while ((entry = next_entry(walk, stream, dir))) {
        struct str name = str_of(entry->d_name);
        if (str_eq(name, STR(".")) || str_eq(name, STR("..")))
            continue;
        if (++walk->entries > walk->most)
            break;
        struct str path = arena_fmt(&list->arena, "%.*s/%s", STR_ARG(dir), entry->d_name);
        struct stat status;
        if (!look_in_folder(walk, path, &status))
            continue;
        if (S_ISDIR(status.st_mode))
            add_path(&walk->folders, path);
        else if (!str_ends(name, walk->suffix))
            continue;
        else if (S_ISREG(status.st_mode))
            add_path(list, path);
        else if (S_ISLNK(status.st_mode))
            add_path(&walk->links, path);
        else
            leave_out(list, path);
    }
    closedir(stream);
}

static void sort_paths(struct path_list *list)
{
    mem_sort(list->paths, list->count, sizeof *list->paths, str_order);
}

/* Adds the links to files that are not in the list already, each file once. Links to pipes and devices are left out.
 * Dangling links are added too, so that the reader reports them, unless the suffix is empty and all files were asked
 * for. */
static void add_links(struct walk *walk)
{
    SCOPED(intern) known = {0};
    struct stat status;
    sort_paths(&walk->links);
    for (size_t at = 0; walk->links.count && at < walk->list->count; at++)
        if (look_at(walk->list->paths[at], &status))
            add_identity(&known, &status);
    for (size_t at = 0; at < walk->links.count; at++) {
        size_t before = known.count;
        bool there = look_at(walk->links.paths[at], &status);
        if (there ? S_ISREG(status.st_mode) && add_identity(&known, &status) == before : walk->suffix.len > 0)
            add_path(walk->list, walk->links.paths[at]);
        if (there && !S_ISREG(status.st_mode) && !S_ISDIR(status.st_mode))
            leave_out(walk->list, walk->links.paths[at]);
    }
}

bool file_walk_at_most(struct str dir, struct str suffix, size_t most, struct path_list *list, struct diags *diags)
{
    struct walk walk = {.suffix = suffix, .list = list, .most = most, .diags = diags, .ok = true};
    dir = path_without_end_slashes(dir);
    add_path(&walk.folders, dir);
    while (walk.folders.count && walk.entries <= most)
        walk_folder(&walk, walk.folders.paths[--walk.folders.count]);
    if (walk.entries > most) {
        walk.ok = diag_error(diags, at_path(dir),
                             "the folder holds more than %zu files and folders, the most that are "
                             "looked at here",
                             most);
        walk.links.count = list->count = 0;
    }
    add_links(&walk);
    sort_paths(list);
    path_list_free(&walk.links);
    path_list_free(&walk.folders);
    return walk.ok;
}

bool file_walk(struct str dir, struct str suffix, struct path_list *list, struct diags *diags)
{
    return file_walk_at_most(dir, suffix, SIZE_MAX, list, diags);
}

void path_list_free(struct path_list *list)
{
    arena_free(&list->arena);
    free(list->paths);
    *list = (struct path_list){0};
}

/* ---- writing ---------------------------------------------------------------------------------------------------- */

enum { MOST_NAMES = 100 }; /* attempts, if each name is already taken */

/* A name with 64 random bits, which another program cannot guess and create first. */
static const char *temporary_name(struct str path, struct buf *name)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        number = (uint64_t)getpid(); /* the caller creates the file exclusively, so a taken name is detected */
    buf_clear(name);
    buf_fmt(name, "%.*s.warplint-%016llx.tmp", STR_ARG(folder_of(path)), (unsigned long long)number);
    buf_char(name, '\0');
    return name->ptr;
}

/* The descriptor that /dev/stdout or /dev/fd/3 refers to, or -1. */
static int descriptor_of(struct str path)
{
    uint64_t number = 0;
    if (str_eq(path, STR("/dev/stdout")))
        return STDOUT_FILENO;
    if (str_eq(path, STR("/dev/stderr")))
        return STDERR_FILENO;
    bool is_one = str_take(&path, STR("/dev/fd/")) || str_take(&path, STR("/proc/self/fd/"));
    return is_one && str_to_uint(path, &number) && number <= INT_MAX ? (int)number : -1;
}

/* Waits for a process to open the pipe for reading, up to 10 seconds. */
static int open_special(const char *name)
{
    enum { MOST_PAUSES = 1000 };
    static const struct timespec pause = {.tv_nsec = 10 * 1000000L};
    int fd = -1, pauses = 0;
    while ((fd = stream_open(name, O_WRONLY | O_NONBLOCK, 0)) < 0 && errno == ENXIO && pauses++ < MOST_PAUSES)
        nanosleep(&pause, NULL);
    if (fd >= 0)
        fcntl(fd, F_SETFL, fcntl(fd, F_GETFL) & ~O_NONBLOCK);
    return fd;
}

/* Opens a device, a pipe or an open descriptor, which is written in place and never replaced. False if the path is none
 * of these. */
static bool begin_special(struct out *out)
{
    SCOPED(arena) arena = {0};
    struct stat file;
    const int open_already = descriptor_of(out->path);
    out->special = open_already >= 0 || (look_at(out->path, &file) && !S_ISREG(file.st_mode));
    if (out->special)
        out->fd = open_already >= 0 ? fcntl(open_already, F_DUPFD_CLOEXEC, STDERR_FILENO + 1)
                                    : open_special(arena_cstr(&arena, out->path));
    if (out->special && out->fd < 0)
        out->error = errno;
    return out->special;
}

/* Opens a file without a name, if the file system supports that and /proc can name it later; else the text stays in
 * memory. In both cases a process that ends before out_close leaves no file behind. */
void out_replace(struct out *out, struct str path)
{
    SCOPED(arena) arena = {0};
    *out = (struct out){.fd = -1, .path = path};
    if (access("/proc/self/fd", X_OK) == 0)
        out->fd = stream_open(arena_cstr(&arena, folder_of(path)), O_WRONLY | O_TMPFILE, NEW_FILE);
}

void out_open(struct out *out, struct str path)
{
    *out = (struct out){.fd = STDOUT_FILENO};
    if (str_eq(path, STR("-")))
        return;
    *out = (struct out){.fd = -1, .path = path};
    if (!begin_special(out))
        out_replace(out, path);
}

static void write_all(struct out *out)
{
    if (out->fd < 0 && !out->error)
        return;
    if (out->text.len)
        stream_begin_line(out->fd);
    if (!out->error && !stream_write(out->fd, out->text.ptr, out->text.len))
        out->error = errno;
    buf_clear(&out->text);
}

void out_spill(struct out *out)
{
    if (out->text.len >= SPILL_AT)
        write_all(out);
}

/* Gives the file a temporary name, or creates it if it is not open yet. The final step is rename, because rename
 * replaces an existing file and linkat does not. False with out->error set. */
static bool name_file(struct out *out, struct buf *temporary)
{
    char open_file[64];
    int result = -1;
    snprintf(open_file, sizeof open_file, "/proc/self/fd/%d", out->fd);
    for (int tries = 0; result < 0 && tries < MOST_NAMES && (tries == 0 || errno == EEXIST); tries++) {
        const char *name = temporary_name(out->path, temporary);
        if (out->fd >= 0)
            result = linkat(AT_FDCWD, open_file, AT_FDCWD, name, AT_SYMLINK_FOLLOW);
        else
            result = out->fd = stream_open(name, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW, NEW_FILE);
    }
    if (result < 0)
        out->error = errno;
    return result >= 0;
}

static void end_stream(struct out *out)
{
    write_all(out);
    if (out->fd >= 0 && close(out->fd) != 0 && !out->error)
        out->error = errno;
}

/* Renames the complete file to its name, or deletes it. Signals are blocked while the temporary name exists, because a
 * signal that ends the process would leave that file behind. */
static void end_file(struct out *out)
{
    SCOPED(arena) arena = {0};
    SCOPED(buf) temporary = {0};
    sigset_t all, before;
    const char *path = arena_cstr(&arena, out->path);
    write_all(out);
    sigfillset(&all);
    sigprocmask(SIG_BLOCK, &all, &before);
    const bool named = !out->error && name_file(out, &temporary);
    end_stream(out);
    if (named && !out->error && rename(temporary.ptr, path) != 0)
        out->error = errno;
    if (named && out->error)
        unlink(temporary.ptr);
    sigprocmask(SIG_SETMASK, &before, NULL);
}

bool out_close(struct out *out, struct diags *diags)
{
    struct place place = {.path = out->path.len ? out->path : STR("<stdout>")};
    if (!out->path.len)
        write_all(out);
    else if (out->special)
        end_stream(out);
    else
        end_file(out);
    buf_free(&out->text);
    if (out->special && out->error == ENXIO)
        return diag_error(diags, place, "cannot be written: no process reads it");
    if (out->error == EPIPE) /* the reader has read all that it wanted, for example `head` */
        return false;
    return !out->error || diag_error(diags, place, "cannot be written: %s", strerror(out->error));
}

bool file_write(struct str path, struct str text, struct diags *diags)
{
    struct out out;
    out_open(&out, path);
    buf_add(&out.text, text);
    return out_close(&out, diags);
}
