#define _XOPEN_SOURCE   700
#define _DEFAULT_SOURCE /* mkdtemp */
#include "nvcc/pool.h"

#include "base/file.h"
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

enum { WAITS_BEFORE_KILL = 10, MOST_OUTPUT_BYTES = 1 << 28 };
static const struct timespec while_waiting = {.tv_nsec = 200 * 1000000L};

/* ---- the private folder ----------------------------------------------------------------------------------------- */

enum { OPEN_FOLDERS = 16 };

static const char *to_remove, *outer; /* the folder of the pool; the previous TMPDIR, NULL: not set */

static int remove_one(const char *path, const struct stat *status, int kind, struct FTW *where)
{
    (void)status, (void)kind, (void)where;
    return remove(path);
}

/* Lets rm remove the folder: walking through a folder takes memory. */
static void remove_apart(void)
{
    pid_t pid = to_remove ? fork() : -1;
    if (pid == 0) {
        execlp("rm", "rm", "-rf", "--", to_remove, (char *)NULL);
        _exit(127);
    }
    if (pid > 0)
        process_wait_for(pid);
}

/* Removes the folder with everything in it, if there is one. */
static void remove_folder(void)
{
    if (!to_remove)
        return;
    if (nftw(to_remove, remove_one, OPEN_FOLDERS, FTW_DEPTH | FTW_PHYS) != 0)
        remove_apart();
    if (outer)
        setenv("TMPDIR", outer, 1);
    else
        unsetenv("TMPDIR");
    to_remove = NULL;
}

/* Creates the folder and sets TMPDIR to it: until it is removed, compilers put their temporary files there. NULL with a
 * diagnostic if it cannot be created. */
static const char *make_folder(struct arena *arena, struct diags *diags)
{
    const char *temporary = getenv("TMPDIR"), *parent = temporary && *temporary ? temporary : "/tmp";
    char *folder = (char *)(uintptr_t)arena_fmt(arena, "%s/warplint-XXXXXX", parent).ptr;
    if (!mkdtemp(folder)) {
        diag_error(diags, (struct place){.path = str_of(parent)},
                   "no folder for temporary files can be made here: %s; set TMPDIR to a folder that can be written",
                   strerror(errno));
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

/* ---- the pool ---------------------------------------------------------------------------------------------------- */

bool pool_begin(struct pool *pool, time_t most_seconds, struct arena *arena, struct diags *diags)
{
    struct sigaction normal = {.sa_handler = SIG_DFL}, now;
    *pool = (struct pool){.most_seconds = most_seconds};
    sigemptyset(&pool->waited);
    sigaddset(&pool->waited, SIGCHLD);
    for (int at = 0; at < ENDING_SIGNALS; at++)
        if (sigaction(ending_signals[at], NULL, &now) == 0 && now.sa_handler != SIG_IGN)
            sigaddset(&pool->waited, ending_signals[at]);
    sigaction(SIGCHLD, &normal, &pool->child);
    sigprocmask(SIG_BLOCK, &pool->waited, &pool->before);
    pool->folder = make_folder(arena, diags);
    return pool->folder != NULL;
}

void pool_end(struct pool *pool)
{
    remove_folder();
    if (pool->interrupted)
        process_end_like((struct process_end){.signal = pool->interrupted});
    sigaction(SIGCHLD, &pool->child, NULL);
    sigprocmask(SIG_SETMASK, &pool->before, NULL);
}

/* False if the job cannot be started; job->end has the error. */
static bool start(const struct pool *pool, struct job *job)
{
    struct process_start how = {.words = job->words,
                                .mask = &pool->before,
                                .error_fd =
                                    stream_open(job->output_path, O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600),
                                .one_stream = true,
                                .pipe_ends = true,
                                .isolated = true};
    int error = how.error_fd < 0 ? errno : process_start(&how, &job->pid);
    if (how.error_fd >= 0)
        close(how.error_fd);
    if (!error)
        return true;
    job->pid = 0;
    job->done = true;
    job->end.error = error;
    return false;
}

/* Records the jobs that have ended and returns the number of jobs that still run. *failed is set if an ended job did
 * not succeed. */
static size_t collect_ended(struct job *jobs, size_t count, bool *failed)
{
    size_t running = 0;
    for (size_t at = 0; at < count; at++) {
        int status = 0;
        if (!jobs[at].pid)
            continue;
        const pid_t ended = waitpid(jobs[at].pid, &status, WNOHANG);
        if (ended == 0) {
            running++;
            continue;
        }
        jobs[at].end = ended < 0 ? (struct process_end){.error = errno} : process_end_from_status(status);
        jobs[at].pid = 0;
        jobs[at].done = true;
        *failed |= jobs[at].end.error || jobs[at].end.signal || jobs[at].end.status;
    }
    return running;
}

/* Ends the jobs that still run, and all processes that they have started. These jobs remain not done, because how they
 * ended does not concern the user. */
static void end_all(struct job *jobs, size_t count)
{
    sigset_t child;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    for (size_t at = 0; at < count; at++)
        if (jobs[at].pid)
            kill(-jobs[at].pid, SIGTERM);
    for (size_t at = 0; at < count; at++) {
        pid_t pid = jobs[at].pid;
        int waits = 0;
        while (pid && waitpid(pid, NULL, WNOHANG) == 0)
            if (sigtimedwait(&child, NULL, &while_waiting) < 0 && ++waits == WAITS_BEFORE_KILL)
                kill(-pid, SIGKILL);
        if (pid)
            kill(-pid, SIGKILL); /* processes that it has left behind */
        jobs[at].pid = 0;
    }
}

static size_t count_done(const struct job *jobs, size_t count)
{
    size_t done = 0;
    for (size_t at = 0; at < count; at++)
        done += jobs[at].done;
    return done;
}

/* Starts at most `room` jobs. False if one could not be started. */
static bool start_some(const struct pool *pool, struct job *jobs, size_t count, size_t room)
{
    for (size_t at = 0; at < count && room > 0; at++) {
        if (jobs[at].done || jobs[at].pid)
            continue;
        if (!start(pool, &jobs[at]))
            return false;
        room--;
    }
    return true;
}

bool pool_run(struct pool *pool, struct job *jobs, size_t count, size_t most, void (*progress)(void *, size_t),
              void *context)
{
    bool failed = false;
    time_t begun = process_clock();
    while (!failed && !pool->interrupted && !pool->expired) {
        size_t running = collect_ended(jobs, count, &failed);
        failed |= !failed && !start_some(pool, jobs, count, most - running);
        if (failed || count_done(jobs, count) == count)
            break;
        int number = sigtimedwait(&pool->waited, NULL, &while_waiting);
        if (number > 0 && number != SIGCHLD)
            pool->interrupted = number;
        pool->expired = pool->most_seconds && process_clock() - begun > pool->most_seconds;
        if (progress)
            progress(context, count_done(jobs, count));
    }
    end_all(jobs, count);
    return !failed && !pool->interrupted && !pool->expired;
}

int pool_ask(struct pool *pool, const char *const *words, struct buf *output)
{
    SCOPED(arena) arena = {0};
    struct job job = {.words = words, .output_path = arena_fmt(&arena, "%s/output", pool->folder).ptr};
    pool_run(pool, &job, 1, 1, NULL, NULL);
    bool ended = job.done && !job.end.error && !job.end.signal;
    if (ended && output)
        ended = file_read(str_of(job.output_path), INPUT_REGULAR, MOST_OUTPUT_BYTES, output, NULL);
    return ended ? job.end.status : -1;
}
