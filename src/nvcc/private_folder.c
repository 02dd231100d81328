#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* mkdtemp */
#include "nvcc/private_folder.h"

#include "nvcc/process.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

enum { OPEN_FOLDERS = 16 };

static const char *to_remove, *outer; /* outer: TMPDIR as it was; NULL: not set */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

/* Walking through a folder takes memory. */
static void remove_apart(void)
{
    pid_t pid = to_remove ? fork() : -1;
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", to_remove, (char *)NULL);
        _exit(127);
    }
    if (pid > 0)
        process_join(pid);
}

void private_folder_remove(void)
{
    if (to_remove && nftw(to_remove, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        remove_apart();
    if (to_remove && outer)
        setenv("TMPDIR", outer, 1);
    else if (to_remove)
        unsetenv("TMPDIR");
    to_remove = NULL;
}

const char *private_folder_make(struct arena *arena, struct diags *diags)
{
    const char *temporary = getenv("TMPDIR");
    char *folder =
        (char *)(uintptr_t)arena_fmt(arena, "%s/warplint-XXXXXX", temporary && *temporary ? temporary : "/tmp").ptr;
    if (!mkdtemp(folder)) {
        diag_error(diags, (struct place){.path = str_of(folder)}, "cannot make a private folder: %s", strerror(errno));
        return NULL;
    }
    to_remove = folder;
    outer = temporary ? arena_cstr(arena, str_of(temporary)) : NULL;
    mem_before_end(remove_apart);
    if (setenv("TMPDIR", folder, 1) == 0)
        return folder;
    diag_error(diags, (struct place){0}, "TMPDIR cannot be set: %s", strerror(errno));
    return NULL;
}
