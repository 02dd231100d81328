/*
 * stream: writes the log of a large build to standard output, as fast as possible: a kernel of four lines after every
 * LINES lines (400: one line in a hundred is from ptxas), each kernel with its own name. The same arguments give the
 * same bytes.
 *
 * usage: stream MEGABYTES [LINES]
 */
#define _POSIX_C_SOURCE 200809L
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCK = 1 << 20, MOST_NAMES = 8192, DIGITS = 9, FAILED = 2 };

static char block[BLOCK];
static size_t used;
static size_t numbers[MOST_NAMES]; /* offset of each name's digits */
static size_t number_count;

static const char *const noise[] = {
    "[1234/5678] Building CXX object lib/core/CMakeFiles/core.dir/detail/reduction_plan.cpp.o\n",
    "/build/src/lib/core/detail/reduction_plan.cpp:214:38: warning: comparison of integer expressions of different "
    "signedness: 'int' and 'size_t' {aka 'long unsigned int'} [-Wsign-compare]\n",
    "  214 |     for (int index = 0; index < extents.size(); ++index)\n",
    "      |                         ~~~~~~^~~~~~~~~~~~~~~~\n",
    "/usr/bin/c++ -DNDEBUG -I/build/src/include -I/build/src/third_party/fmt/include -O3 -g -fPIC "
    "-fstack-protector-strong "
    "-std=c++17 -Wall -Wextra -MD -MT lib/core/CMakeFiles/core.dir/plan.cpp.o -o lib/core/plan.cpp.o -c plan.cpp\n",
    "-- Found Threads: TRUE, configured for x86_64-linux-gnu\n",
    "make[2]: Entering directory '/build/out/lib/core'\n",
    "\n",
    "In file included from /build/src/include/core/tensor_iterator.h:31,\n",
    "                 from /build/src/lib/core/detail/elementwise.cpp:7:\n",
    "/build/src/include/core/tensor_iterator.h:77:9: note: 'auto core::iterator::stride() const' declared here\n",
};

static void add(const char *text)
{
    size_t bytes = strlen(text);
    memcpy(block + used, text, bytes);
    used += bytes;
}

static void add_name(void)
{
    add("_ZN4core6detail15kernel_");
    numbers[number_count++] = used;
    add("000000000ILi128ELi4EfEEvPKT1_PS2_iii");
}

static void add_kernel(void)
{
    add("ptxas info    : Compiling entry function '");
    add_name();
    add("' for 'sm_90'\nptxas info    : Function properties for ");
    add_name();
    add("\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
        "ptxas info    : Used 40 registers, used 1 barriers, 1024 bytes smem\n");
}

/* The name of a kernel appears twice, with the same number. */
static void number_names(unsigned long first)
{
    char digits[DIGITS + 1];
    for (size_t at = 0; at < number_count; at++) {
        snprintf(digits, sizeof digits, "%09lu", (first + at / 2) % 1000000000);
        memcpy(block + numbers[at], digits, DIGITS);
    }
}

static int write_all(size_t bytes)
{
    for (size_t done = 0; done < bytes;) {
        ssize_t wrote = write(STDOUT_FILENO, block + done, bytes - done);
        if (wrote < 0 && errno != EINTR)
            return 0;
        done += wrote > 0 ? (size_t)wrote : 0;
    }
    return 1;
}

int main(int argc, char **argv)
{
    enum { LONGEST = 400, RECORD = 500 };
    long megabytes = argc > 1 ? strtol(argv[1], NULL, 10) : 0, lines = argc > 2 ? strtol(argv[2], NULL, 10) : 400;
    if (argc > 3 || megabytes < 1 || lines < 5) {
        fprintf(stderr, "usage: stream MEGABYTES [LINES]\n");
        return FAILED;
    }
    for (size_t line = 0; used < BLOCK - LONGEST - RECORD; line++) {
        add(noise[line * 7 % (sizeof noise / sizeof *noise)]);
        if (line % 400 == 200)
            add("[1235/5678] Building CUDA object lib/core/CMakeFiles/core.dir/kernels.cu.o\n");
        if (line % (size_t)(lines - 4) == 0)
            add_kernel();
    }
    unsigned long long left = (unsigned long long)megabytes * 1000000;
    for (unsigned long first = 0; left; first += number_count / 2) {
        size_t bytes = left < used ? (size_t)left : used;
        number_names(first);
        if (!write_all(bytes))
            return FAILED;
        left -= bytes;
    }
    return 0;
}
