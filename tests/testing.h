/* Shared by all test programs. */
#pragma once

#include "base/buf.h"

#include <check.h>

/* Each test_*.c has its own main; the build renames it, see unit.c. */
int main(void);

/* Runs one suite made of the given cases; returns main's exit status. Each test runs in its own process, also under
 * valgrind and the sanitizers. */
int run_suite(const char *name, TCase *const *cases, size_t count);

/* The path of a file in the source tree; valid until the program ends. */
const char *source_path(const char *relative);

/* The path of a file in ../shared, or NULL if that folder does not exist (the test then prints "skipped: ..." and
 * returns). */
const char *shared_path(const char *relative);

/* The contents of a file; fails the test if it cannot be read. */
struct buf read_file(const char *path);

/* The time limit for a test in this build, in ms: under the sanitizers ten times as long. */
double bound_ms(double ms);
