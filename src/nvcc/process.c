#define _GNU_SOURCE /* ppoll, pipe2, posix_openpt, cfmakeraw */
#include "nvcc/process.h"

#include "base/mem.h"
#include "base/stream.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <poll.h>
#include <spawn.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <termios.h>
#include <unistd.h>

extern char **environ;

enum {
    BLOCK_BYTES = 1 << 16,
    SILENCE_MS = 100,
    PAUSE_MS = 10,
    MOST_FAILURES = 100,
    STATUS_INCOMPLETE_INPUT = 125,
    FIRST_THREAD_SIGNAL = 32
};

const int ending_signals[ENDING_SIGNALS] = {SIGHUP, SIGINT, SIGQUIT, SIGTERM, SIGUSR1, SIGUSR2, SIGALRM};

static volatile sig_atomic_t running_pid; /* the running process, 0: none */
static volatile sig_atomic_t last_signal; /* the last signal that was to be passed on, 0: none */
static int stderr_fd = -1;                /* where the running process's standard error is read */

/* A signal from a terminal (si_code above 0) has already reached the whole group. */
static void pass_on(int signal, siginfo_t *info, void *context)
{
    (void)context;
    int error = errno;
    last_signal = signal;
    if (running_pid > 0 && info->si_code <= 0)
        kill((pid_t)running_pid, signal);
    errno = error;
}

static void wake(int signal)
{
    (void)signal;
}

/* The signal settings that this process changed for itself, to be restored. */
struct dispositions {
    struct sigaction ending[ENDING_SIGNALS], child, pipe;
    sigset_t mask;      /* the previous mask */
    sigset_t wait_mask; /* while waiting for bytes: the previous mask without SIGCHLD, so that the end of the process
                           wakes us */
};

static const struct dispositions *saved_dispositions; /* while a process runs */

/* Signals arrive only while we wait. A signal that was ignored stays ignored, in this process and in the other one. */
static void install_handlers(struct dispositions *before)
{
    struct sigaction pass = {.sa_sigaction = pass_on, .sa_flags = SA_SIGINFO}, note = {.sa_handler = wake},
                     ignore = {.sa_handler = SIG_IGN};
    sigset_t held;
    sigemptyset(&held);
    sigaddset(&held, SIGCHLD);
    for (int at = 0; at < ENDING_SIGNALS; at++)
        sigaddset(&held, ending_signals[at]);
    sigprocmask(SIG_BLOCK, &held, &before->mask);
    before->wait_mask = before->mask;
    sigdelset(&before->wait_mask, SIGCHLD);
    for (int at = 0; at < ENDING_SIGNALS; at++) {
        sigaction(ending_signals[at], NULL, &before->ending[at]);
        if (before->ending[at].sa_handler != SIG_IGN)
            sigaction(ending_signals[at], &pass, NULL);
    }
    sigaction(SIGCHLD, &note, &before->child);
    sigaction(SIGPIPE, &ignore, &before->pipe);
}

static void restore_handlers(const struct dispositions *before)
{
    for (int at = 0; at < ENDING_SIGNALS; at++)
        sigaction(ending_signals[at], &before->ending[at], NULL);
    sigaction(SIGCHLD, &before->child, NULL);
    sigaction(SIGPIPE, &before->pipe, NULL);
    sigprocmask(SIG_SETMASK, &before->mask, NULL);
}

static bool outlives_size_limit;

void process_outlive_size_limit(void)
{
    struct sigaction before, ignore = {.sa_handler = SIG_IGN};
    sigaction(SIGXFSZ, &ignore, &before);
    outlives_size_limit = before.sa_handler != SIG_IGN;
}

/* glibc makes posix_spawn ignore its two thread signals unless they are in the set of defaults, and sigaddset refuses
 * to add them. */
static void restore_thread_signals(sigset_t *defaults)
{
#ifdef __GLIBC__
    unsigned long word = 0;
    if (sizeof word * CHAR_BIT <= FIRST_THREAD_SIGNAL)
        return;
    memcpy(&word, defaults, sizeof word);
    word |= 3UL << (FIRST_THREAD_SIGNAL - 1);
    memcpy(defaults, &word, sizeof word);
#else
    (void)defaults;
#endif
}

/* Returns errno or 0, like all functions of posix_spawn. */
static int add_streams(posix_spawn_file_actions_t *actions, const struct process_start *start)
{
    int error = start->error_fd < 0 ? 0 : posix_spawn_file_actions_adddup2(actions, start->error_fd, STDERR_FILENO);
    if (!error && start->one_stream)
        error = posix_spawn_file_actions_adddup2(actions, STDERR_FILENO, STDOUT_FILENO);
    if (!error && start->isolated)
        error = posix_spawn_file_actions_addopen(actions, STDIN_FILENO, "/dev/null", O_RDONLY, 0);
    return error;
}

static void set_attributes(posix_spawnattr_t *attributes, const struct process_start *start)
{
    short flags = POSIX_SPAWN_SETSIGDEF;
    sigset_t defaults;
    sigemptyset(&defaults);
    if (start->pipe_ends)
        sigaddset(&defaults, SIGPIPE);
    if (outlives_size_limit)
        sigaddset(&defaults, SIGXFSZ);
    restore_thread_signals(&defaults);
    posix_spawnattr_setsigdefault(attributes, &defaults);
    if (start->mask) {
        flags |= POSIX_SPAWN_SETSIGMASK;
        posix_spawnattr_setsigmask(attributes, start->mask);
    }
    if (start->isolated) {
        flags |= POSIX_SPAWN_SETPGROUP;
        posix_spawnattr_setpgroup(attributes, 0);
    }
    posix_spawnattr_setflags(attributes, flags);
}

/* The environment without options for nvcc; from malloc. */
static char **copy_environment_without_options(void)
{
    size_t count = 0, kept = 0;
    while (environ[count])
        count++;
    char **variables = mem_alloc((count + 1) * sizeof *variables);
    for (size_t at = 0; at < count; at++)
        if (!str_starts(str_of(environ[at]), STR("NVCC_PREPEND_FLAGS=")) &&
            !str_starts(str_of(environ[at]), STR("NVCC_APPEND_FLAGS=")))
            variables[kept++] = environ[at];
    return variables;
}

int process_start(const struct process_start *start, pid_t *pid)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    int error = posix_spawn_file_actions_init(&actions);
    if (error)
        return error;
    error = posix_spawnattr_init(&attributes);
    if (!error) {
        char **reduced = start->isolated ? copy_environment_without_options() : NULL;
        set_attributes(&attributes, start);
        error = add_streams(&actions, start);
        if (!error)
            error = posix_spawnp(pid, start->words[0], &actions, &attributes, (char *const *)(uintptr_t)start->words,
                                 reduced ? reduced : environ);
        free(reduced);
        posix_spawnattr_destroy(&attributes);
    }
    posix_spawn_file_actions_destroy(&actions);
    return error;
}

/* Reads the pipe until it ends, or until the process has ended and no more bytes come. Returns true if the process was
 * waited for. A terminal ends with EIO. After any other error the read is repeated, because closing the pipe would end
 * the compiler. */
static bool read_until_end(int fd, pid_t pid, const struct dispositions *before, bool (*take)(void *, struct str),
                           void *context, int *wait_status, int *unread)
{
    static const struct timespec silence = {.tv_nsec = SILENCE_MS * 1000000L};
    static const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    static char block[BLOCK_BYTES];
    bool ended = false, terminal = isatty(fd) == 1;
    int failures = 0;
    for (;;) {
        struct pollfd ready = {.fd = fd, .events = POLLIN};
        ended = ended || waitpid(pid, wait_status, WNOHANG) == pid;
        int count = ppoll(&ready, 1, ended ? &silence : NULL, &before->wait_mask);
        if (count == 0)
            return ended;
        if (count < 0 && errno == EINTR)
            continue;
        ssize_t got = count < 0 ? -1 : read(fd, block, sizeof block);
        if (got < 0 && errno == EINTR)
            continue;
        *unread = got < 0 && (count < 0 || errno != EIO || !terminal) ? errno : 0;
        if (*unread && !ended && ++failures < MOST_FAILURES) {
            nanosleep(&pause, NULL);
            continue;
        }
        if (got <= 0 || !take(context, (struct str){block, (size_t)got}))
            return ended;
    }
}

/* Moves both ends above the standard descriptors, also if some of these are closed. */
static bool move_above_standard_fds(int ends[2])
{
    enum { FIRST_OTHER = STDERR_FILENO + 1 };
    for (int at = 0; at < 2; at++) {
        if (ends[at] >= FIRST_OTHER)
            continue;
        int moved = fcntl(ends[at], F_DUPFD_CLOEXEC, FIRST_OTHER);
        int error = errno;
        close(ends[at]);
        ends[at] = moved;
        if (moved < 0) {
            close(ends[!at]);
            errno = error;
            return false;
        }
    }
    return true;
}

/* Creates a terminal like our own that changes no byte: [0] reads what is written to [1]. */
static bool make_terminal(int ends[2])
{
    struct termios raw;
    struct winsize size;
    ends[0] = posix_openpt(O_RDWR | O_NOCTTY | O_CLOEXEC);
    if (ends[0] < 0)
        return false;
    const char *name = grantpt(ends[0]) == 0 && unlockpt(ends[0]) == 0 ? ptsname(ends[0]) : NULL;
    ends[1] = name ? open(name, O_RDWR | O_NOCTTY | O_CLOEXEC) : -1;
    if (ends[1] < 0 || tcgetattr(ends[1], &raw) != 0) {
        close(ends[0]);
        if (ends[1] >= 0)
            close(ends[1]);
        return false;
    }
    cfmakeraw(&raw);
    tcsetattr(ends[1], TCSANOW, &raw);
    if (ioctl(STDERR_FILENO, TIOCGWINSZ, &size) == 0)
        ioctl(ends[1], TIOCSWINSZ, &size);
    return true;
}

/* [1] becomes the standard error of the process; we read it from [0]. */
static bool make_channel(int ends[2])
{
    bool made = isatty(STDERR_FILENO) && make_terminal(ends);
    return (made || pipe2(ends, O_CLOEXEC) == 0) && move_above_standard_fds(ends);
}

time_t process_clock(void)
{
    struct timespec now = {0};
    clock_gettime(CLOCK_MONOTONIC, &now);
    return now.tv_sec;
}

struct process_end process_end_from_status(int wait_status)
{
    if (WIFSIGNALED(wait_status))
        return (struct process_end){.signal = WTERMSIG(wait_status)};
    return (struct process_end){.status = WEXITSTATUS(wait_status)};
}

/* waitpid is tried twice, because the status decides about the build. */
struct process_end process_wait_for(pid_t pid)
{
    int wait_status = 0;
    for (int failures = 0; waitpid(pid, &wait_status, 0) < 0;)
        if (errno != EINTR && ++failures == 2)
            return (struct process_end){.error = errno};
    return process_end_from_status(wait_status);
}

struct process_end process_run(const char *const *words, void (*started)(void *), bool (*take)(void *, struct str),
                               void *context)
{
    struct dispositions before;
    struct process_end end = {0};
    int ends[2], wait_status = 0, unread = 0;
    pid_t pid = 0;
    if (!make_channel(ends))
        return (struct process_end){.error = errno};
    install_handlers(&before);
    const struct process_start start = {.words = words,
                                        .mask = &before.mask,
                                        .error_fd = ends[1],
                                        .one_stream = stream_same(STDOUT_FILENO, STDERR_FILENO),
                                        .pipe_ends = before.pipe.sa_handler != SIG_IGN};
    end.error = process_start(&start, &pid);
    close(ends[1]);
    if (!end.error) {
        running_pid = (sig_atomic_t)pid;
        stderr_fd = ends[0];
        saved_dispositions = &before;
        started(context);
        bool ended = read_until_end(ends[0], pid, &before, take, context, &wait_status, &unread);
        close(ends[0]);
        sigprocmask(SIG_SETMASK, &before.wait_mask, NULL);
        end = ended ? process_end_from_status(wait_status) : process_wait_for(pid);
        end.started = true;
        end.unread = unread;
        running_pid = 0;
        stderr_fd = -1;
        saved_dispositions = NULL;
    } else {
        close(ends[0]);
    }
    restore_handlers(&before);
    return end;
}

/* ---- workers ---------------------------------------------------------------------------------------------------- */

/* Reads all of the bytes, in pieces if necessary; false if the other side has gone. */
static bool read_whole(int fd, void *into, size_t length)
{
    for (size_t done = 0; done < length;) {
        ssize_t got = read(fd, (char *)into + done, length - done);
        if (got == 0 || (got < 0 && errno != EINTR))
            return false;
        done += got > 0 ? (size_t)got : 0;
    }
    return true;
}

/* The length comes first: it shows whether the bytes are complete, or their sender was killed. */
static bool receive_bytes(int fd, struct str *bytes)
{
    size_t length = 0;
    if (!read_whole(fd, &length, sizeof length))
        return false;
    char *text = mem_alloc(length + 1);
    *bytes = (struct str){text, length};
    return read_whole(fd, text, length);
}

static void allow_alarm(const struct sigaction *action)
{
    sigset_t clock;
    sigaction(SIGALRM, action, NULL);
    sigemptyset(&clock);
    sigaddset(&clock, SIGALRM);
    sigprocmask(SIG_UNBLOCK, &clock, NULL);
}

/* While the other process runs, only our own timer (si_code above 0) ends the worker; a SIGALRM from elsewhere was
 * meant for the other process. */
static void end_on_own_alarm(int signal, siginfo_t *info, void *context)
{
    (void)context;
    if (info->si_code > 0)
        process_end_like((struct process_end){.signal = signal});
}

/* Returns true if the parent ends. A process that is killed closes its pipes a moment before its children get another
 * parent. */
static bool has_parent_ended(pid_t parent)
{
    static const struct timespec pause = {.tv_nsec = PAUSE_MS * 1000000L};
    for (int waits = 0; getppid() == parent; waits++) {
        if (waits == MOST_FAILURES)
            return false;
        nanosleep(&pause, NULL);
    }
    return true;
}

static _Noreturn void run_worker(const struct process_work *work, int fd, pid_t parent)
{
    const struct sigaction late = {.sa_sigaction = end_on_own_alarm, .sa_flags = SA_SIGINFO | SA_RESTART},
                           end = {.sa_handler = SIG_DFL}, ignore = {.sa_handler = SIG_IGN};
    struct str bytes;
    close(stderr_fd); /* the process at the other end must see that it has no reader any more */
    allow_alarm(&late);
    alarm(work->seconds);
    work->prepare(work->context);
    alarm(0);
    if (!receive_bytes(fd, &bytes)) {
        if (has_parent_ended(parent)) {
            kill((pid_t)running_pid, SIGTERM);
            work->orphaned(work->context);
        }
        _exit(STATUS_INCOMPLETE_INPUT);
    }
    close(fd);
    for (int at = 0; at < ENDING_SIGNALS; at++) /* those sent while the other process ran were meant for that process */
        sigaction(ending_signals[at], &ignore, NULL);
    restore_handlers(saved_dispositions);
    allow_alarm(&end);
    alarm(work->seconds);
    int status = work->finish(work->context, bytes);
    if (status && getppid() != parent)
        work->orphaned(work->context);
    _exit(status);
}

void process_start_worker(struct worker *worker, const struct process_work *work)
{
    int ends[2];
    *worker = (struct worker){.fd = -1};
    pid_t parent = getpid(), pid = pipe2(ends, O_CLOEXEC) == 0 && move_above_standard_fds(ends) ? fork() : -2;
    if (pid == 0) {
        close(ends[1]);
        run_worker(work, ends[0], parent);
    }
    worker->error = pid < 0 ? errno : 0;
    if (pid >= -1)
        close(ends[0]);
    if (pid == -1)
        close(ends[1]);
    if (pid < 0)
        return;
    worker->pid = (int)pid;
    worker->fd = ends[1];
}

struct process_end process_finish_worker(struct worker *worker, struct str bytes, int *interrupted)
{
    struct dispositions before;
    *interrupted = 0;
    if (worker->error)
        return (struct process_end){.error = worker->error};
    install_handlers(&before);
    last_signal = 0;
    running_pid = (sig_atomic_t)worker->pid;
    sigprocmask(SIG_SETMASK, &before.wait_mask, NULL);
    if (stream_write(worker->fd, &bytes.len, sizeof bytes.len))
        stream_write(worker->fd, bytes.ptr, bytes.len);
    close(worker->fd);
    struct process_end end = process_wait_for((pid_t)worker->pid);
    running_pid = 0;
    restore_handlers(&before);
    *interrupted = (int)last_signal;
    *worker = (struct worker){.fd = -1};
    return end;
}

void process_kill_worker(struct worker *worker)
{
    if (worker->pid) {
        kill((pid_t)worker->pid, SIGKILL);
        close(worker->fd);
        process_wait_for((pid_t)worker->pid);
    }
    *worker = (struct worker){.fd = -1};
}

struct process_end process_run_unfiltered(const char *const *words)
{
    pid_t pid = 0;
    const struct process_start start = {.words = words, .error_fd = -1};
    int error = process_start(&start, &pid);
    return error ? (struct process_end){.error = error} : process_wait_for(pid);
}

int process_become(const char *const *words)
{
    if (outlives_size_limit)
        signal(SIGXFSZ, SIG_DFL);
    execvp(words[0], (char *const *)(uintptr_t)words);
    return errno;
}

void process_end_like(struct process_end end)
{
    if (end.signal) {
        const struct rlimit no_core = {0, 0};
        struct sigaction action = {.sa_handler = SIG_DFL};
        sigset_t one;
        setrlimit(RLIMIT_CORE, &no_core); /* the other process has already written its core file */
        sigaction(end.signal, &action, NULL);
        sigemptyset(&one);
        sigaddset(&one, end.signal);
        raise(end.signal);
        sigprocmask(SIG_UNBLOCK, &one, NULL);
    }
    _exit(end.signal ? 128 + end.signal : end.status);
}
