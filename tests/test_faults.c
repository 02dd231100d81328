/*
 * Faults of the system. For every command: each allocation fails, alone and with all later ones; each call that reads,
 * writes, starts or ends something fails, is interrupted, or moves one byte (fault_shim.c). After each fault the
 * command either did its work as without the fault, or its exit status and a message say that it did not. Each output
 * file is complete or absent, no other file is left, and a compiler that ran keeps its exit status and its output.
 *
 * WARPLINT_TEST_QUICK injects a sample of each kind, WARPLINT_TEST_ROUNDS=N at most N faults of each kind;
 * CK_RUN_CASE=WORDS runs only the commands that contain these words.
 */
#define _GNU_SOURCE
#include "fault_board.h"
#include "testing.h"

#include "base/mem.h"
#include "report/report.h"

#include <dirent.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

extern char **environ;

#ifndef FAULT_SHIM
#define FAULT_SHIM "" /* this build has no library to preload */
#endif

/* A command: words before "warplint" set variables, the word after '<' is standard input. */
struct fault_case {
    const char *command;
    const char *outputs; /* files that it writes, separated by blanks */
    enum { ALONE, COMPILES } kind;
    int compiler; /* COMPILES: exit status of the compiler */
};

/* To add a command: a row here, and its input files in faults_work.sh. Each format gets a case of its own, see main. */
static const struct fault_case cases[] = {
    {"check --no-config log.txt", "", ALONE, 0},
    {"check --no-config --threads 256 before.txt small.txt", "", ALONE, 0},
    {"check --no-config < before.txt", "", ALONE, 0},
    {"check --config config.yaml --rules rules before.txt", "", ALONE, 0},
    {"check --no-config --baseline base.json after.txt", "", ALONE, 0},
    {"check --no-config --launches profile.csv log.txt", "", ALONE, 0},
    {"check --no-config tree", "", ALONE, 0},
    {"check --no-config code.fatbin zstd.elf kernels.ptx", "", ALONE, 0},
    {"check --no-config --format json small.txt -o ndjson=o.ndjson -o csv=o.csv", "o.ndjson o.csv", ALONE, 0},
    {"report --no-config before.txt", "", ALONE, 0},
    {"report --no-config --summary --format markdown after.ndjson", "", ALONE, 0},
    {"diff --no-config before.txt after.txt", "", ALONE, 0},
    {"diff --no-config --format json before.ndjson after.ndjson", "", ALONE, 0},
    {"merge before.ndjson after.ndjson -o ndjson=o.ndjson --allow-conflicts", "o.ndjson", ALONE, 0},
    {"baseline write --no-config o.json before.txt", "o.json", ALONE, 0},
    {"baseline update --no-config update.json after.txt", "update.json", ALONE, 0},
    {"baseline prune --no-config update.json small.txt", "update.json", ALONE, 0},
    {"config show --config config.yaml", "", ALONE, 0},
    {"config check --no-config --rules rules", "", ALONE, 0},
    {"occupancy --arch sm_80 --threads 256 --registers 41", "", ALONE, 0},
    {"occupancy --csv batch.csv", "", ALONE, 0},
    {"explain register-spill", "", ALONE, 0},
    {"explain expressions", "", ALONE, 0},
    {"list fields", "", ALONE, 0},
    {"advise --no-config --threads 256 spills before.txt", "", ALONE, 0},
    {"wrap --no-config -- ./nvcc -c k.cu -o x.o", "x.o x.o.warplint.ndjson", COMPILES, 0},
    {"XDG_CACHE_HOME=/dev/null wrap --no-config -- ./nvcc -c k.cu -o x.o", "x.o x.o.warplint.ndjson", COMPILES, 0},
    {"FAKE_STATUS=5 wrap --no-config -- ./nvcc -optf flags.opt -c k.cu -o x.o", "x.o x.o.warplint.ndjson", COMPILES, 5},
    {"FAKE_SAY=spill.txt wrap --no-config -- ./nvcc -c k.cu -o x.o", "x.o x.o.warplint.ndjson", COMPILES, 0},
    {"FAKE_SAY=spill.txt wrap --no-config --strict -- ./nvcc -c k.cu -o x.o", "x.o x.o.warplint.ndjson", COMPILES, 0},
    {"FAKE_SAY=spill.txt wrap --config config.yaml --record-only -- ./nvcc -c k.cu -o x.o", "x.o x.o.warplint.ndjson",
     COMPILES, 0},
    {"__ptxas ./nvcc -arch=sm_90 kernels.ptx -o x.o", "x.o", COMPILES, 0},
    {"FAKE_STATUS=5 __ptxas ./nvcc -arch=sm_90 kernels.ptx -o x.o", "x.o", COMPILES, 5},
    {"tune --no-config --threads 256 --jobs 1 -- ./nvcc -c k.cu -o x.o", "", ALONE, 0},
};
enum { CASES = sizeof cases / sizeof *cases, MOST_OUTPUTS = 3, MOST_WORDS = 24, MOST_SECONDS = 60 };

struct run_result {
    int status; /* exit status; 128+n: signal n; -1: it did not end */
    struct buf out, err;
    struct buf outputs[MOST_OUTPUTS];
    bool made[MOST_OUTPUTS];
    size_t compiles; /* number of compiler runs */
};

struct bench {
    struct fault_board *board;
    const struct fault_case *test;
    struct str outputs[MOST_OUTPUTS];
    size_t output_count;
    struct run_result clean;
    struct buf before[MOST_OUTPUTS]; /* contents before the run */
    bool stood[MOST_OUTPUTS];
    struct buf names; /* all files after the clean run, each between two newlines */
    bool preloaded;   /* the library was loaded */
    size_t rounds;    /* most faults of each kind; 0: no limit */
    size_t failed;
    size_t told; /* failures of this case and kind */
};

/* ---- files ------------------------------------------------------------------------------------------------------ */

static bool slurp(const char *path, struct buf *text)
{
    buf_clear(text);
    FILE *file = fopen(path, "rb");
    if (!file)
        return false;
    size_t got = 0;
    while ((got = fread(buf_room(text, 65536), 1, 65536, file)) > 0)
        text->len += got;
    fclose(file);
    return true;
}

static const char *path_of(struct str name, const char *suffix)
{
    static char path[256];
    snprintf(path, sizeof path, "%.*s%s", STR_ARG(name), suffix);
    return path;
}

static void put(const char *path, const struct buf *text)
{
    FILE *file = fopen(path, "wb");
    if (!file || fwrite(text->ptr ? text->ptr : "", 1, text->len, file) != text->len || fclose(file) != 0)
        exit(99);
}

static bool same(const struct buf *a, const struct buf *b)
{
    return str_eq(buf_str(a), buf_str(b));
}

static bool holds(const struct buf *text, const char *what)
{
    return str_find(buf_str(text), str_of(what)) != STR_NONE;
}

/* The names of the files in the working directory and in the folders that commands write to, each between two
 * newlines. */
static void list_names(struct buf *names)
{
    static const char *const folders[] = {".", "tmp", "tree"};
    buf_clear(names);
    buf_char(names, '\n');
    for (size_t at = 0; at < 3; at++) {
        DIR *stream = opendir(folders[at]);
        for (struct dirent *entry; stream && (entry = readdir(stream));)
            buf_fmt(names, "%s/%s\n", folders[at], entry->d_name);
        if (stream)
            closedir(stream);
    }
}

/* ---- running ---------------------------------------------------------------------------------------------------- */

static pid_t start(char **words, const char *input)
{
    posix_spawn_file_actions_t actions;
    posix_spawnattr_t attributes;
    sigset_t none;
    pid_t pid = 0;
    posix_spawn_file_actions_init(&actions);
    posix_spawnattr_init(&attributes);
    sigemptyset(&none);
    posix_spawnattr_setsigmask(&attributes, &none);
    posix_spawnattr_setpgroup(&attributes, 0);
    posix_spawnattr_setflags(&attributes, POSIX_SPAWN_SETSIGMASK | POSIX_SPAWN_SETPGROUP);
    posix_spawn_file_actions_addopen(&actions, 0, input, O_RDONLY, 0);
    posix_spawn_file_actions_addopen(&actions, 1, "out", O_WRONLY | O_CREAT | O_TRUNC, 0600);
    posix_spawn_file_actions_addopen(&actions, 2, "err", O_WRONLY | O_CREAT | O_TRUNC | O_APPEND, 0600);
    if (posix_spawnp(&pid, words[0], &actions, &attributes, words, environ) != 0)
        exit(99);
    posix_spawnattr_destroy(&attributes);
    posix_spawn_file_actions_destroy(&actions);
    return pid;
}

/* The exit status, 128+n for signal n, -1 for a process that had to be killed. */
static int wait_for(pid_t pid)
{
    static const struct timespec while_waiting = {.tv_sec = MOST_SECONDS};
    sigset_t child;
    int status = 0;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while (waitpid(pid, &status, WNOHANG) == 0) {
        if (sigtimedwait(&child, NULL, &while_waiting) < 0 && errno == EAGAIN) {
            kill(-pid, SIGKILL);
            waitpid(pid, &status, 0);
            return -1;
        }
    }
    return WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
}

/* Processes that the command started and did not wait for are now our children. Their files are complete once they have
 * ended. */
static void wait_for_orphans(void)
{
    static const struct timespec while_waiting = {.tv_sec = MOST_SECONDS};
    sigset_t child;
    pid_t ended = 0;
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    while ((ended = waitpid(-1, NULL, WNOHANG)) >= 0)
        if (ended == 0 && sigtimedwait(&child, NULL, &while_waiting) < 0 && errno == EAGAIN)
            return;
}

/* Splits the command into words; variables are set in our own environment. */
static int run_command(const char *command)
{
    struct arena arena = {0};
    char *words[MOST_WORDS + 1] = {(char *)(uintptr_t)WARPLINT_PROGRAM};
    const char *variables[MOST_WORDS], *input = "/dev/null";
    size_t count = 1, variable_count = 0;
    struct str rest = str_of(command), word;
    bool redirected = false;
    while (str_split(&rest, ' ', &word)) {
        char *copy = (char *)(uintptr_t)arena_cstr(&arena, word), *equals = strchr(copy, '=');
        if (count == 1 && equals) {
            *equals = '\0';
            setenv(copy, equals + 1, 1);
            variables[variable_count++] = copy;
        } else if (redirected) {
            input = copy;
        } else if (strcmp(copy, "<") == 0) {
            redirected = true;
        } else {
            words[count++] = copy;
        }
    }
    int status = wait_for(start(words, input));
    wait_for_orphans();
    while (variable_count)
        unsetenv(variables[--variable_count]);
    arena_free(&arena);
    return status;
}

static void set_the_stage(const struct bench *bench)
{
    for (size_t at = 0; at < bench->output_count; at++) {
        if (bench->stood[at])
            put(path_of(bench->outputs[at], ""), &bench->before[at]);
        else
            unlink(path_of(bench->outputs[at], ""));
    }
    unlink("ran");
}

static void run(struct bench *bench, enum fault_kind kind, long at, struct run_result *ending)
{
    struct buf ran = {0};
    set_the_stage(bench);
    *bench->board = (struct fault_board){.kind = (int)kind, .at = at};
    ending->status = run_command(bench->test->command);
    bench->board->kind = FAULT_NOTHING;
    slurp("out", &ending->out);
    slurp("err", &ending->err);
    for (size_t output = 0; output < bench->output_count; output++)
        ending->made[output] = slurp(path_of(bench->outputs[output], ""), &ending->outputs[output]);
    slurp("ran", &ran);
    ending->compiles = ran.len / strlen("ran\n");
    buf_free(&ran);
}

/* ---- what must hold --------------------------------------------------------------------------------------------- */

static bool all_the_same(const struct bench *bench, const struct run_result *got)
{
    const struct run_result *clean = &bench->clean;
    bool equal = got->status == clean->status && same(&got->out, &clean->out);
    for (size_t at = 0; at < bench->output_count; at++)
        equal = equal && got->made[at] == clean->made[at] && same(&got->outputs[at], &clean->outputs[at]);
    return equal;
}

/* True if the report ends as its format requires. It may be shorter than the clean one if an input could not be
 * read. */
static bool is_whole(struct str name, const struct buf *text)
{
    static const struct {
        const char *suffix, *end;
    } formats[] = {{".ndjson", "}\n"}, {".rdjsonl", "}\n"},    {".sarif", "}\n"},
                   {".junit", ">\n"},  {".checkstyle", ">\n"}, {".html", "</html>\n"}};
    struct str all = buf_str(text), last = str_sub(all, 0, all.len ? all.len - 1 : 0);
    last = str_from(last, str_rfind(last, STR("\n")) + 1);
    if (str_ends(name, STR(".rdjsonl")) && all.len == 0)
        return true;
    if (str_ends(name, STR(".ndjson")) && !str_starts(last, STR("{\"type\":\"end\"")))
        return false;
    for (size_t at = 0; at < sizeof formats / sizeof *formats; at++)
        if (str_ends(name, str_of(formats[at].suffix)))
            return str_ends(all, str_of(formats[at].end));
    return str_ends(all, STR("\n"));
}

/* Removes the file of a line of list_names if the file is unknown, and returns true. */
static bool remove_unknown(const struct bench *bench, struct str line)
{
    const char *name = path_of(line, "");
    for (size_t at = 0; at < bench->output_count; at++)
        if (str_eq(str_from(line, 2), bench->outputs[at]))
            return false;
    if (line.len == 0 || str_find(buf_str(&bench->names), line) != STR_NONE)
        return false;
    char *words[] = {"rm", "-rf", (char *)(uintptr_t)name, NULL};
    wait_for(start(words, "/dev/null"));
    return true;
}

/* Each file that exists must have its old or its new contents. */
static const char *check_files(const struct bench *bench, const struct run_result *got)
{
    struct buf names = {0};
    const char *complaint = NULL;
    for (size_t at = 0; at < bench->output_count; at++) {
        bool whole = bench->clean.made[at] && same(&got->outputs[at], &bench->clean.outputs[at]);
        bool old = bench->stood[at] && same(&got->outputs[at], &bench->before[at]);
        bool told = got->err.len && !same(&got->err, &bench->clean.err),
             less = told && is_whole(bench->outputs[at], &got->outputs[at]);
        bool object = bench->test->kind == COMPILES && at == 0; /* the compiler's file */
        if (got->made[at] ? !whole && !old && !less && !object : bench->stood[at])
            complaint = "a file is half written";
    }
    list_names(&names);
    struct str rest = buf_str(&names), line;
    const char *hit = bench->board->hit;
    bool may_leave = strcmp(hit, "unlink") == 0 || strcmp(hit, "remove") == 0 || strcmp(hit, "rmdir") == 0;
    while (str_split(&rest, '\n', &line))
        if (remove_unknown(bench, line) && !may_leave)
            complaint = "a file is left behind";
    buf_free(&names);
    return complaint;
}

static bool says_why(const struct bench *bench, const struct run_result *got)
{
    const char *hit = bench->board->hit;
    bool looks = strcmp(hit, "stat") == 0 || strcmp(hit, "access") == 0; /* if stat fails, the file counts as absent */
    if (same(&got->err, &bench->clean.err) || got->err.len == 0)
        return false;
    if (bench->board->hit_error == ENOMEM)
        return holds(&got->err, "memory");
    return looks || holds(&got->err, strerror(bench->board->hit_error));
}

static const char *check_alone(const struct bench *bench, const struct run_result *got)
{
    if (all_the_same(bench, got))
        return NULL;
    bool compiler = got->status == 126 || got->status == 127; /* tune: it could not be started */
    if (got->status != 1 && got->status != 2 && got->status != 3 && !compiler)
        return "the answer is another one";
    return says_why(bench, got) ? NULL : "nothing says why";
}

/* The compiler could not be started, so there must be no object. */
static const char *check_not_started(const struct run_result *got)
{
    if (got->made[0])
        return "nothing was compiled, but there is an object";
    if (got->status == 0 || got->status == 1 || got->err.len == 0)
        return "nothing was compiled, and nothing says so";
    return NULL;
}

static const char *check_compile(const struct bench *bench, const struct run_result *got)
{
    bool strict = strstr(bench->test->command, "--strict") != NULL;
    bool unknown = got->status == 126 && holds(&got->err, "is not known") && !got->made[0];
    if (unknown && strcmp(bench->board->hit, "waitpid") == 0)
        return NULL;
    if (got->compiles != 1)
        return got->compiles ? "the compiler ran twice" : check_not_started(got);
    if (bench->test->compiler)
        return got->status == bench->test->compiler ? NULL : "the compiler's status is lost";
    bool stuck = holds(&got->err, "cannot be removed");
    if (got->made[0] != (got->status == 0) && !stuck)
        return "object and status contradict each other";
    if (all_the_same(bench, got))
        return NULL;
    if (got->status != 0 && got->status != bench->clean.status && !(strict && got->status == 3))
        return "a fault of ours fails the build";
    if (strict && got->status == 0)
        return "it passes under --strict";
    return !same(&got->err, &bench->clean.err) && got->err.len ? NULL : "nothing says that it was not judged";
}

static const char *complaint_of(const struct bench *bench, enum fault_kind kind, const struct run_result *got)
{
    if (got->status < 0)
        return "it does not end";
    if (got->status > 128)
        return "it is ended by a signal";
    bool harmless = kind == FAULT_INTERRUPT || kind == FAULT_SHORT || kind == FAULT_ALL_SHORT;
    if (harmless && (!all_the_same(bench, got) || !same(&got->err, &bench->clean.err)))
        return "an interrupted or short call changes the answer";
    const char *complaint = bench->test->kind == ALONE ? check_alone(bench, got) : check_compile(bench, got);
    return complaint ? complaint : check_files(bench, got);
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

static void tell(struct bench *bench, enum fault_kind kind, long at, const struct run_result *got,
                 const char *complaint)
{
    static const char *const kinds[] = {"nothing",          "allocation", "allocations from", "call",
                                        "interrupted call", "short call", "all calls short"};
    enum { MOST_REPORTED = 5 };
    bench->failed++;
    if (++bench->told > MOST_REPORTED)
        return;
    printf("FAIL %s: %s %ld (%s, %s): %s, status %d instead of %d\n", bench->test->command, kinds[kind], at,
           bench->board->hit, strerror(bench->board->hit_error), complaint, got->status, bench->clean.status);
    printf("     %.*s\n", (int)(got->err.len < 300 ? got->err.len : 300), got->err.ptr ? got->err.ptr : "");
}

/* Injects a fault at each number up to `total`, or at evenly spread ones if there are too many. Returns how many faults
 * took effect. */
static long inject(struct bench *bench, enum fault_kind kind, long total)
{
    enum { DENSE = 2000, STEP = 7 };
    struct run_result got = {0};
    bench->told = 0;
    long hits = 0, rounds = bench->rounds && (long)bench->rounds < total ? (long)bench->rounds : total;
    for (long round = 1; round <= rounds; round++) {
        if (rounds == total && round > DENSE && round % STEP)
            continue;
        long at = 1 + (round - 1) * total / rounds;
        run(bench, kind, at, &got);
        const char *complaint = complaint_of(bench, kind, &got);
        if (complaint)
            tell(bench, kind, at, &got, complaint);
        hits += bench->board->hits > 0;
    }
    buf_free(&got.out);
    buf_free(&got.err);
    for (size_t at = 0; at < MOST_OUTPUTS; at++)
        buf_free(&got.outputs[at]);
    return hits;
}

static void find_outputs(struct bench *bench)
{
    struct str rest = str_of(bench->test->outputs), name;
    bench->output_count = 0;
    while (rest.len && str_split(&rest, ' ', &name)) {
        size_t at = bench->output_count++;
        bench->outputs[at] = name;
        bench->stood[at] = slurp(path_of(name, ".before"), &bench->before[at]);
    }
}

/* Runs the command twice, so that its caches are filled. Returns false if the library was not loaded. */
static bool run_clean(struct bench *bench)
{
    for (int time = 0; time < 2; time++)
        run(bench, FAULT_NOTHING, 0, &bench->clean);
    list_names(&bench->names);
    return bench->board->processes > 0;
}

static void run_case(struct bench *bench)
{
    find_outputs(bench);
    bench->preloaded = run_clean(bench);
    if (!bench->preloaded)
        return;
    long allocations = bench->board->allocations, calls = bench->board->calls;
    size_t failed = bench->failed;
    if (bench->clean.status > 3 && bench->clean.status != bench->test->compiler) {
        printf("FAIL %s: status %d without a fault\n", bench->test->command, bench->clean.status);
        bench->failed++;
        return;
    }
    long once = inject(bench, FAULT_MEMORY, allocations), rest = inject(bench, FAULT_MEMORY_REST, allocations);
    long broken = inject(bench, FAULT_CALL, calls), interrupted = inject(bench, FAULT_INTERRUPT, calls);
    long small = inject(bench, FAULT_SHORT, calls) + inject(bench, FAULT_ALL_SHORT, 1);
    printf("%s  %5ld %5ld  %5ld %5ld %5ld  %s\n", bench->failed == failed ? "ok  " : "FAIL", once, rest, broken,
           interrupted, small, bench->test->command);
    fflush(stdout);
}

static struct fault_board *make_board(void)
{
    static const struct fault_board empty = {0};
    int fd = open("board", O_RDWR | O_CREAT | O_TRUNC | O_CLOEXEC, 0600);
    if (fd < 0 || write(fd, &empty, sizeof empty) != (ssize_t)sizeof empty)
        exit(99);
    void *board = mmap(NULL, sizeof empty, PROT_READ | PROT_WRITE, MAP_SHARED, fd, 0);
    close(fd);
    return board == MAP_FAILED ? NULL : board;
}

static void make_work(char *folder)
{
    struct arena arena = {0};
    const char *script = arena_cstr(&arena, str_of(source_path("tests/faults_work.sh")));
    char *words[] = {"sh", (char *)(uintptr_t)script, WARPLINT_PROGRAM, WARPLINT_SOURCE_DIR, NULL};
    if (!mkdtemp(folder) || chdir(folder) != 0 || wait_for(start(words, "/dev/null")) != 0) {
        printf("FAIL faults_work.sh\n");
        exit(1);
    }
    arena_free(&arena);
}

static void set_variables(const char *folder)
{
    struct arena arena = {0};
    char *program = realpath(WARPLINT_PROGRAM, NULL);
    setenv("FAULT_PROGRAM", program ? program : "", 1);
    setenv("FAULT_BOARD", arena_fmt(&arena, "%s/board", folder).ptr, 1);
    setenv("XDG_CACHE_HOME", arena_fmt(&arena, "%s/cache", folder).ptr, 1);
    setenv("TMPDIR", arena_fmt(&arena, "%s/tmp", folder).ptr, 1);
    setenv("FAKE_SH", ". ./compiler.sh", 1);
    setenv("NO_COLOR", "1", 1);
    setenv("LD_PRELOAD", FAULT_SHIM, 1);
    free(program);
    arena_free(&arena);
}

static void remove_work(const char *folder)
{
    char *words[] = {"rm", "-rf", (char *)(uintptr_t)folder, NULL};
    unsetenv("LD_PRELOAD");
    wait_for(start(words, "/dev/null"));
}

static size_t rounds_wanted(void)
{
    enum { QUICK_ROUNDS = 8 };
    const char *rounds = getenv("WARPLINT_TEST_ROUNDS");
    uint64_t number = 0;
    if (rounds && str_to_uint(str_of(rounds), &number))
        return (size_t)number;
    return getenv("WARPLINT_TEST_QUICK") ? QUICK_ROUNDS : 0;
}

static const struct fault_case *case_of_format(const struct format *format)
{
    static char command[96], output[32];
    static struct fault_case test = {command, output, ALONE, 0};
    snprintf(output, sizeof output, "o.%s", format->name);
    snprintf(command, sizeof command, "check --no-config -q small.txt -o %s=%s", format->name, output);
    return &test;
}

int main(void)
{
    char folder[] = "/tmp/warplint-faults-XXXXXX";
    struct bench bench = {.preloaded = true, .rounds = rounds_wanted()};
    const char *only = getenv("CK_RUN_CASE");
    sigset_t child;
    if (!*FAULT_SHIM) {
        printf(
            "skipped: no library can stand between this program and libc: it has a sanitizer, or libc is not glibc\n");
        return EXIT_SUCCESS;
    }
    setvbuf(stdout, NULL, _IOLBF, 0);
    sigemptyset(&child);
    sigaddset(&child, SIGCHLD);
    sigprocmask(SIG_BLOCK, &child, NULL);
    prctl(PR_SET_CHILD_SUBREAPER, 1);
    make_work(folder);
    bench.board = make_board();
    set_variables(folder);
    printf("      memory once, for good; calls failed, interrupted, short\n");
    for (size_t at = 0; at < CASES + format_count && bench.preloaded; at++) {
        bench.test = at < CASES ? &cases[at] : case_of_format(&format_table[at - CASES]);
        if (!only || strstr(bench.test->command, only))
            run_case(&bench);
    }
    if (!bench.preloaded)
        printf("skipped: the program is linked statically, no library can stand between it and libc\n");
    remove_work(folder);
    printf("%zu faults were not survived\n", bench.failed);
    return bench.failed ? EXIT_FAILURE : EXIT_SUCCESS;
}
