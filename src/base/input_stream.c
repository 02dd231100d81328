#define _POSIX_C_SOURCE 200809L
#include "base/input_stream.h"

#include "base/buf.h"
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <poll.h>
#include <string.h>
#include <sys/stat.h>
#include <time.h>
#include <unistd.h>

enum { REPLACEMENT = 0xfffd }; /* stands for invalid UTF-16 */

/* Closes the descriptor if error is not 0. Returns the descriptor, or -1 with errno. */
static int close_after(int fd, int error)
{
    if (error && fd >= 0)
        close(fd);
    errno = error;
    return error ? -1 : fd;
}

int input_stream_open_regular(const char *path)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return -1;
    int fd = S_ISREG(status.st_mode) ? stream_open(path, O_RDONLY | O_NONBLOCK, 0) : close_after(-1, EINVAL);
    if (fd < 0)
        return -1;
    if (fstat(fd, &status) != 0)
        return close_after(fd, errno);
    return close_after(fd, S_ISREG(status.st_mode) ? 0 : EINVAL);
}

/* Waits until a process opens the pipe for writing; false after 10 seconds. Bytes that are read meanwhile go to
 * `held`. */
static bool await_writer(struct input_stream *source)
{
    enum { MOST_PAUSES = 1000 };
    static const struct timespec pause = {.tv_nsec = 10 * 1000000L};
    for (int pauses = 0; pauses < MOST_PAUSES; pauses++) {
        struct pollfd state = {.fd = source->fd, .events = POLLIN};
        ssize_t got = read(source->fd, source->held, sizeof source->held);
        source->held_len = got > 0 ? (size_t)got : 0;
        if (got != 0 || (poll(&state, 1, 0) == 1 && (state.revents & (POLLIN | POLLHUP)) == POLLHUP))
            return true; /* EAGAIN: there is a writer that has written nothing yet */
        nanosleep(&pause, NULL);
    }
    return false;
}

static bool open_any(struct input_stream *source, const char *path)
{
    struct stat status;
    int fd = source->fd = stream_open(path, O_RDONLY | O_NONBLOCK, 0), error = 0;
    if (fd < 0)
        return false;
    if (fstat(fd, &status) != 0)
        error = errno;
    else if (S_ISFIFO(status.st_mode) && !await_writer(source))
        error = ETIMEDOUT;
    else if (!S_ISREG(status.st_mode) && fcntl(fd, F_SETFL, 0) != 0)
        error = errno;
    return close_after(fd, error) >= 0;
}

bool input_stream_open(struct input_stream *source, struct str path, enum input_allowed allowed, struct diags *diags)
{
    SCOPED(arena) arena = {0};
    struct place place = {.path = path};
    *source = (struct input_stream){.path = path, .fd = STDIN_FILENO};
    if (allowed == INPUT_ANY && str_eq(path, STR("-")))
        return true;
    const char *name = arena_cstr(&arena, path);
    if (allowed == INPUT_REGULAR)
        source->fd = input_stream_open_regular(name);
    bool opened = allowed == INPUT_REGULAR ? source->fd >= 0 : open_any(source, name);
    int error = errno;
    if (opened) {
        struct stat status;
        source->unread = fstat(source->fd, &status) == 0 && S_ISREG(status.st_mode) ? (uint64_t)status.st_size : 0;
        return true;
    }
    if (!path.len)
        return diag_error(diags, place, "the name of a file is empty: is a variable of the shell not set?");
    if (error == EINVAL && allowed == INPUT_REGULAR)
        return diag_error(diags, place, "is not a regular file, expected one");
    if (error == ETIMEDOUT)
        return diag_error(diags, place,
                          "cannot be read: no process has opened this pipe for writing within 10 seconds");
    return diag_error(diags, place, "cannot be opened: %s", strerror(error));
}

static size_t read_bytes(struct input_stream *source, void *into, size_t room)
{
    ssize_t got = 0;
    do
        got = read(source->fd, into, room);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        source->error = errno;
    const size_t taken = got > 0 ? (size_t)got : 0;
    source->became_shorter |= got == 0 && source->unread > 0;
    source->unread -= taken < source->unread ? taken : source->unread;
    return taken;
}

/* ---- kinds of input --------------------------------------------------------------------------------------------- */

/* First bytes that identify a kind of input. To add one: a row here and one in tests/test_encoding.c. */
static const struct mark {
    struct str bytes;
    enum input_kind kind;
    size_t length; /* bytes to drop, because they are not part of the text */
    const char *decompress;
} marks[] = {
    {STR_INIT("\xef\xbb\xbf"), INPUT_BYTES, 3, NULL}, /* UTF-8 byte order mark */
    {STR_INIT("\xff\xfe"), INPUT_UTF16LE, 2, NULL},
    {STR_INIT("\xfe\xff"), INPUT_UTF16BE, 2, NULL},
    {STR_INIT("\x1f\x8b"), INPUT_COMPRESSED, 0, "gzip -dc"},
    {STR_INIT("\x28\xb5\x2f\xfd"), INPUT_COMPRESSED, 0, "zstd -dc"},
    {STR_INIT("\x04\x22\x4d\x18"), INPUT_COMPRESSED, 0, "lz4 -dc"},
    {STR_INIT("\xfd\x37\x7aXZ"), INPUT_COMPRESSED, 0, "xz -dc"},
    {STR_INIT("BZh"), INPUT_COMPRESSED, 0, "bzip2 -dc"},
    {STR_INIT("PK\x03\x04"), INPUT_COMPRESSED, 0, "unzip -p"},
};

/* The row for the first bytes; a row of kind INPUT_BYTES if they match none. */
static struct mark mark_of(struct str head)
{
    for (size_t at = 0; at < sizeof marks / sizeof *marks; at++)
        if (str_starts(head, marks[at].bytes))
            return marks[at];
    return (struct mark){.kind = INPUT_BYTES};
}

const char *input_decompress(struct str head)
{
    return mark_of(head).decompress;
}

/* Determines the kind from the first bytes and drops a byte order mark. */
static void begin(struct input_stream *source)
{
    size_t got = 0;
    while (source->held_len < sizeof source->held &&
           (got = read_bytes(source, source->held + source->held_len, sizeof source->held - source->held_len)) > 0)
        source->held_len += got;
    const struct mark mark = mark_of((struct str){(const char *)source->held, source->held_len});
    source->kind = mark.kind;
    source->decompress = mark.decompress;
    source->held_len -= mark.length;
    memmove(source->held, source->held + mark.length, source->held_len);
}

/* ---- UTF-16 ----------------------------------------------------------------------------------------------------- */

static uint32_t unit(const struct input_stream *source, const unsigned char *at)
{
    return source->kind == INPUT_UTF16LE ? (uint32_t)(at[0] | at[1] << 8) : (uint32_t)(at[1] | at[0] << 8);
}

static size_t put_utf8(uint32_t code, char *into)
{
    static const unsigned char lead[] = {0, 0, 0xc0, 0xe0, 0xf0};
    size_t length = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t at = length; at-- > 1; code >>= 6)
        into[at] = (char)(0x80 | (code & 0x3f));
    into[0] = (char)(lead[length] | code);
    return length;
}

/* Decodes complete characters; *used: the number of bytes decoded. */
static size_t decode(const struct input_stream *source, const unsigned char *bytes, size_t len, size_t *used,
                     char *into)
{
    size_t at = 0, out = 0;
    while (at + 2 <= len) {
        uint32_t code = unit(source, bytes + at), length = 2;
        if (code >= 0xd800 && code < 0xdc00) {
            if (at + 4 > len)
                break;
            uint32_t low = unit(source, bytes + at + 2);
            bool pair = low >= 0xdc00 && low < 0xe000;
            code = pair ? 0x10000 + ((code - 0xd800) << 10) + (low - 0xdc00) : REPLACEMENT;
            length = pair ? 4 : 2;
        } else if (code >= 0xdc00 && code < 0xe000) {
            code = REPLACEMENT;
        }
        out += put_utf8(code, into + out);
        at += length;
    }
    *used = at;
    return out;
}

/* Reads UTF-16 as UTF-8. Two bytes become at most three. */
static size_t read_utf16(struct input_stream *source, char *into, size_t room)
{
    unsigned char bytes[1 << 14];
    size_t most = room / 3 * 2 < sizeof bytes ? room / 3 * 2 : sizeof bytes, given = 0, used = 0;
    while (given == 0) {
        size_t held = source->held_len, len = held;
        memcpy(bytes, source->held, held);
        len += read_bytes(source, bytes + held, most - held);
        given = decode(source, bytes, len, &used, into);
        source->held_len = len - used;
        memcpy(source->held, bytes + used, len - used);
        if (len == held && used == 0) { /* end of the input, with nothing or half a character left */
            source->held_len = 0;
            return held ? put_utf8(REPLACEMENT, into) : 0;
        }
    }
    return given;
}

/* ----------------------------------------------------------------------------------------------------------------- */

size_t input_stream_read(struct input_stream *source, char *into, size_t room)
{
    if (source->kind == INPUT_NEW)
        begin(source);
    if (source->kind == INPUT_COMPRESSED) {
        size_t got = 1; /* standard input is read to its end, so that its writer is not killed by SIGPIPE */
        while (got > 0 && source->fd == STDIN_FILENO)
            got = read_bytes(source, into, room);
        return 0;
    }
    if (source->kind != INPUT_BYTES)
        return read_utf16(source, into, room);
    size_t len = source->held_len;
    memcpy(into, source->held, len);
    source->held_len = 0;
    return len + read_bytes(source, into + len, room - len);
}

bool input_stream_close(struct input_stream *source, struct diags *diags)
{
    struct place place = {.path = str_eq(source->path, STR("-")) ? STR("<stdin>") : source->path};
    if (source->fd != STDIN_FILENO)
        close(source->fd);
    if (source->decompress)
        return diag_error(diags, place, "is compressed: give the output of `%s`", source->decompress);
    if (source->became_shorter)
        return diag_error(
            diags, place,
            "became shorter while it was read: another program writes to it; read it again when that has ended");
    return !source->error || diag_error(diags, place, "cannot be read: %s", strerror(source->error));
}
