/*
 * C++ sources and the kernels in them, as a table: data/sources.test (see golden.h). Each kernel is a line: its name,
 * "<>" for a template, "body" if it has one; below it are its exceptions. At the end are comments that look like
 * exceptions but allow nothing.
 */
#include "golden.h"

#include "nvcc/declaration.h"

static void print_suppression(const struct suppression *found, struct buf *said)
{
    if (found->problem.len)
        buf_fmt(said, "%u:%u: %.*s\n", found->line, found->column, STR_ARG(found->problem));
    else
        buf_fmt(said, "    %u:%u: allow %.*s until '%.*s': %.*s\n", found->line, found->column, STR_ARG(found->rule),
                STR_ARG(found->until), STR_ARG(found->reason));
}

static void list(struct str text, struct buf *said)
{
    struct arena arena = {0};
    struct declarations found = {0};
    declarations_read(&found, text, 0, &arena);
    for (uint32_t at = 0; at < found.count; at++) {
        const struct declaration *kernel = &found.items[at];
        buf_fmt(said, "%u %.*s%s\n", kernel->line, STR_ARG(kernel->name), kernel->is_definition ? " body" : "");
        for (size_t one = 0; one < found.suppressions.count; one++)
            if (found.suppressions.items[one].declaration == at)
                print_suppression(&found.suppressions.items[one], said);
    }
    for (size_t one = 0; one < found.suppressions.count; one++)
        if (found.suppressions.items[one].declaration == UINT32_MAX)
            print_suppression(&found.suppressions.items[one], said);
    if (found.count + found.suppressions.count == 0)
        buf_add(said, STR("nothing\n"));
    declarations_free(&found);
    arena_free(&arena);
}

START_TEST(kernels_of_sources)
{
    golden_run("tests/data/sources.test", 16, list);
}
END_TEST

/* A source that was cut at any byte, or has a wrong byte anywhere, is read to its end. */
START_TEST(any_text_is_read)
{
    struct buf text = read_file(source_path("tests/data/sources.test")), said = {0};
    static const char bytes[] = "{}()<>[];:\"'/*#\\R=\n\r \0\xff";
    for (size_t at = 0; at < text.len; at += 7) {
        list(str_from(buf_str(&text), at), &said);
        list(str_sub(buf_str(&text), 0, at), &said);
        char kept = text.ptr[at];
        text.ptr[at] = bytes[at % (sizeof bytes - 1)];
        list(buf_str(&text), &said);
        text.ptr[at] = kept;
        buf_clear(&said);
    }
    buf_free(&text);
    buf_free(&said);
}
END_TEST

/* Work that grows with the square of the size would take minutes here. */
START_TEST(large_texts_take_little_time)
{
    static const struct str pieces[] = {STR_INIT("a<"),
                                        STR_INIT("("),
                                        STR_INIT("{"),
                                        STR_INIT("a<b>("),
                                        STR_INIT("template<"),
                                        STR_INIT("#if x\n"),
                                        STR_INIT("namespace a{"),
                                        STR_INIT("/*"),
                                        STR_INIT("R\"("),
                                        STR_INIT("\\\n"),
                                        STR_INIT("//warplint:allow(a)\n"),
                                        STR_INIT("__global__ void k(){}\n")};
    for (size_t piece = 0; piece < sizeof pieces / sizeof *pieces; piece++) {
        struct buf text = {0}, said = {0};
        while (text.len < 200000)
            buf_add(&text, pieces[piece]);
        struct arena arena = {0};
        struct declarations found = {0};
        declarations_read(&found, buf_str(&text), 0, &arena);
        declarations_free(&found);
        arena_free(&arena);
        buf_free(&text);
        buf_free(&said);
    }
}
END_TEST

int main(void)
{
    TCase *tcase = tcase_create("source");
    tcase_set_timeout(tcase, 60);
    tcase_add_test(tcase, kernels_of_sources);
    tcase_add_test(tcase, any_text_is_read);
    tcase_add_test(tcase, large_texts_take_little_time);
    return run_suite("source", &tcase, 1);
}
