/* What the test programs share. */
#ifndef TESTS_TESTING_H
#define TESTS_TESTING_H

#include "base/buf.h"

#include <check.h>

/* Each test_*.c has its own; the build gives them names, see unit.c. */
int main(void);

/* Runs the one suite of a program made of the given cases; returns main's status. Under valgrind and the sanitizers
 * too each test runs in a process of its own. */
int run_suite(const char *name, TCase *const *cases, size_t count);

/* The path of a file of the source tree; lives until the program ends. */
const char *source_path(const char *relative);

/* The path below ../shared, or NULL where that folder is not there (the test then prints "skipped: ..." and returns).
 */
const char *shared_path(const char *relative);

/* The whole file; fails the test when it cannot be read. */
struct buf read_file(const char *path);

/* How many milliseconds a bound stands for: the sanitizers make counted work ten times slower. */
double bound_ms(double ms);

#endif
