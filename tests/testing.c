#include "testing.h"

#include "base/mem.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

static struct arena paths;

int run_suite(const char *name, TCase *const *cases, size_t count)
{
    Suite *suite = suite_create(name);
    for (size_t at = 0; at < count; at++)
        suite_add_tcase(suite, cases[at]);
    setvbuf(stdout, NULL, _IOLBF, 0); /* a failing test ends its process without flushing */
    SRunner *runner = srunner_create(suite);
    srunner_run_all(runner, CK_ENV);
    int failed = srunner_ntests_failed(runner);
    srunner_free(runner);
    arena_free(&paths);
    return failed ? EXIT_FAILURE : EXIT_SUCCESS;
}

const char *source_path(const char *relative)
{
    return arena_fmt(&paths, "%s/%s", WARPLINT_SOURCE_DIR, relative).ptr;
}

const char *shared_path(const char *relative)
{
    const char *path = arena_fmt(&paths, "%s/../shared/%s", WARPLINT_SOURCE_DIR, relative).ptr;
    if (access(path, R_OK) == 0)
        return path;
    printf("skipped: no %s beside the checkout\n", relative);
    return NULL;
}

struct buf read_file(const char *path)
{
    struct buf text = {0};
    FILE *file = fopen(path, "rb");
    ck_assert_msg(file != NULL, "cannot open %s", path);
    char block[65536];
    size_t got = 0;
    while ((got = fread(block, 1, sizeof block, file)) > 0)
        buf_add(&text, (struct str){block, got});
    fclose(file);
    return text;
}

#if defined(__has_feature)
#if __has_feature(address_sanitizer)
#define SANITIZED
#endif
#endif

double bound_ms(double ms)
{
#if defined(SANITIZED) || defined(__SANITIZE_ADDRESS__)
    return ms * 10;
#else
    return ms;
#endif
}
