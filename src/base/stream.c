#define _DEFAULT_SOURCE /* MAP_ANONYMOUS */
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

static bool own_state;
static bool *in_line = &own_state; /* the last byte from the other program was not a line feed */

static bool is_writable(int fd)
{
    int flags = fcntl(fd, F_GETFL);
    return flags >= 0 && (flags & O_ACCMODE) != O_RDONLY;
}

bool stream_same(int fd, int other)
{
    struct stat a, b;
    return is_writable(fd) && is_writable(other) && fstat(fd, &a) == 0 && fstat(other, &b) == 0 &&
           a.st_dev == b.st_dev && a.st_ino == b.st_ino;
}

void stream_share(void)
{
    void *page = mmap(NULL, sizeof *in_line, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        return;
    *(bool *)page = *in_line;
    in_line = page;
}

void stream_note(struct str bytes)
{
    if (bytes.len)
        *in_line = bytes.ptr[bytes.len - 1] != '\n';
}

void stream_begin_line(int fd)
{
    int error = errno;
    if (*in_line && (fd == STDERR_FILENO || stream_same(fd, STDERR_FILENO))) {
        *in_line = false;
        stream_write(fd, "\n", 1);
    }
    errno = error;
}

int stream_open(const char *path, int flags, int mode)
{
    int fd = -1;
    do
        fd = open(path, flags | O_CLOEXEC | O_NOCTTY, mode);
    while (fd < 0 && errno == EINTR);
    return fd;
}

bool stream_write(int fd, const void *bytes, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t put = write(fd, (const char *)bytes + done, length - done);
        if (put < 0 && errno == EAGAIN) {
            struct pollfd ready = {.fd = fd, .events = POLLOUT};
            poll(&ready, 1, -1);
        } else if (put < 0 && errno != EINTR) {
            return false;
        }
        done += put > 0 ? (size_t)put : 0;
    }
    return true;
}

void stream_print(struct str text)
{
    if (text.len)
        stream_begin_line(STDERR_FILENO);
    stream_write(STDERR_FILENO, text.ptr, text.len);
}
