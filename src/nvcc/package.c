#define _XOPEN_SOURCE 700
#include "nvcc/package.h"

#include "base/buf.h"
#include "base/input_stream.h"
#include "base/stream.h"

#include <archive.h>
#include <archive_entry.h>
#include <errno.h>
#include <fcntl.h>
#include <locale.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#define ZIP_MARK "PK\x03\x04"
enum { BLOCK = 1 << 18, MOST_MEMBERS = 1 << 20 };

struct package {
    struct archive *archive;
    struct package *outer; /* the package whose last member this is; NULL: this package is a file */
    uint64_t *budget;
    char head[PACKAGE_HEAD]; /* first bytes of the last member */
    struct str held;         /* bytes of head that read_some has not returned yet */
    size_t members;
    bool streamed; /* skipped members must be decompressed too */
    bool first;    /* the first header was read, but not returned yet */
    struct archive_entry *entry;
    const char *wrong;
    int copy;          /* the temporary file; -1: not made yet */
    char block[BLOCK]; /* buffer for the bytes of the last member */
};

static const char over_budget[] = "it unpacks to more than 64 times its size and 512 MiB";

bool package_begins(struct str head)
{
    enum { USTAR_AT = 257 };
    return input_decompress(head) || str_starts(head, STR("!<arch>\ndebian-binary")) ||
           str_starts(str_from(head, USTAR_AT), STR("ustar"));
}

/* ---- opening ---------------------------------------------------------------------------------------------------- */

/* The text of libarchive's last error. Too little memory, or a disk that cannot be read, is not the package's fault and
 * is reported as such. */
static const char *error_of(struct archive *archive)
{
    int error = archive_errno(archive);
    const char *text = archive_error_string(archive);
    if (error == ENOMEM)
        mem_exhausted();
    if (error == EIO || error == ESTALE)
        region_note_error(error);
    return text ? text : "it cannot be read";
}

/* Reads the next header. libarchive converts names to the character set of the locale, and in the C locale it refuses
 * names that are not ASCII. */
static int read_header(struct package *package)
{
    static locale_t utf8;
    utf8 = utf8 ? utf8 : newlocale(LC_CTYPE_MASK, "C.UTF-8", (locale_t)0);
    locale_t before = uselocale(utf8); /* 0, if there is no such locale, changes nothing */
    int status = archive_read_next_header(package->archive, &package->entry);
    uselocale(before);
    return status;
}

/* False if this libarchive lacks a library and would start a program instead. The list of a zip's members is at its
 * end: a file without the list is truncated, and only a stream is read without it. */
static bool choose_formats(struct archive *archive, bool is_file)
{
    bool ok = archive_read_support_filter_gzip(archive) == ARCHIVE_OK;
    ok &= archive_read_support_filter_bzip2(archive) == ARCHIVE_OK;
    ok &= archive_read_support_filter_xz(archive) == ARCHIVE_OK;
    ok &= archive_read_support_filter_zstd(archive) == ARCHIVE_OK;
    ok &= archive_read_support_filter_lz4(archive) == ARCHIVE_OK;
    ok &= (is_file ? archive_read_support_format_zip_seekable(archive)
                   : archive_read_support_format_zip_streamable(archive)) == ARCHIVE_OK;
    ok &= archive_read_support_format_tar(archive) == ARCHIVE_OK;
    return ok && archive_read_support_format_ar(archive) == ARCHIVE_OK;
}

static bool spend(struct package *package, size_t bytes)
{
    bool enough = *package->budget >= bytes;
    *package->budget -= enough ? bytes : *package->budget;
    return enough;
}

/* Reads at most `room` bytes of the last member; -1 if it fails, and package->wrong says why. */
static ssize_t read_some(struct package *package, char *into, size_t room)
{
    struct str held = str_sub(package->held, 0, room);
    if (held.len) {
        memcpy(into, held.ptr, held.len);
        package->held = str_from(package->held, held.len);
        return (ssize_t)held.len;
    }
    ssize_t got = archive_read_data(package->archive, into, room);
    if (got < 0)
        package->wrong = error_of(package->archive);
    if (got > 0 && !spend(package, (size_t)got)) {
        package->wrong = over_budget;
        got = -1;
    }
    return got;
}

static la_ssize_t read_outer(struct archive *archive, void *context, const void **block)
{
    struct package *package = context;
    struct package *outer = package->outer;
    ssize_t got = read_some(outer, outer->block, sizeof outer->block);
    *block = outer->block;
    if (got < 0)
        archive_set_error(archive, EINVAL, "%s", outer->wrong);
    return got;
}

/* False if it is not a package. If its first member cannot be read, the first package_next reports that. */
static bool open_archive(struct package *package, int fd)
{
    struct archive *archive = package->archive = archive_read_new();
    if (!archive)
        mem_exhausted();
    if (!choose_formats(archive, !package->outer))
        return false;
    int opened = package->outer ? archive_read_open(archive, package, NULL, read_outer, NULL)
                                : archive_read_open_fd(archive, fd, BLOCK);
    int status = opened == ARCHIVE_OK ? read_header(package) : opened;
    package->first = true;
    if (status == ARCHIVE_EOF)
        package->entry = NULL;
    else if (status < ARCHIVE_WARN)
        package->wrong = error_of(archive);
    package->streamed = package->outer || archive_filter_count(archive) > 1;
    /* Format 0 with EILSEQ: libarchive has recognised no format. */
    return archive_format(archive) != 0 || archive_errno(archive) != EILSEQ;
}

static struct package *open_package(int fd, struct package *outer, bool is_zip, uint64_t *budget)
{
    struct package *package = mem_alloc(sizeof *package);
    *package = (struct package){.outer = outer, .budget = budget, .copy = -1};
    bool opened = open_archive(package, fd);
    if (!opened && is_zip)
        package->wrong = "it is cut short: the list of its members is not there";
    if (opened || is_zip)
        return package;
    package_close(package);
    return NULL;
}

struct package *package_open(int fd, uint64_t *budget)
{
    char bytes[PACKAGE_HEAD];
    ssize_t got = pread(fd, bytes, sizeof bytes, 0);
    struct str head = {bytes, got > 0 ? (size_t)got : 0};
    bool begins = package_begins(head) && lseek(fd, 0, SEEK_SET) == 0;
    return begins ? open_package(fd, NULL, str_starts(head, STR(ZIP_MARK)), budget) : NULL;
}

struct package *package_open_inner(struct package *outer)
{
    return open_package(-1, outer, false, outer->budget);
}

void package_close(struct package *package)
{
    archive_read_free(package->archive);
    if (package->copy >= 0)
        close(package->copy);
    free(package);
}

const char *package_wrong(const struct package *package)
{
    return package->wrong;
}

/* ---- members ---------------------------------------------------------------------------------------------------- */

/* Reads the rest of the last member if libarchive would decompress it without a limit. False if it exceeds the budget;
 * other errors in the member appear again when the next header is read. */
static bool pass_over(struct package *package)
{
    ssize_t got = package->streamed && package->entry ? 1 : 0;
    while (got > 0)
        got = read_some(package, package->block, sizeof package->block);
    return package->wrong != over_budget;
}

static enum region_step broken(struct package *package, const char *wrong)
{
    package->wrong = wrong;
    return REGION_BROKEN;
}

/* Reads the header of the next member into package->entry; REGION_END after the last member. */
static enum region_step next_header(struct package *package)
{
    if (package->first) {
        package->first = false;
        return package->wrong ? REGION_BROKEN : package->entry ? REGION_NEXT : REGION_END;
    }
    if (!pass_over(package))
        return REGION_BROKEN;
    int status = read_header(package);
    if (status == ARCHIVE_EOF)
        return REGION_END;
    return status < ARCHIVE_WARN ? broken(package, error_of(package->archive)) : REGION_NEXT;
}

enum region_step package_next(struct package *package, struct package_member *member)
{
    enum region_step step = next_header(package);
    *member = (struct package_member){.name = STR("?")};
    if (step != REGION_NEXT)
        return step;
    if (++package->members > MOST_MEMBERS)
        return broken(package, "it has more than 1,048,576 members");
    const char *name = archive_entry_pathname(package->entry);
    if (name)
        member->name = str_of(name);
    package->held = (struct str){NULL, 0};
    package->wrong = NULL;
    if (archive_entry_filetype(package->entry) != AE_IFREG)
        return REGION_NEXT;
    if (archive_entry_is_encrypted(package->entry)) {
        member->unread = "it is encrypted";
        return REGION_NEXT;
    }
    ssize_t got = 1;
    size_t len = 0;
    while (len < PACKAGE_HEAD && (got = read_some(package, package->head + len, PACKAGE_HEAD - len)) > 0)
        len += (size_t)got;
    member->head = package->held = (struct str){package->head, len};
    if (got < 0 && package->wrong == over_budget)
        return REGION_BROKEN;
    member->unread = got < 0 ? package->wrong : NULL;
    return REGION_NEXT;
}

/* ---- copies ----------------------------------------------------------------------------------------------------- */

static int temporary_file(void)
{
    const char *folder = getenv("TMPDIR");
    struct buf path = {0};
    buf_fmt(&path, "%s/warplint-XXXXXX", folder && *folder ? folder : "/tmp");
    buf_char(&path, '\0');
    int fd = mkstemp(path.ptr), error = errno;
    if (fd >= 0) {
        unlink(path.ptr);
        fcntl(fd, F_SETFD, FD_CLOEXEC);
    }
    buf_free(&path);
    errno = error;
    return fd;
}

int package_copy(struct package *package)
{
    if (package->copy < 0)
        package->copy = temporary_file();
    bool ok = package->copy >= 0 && ftruncate(package->copy, 0) == 0 && lseek(package->copy, 0, SEEK_SET) == 0;
    ssize_t got = ok;
    while (ok && (got = read_some(package, package->block, sizeof package->block)) > 0)
        ok = stream_write(package->copy, package->block, (size_t)got);
    if (!ok) {
        region_note_error(errno);
        package->wrong = "no temporary file can be written";
    }
    return ok && got == 0 ? package->copy : -1;
}
