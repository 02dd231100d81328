/*
 * Reading a log opens no network connection and starts no process. Each command runs under a system call filter
 * (seccomp) that kills it at the first socket, connect, fork, clone without CLONE_THREAD, execve and the like. Only the
 * execve that starts the command is allowed; the filter recognizes it by the address of its path. Two tests show that
 * the filter works: system calls of the test itself, and `wrap`, which has to start a compiler.
 */
#define _GNU_SOURCE
#include "testing.h"

#include "base/mem.h"

#include <errno.h>
#include <fcntl.h>
#include <linux/audit.h>
#include <linux/filter.h>
#include <linux/seccomp.h>
#include <sched.h>
#include <signal.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#if defined(__x86_64__)
enum { OUR_ARCH = (int)AUDIT_ARCH_X86_64 };
#elif defined(__aarch64__)
enum { OUR_ARCH = (int)AUDIT_ARCH_AARCH64 };
#else
enum { OUR_ARCH = 0 };
#endif

enum { MOST_WORDS = 16, NOT_SEALED = 90, CANNOT_START = 91 };

/* ---- the filter ------------------------------------------------------------------------------------------------- */

#define LOAD(field)            BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(field))
#define UNLESS(value, skipped) BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(value), 0, skipped)
#define END(action)            BPF_STMT(BPF_RET | BPF_K, (uint32_t)(action))
#define FORBID(call)           UNLESS(call, 1), END(SECCOMP_RET_KILL_PROCESS)

/* Applies from here on. Returns false if the system has no such filters. The numbers say how many of the next lines are
 * skipped. */
static bool seal(const char *path)
{
    const size_t first = offsetof(struct seccomp_data, args[0]);
    uint64_t address = (uint64_t)(uintptr_t)path;
    struct sock_filter lines[] = {
        LOAD(offsetof(struct seccomp_data, arch)),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)OUR_ARCH, 1, 0),
        END(SECCOMP_RET_KILL_PROCESS),
        LOAD(offsetof(struct seccomp_data, nr)),
        FORBID(SYS_socket),
        FORBID(SYS_socketpair),
        FORBID(SYS_connect),
        FORBID(SYS_bind),
        FORBID(SYS_listen),
        FORBID(SYS_accept4),
        FORBID(SYS_sendto),
        FORBID(SYS_sendmsg),
        FORBID(SYS_ptrace),
        FORBID(SYS_execveat),
#ifdef SYS_fork
        FORBID(SYS_fork),
        FORBID(SYS_vfork),
#endif
        UNLESS(SYS_clone3, 1), /* its flags are in memory, which filters cannot read: libc then uses clone */
        END(SECCOMP_RET_ERRNO | ENOSYS),
        UNLESS(SYS_clone, 4),
        LOAD(first),
        BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, CLONE_THREAD, 0, 1),
        END(SECCOMP_RET_ALLOW),
        END(SECCOMP_RET_KILL_PROCESS),
        UNLESS(SYS_execve, 5),
        LOAD(first), /* little endian */
        UNLESS(address & UINT32_MAX, 2),
        LOAD(first + 4),
        BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, (uint32_t)(address >> 32), 1, 0),
        END(SECCOMP_RET_KILL_PROCESS),
        END(SECCOMP_RET_ALLOW),
    };
    struct sock_fprog program = {.len = sizeof lines / sizeof *lines, .filter = lines};
    return OUR_ARCH != 0 && prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) == 0 &&
           prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, &program) == 0;
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

/* A copy of the path at an address at which the command itself will have no path. */
static const char *lonely_copy(const char *path)
{
    char *page = mmap(NULL, strlen(path) + 1, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (page == MAP_FAILED)
        _exit(CANNOT_START);
    memcpy(page, path, strlen(path) + 1);
    return page;
}

static _Noreturn void become(const char *const *words, bool sealed)
{
    int out = open("out", O_WRONLY | O_CREAT | O_TRUNC, 0600), in = open("/dev/null", O_RDONLY);
    const char *path = lonely_copy(words[0]);
    if (dup2(out, STDOUT_FILENO) < 0 || dup2(out, STDERR_FILENO) < 0 || dup2(in, STDIN_FILENO) < 0)
        _exit(CANNOT_START);
    if (sealed && !seal(path))
        _exit(NOT_SEALED);
    execve(path, (char *const *)(uintptr_t)words, environ);
    _exit(CANNOT_START);
}

/* The exit status, or 128+n for signal n. */
static int end_of(pid_t pid)
{
    int status = 0;
    ck_assert(waitpid(pid, &status, 0) == pid);
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

static int run_words(const char *command, bool sealed)
{
    struct arena arena = {0};
    const char *words[MOST_WORDS + 1] = {WARPLINT_PROGRAM};
    struct str rest = str_of(command), word;
    size_t count = 1;
    while (count < MOST_WORDS && str_split(&rest, ' ', &word))
        words[count++] = str_starts(word, STR("fixtures/")) || str_starts(word, STR("tests/"))
                             ? arena_fmt(&arena, "%s/%.*s", WARPLINT_SOURCE_DIR, STR_ARG(word)).ptr
                             : arena_cstr(&arena, word);
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0)
        become(words, sealed);
    int status = end_of(pid);
    arena_free(&arena);
    return status;
}

/* Makes a call that the filter must forbid. */
static int run_call(long number)
{
    fflush(stdout);
    pid_t pid = fork();
    if (pid == 0) {
        if (!seal(""))
            _exit(NOT_SEALED);
        if (number == SYS_socket)
            socket(AF_INET, SOCK_STREAM, 0);
        else if (fork() == 0)
            _exit(0);
        _exit(0);
    }
    return end_of(pid);
}

static bool can_seal(void)
{
    if (run_call(SYS_socket) != NOT_SEALED)
        return true;
    printf("skipped: this system does not let a process filter its system calls\n");
    return false;
}

/* Writes a log that is long enough for a second thread. */
static void write_long_log(void)
{
    struct buf text = read_file(source_path("fixtures/demo/log.txt"));
    FILE *file = fopen("long.txt", "wb");
    ck_assert(file != NULL);
    for (size_t bytes = 0; bytes < (size_t)8 << 20; bytes += text.len)
        ck_assert(fwrite(text.ptr, 1, text.len, file) == text.len);
    ck_assert(fclose(file) == 0);
    buf_free(&text);
}

static void enter_work(void)
{
    static char folder[] = "/tmp/warplint-sealed-XXXXXX";
    ck_assert(mkdtemp(folder) && chdir(folder) == 0);
    setenv("ASAN_OPTIONS", "detect_leaks=0", 1); /* the leak checker of ASan starts a process */
    unsetenv("LD_PRELOAD");
}

static void leave_work(void)
{
    static const char *const files[] = {"out", "long.txt", "o.html", "o.sarif", "o.ndjson", "o.json"};
    char folder[64];
    for (size_t at = 0; at < sizeof files / sizeof *files; at++)
        unlink(files[at]);
    ck_assert(getcwd(folder, sizeof folder) && chdir("/") == 0 && rmdir(folder) == 0);
}

START_TEST(the_filter_stops_new_processes)
{
    if (!can_seal())
        return;
    enter_work();
    ck_assert_int_eq(run_call(SYS_socket), 128 + SIGSYS);
    ck_assert_int_eq(run_call(SYS_clone), 128 + SIGSYS);
    ck_assert_int_eq(run_words("wrap --no-config -- true -c k.cu -o k.o", false), 0);
    ck_assert_int_eq(run_words("wrap --no-config -- nvcc -c k.cu -o k.o", true), 128 + SIGSYS);
    leave_work();
}
END_TEST

START_TEST(no_process_is_started)
{
    static const char *const commands[] = {
        "check --no-config fixtures/demo/log.txt",
        "check --no-config long.txt",
        "check --no-config -q fixtures/demo/log.txt -o html=o.html -o sarif=o.sarif -o ndjson=o.ndjson",
        "check --no-config o.ndjson",
        "check --config fixtures/config-allow/.warplint.yaml fixtures/config-allow/log.txt",
        "check --no-config tests/data/binaries/family.fatbin tests/data/binaries/zstd.elf",
        "check --no-config --launches tests/data/profiles/nsys-trace.csv fixtures/clean/log.txt",
        "check --no-config fixtures",
        "check --no-config",
        "report --no-config fixtures/demo/log.txt",
        "advise --no-config --threads 256 gemm fixtures/demo/log.txt",
        "where nested tests/data/binaries/located.log tests/data/binaries/located.cubin",
        "diff --no-config fixtures/changed-before/log.txt fixtures/changed-after/log.txt",
        "baseline write --no-config o.json fixtures/demo/log.txt",
        "check --no-config --baseline o.json fixtures/demo/log.txt",
        "merge o.ndjson",
        "config show --no-config",
        "config check --no-config --rules fixtures/../rules",
        "doctor fixtures/demo/log.txt",
        "occupancy --arch sm_90 --threads 256 --registers 64",
        "explain register-spill",
        "list rules",
        "--help",
    };
    if (!can_seal())
        return;
    enter_work();
    write_long_log();
    for (size_t at = 0; at < sizeof commands / sizeof *commands; at++) {
        int sealed = run_words(commands[at], true), free_ = run_words(commands[at], false);
        ck_assert_msg(sealed == free_ && sealed <= 3, "%s: status %d behind the filter, %d without", commands[at],
                      sealed, free_);
    }
    printf("%zu commands, no socket, no process\n", sizeof commands / sizeof *commands);
    leave_work();
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("sealed");
    tcase_set_timeout(tcase, 300);
    tcase_add_test(tcase, the_filter_stops_new_processes);
    tcase_add_test(tcase, no_process_is_started);
    return run_suite("sealed", &tcase, 1);
}
