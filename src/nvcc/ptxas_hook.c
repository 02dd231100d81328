#define _POSIX_C_SOURCE 200809L
#include "nvcc/ptxas_hook.h"

#include "base/file.h"
#include "base/stream.h"
#include "log/mark.h"
#include "log/option.h"
#include "nvcc/process.h"
#include "nvcc/program.h"
#include "nvcc/ptx.h"

#include <stdlib.h>
#include <sys/random.h>
#include <unistd.h>

/* One write per line, like ptxas: with nvcc -t several hooks run at once. Write errors are ignored. */
static void say_line(const struct buf *line)
{
    stream_write(STDERR_FILENO, line->ptr, line->len);
}

static void print_bounds(void *unused, const struct bounds *kernel)
{
    SCOPED(buf) line = {0};
    (void)unused;
    bounds_write(kernel, &line);
    say_line(&line);
}

/* "-arch=sm_90", "-arch sm_90", "--gpu-name=sm_90": the value, or empty. */
static struct str arch_of(const char *const *words)
{
    struct str arch = {"", 0}, value;
    for (; *words; words++) {
        const struct nvcc_option *option = option_find(DIALECT_PTXAS, str_of(*words), &value);
        if (option && option->means == MEANS_TARGET)
            arch = value.ptr ? value : str_of(words[1]);
    }
    return arch;
}

/* Code for a virtual architecture is only checked, and nothing is made of it, so nothing is printed. Only regular files
 * are read: what comes through a pipe is for ptxas alone. */
static void say_all(const char *const *words)
{
    struct str arch = arch_of(words);
    if (!str_starts(arch, STR("sm_")))
        return;
    for (size_t at = 1; words[at]; at++) {
        SCOPED(buf) text = {0};
        const struct str path = str_of(words[at]);
        if (!str_starts(path, STR("-")) && str_ends(path, STR(".ptx")) && !str_eq(str_of(words[at - 1]), STR("-o")) &&
            file_read(path, INPUT_REGULAR, LARGEST_PTX, &text, NULL))
            ptx_read(buf_str(&text), arch, print_bounds, NULL);
    }
}

/* If memory runs out, nothing is printed. */
static void give_up(void)
{
    _exit(0);
}

static void say_mark(bool begins)
{
    SCOPED(buf) line = {0};
    struct str key = str_of(getenv(MARK_VARIABLE));
    if (key.len == MARK_KEY_BYTES)
        mark_write(&line, key, begins);
    say_line(&line);
}

int ptxas_hook_run(const char *const *words)
{
    say_mark(true);
    pid_t pid = fork();
    if (pid == 0) {
        mem_on_exhausted(give_up);
        say_all(words);
        _exit(0);
    }
    if (pid > 0)
        process_wait_for(pid);
    struct process_end end = process_run_unfiltered(words);
    say_mark(false);
    if (end.error)
        return end.error;
    process_end_like(end);
}

struct str ptxas_hook_key(struct arena *arena)
{
    uint64_t number = 0;
    if (getrandom(&number, sizeof number, 0) != (ssize_t)sizeof number)
        return (struct str){"", 0};
    struct str key = arena_fmt(arena, "%016llx", (unsigned long long)number);
    bool set = setenv(MARK_VARIABLE, key.ptr, 1) == 0;
    return set ? key : (struct str){"", 0};
}

const char *ptxas_hook_option(struct arena *arena)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_/.-+";
    const char *path = program_own_path(arena);
    SCOPED(buf) option = {0};
    if (!path || strchr(path, '\n'))
        return NULL;
    buf_add(&option, STR("--ptxas-prefix="));
    for (; *path; path++) {
        if (!strchr(plain, *path)) /* a shell reads the option */
            buf_char(&option, '\\');
        buf_char(&option, *path);
    }
    buf_add(&option, STR(" " HOOK_COMMAND));
    return arena_cstr(arena, buf_str(&option));
}
