/*
 * fault_shim: a library that is loaded before libc (LD_PRELOAD) and makes one call fail, as fault_board.h says. It
 * needs glibc, which exports its allocators under second names (__libc_malloc).
 */
#define _GNU_SOURCE
#undef _FORTIFY_SOURCE
#include "fault_board.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#pragma GCC diagnostic ignored "-Wmissing-prototypes" /* the wrapped functions have no prototype in a header */
#pragma GCC diagnostic ignored "-Wpedantic"           /* dlsym returns functions as object pointers */
#ifndef __clang__
#pragma GCC diagnostic ignored "-Wnonnull-compare"
#endif

enum { YEAR_SECONDS = 365 * 24 * 3600 };

static struct fault_board *board;

/* From here on the board is mapped, but only in the program that FAULT_PROGRAM names. */
__attribute__((constructor)) static void begin(void)
{
    char self[4096];
    const char *program = getenv("FAULT_PROGRAM"), *path = getenv("FAULT_BOARD");
    long length = syscall(SYS_readlinkat, AT_FDCWD, "/proc/self/exe", self, sizeof self - 1);
    if (!program || !path || length < 0)
        return;
    self[length] = '\0';
    int fd = strcmp(self, program) == 0 ? (int)syscall(SYS_openat, AT_FDCWD, path, O_RDWR | O_CLOEXEC) : -1;
    if (fd < 0)
        return;
    void *shared = mmap(NULL, sizeof *board, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    syscall(SYS_close, fd);
    if (shared == MAP_FAILED)
        return;
    board = shared;
    __atomic_add_fetch(&board->processes, 1, __ATOMIC_SEQ_CST);
}

static void hit(const char *name, int error)
{
    if (__atomic_fetch_add(&board->hits, 1, __ATOMIC_SEQ_CST) == 0) {
        snprintf(board->hit, sizeof board->hit, "%s", name);
        board->hit_error = error;
    }
}

/* ---- memory ----------------------------------------------------------------------------------------------------- */

void *__libc_malloc(size_t);
void *__libc_calloc(size_t, size_t);
void *__libc_realloc(void *, size_t);
void *__libc_memalign(size_t, size_t);

static int memory_fails(const char *name)
{
    if (!board)
        return 0;
    long number = __atomic_add_fetch(&board->allocations, 1, __ATOMIC_SEQ_CST);
    int fails = (board->kind == FAULT_MEMORY && number == board->at) ||
                (board->kind == FAULT_MEMORY_REST && number >= board->at);
    if (fails) {
        hit(name, ENOMEM);
        errno = ENOMEM;
    }
    return fails;
}

void *malloc(size_t size)
{
    return memory_fails("malloc") ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return memory_fails("calloc") ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return memory_fails("realloc") ? NULL : __libc_realloc(old, size);
}

void *reallocarray(void *old, size_t count, size_t size)
{
    size_t bytes = 0;
    return __builtin_mul_overflow(count, size, &bytes) || memory_fails("reallocarray") ? NULL
                                                                                       : __libc_realloc(old, bytes);
}

void *memalign(size_t alignment, size_t size)
{
    return memory_fails("memalign") ? NULL : __libc_memalign(alignment, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return memory_fails("aligned_alloc") ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **into, size_t alignment, size_t size)
{
    void *memory = memory_fails("posix_memalign") ? NULL : __libc_memalign(alignment, size);
    if (!memory)
        return ENOMEM;
    *into = memory;
    return 0;
}

/* ---- input and output ------------------------------------------------------------------------------------------- */

/* How a call ends: normally, with an error, with an error after its work is done, or after one byte. */
enum ending { GO_ON, FAIL, DO_AND_FAIL, ONE_BYTE };

enum { MAY_WAIT = 1, MOVES_BYTES = 2 }; /* may be interrupted by a signal; may move less than asked */

static int named(const char *name)
{
    return strcmp(board->name, name) == 0;
}

static enum ending end_of_call(const char *name, int error, int traits)
{
    static __thread int again; /* the caller repeats an interrupted call, and that one succeeds */
    if (!board)
        return GO_ON;
    long number = __atomic_add_fetch(&board->calls, 1, __ATOMIC_SEQ_CST);
    enum ending ending = GO_ON;
    switch ((enum fault_kind)board->kind) {
    case FAULT_CALL: ending = number == board->at ? FAIL : GO_ON; break;
    case FAULT_INTERRUPT:
        ending = number == board->at && (traits & MAY_WAIT) ? FAIL : GO_ON;
        error = EINTR;
        break;
    case FAULT_SHORT: ending = number == board->at && (traits & MOVES_BYTES) ? ONE_BYTE : GO_ON; break;
    case FAULT_ALL_SHORT:
        if (!(traits & MOVES_BYTES))
            break;
        again = !again;
        ending = again ? FAIL : ONE_BYTE;
        error = EINTR;
        break;
    case FAULT_NAMED: ending = named(name) ? FAIL : GO_ON; break;
    case FAULT_DONE: ending = named(name) ? DO_AND_FAIL : GO_ON; break;
    default: break;
    }
    if (board->kind == FAULT_NAMED || board->kind == FAULT_DONE)
        error = board->error;
    if (ending != GO_ON)
        hit(name, error);
    if (ending == FAIL || ending == DO_AND_FAIL)
        errno = error;
    return ending;
}

static void *real(const char *name)
{
    return dlsym(RTLD_NEXT, name);
}

/* Defines a wrapper of a libc function: its type, its parameters, the arguments that it passes on, the return value
 * that means failure, the errno it then sets, and its traits (MAY_WAIT, MOVES_BYTES). */
#define WRAP(type, name, parameters, arguments, failed, error, traits)                                                 \
    type name parameters                                                                                               \
    {                                                                                                                  \
        static type(*next) parameters;                                                                                 \
        if (!next)                                                                                                     \
            next = (type(*) parameters)real(#name);                                                                    \
        enum ending ending = end_of_call(#name, error, traits);                                                        \
        if (ending == FAIL)                                                                                            \
            return failed;                                                                                             \
        int before = errno;                                                                                            \
        type result = next arguments;                                                                                  \
        if (ending != DO_AND_FAIL)                                                                                     \
            return result;                                                                                             \
        errno = before;                                                                                                \
        return failed;                                                                                                 \
    }

WRAP(int, stat, (const char *path, struct stat *into), (path, into), -1, EACCES, 0)
WRAP(int, lstat, (const char *path, struct stat *into), (path, into), -1, EACCES, 0)
WRAP(int, fstat, (int fd, struct stat *into), (fd, into), -1, EIO, 0)
WRAP(int, access, (const char *path, int how), (path, how), -1, EACCES, 0)
WRAP(int, rename, (const char *from, const char *to), (from, to), -1, EIO, 0)
WRAP(int, linkat, (int folder, const char *from, int other, const char *to, int flags),
     (folder, from, other, to, flags), -1, EIO, 0)
WRAP(int, unlink, (const char *path), (path), -1, EACCES, 0)
WRAP(int, remove, (const char *path), (path), -1, EACCES, 0)
WRAP(int, rmdir, (const char *path), (path), -1, EBUSY, 0)
WRAP(int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC, 0)
WRAP(char *, mkdtemp, (char *pattern), (pattern), NULL, ENOSPC, 0)
WRAP(int, ftruncate, (int fd, off_t bytes), (fd, bytes), -1, EIO, 0)
WRAP(int, fsync, (int fd), (fd), -1, EIO, 0)
WRAP(int, dup, (int fd), (fd), -1, EMFILE, 0)
WRAP(int, dup2, (int fd, int to), (fd, to), -1, EMFILE, 0)
WRAP(int, pipe, (int ends[2]), (ends), -1, EMFILE, 0)
WRAP(int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE, 0)
WRAP(pid_t, fork, (void), (), -1, EAGAIN, 0)
WRAP(int, execvp, (const char *file, char *const *words), (file, words), -1, ENOMEM, 0)
WRAP(pid_t, waitpid, (pid_t pid, int *status, int options), (pid, status, options), -1, ECHILD,
     options &WNOHANG ? 0 : MAY_WAIT)
WRAP(int, poll, (struct pollfd * fds, nfds_t count, int ms), (fds, count, ms), -1, ENOMEM, MAY_WAIT)
WRAP(int, ppoll, (struct pollfd * fds, nfds_t count, const struct timespec *time, const sigset_t *mask),
     (fds, count, time, mask), -1, ENOMEM, MAY_WAIT)
WRAP(DIR *, opendir, (const char *path), (path), NULL, EMFILE, 0)
WRAP(struct dirent *, readdir, (DIR * stream), (stream), NULL, EIO, 0)
WRAP(char *, getcwd, (char *into, size_t size), (into, size), NULL, ENOENT, 0)
WRAP(char *, realpath, (const char *path, char *into), (path, into), NULL, EACCES, 0)
WRAP(void *, mmap, (void *at, size_t bytes, int protection, int flags, int fd, off_t offset),
     (at, bytes, protection, flags, fd, offset), MAP_FAILED, ENOMEM, 0)
WRAP(int, posix_spawnp,
     (pid_t * pid, const char *file, const posix_spawn_file_actions_t *actions, const posix_spawnattr_t *attributes,
      char *const *words, char *const *variables),
     (pid, file, actions, attributes, words, variables), EAGAIN, EAGAIN, 0)
WRAP(int, posix_spawn_file_actions_init, (posix_spawn_file_actions_t * actions), (actions), ENOMEM, ENOMEM, 0)
WRAP(int, posix_spawnattr_init, (posix_spawnattr_t * attributes), (attributes), ENOMEM, ENOMEM, 0)
WRAP(int, posix_spawn_file_actions_adddup2, (posix_spawn_file_actions_t * actions, int fd, int to), (actions, fd, to),
     ENOMEM, ENOMEM, 0)
WRAP(int, pthread_create, (pthread_t * thread, const pthread_attr_t *attributes, void *(*work)(void *), void *context),
     (thread, attributes, work, context), EAGAIN, EAGAIN, 0)

/* As on Linux, close releases the descriptor also when it fails. */
int close(int fd)
{
    int result = (int)syscall(SYS_close, fd);
    if (fd < 0 || end_of_call("close", EIO, 0) == GO_ON)
        return result;
    errno = board->kind == FAULT_NAMED || board->kind == FAULT_DONE ? board->error : EIO;
    return -1;
}

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
    return end_of_call("open", flags & O_CREAT ? EROFS : EMFILE, MAY_WAIT) == FAIL
               ? -1
               : (int)syscall(SYS_openat, folder, path, flags, mode);
}

#define MODE_OF(flags, mode)                                                                                           \
    mode_t mode = 0;                                                                                                   \
    if ((flags) & (O_CREAT | O_TMPFILE)) {                                                                             \
        va_list rest;                                                                                                  \
        va_start(rest, flags);                                                                                         \
        mode = va_arg(rest, mode_t);                                                                                   \
        va_end(rest);                                                                                                  \
    }

int open(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

int open64(const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return open_file(AT_FDCWD, path, flags, mode);
}

int openat(int folder, const char *path, int flags, ...)
{
    MODE_OF(flags, mode)
    return open_file(folder, path, flags, mode);
}

int __open_2(const char *path, int flags)
{
    return open_file(AT_FDCWD, path, flags, 0);
}

ssize_t read(int fd, void *into, size_t size)
{
    enum ending ending = end_of_call("read", EIO, MAY_WAIT | MOVES_BYTES);
    return ending == FAIL ? -1 : syscall(SYS_read, fd, into, ending == ONE_BYTE && size ? 1 : size);
}

ssize_t __read_chk(int fd, void *into, size_t size, size_t room)
{
    if (size > room)
        abort();
    return read(fd, into, size);
}

ssize_t pread(int fd, void *into, size_t size, off_t offset)
{
    enum ending ending = end_of_call("pread", EIO, MAY_WAIT | MOVES_BYTES);
    return ending == FAIL ? -1 : syscall(SYS_pread64, fd, into, ending == ONE_BYTE && size ? 1 : size, offset);
}

ssize_t __pread_chk(int fd, void *into, size_t size, off_t offset, size_t room)
{
    if (size > room)
        abort();
    return pread(fd, into, size, offset);
}

/* A full disk takes the bytes that still fit. Pipes, standard output and standard error are not on a disk. */
static ssize_t write_some(int fd, const void *from, size_t size)
{
    if (!board || board->kind != FAULT_FULL || fd <= STDERR_FILENO || syscall(SYS_lseek, fd, 0L, SEEK_CUR) < 0)
        return syscall(SYS_write, fd, from, size);
    long room = board->at - board->bytes;
    if (room <= 0) {
        hit("write", board->error);
        errno = board->error;
        return -1;
    }
    ssize_t wrote = syscall(SYS_write, fd, from, (long)size > room ? (size_t)room : size);
    if (wrote > 0)
        __atomic_add_fetch(&board->bytes, wrote, __ATOMIC_SEQ_CST);
    return wrote;
}

ssize_t write(int fd, const void *from, size_t size)
{
    enum ending ending = end_of_call("write", ENOSPC, MAY_WAIT | MOVES_BYTES);
    return ending == FAIL ? -1 : write_some(fd, from, ending == ONE_BYTE && size ? 1 : size);
}

ssize_t writev(int fd, const struct iovec *pieces, int count)
{
    return end_of_call("writev", ENOSPC, MAY_WAIT) == FAIL ? -1 : syscall(SYS_writev, fd, pieces, count);
}

/* Only standard output fails: the tests read the messages on standard error. */
size_t fwrite(const void *from, size_t size, size_t count, FILE *stream)
{
    static size_t (*next)(const void *, size_t, size_t, FILE *);
    if (!next)
        next = (size_t(*)(const void *, size_t, size_t, FILE *))real("fwrite");
    if (stream != stderr && end_of_call("fwrite", ENOSPC, 0) == FAIL) {
        stream->_flags |= 0x20; /* the error indicator that ferror reads */
        return 0;
    }
    return next(from, size, count, stream);
}

int fcntl(int fd, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    void *argument = va_arg(rest, void *);
    va_end(rest);
    return end_of_call("fcntl", EMFILE, 0) == FAIL ? -1 : (int)syscall(SYS_fcntl, fd, command, argument);
}

/* ---- clocks ----------------------------------------------------------------------------------------------------- */

static time_t jump(void)
{
    static long asked;
    if (!board || board->kind != FAULT_CLOCK)
        return 0;
    hit("clock", 0);
    return asked++ % 2 ? YEAR_SECONDS : -YEAR_SECONDS;
}

int clock_gettime(clockid_t clock, struct timespec *now)
{
    long result = syscall(SYS_clock_gettime, clock, now);
    now->tv_sec += jump();
    return (int)result;
}

time_t time(time_t *into)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_REALTIME, &now);
    if (into)
        *into = now.tv_sec;
    return now.tv_sec;
}
