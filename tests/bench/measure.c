/*
 * measure: runs a command and appends its cost to a file, as one line: wall clock time, user time and system time in
 * microseconds, and the largest resident set in KiB, including mapped pages (ru_maxrss).
 *
 * usage: measure FILE COMMAND [ARGUMENT]...
 * The command's standard output is discarded; measure exits with the command's status.
 */
#define _POSIX_C_SOURCE 200809L
#define _DEFAULT_SOURCE
#include <fcntl.h>
#include <stdio.h>
#include <sys/resource.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { CANNOT_MEASURE = 125, CANNOT_RUN = 127 };

static long long microseconds(struct timeval time)
{
    return (long long)time.tv_sec * 1000000 + time.tv_usec;
}

static long long now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return (long long)time.tv_sec * 1000000 + time.tv_nsec / 1000;
}

static void run(char **command)
{
    int nowhere = open("/dev/null", O_WRONLY);
    if (nowhere < 0 || dup2(nowhere, STDOUT_FILENO) < 0)
        _exit(CANNOT_MEASURE);
    execvp(command[0], command);
    perror(command[0]);
    _exit(CANNOT_RUN);
}

int main(int argc, char **argv)
{
    if (argc < 3) {
        fprintf(stderr, "usage: measure FILE COMMAND [ARGUMENT]...\n");
        return CANNOT_MEASURE;
    }
    long long start = now();
    pid_t child = fork();
    if (child == 0)
        run(argv + 2);
    int status = 0;
    struct rusage used;
    if (child < 0 || wait4(child, &status, 0, &used) < 0) {
        perror("measure");
        return CANNOT_MEASURE;
    }
    long long wall = now() - start;
    FILE *file = fopen(argv[1], "a");
    if (!file ||
        fprintf(file, "%lld %lld %ld\n", wall, microseconds(used.ru_utime) + microseconds(used.ru_stime),
                used.ru_maxrss) < 0 ||
        fclose(file) != 0) {
        perror(argv[1]);
        return CANNOT_MEASURE;
    }
    return WIFEXITED(status) ? WEXITSTATUS(status) : CANNOT_MEASURE;
}
