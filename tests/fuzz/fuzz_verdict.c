/*
 * Any bytes as the input of `check`: a log, our own NDJSON or a binary. The whole command runs, from the command line
 * to the report. The length of the input selects the format and the options, so that changing a byte changes neither.
 * The exit status is 0, 1 or 3, never that of wrong usage; with 1 or 3 there is a message; 1 means that there are
 * findings, 0 that there are none; the output contains only printable text; JSON formats are valid JSON.
 */
#define _GNU_SOURCE /* memfd_create */
#include "base/escape.h"
#include "base/json_read.h"
#include "cli/commands.h"
#include "fuzz.h"
#include "report/report.h"

#include <stdio.h>
#include <sys/mman.h>
#include <unistd.h>

/* The sanitizers' function, if they are linked. */
extern void __sanitizer_set_report_fd(void *fd) __attribute__((weak));

/* Options without a value; the bits of a number select them. */
static const char *const flags[] = {"--strict", "--all", "--unknown", "--threads=256"};

enum { FLAGS = sizeof flags / sizeof *flags };

/* Standard output and standard error, redirected to files in memory. */
static struct stream {
    int real, memory;
    struct buf text;
} streams[2];

static void divert(void)
{
    fflush(stdout);
    for (int fd = 1; fd <= 2; fd++) {
        struct stream *stream = &streams[fd - 1];
        if (!stream->memory) {
            stream->real = dup(fd);
            stream->memory = memfd_create("stream", 0);
            fuzz_check(stream->real >= 0 && stream->memory > 2, "the streams cannot be kept");
            if (fd == 2 && __sanitizer_set_report_fd)
                __sanitizer_set_report_fd((void *)(intptr_t)stream->real);
        }
        fuzz_check(ftruncate(stream->memory, 0) == 0 && lseek(stream->memory, 0, SEEK_SET) == 0 &&
                       dup2(stream->memory, fd) == fd,
                   "the streams cannot be diverted");
    }
}

static void restore(void)
{
    fflush(stdout);
    for (int fd = 1; fd <= 2; fd++) {
        struct stream *stream = &streams[fd - 1];
        fuzz_check(dup2(stream->real, fd) == fd, "the streams cannot be restored");
        off_t size = lseek(stream->memory, 0, SEEK_END);
        fuzz_check(size >= 0, "what was written cannot be read");
        stream->text.len = 0;
        char *room = buf_room(&stream->text, (size_t)size + 1);
        fuzz_check(pread(stream->memory, room, (size_t)size, 0) == (ssize_t)size, "what was written cannot be read");
        stream->text.len = (size_t)size;
    }
}

static void is_text(struct str said, const char *where)
{
    size_t at = 0;
    while (at < said.len) {
        struct str rest = str_from(said, at);
        bool ends = str_starts(rest, STR("\n")) || str_starts(rest, STR("\r\n"));
        size_t length = ends || rest.ptr[0] == '\t' ? 1 : visible_length(rest);
        fuzz_check(length > 0, "byte %zu of %s is more than text: %02x", at, where, (uint8_t)said.ptr[at]);
        at += length;
    }
}

/* `findings` in the last object of NDJSON; -1 if it is not that object. */
static int64_t findings_of(struct str text)
{
    struct json_fault fault = {0};
    struct json_value *value = json_read(text, &fault);
    int64_t count = -1;
    fuzz_check(value != NULL, "no JSON, byte %zu: %s", fault.at, fault.text);
    json_get_int(json_member(value, "findings"), &count);
    json_value_free(value);
    return count;
}

static bool is_one_of(const struct format *format, const char *const *names, size_t count)
{
    for (size_t at = 0; at < count; at++)
        if (str_eq(str_of(format->name), str_of(names[at])))
            return true;
    return false;
}

static void is_json(const struct format *format, struct str said, int status)
{
    static const char *const lines[] = {"ndjson", "rdjsonl"}, *const whole[] = {"gitlab", "json", "sarif"};
    int64_t findings = -1;
    bool by_line = is_one_of(format, lines, sizeof lines / sizeof *lines);
    for (struct str line; by_line && str_split(&said, '\n', &line);)
        if (line.len)
            findings = findings_of(line);
    if (is_one_of(format, whole, sizeof whole / sizeof *whole))
        findings_of(said);
    if (str_eq(str_of(format->name), STR("ndjson")))
        fuzz_check(findings >= 0 && (status == STATUS_FINDINGS) == (findings > 0), "status %d with %lld findings",
                   status, (long long)findings);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    const struct format *format = &format_table[size % format_count];
    const char *path = fuzz_file((struct str){(const char *)bytes, size});
    const char *argv[8 + FLAGS] = {"check", "--no-config", "--color=never", "--fail-on=note", "--format", format->name};
    int argc = 6;
    for (size_t at = 0; at < FLAGS; at++)
        if (size / format_count >> at & 1)
            argv[argc++] = flags[at];
    argv[argc++] = path;
    divert();
    int status = command_run(&command_check, argc, (char **)argv);
    restore();
    struct str said = buf_str(&streams[0].text), warned = buf_str(&streams[1].text);
    fuzz_check(status == STATUS_OK || status == STATUS_FINDINGS || status == STATUS_UNTRUSTED, "status %d", status);
    fuzz_check(status != STATUS_UNTRUSTED || warned.len, "not judged without a word");
    fuzz_check(status != STATUS_FINDINGS || said.len, "findings that nobody is shown");
    is_text(said, "standard output");
    is_text(warned, "standard error");
    is_json(format, said, status);
    return 0;
}
