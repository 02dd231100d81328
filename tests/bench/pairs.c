/*
 * pairs: the cost of a wrapper. Runs a command alone and behind the wrapper, alternately, so that load on the machine
 * affects both alike. Prints in microseconds: the median wall time of each, the median of the differences, and the
 * median of the differences of CPU time, which load changes less.
 *
 * usage: pairs COUNT WRAPPER [WORD]... ,, COMMAND [ARGUMENT]...
 * The wrapped command is WRAPPER WORD... COMMAND ARGUMENT... The output of the commands is discarded.
 */
#define _DEFAULT_SOURCE
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

extern char **environ;

enum { FAILED = 125, WARM_UP = 3, MOST_PAIRS = 100000 };

static double microseconds(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

struct cost {
    double wall, cpu;
};

static double cpu_of_children(void)
{
    struct rusage used;
    getrusage(RUSAGE_CHILDREN, &used);
    return (double)(used.ru_utime.tv_sec + used.ru_stime.tv_sec) * 1e6 +
           (double)(used.ru_utime.tv_usec + used.ru_stime.tv_usec);
}

/* The time of one run; exits if the run fails. */
static struct cost run(char **words)
{
    posix_spawn_file_actions_t nowhere;
    pid_t pid = 0;
    int status = 0;
    posix_spawn_file_actions_init(&nowhere);
    posix_spawn_file_actions_addopen(&nowhere, STDOUT_FILENO, "/dev/null", O_WRONLY, 0);
    posix_spawn_file_actions_addopen(&nowhere, STDERR_FILENO, "/dev/null", O_WRONLY, 0);
    double cpu = cpu_of_children(), start = microseconds();
    int error = posix_spawnp(&pid, words[0], &nowhere, NULL, words, environ);
    if (error || waitpid(pid, &status, 0) != pid || status != 0) {
        fprintf(stderr, "pairs: %s: %s, wait status %d\n", words[0], error ? strerror(error) : "failed", status);
        exit(FAILED);
    }
    double end = microseconds();
    posix_spawn_file_actions_destroy(&nowhere);
    return (struct cost){end - start, cpu_of_children() - cpu};
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

static double median(double *values, size_t count)
{
    qsort(values, count, sizeof *values, by_value);
    return values[count / 2];
}

int main(int argc, char **argv)
{
    int comma = 2;
    while (comma < argc && strcmp(argv[comma], ",,") != 0)
        comma++;
    long asked = argc > 1 ? strtol(argv[1], NULL, 10) : 0;
    if (asked < 1 || asked > MOST_PAIRS || comma < 3 || comma + 1 >= argc) {
        fprintf(stderr, "usage: pairs COUNT WRAPPER [WORD]... ,, COMMAND [ARGUMENT]...\n");
        return FAILED;
    }
    size_t count = (size_t)asked;
    char **alone = argv + comma + 1, **wrapped = argv + 2;
    memmove(argv + comma, argv + comma + 1, (size_t)(argc - comma) * sizeof *argv);
    alone--; /* the words after the comma were moved down by one */
    double *first = calloc(count, sizeof *first), *second = calloc(count, sizeof *second),
           *more = calloc(count, sizeof *more), *more_cpu = calloc(count, sizeof *more_cpu);
    if (!first || !second || !more || !more_cpu)
        return FAILED;
    for (int at = 0; at < WARM_UP; at++)
        run(alone), (void)run(wrapped);
    for (size_t at = 0; at < count; at++) {
        struct cost without = run(alone), with = run(wrapped);
        first[at] = without.wall;
        second[at] = with.wall;
        more[at] = with.wall - without.wall;
        more_cpu[at] = with.cpu - without.cpu;
    }
    printf("%.0f %.0f %.0f %.0f\n", median(first, count), median(second, count), median(more, count),
           median(more_cpu, count));
    return 0;
}
