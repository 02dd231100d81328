/*
 * usage: <name>, a link to this program; or unit NAME
 *
 * All C tests as one program: runs the main of test_<name>.c. CMake writes the list of tests, unit.inc.
 */
#include "base/str.h"

#include <stdio.h>

#define TEST(name) int main_of_##name(void);
#include "unit.inc"
#undef TEST

static const struct {
    struct str name;
    int (*run)(void);
} tests[] = {
#define TEST(name) {STR_INIT(#name), main_of_##name},
#include "unit.inc"
#undef TEST
};

int main(int argc, char **argv)
{
    struct str name = str_of(argc > 1 ? argv[1] : argv[0]);
    size_t slash = str_rfind(name, STR("/"));
    name = slash == STR_NONE ? name : str_sub(name, slash + 1, name.len);
    for (size_t at = 0; at < sizeof tests / sizeof *tests; at++)
        if (str_eq(tests[at].name, name))
            return tests[at].run();
    fprintf(stderr, "unit: no test is called '%.*s'\n", STR_ARG(name));
    return 2;
}
