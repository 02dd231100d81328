/*
 * usage: replay TARGET FILE|FOLDER...
 *
 * Runs a fuzz target (reader, config: see replay.inc, which CMake writes) over files, without libFuzzer, so that the
 * corpora are ordinary tests under every compiler. Prints the number of files; a missing or empty folder is a failure.
 */
#include "fuzz.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>

typedef int target_run(const uint8_t *bytes, size_t size);

#define TARGET(name) target_run fuzz_##name;
#include "replay.inc"
#undef TARGET

static const struct target {
    struct str name;
    target_run *run;
} targets[] = {
#define TARGET(name) {STR_INIT(#name), fuzz_##name},
#include "replay.inc"
#undef TARGET
};

static const struct target *target; /* the TARGET of the command line */

static bool run_file(const char *path)
{
    FILE *file = fopen(path, "rb");
    struct buf bytes = {0};
    size_t got = 0;
    if (!file)
        return false;
    do {
        got = fread(buf_room(&bytes, 1 << 16), 1, 1 << 16, file);
        bytes.len += got;
    } while (got);
    fclose(file);
    uint8_t *copy = malloc(bytes.len ? bytes.len : 1); /* of exactly this size: a sanitizer sees a read past the end */
    fuzz_check(copy != NULL, "no memory");
    if (bytes.len)
        memcpy(copy, bytes.ptr, bytes.len);
    target->run(copy, bytes.len);
    free(copy);
    buf_free(&bytes);
    return true;
}

static size_t run_folder(const char *path)
{
    DIR *folder = opendir(path);
    size_t count = 0;
    if (!folder)
        return run_file(path);
    for (const struct dirent *entry; (entry = readdir(folder));) {
        struct buf file = {0};
        buf_fmt(&file, "%s/%s", path, entry->d_name);
        if (entry->d_name[0] != '.') {
            fprintf(stderr, "\r%s ", file.ptr); /* the last name shown is the file that failed */
            count += run_file(file.ptr);
        }
        buf_free(&file);
    }
    closedir(folder);
    return count;
}

int main(int argc, char **argv)
{
    for (size_t at = 0; argc > 1 && at < sizeof targets / sizeof *targets; at++)
        if (str_eq(targets[at].name, str_of(argv[1])))
            target = &targets[at];
    if (!target || argc < 3) {
        fprintf(stderr, "usage: replay TARGET FILE|FOLDER...\n");
        return 1;
    }
    for (int at = 2; at < argc; at++) {
        size_t count = run_folder(argv[at]);
        if (!count) {
            fprintf(stderr, "replay: nothing to read in %s\n", argv[at]);
            return 1;
        }
        fputc('\n', stderr);
        printf("%zu inputs in %s\n", count, argv[at]);
    }
    return 0;
}
