/* How an input stream converts bytes: UTF-16 with a byte order mark becomes UTF-8, for every read size; compressed
 * input is refused with the command that decompresses it; everything else is unchanged. */
#define _GNU_SOURCE /* mkstemp */
#include "base/input_stream.h"
#include "log/prefilter.h"
#include "testing.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

/* Writes bytes into a pipe, each piece after the reader has taken the one before. */
static bool write_pieces(int into, struct str bytes, size_t piece)
{
    for (size_t at = 0; at < bytes.len; at += piece) {
        int unread = 1;
        while (unread && ioctl(into, FIONREAD, &unread) == 0)
            sched_yield();
        size_t len = bytes.len - at < piece ? bytes.len - at : piece;
        if (write(into, bytes.ptr + at, len) != (ssize_t)len)
            return false;
    }
    return true;
}

/* Reads the stream with a buffer of `room` bytes; errors are appended to *said. */
static struct buf read_pieces(struct str bytes, size_t piece, size_t room, struct buf *said)
{
    int ends[2];
    struct buf text = {0};
    struct diags diags = {0};
    ck_assert_int_eq(pipe(ends), 0);
    pid_t child = fork();
    ck_assert_int_ge(child, 0);
    if (child == 0)
        _exit(write_pieces(ends[1], bytes, piece) ? 0 : 1);
    close(ends[1]);
    struct input_stream source = {.path = STR("log"), .fd = ends[0]};
    for (size_t got; (got = input_stream_read(&source, buf_room(&text, room), room)) > 0;)
        text.len += got;
    if (!input_stream_close(&source, &diags))
        buf_fmt(said, "%.*s", STR_ARG(diags.items[0].message));
    diags_free(&diags);
    return text;
}

START_TEST(text_is_given_in_one_encoding)
{
    static const struct {
        struct str bytes, text;
    } rows[] = {
        {STR_INIT(""), STR_INIT("")},
        {STR_INIT("a"), STR_INIT("a")},
        {STR_INIT("\xff"), STR_INIT("\xff")},
        {STR_INIT("\xff\xfe"), STR_INIT("")},
        {STR_INIT("\xef\xbb\xbf"), STR_INIT("")},
        {STR_INIT("\xef\xbb\xbfx\xef\xbb\xbf"), STR_INIT("x\xef\xbb\xbf")},
        {STR_INIT("\xef\xbb"), STR_INIT("\xef\xbb")},
        {STR_INIT("\xff\xfe"
                  "a\0b\0\r\0\n\0"),
         STR_INIT("ab\r\n")},
        {STR_INIT("\xfe\xff"
                  "\0a\0b\0\r\0\n"),
         STR_INIT("ab\r\n")},
        {STR_INIT("\xff\xfe\x18\x20x\0\x19\x20"), STR_INIT("\xe2\x80\x98x\xe2\x80\x99")},
        {STR_INIT("\xff\xfe\xe9\0\x3d\xd8\x00\xde!\0"), STR_INIT("\xc3\xa9\xf0\x9f\x98\x80!")},
        {STR_INIT("\xfe\xff\xd8\x3d\xde\x00\0!"), STR_INIT("\xf0\x9f\x98\x80!")},
        /* a single half of a surrogate pair, and half a character at the end */
        {STR_INIT("\xff\xfe\x3d\xd8!\0"), STR_INIT("\xef\xbf\xbd!")},
        {STR_INIT("\xff\xfe\x00\xde!\0"), STR_INIT("\xef\xbf\xbd!")},
        {STR_INIT("\xff\xfe"
                  "a\0\x3d\xd8"),
         STR_INIT("a\xef\xbf\xbd")},
        {STR_INIT("\xff\xfe"
                  "a\0b"),
         STR_INIT("a\xef\xbf\xbd")},
        {STR_INIT("\xff\xfe\x3d\xd8\x00"), STR_INIT("\xef\xbf\xbd")},
        /* a byte order mark that is not at the start is text */
        {STR_INIT("a\xff\xfe"), STR_INIT("a\xff\xfe")},
        {STR_INIT("PKG k.cu and B"), STR_INIT("PKG k.cu and B")},
    };
    static const size_t pieces[] = {1, 2, 3, 5, 100}, rooms[] = {64, 65, 4096};
    for (size_t at = 0; at < sizeof rows / sizeof *rows * 15; at++) {
        struct buf said = {0};
        const size_t row = at / 15;
        struct buf text = read_pieces(rows[row].bytes, pieces[at % 5], rooms[at / 5 % 3], &said);
        ck_assert_msg(str_eq(buf_str(&text), rows[row].text) && said.len == 0, "row %zu: '%.*s' %.*s", row,
                      STR_ARG(buf_str(&text)), STR_ARG(buf_str(&said)));
        buf_free(&text);
        buf_free(&said);
    }
}
END_TEST

/* Characters of 1 to 4 bytes at every position around the end of a block. */
START_TEST(characters_across_blocks_are_read)
{
    for (size_t before = 0; before < 70; before++) {
        struct buf bytes = {0}, text = {0}, said = {0};
        buf_add(&bytes, STR("\xff\xfe"));
        for (size_t at = 0; at < before; at++)
            buf_add(&bytes, STR("k\0"));
        buf_pad(&text, 'k', before);
        for (size_t at = 0; at < 40; at++) {
            buf_add(&bytes, STR("\x3d\xd8\x00\xde\x18\x20\xe9\0n\0"));
            buf_add(&text, STR("\xf0\x9f\x98\x80\xe2\x80\x98\xc3\xa9n"));
        }
        struct buf seen = read_pieces(buf_str(&bytes), 100, 64, &said);
        ck_assert(str_eq(buf_str(&seen), buf_str(&text)));
        buf_free(&bytes);
        buf_free(&text);
        buf_free(&seen);
    }
}
END_TEST

START_TEST(compressed_files_are_refused)
{
    static const struct {
        struct str bytes;
        const char *decompress;
    } rows[] = {
        {STR_INIT("\x1f\x8b\x08\0ptxas info"), "gzip -dc"},
        {STR_INIT("\x28\xb5\x2f\xfd"
                  "ptxas info"),
         "zstd -dc"},
        {STR_INIT("\x04\x22\x4d\x18"
                  "ptxas info"),
         "lz4 -dc"},
        {STR_INIT("\xfd"
                  "7zXZ\0ptxas info"),
         "xz -dc"},
        {STR_INIT("BZh91AY&SY"), "bzip2 -dc"},
        {STR_INIT("PK\x03\x04ptxas info"), "unzip -p"},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        struct buf said = {0}, text = read_pieces(rows[row].bytes, 3, 64, &said);
        ck_assert_uint_eq(text.len, 0);
        ck_assert_msg(str_find(buf_str(&said), str_of(rows[row].decompress)) != STR_NONE, "%s: %.*s",
                      rows[row].decompress, STR_ARG(buf_str(&said)));
        buf_free(&text);
        buf_free(&said);
    }
}
END_TEST

START_TEST(other_data_within_a_log_is_found)
{
    static const struct {
        struct str line;
        const char *what; /* NULL: no error */
    } rows[] = {
        {STR_INIT("Used 8 registers\x1f\x8b\x08\x00\x11"), "gzip -dc"},
        {STR_INIT("\x28\xb5\x2f\xfd\x04"), "zstd -dc"},
        {STR_INIT("\x04\x22\x4d\x18\x64"), "lz4 -dc"},
        {STR_INIT("\xfd\x37zXZ"), "xz -dc"},
        {STR_INIT("BZh91AY&SY\xd8"), "bzip2 -dc"},
        {STR_INIT("PK\x03\x04\x14"), "unzip -p"},
        {STR_INIT("{\"type\":\"run\",\"schema\":1,\"tool\":\"warplint\"}"), "records of warplint"},
        {STR_INIT("\xe7\x91\xb0\xe6\x85\xb8\xe2\x81\xb3"), "another encoding"},
        {STR_INIT("\xe7\xa1\xb4\xe7\x8d\xa1"), "another encoding"},
        {STR_INIT("\xe7\x81\xb4\xe7\xa1\xa1"), "another encoding"},
        {STR_INIT("\xe7\x91\xb8\xe6\x85\xb3"), "another encoding"},
        {STR_INIT("\xe7\x80\x80\xe7\x90\x80\xe7\xa0\x80\xe6\x84\x80"), "another encoding"},
        {STR_INIT("ptxas info    : Used 8 registers & {more} PK BZh9"), NULL},
        {STR_INIT("{\"type\":\"ninja\"}"), NULL},
        {STR_INIT("\xe7\x94\x9f\xe6\x88\x90\xe4\xb8\xad ptxas"), NULL},
    };
    for (size_t row = 0; row < sizeof rows / sizeof *rows; row++) {
        const char *what = prefilter_foreign(rows[row].line);
        ck_assert_msg(rows[row].what ? what && strstr(what, rows[row].what) : !what, "row %zu: %s", row, what);
        ck_assert(!what || prefilter_in_line(rows[row].line));
    }
}
END_TEST

/* What the stream says of a file of 200 bytes that has `length` bytes after the first 100 were read. */
static void read_while_length_changes(off_t length, const char *expected)
{
    char path[] = "/tmp/warplint-shorter-XXXXXX", block[256] = {0};
    struct diags diags = {0};
    struct input_stream source;
    const int fd = mkstemp(path);
    ck_assert_int_eq(write(fd, block, 200), 200);
    ck_assert(input_stream_open(&source, str_of(path), INPUT_REGULAR, &diags));
    ck_assert_int_eq((int)input_stream_read(&source, block, 100), 100);
    ck_assert_int_eq(ftruncate(fd, length), 0);
    while (input_stream_read(&source, block, sizeof block) > 0)
        ;
    ck_assert_int_eq(input_stream_close(&source, &diags), !expected);
    ck_assert(!expected || str_find(diags.items[0].message, str_of(expected)) != STR_NONE);
    diags_free(&diags);
    close(fd);
    unlink(path);
}

START_TEST(a_file_that_becomes_shorter_is_refused)
{
    read_while_length_changes(200, NULL);
    read_while_length_changes(300, NULL);
    read_while_length_changes(199, "became shorter while it was read");
    read_while_length_changes(0, "became shorter while it was read");
}
END_TEST

int main(void)
{
    TCase *encoding = tcase_create("encoding");
    tcase_add_test(encoding, text_is_given_in_one_encoding);
    tcase_add_test(encoding, characters_across_blocks_are_read);
    tcase_add_test(encoding, compressed_files_are_refused);
    tcase_add_test(encoding, a_file_that_becomes_shorter_is_refused);
    tcase_add_test(encoding, other_data_within_a_log_is_found);
    return run_suite("encoding", &encoding, 1);
}
