#include "log/local_memory.h"
#include "report/location.h"
#include "testing.h"

/* Paths as logs have them, the paths that reports show, and their URIs. */
static const struct {
    const char *folder, *path, *shown, *uri;
} cases[] = {
    {"/src/app", "a.cu", "a.cu", "a.cu"},
    {"/src/app", "./a.cu", "a.cu", "a.cu"},
    {"/src/app", "kernels//x/../a.cu", "kernels/a.cu", "kernels/a.cu"},
    {"/src/app", "../lib/a.cu", "../lib/a.cu", "../lib/a.cu"},
    {"/src/app", "x/../../../a.cu", "../../a.cu", "../../a.cu"},
    {"/src/app", "/src/app/k/a.cu", "k/a.cu", "k/a.cu"},
    {"/src/app", "/src/app/../app/a.cu", "a.cu", "a.cu"},
    {"/src/app", "/src/application/a.cu", "/src/application/a.cu", "file:///src/application/a.cu"},
    {"/src/app", "/usr/include/x.h", "/usr/include/x.h", "file:///usr/include/x.h"},
    {"/src/app", "/../a.cu", "/a.cu", "file:///a.cu"},
    {"/", "/src/a.cu", "src/a.cu", "src/a.cu"},
    {"", "/src/a.cu", "/src/a.cu", "file:///src/a.cu"},
    {"/src", "kernels\\a.cu", "kernels/a.cu", "kernels/a.cu"},
    {"/src", "k/odd\\name.cu", "k/odd\\name.cu", "k/odd%5Cname.cu"},
    {"/src", "C:\\src\\..\\a b.cu", "C:/a b.cu", "file:///C:/a%20b.cu"},
    {"C:\\src", "C:\\src\\k\\a.cu", "k/a.cu", "k/a.cu"},
    {"/src", "a#b?c%d:e.cu", "a#b?c%d:e.cu", "a%23b%3Fc%25d%3Ae.cu"},
    {"/src", "\xc3\xa9\xff\n.cu", "\xc3\xa9\\xff\\x0a.cu", "%C3%A9%FF%0A.cu"},
    {"/src", "<stdin>", "<stdin>", "%3Cstdin%3E"},
};
enum { CASES = sizeof cases / sizeof *cases };

START_TEST(paths)
{
    struct report report = {.folder = str_of(cases[_i].folder)};
    struct buf path = {0}, uri = {0};
    location_path(&report, str_of(cases[_i].path), &path);
    location_uri(&report, &(struct location){.path = str_of(cases[_i].path)}, &uri);
    buf_char(&path, '\0');
    buf_char(&uri, '\0');
    ck_assert_str_eq(path.ptr, cases[_i].shown);
    ck_assert_str_eq(uri.ptr, cases[_i].uri);
    buf_free(&path);
    buf_free(&uri);
}
END_TEST

/* Paths relative to the repository, for code hosts. */
static const struct {
    const char *repository, *folder, *path;
    bool from_here;
    const char *shown;
} hosted[] = {
    {"/src/app/", "/src/app", "k/a.cu", true, "k/a.cu"},
    {"/src/app/", "/src/app/k", "a.cu", true, "k/a.cu"},
    {"/src/app/", "/src/app/k", "a.cu", false, "a.cu"},
    {"/src/app/", "/src/app/build", "../k/a.cu", true, "k/a.cu"},
    {"/src/app/", "/src/app/build", "../k/a.cu", false, "../k/a.cu"},
    {"/src/app/", "/src/app/build", "/src/app/k/a.cu", false, "k/a.cu"},
    {"/src/app/", "/src/app/k", "../../lib/a.cu", true, "../../lib/a.cu"},
    {"/src/app/", "/src/app/k", "/usr/a.cu", true, "/usr/a.cu"},
    {"/", "/k", "a.cu", true, "k/a.cu"},
    {"", "/src/app", "a.cu", true, "a.cu"},
    {"", "", "a.cu", true, "a.cu"},
};
enum { HOSTED = sizeof hosted / sizeof *hosted };

START_TEST(paths_in_a_repository)
{
    struct report report = {.repository = str_of(hosted[_i].repository), .folder = str_of(hosted[_i].folder)};
    struct location location = {.path = str_of(hosted[_i].path), .from_here = hosted[_i].from_here};
    struct buf path = {0}, uri = {0};
    location_repository_path(&report, &location, &path);
    location_uri(&report, &location, &uri);
    ck_assert_msg(str_eq(buf_str(&path), str_of(hosted[_i].shown)), "%.*s", STR_ARG(buf_str(&path)));
    ck_assert(str_ends(buf_str(&uri), buf_str(&path)));
    buf_free(&path);
    buf_free(&uri);
}
END_TEST

/* In text for people a path stays as in the log, without the working directory. */
static const struct {
    const char *folder, *path, *shown;
} people[] = {
    {"/src/app", "/src/app/k/a.cu", "k/a.cu"},
    {"/src/app", "/src/application/a.cu", "/src/application/a.cu"},
    {"/src/app", "/src/app", "/src/app"},
    {"/src/app", "./k/../a.cu", "./k/../a.cu"},
    {"/", "/a.cu", "/a.cu"},
    {"", "/a.cu", "/a.cu"},
};
enum { PEOPLE = sizeof people / sizeof *people };

START_TEST(shown_paths)
{
    struct report report = {.folder = str_of(people[_i].folder)};
    ck_assert(str_eq(location_shown(&report, str_of(people[_i].path)), str_of(people[_i].shown)));
}
END_TEST

/* Sites of one line in several loops become one; it keeps the call if all have the same. */
START_TEST(sites_by_line)
{
    struct model model = {0};
    const uint32_t file = intern_add(&model.strings, STR("/src/a.cu"));
    const uint32_t header = intern_add(&model.strings, STR("/usr/local/cuda-13.0/include/cub/x.cuh"));
    const uint32_t call = code_place_add(&model, (struct code_place){file, 9, NO_INDEX, NO_INDEX});
    const uint32_t other = code_place_add(&model, (struct code_place){file, 8, NO_INDEX, NO_INDEX});
    const uint32_t inner = code_place_add(&model, (struct code_place){file, 2, call, NO_INDEX});
    const uint32_t again = code_place_add(&model, (struct code_place){file, 2, other, NO_INDEX});
    const uint32_t hidden = code_place_add(&model, (struct code_place){header, 70, call, NO_INDEX});
    const uint32_t more = code_place_add(&model, (struct code_place){header, 71, call, NO_INDEX});
    const struct code_site sites[] = {
        {.place = hidden, .depth = 2, .stores = 1, .store_bytes = 4},
        {.place = more, .depth = 2, .loads = 2, .load_bytes = 8},
        {.place = inner, .depth = 1, .stores = 1, .store_bytes = 4},
        {.place = again, .depth = 1, .stores = 1, .store_bytes = 8},
        {.place = hidden, .depth = 1, .stores = 1, .store_bytes = 16},
        {.place = NO_INDEX, .depth = 1, .stores = 1, .store_bytes = 1},
        {.place = NO_INDEX, .depth = 0, .stores = 1, .store_bytes = 1},
    };
    enum { SITES = sizeof sites / sizeof *sites };
    const struct code_site expected[] = {
        {more, 2, 1, 2, 4, 8, false},     {hidden, 1, 1, 0, 16, 0, false},  {again, 1, 2, 0, 12, 0, true},
        {NO_INDEX, 1, 1, 0, 1, 0, false}, {NO_INDEX, 0, 1, 0, 1, 0, false},
    };
    struct code_site lines[SITES];
    ck_assert_uint_eq(code_sites_by_line(&model, sites, SITES, lines), 5);
    for (size_t at = 0; at < 5; at++) {
        ck_assert_uint_eq(lines[at].place, expected[at].place);
        ck_assert_uint_eq(lines[at].depth, expected[at].depth);
        ck_assert_int_eq(lines[at].stores, expected[at].stores);
        ck_assert_int_eq(lines[at].loads, expected[at].loads);
        ck_assert_int_eq(lines[at].store_bytes, expected[at].store_bytes);
        ck_assert_int_eq(lines[at].load_bytes, expected[at].load_bytes);
        ck_assert(lines[at].several_calls == expected[at].several_calls);
    }
    model_free(&model);
}
END_TEST

int main(void)
{
    TCase *location = tcase_create("spot");
    tcase_add_loop_test(location, shown_paths, 0, PEOPLE);
    tcase_add_loop_test(location, paths, 0, CASES);
    tcase_add_loop_test(location, paths_in_a_repository, 0, HOSTED);
    tcase_add_test(location, sites_by_line);
    return run_suite("spot", &location, 1);
}
