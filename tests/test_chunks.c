/*
 * A log that is fed in pieces of any size gives the same model as the whole log: the result must not depend on where
 * the caller's buffers end. Every truncated log must be read without a crash.
 */
#include "log/reader.h"
#include "logs.h"

#include <stdio.h>

static void find_logs(struct paths *paths)
{
    paths_add(paths, source_path("fixtures/*/log.txt"));
    paths_add(paths, source_path("../shared/logs/*.log"));
    ck_assert_msg(paths->count >= 40, "only %zu logs below fixtures/", paths->count);
}

static void model_text(struct str path, struct str text, size_t piece_bytes, struct buf *out)
{
    struct model model = {0};
    read_in_pieces(&model, path, text, piece_bytes);
    model_link(&model);
    buf_clear(out);
    print_model(&model, out);
    model_free(&model);
}

/* Shows the number of the first line that differs, and both lines. */
static void show_difference(struct str whole, struct str pieces)
{
    struct str left = {0}, right = {0};
    for (size_t line = 1;; line++) {
        bool more_left = str_split(&whole, '\n', &left), more_right = str_split(&pieces, '\n', &right);
        if (more_left && more_right && str_eq(left, right))
            continue;
        printf("line %zu of the model\nwhole:  %.*s\npieces: %.*s\n", line, STR_ARG(left), STR_ARG(right));
        return;
    }
}

START_TEST(test_pieces_give_the_same_model)
{
    static const size_t sizes[] = {1, 2, 3, 7, 4096};
    struct paths paths = {0};
    find_logs(&paths);
    struct buf whole = {0}, pieces = {0};
    for (size_t at = 0; at < paths.count; at++) {
        struct buf text = read_file(paths.items[at]);
        model_text(str_of(paths.items[at]), buf_str(&text), 0, &whole);
        for (size_t size = 0; size < sizeof sizes / sizeof *sizes; size++) {
            model_text(str_of(paths.items[at]), buf_str(&text), sizes[size], &pieces);
            if (!str_eq(buf_str(&whole), buf_str(&pieces)))
                show_difference(buf_str(&whole), buf_str(&pieces));
            ck_assert_msg(str_eq(buf_str(&whole), buf_str(&pieces)), "%s in pieces of %zu bytes", paths.items[at],
                          sizes[size]);
        }
        buf_free(&text);
    }
    printf("%zu logs, 5 sizes of pieces\n", paths.count);
    buf_free(&whole);
    buf_free(&pieces);
    paths_free(&paths);
}
END_TEST

/* Every prefix of a log is valid input: a build can be killed, or a disk can be full. */
START_TEST(test_every_prefix_is_read)
{
    struct buf text = read_file(source_path("fixtures/rdc-two-archs/log.txt"));
    size_t most = 0;
    for (size_t len = 0; len <= text.len; len += 1 + len % 3) {
        struct model model = {0};
        read_in_pieces(&model, STR("prefix"), str_sub(buf_str(&text), 0, len), 0);
        ck_assert_msg(model.kernel_count + 1 >= most, "%zu bytes give %zu records, fewer bytes gave %zu", len,
                      model.kernel_count, most);
        most = model.kernel_count > most ? model.kernel_count : most;
        model_free(&model);
    }
    ck_assert_uint_eq(most, 20);
    buf_free(&text);
}
END_TEST

/* Several readers, one after another, fill one model, and each record names its log. */
START_TEST(test_several_logs_in_one_model)
{
    static const char *const names[] = {"clean", "register-spill", "empty"};
    struct model model = {0};
    for (size_t at = 0; at < 3; at++) {
        struct buf path = {0};
        buf_fmt(&path, "fixtures/%s/log.txt", names[at]);
        struct buf text = read_file(source_path(path.ptr));
        read_in_pieces(&model, str_of(names[at]), buf_str(&text), 100);
        buf_free(&text);
        buf_free(&path);
    }
    ck_assert_uint_eq(model.log_count, 3);
    ck_assert_uint_eq(model.kernel_count, 7);
    for (size_t at = 0; at < model.kernel_count; at++)
        ck_assert_uint_eq(model.kernels[at].log, at < 4 ? 0 : 1);
    ck_assert(model.logs[0].verbose && model.logs[1].verbose && !model.logs[2].verbose);
    model_free(&model);
}
END_TEST

int main(void)
{
    TCase *chunks = tcase_create("chunks");
    tcase_set_timeout(chunks, 300);
    tcase_add_test(chunks, test_pieces_give_the_same_model);
    tcase_add_test(chunks, test_every_prefix_is_read);
    tcase_add_test(chunks, test_several_logs_in_one_model);
    return run_suite("chunks", &chunks, 1);
}
