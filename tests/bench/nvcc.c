/*
 * A stand-in for nvcc with the least possible cost: prints one clean kernel on standard error if -Xptxas=-v is given,
 * and writes an object to the path after -o.
 */
#define _POSIX_C_SOURCE 200809L
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static const char said[] = "ptxas info    : 0 bytes gmem\n"
                           "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"
                           "ptxas info    : Function properties for _Z1kPf\n"
                           "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                           "ptxas info    : Used 10 registers, used 0 barriers\n";

int main(int argc, char **argv)
{
    int ok = 1;
    for (int at = 1; at < argc; at++) {
        if (strcmp(argv[at], "-Xptxas=-v") == 0)
            ok = ok && write(STDERR_FILENO, said, sizeof said - 1) == (ssize_t)sizeof said - 1;
        if (strcmp(argv[at], "-o") == 0 && at + 1 < argc) {
            int fd = open(argv[at + 1], O_WRONLY | O_CREAT | O_TRUNC, 0666);
            ok = ok && fd >= 0 && write(fd, "object\n", 7) == 7 && close(fd) == 0;
        }
    }
    return !ok;
}
