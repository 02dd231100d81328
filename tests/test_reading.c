/*
 * Every way to read a log gives the same model: line by line through the phrase table, or by the fast paths; fed at
 * once, from a memory map, or in pieces. The test reads all logs of the fixtures and the shared ones, unchanged, with
 * CRLF, and with random damage.
 */
#define _DEFAULT_SOURCE
#include "log/prefilter.h"
#include "log/reader.h"
#include "logs.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

static uint64_t state = 88172645463325252u;

static size_t random_below(size_t below)
{
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (size_t)(state >> 11) % below;
}

/* ---- ways to read ----------------------------------------------------------------------------------------------- */

static void ignore_line(void *context, struct str line, uint16_t log, uint64_t number)
{
    (void)context, (void)line, (void)log, (void)number;
}

/* A callback for every line turns off the fast paths: every line goes through the phrase table. */
static void read_lines(struct str text, struct buf *out)
{
    struct model model = {0};
    struct log_reader *reader = log_reader_new(&model, STR("log"));
    log_reader_on_line(reader, ignore_line, NULL);
    log_reader_feed(reader, text);
    log_reader_finish(reader);
    model_link(&model);
    print_model(&model, out);
    model_free(&model);
}

static void read_fast(struct str text, size_t piece_bytes, struct buf *out)
{
    struct model model = {0};
    read_in_pieces(&model, STR("log"), text, piece_bytes);
    model_link(&model);
    print_model(&model, out);
    model_free(&model);
}

/* Shows the number of the first line that differs, and both lines. */
static void check_same(struct str one, struct str other, const char *what)
{
    struct str left = {0}, right = {0};
    if (str_eq(one, other))
        return;
    for (size_t line = 1; str_split(&one, '\n', &left) && str_split(&other, '\n', &right); line++)
        if (!str_eq(left, right))
            ck_abort_msg("%s: line %zu of the model\nis:     %.*s\nbefore: %.*s\n", what, line, STR_ARG(right),
                         STR_ARG(left));
    ck_abort_msg("%s: the model has more or fewer lines", what);
}

/* ---- logs ------------------------------------------------------------------------------------------------------- */

static struct paths all_logs(void)
{
    struct paths paths = {0};
    paths_add(&paths, source_path("fixtures/*/log.txt"));
    paths_add(&paths, source_path("tests/log.test"));
    paths_add(&paths, source_path("../shared/logs/*.log"));
    paths_add(&paths, source_path("../shared/logs/builds/*.log"));
    ck_assert_msg(paths.count >= 40, "only %zu logs", paths.count);
    return paths;
}

static void with_crlf(struct str text, struct buf *out)
{
    buf_clear(out);
    for (size_t at = 0; at < text.len; at++) {
        if (text.ptr[at] == '\n')
            buf_char(out, '\r');
        buf_char(out, text.ptr[at]);
    }
}

START_TEST(fast_paths_read_as_the_table_does)
{
    struct paths paths = all_logs();
    struct buf lines = {0}, fast = {0}, crlf = {0};
    for (size_t at = 0; at < paths.count; at++) {
        struct buf text = read_file(paths.items[at]);
        with_crlf(buf_str(&text), &crlf);
        for (int crlfs = 0; crlfs < 2; crlfs++) {
            struct str log = crlfs ? buf_str(&crlf) : buf_str(&text);
            buf_clear(&lines);
            buf_clear(&fast);
            read_lines(log, &lines);
            read_fast(log, 0, &fast);
            check_same(buf_str(&lines), buf_str(&fast), paths.items[at]);
        }
        buf_free(&text);
    }
    printf("%zu logs\n", paths.count);
    buf_free(&lines);
    buf_free(&fast);
    buf_free(&crlf);
    paths_free(&paths);
}
END_TEST

#define RECORD(name, metrics)                                                                                          \
    "ptxas info    : Compiling entry function '" name "' for 'sm_80'\nptxas info    : Function properties for " name   \
    "\n    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\nptxas info    : Used 10 registers, used 0 " \
    "barriers" metrics "\n"
#define TIME "ptxas info    : Compile time = 5.000 ms\n"

/* If a Used line cannot belong to the record, the record gets none of its numbers, nor the compile time after it. */
START_TEST(both_readers_drop_a_used_line_of_another_record)
{
    static const char *const behind[] = {"", TIME, ("\n" TIME)};
    for (size_t at = 0; at < sizeof behind / sizeof *behind; at++) {
        struct buf text = {0}, lines = {0}, fast = {0};
        buf_fmt(&text, "%s%s%s%s", RECORD("keeps", ", 360 bytes cmem[0]") TIME, RECORD("breaks", ""), behind[at],
                RECORD("keeps_too", ", 360 bytes cmem[0]") TIME);
        read_lines(buf_str(&text), &lines);
        read_fast(buf_str(&text), 0, &fast);
        check_same(buf_str(&lines), buf_str(&fast), behind[at]);
        size_t breaks = str_find(buf_str(&fast), STR(" breaks "));
        struct str record = str_from(buf_str(&fast), breaks), line;
        ck_assert(breaks != STR_NONE && str_split(&record, '\n', &line));
        ck_assert_uint_eq(str_find(line, STR(" time 5000 ")), STR_NONE);
        ck_assert_uint_ne(str_find(record, STR(" time 5000 ")), STR_NONE);
        buf_free(&text);
        buf_free(&lines);
        buf_free(&fast);
    }
}
END_TEST

/* Cases at the limits of the fast paths: longer numbers, other words, one more blank. */
START_TEST(unusual_records_are_read_the_same)
{
    static const char *const unusual[] = {"0",   "256",      "257",       "65535",    "65536", "9999999", "99999999",
                                          "-1",  "12345678", "123456789", "00000012", "",      " 7",      "7 ",
                                          "0x7", "sm_1234",  "sm_12345",  "sm_90a'",  "7.",    "7,"};
    static const char *const forms[] = {
        "ptxas info    : Compiling entry function 'k' for 'sm_80'\nptxas info    : Function properties for k\n"
        "    %s bytes stack frame, %s bytes spill stores, %s bytes spill loads\n"
        "ptxas info    : Used %s registers, used %s barriers, %s bytes cumulative stack size, %s bytes smem, "
        "%s bytes cmem[%s], %s bytes cmem[2]\nptxas info    : Compile time = %s.%s ms\n",
        "ptxas info    : Compiling entry function 'k' for '%s'\nptxas info    : Function properties for k%s\n"
        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads%s\n"
        "ptxas info    : Used 9 registers%s, used 1 barriers%s, 8 bytes smem%s, 8 bytes cmem[0]%s\n",
    };
    enum { UNUSUAL = sizeof unusual / sizeof *unusual, HOLES = 12 };
    for (size_t form = 0; form < sizeof forms / sizeof *forms; form++)
        for (size_t which = 0; which < UNUSUAL * HOLES; which++) {
            struct buf text = {0}, lines = {0}, fast = {0};
            struct str rest = str_of(forms[form]);
            for (size_t hole = 0; rest.len; hole++) {
                size_t end = str_find(rest, STR("%s"));
                const char *usual = form ? hole ? "" : "sm_80" : hole == 11 ? "004" : "3";
                buf_add(&text, str_sub(rest, 0, end));
                if (end != STR_NONE)
                    buf_add(&text, str_of(hole == which % HOLES ? unusual[which / HOLES] : usual));
                rest = str_from(rest, end == STR_NONE ? rest.len : end + 2);
            }
            read_lines(buf_str(&text), &lines);
            read_fast(buf_str(&text), 0, &fast);
            check_same(buf_str(&lines), buf_str(&fast), unusual[which / HOLES]);
            buf_free(&text);
            buf_free(&lines);
            buf_free(&fast);
        }
}
END_TEST

/* Names of every length, each with another that differs in one byte, in another record or in the same. */
START_TEST(names_of_every_length)
{
    enum { LONGEST = 70 };
    char name[LONGEST + 1] = "", other[LONGEST + 1];
    for (size_t len = 1; len <= LONGEST; len++) {
        struct buf text = {0}, lines = {0}, fast = {0};
        memset(name, 'k', len);
        for (size_t at = 0; at < len; at++) {
            memcpy(other, name, sizeof other);
            other[at] = at % 2 ? '$' : '~';
            const char *const pairs[][2] = {{name, name}, {name, name}, {other, other}, {name, other}, {name, name}};
            for (size_t pair = 0; pair < sizeof pairs / sizeof *pairs; pair++)
                buf_fmt(&text,
                        "ptxas info    : Compiling entry function '%s' for 'sm_80'\n"
                        "ptxas info    : Function properties for %s\n"
                        "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                        "ptxas info    : Used 10 registers, used 0 barriers, 360 bytes cmem[0]\n",
                        pairs[pair][0], pairs[pair][1]);
        }
        read_lines(buf_str(&text), &lines);
        read_fast(buf_str(&text), 0, &fast);
        check_same(buf_str(&lines), buf_str(&fast), name);
        buf_free(&text);
        buf_free(&lines);
        buf_free(&fast);
    }
}
END_TEST

/* The memory after a block may hold the rest of a record by accident; the reader must not read it. */
START_TEST(records_are_cut_anywhere)
{
    static const struct str text = STR_INIT(
        "ptxas info    : 0 bytes gmem\n" RECORD("k", ", 360 bytes cmem[0]")
            TIME RECORD("k", ", 8 bytes cumulative stack size, 1024 bytes smem, 360 bytes cmem[0], 8 bytes cmem[2]"));
    struct buf crlf = {0}, lines = {0}, fast = {0};
    with_crlf(text, &crlf);
    for (size_t cut = 1; cut <= 2 * crlf.len; cut++) {
        struct str log = cut % 2 ? buf_str(&crlf) : text;
        buf_clear(&lines);
        buf_clear(&fast);
        read_lines(log, &lines);
        read_fast(log, cut / 2, &fast);
        check_same(buf_str(&lines), buf_str(&fast), "cut");
    }
    buf_free(&crlf);
    buf_free(&lines);
    buf_free(&fast);
}
END_TEST

/* A last line is treated like any other, whether it has a line end or not. */
START_TEST(a_last_line_is_read_like_any_other)
{
    static const char *const last[] = {"erties for k", "unction 'k' for 'sm_80'", "done"};
    for (size_t at = 0; at < sizeof last / sizeof *last; at++) {
        bool torn[2], interleaved[2];
        for (int ends = 0; ends < 2; ends++) {
            struct model model = {0};
            struct buf text = {0};
            buf_fmt(&text, "%s%s%s", RECORD("k", ", 360 bytes cmem[0]"), last[at], ends ? "\n" : "");
            read_in_pieces(&model, STR("log"), buf_str(&text), 0);
            torn[ends] = model.logs[0].torn;
            interleaved[ends] = model.logs[0].interleaved;
            model_free(&model);
            buf_free(&text);
        }
        ck_assert_msg(torn[0] == torn[1] && interleaved[0] == interleaved[1], "%s", last[at]);
    }
}
END_TEST

/* ---- damage ----------------------------------------------------------------------------------------------------- */

static struct str random_line(struct str text)
{
    size_t at = random_below(text.len);
    size_t start = str_rfind(str_sub(text, 0, at), STR("\n"));
    start = start == STR_NONE ? 0 : start + 1;
    size_t end = str_find_char(str_from(text, at), '\n');
    return str_sub(text, start, end == STR_NONE ? text.len : at + end + 1);
}

static void add_damaged(struct str text, struct str line, struct buf *out)
{
    static const struct str bits[] = {
        STR_INIT("\r"),    STR_INIT("\033[0m"),     STR_INIT("\0"),
        STR_INIT(" "),     STR_INIT("'"),           STR_INIT("\n"),
        STR_INIT("0"),     STR_INIT("-"),           STR_INIT("99999999"),
        STR_INIT(","),     STR_INIT("\xc3\xa9"),    STR_INIT("\t"),
        STR_INIT("ptxas"), STR_INIT("12345678901"), STR_INIT("ptxas info    : "),
    };
    size_t at = random_below(line.len), to = at + random_below(4);
    switch (random_below(6)) {
    case 0: buf_add(out, str_sub(line, 0, at)); break; /* cut, and joined with the next line */
    case 1:
        buf_add(out, line);
        buf_add(out, random_line(text));
        break;
    case 2: break;
    case 3:
        buf_add(out, str_sub(line, 0, at));
        buf_add(out, str_from(line, to));
        break;
    default:
        buf_add(out, str_sub(line, 0, at));
        buf_add(out, bits[random_below(sizeof bits / sizeof *bits)]);
        buf_add(out, str_from(line, random_below(2) ? at : to));
    }
}

/* Damages one line in every `distance`. */
static void damage(struct str text, size_t distance, struct buf *out)
{
    struct str rest = text;
    buf_clear(out);
    while (rest.len) {
        size_t end = str_find_char(rest, '\n');
        struct str line = str_sub(rest, 0, end == STR_NONE ? rest.len : end + 1);
        if (random_below(distance) == 0)
            add_damaged(text, line, out);
        else
            buf_add(out, line);
        rest = str_from(rest, line.len);
    }
}

START_TEST(damaged_logs_are_read_the_same)
{
    enum { LONGEST = 40000 };
    struct paths paths = all_logs();
    struct buf lines = {0}, fast = {0}, log = {0};
    size_t rounds = test_rounds(2000), records = 0;
    for (size_t round = 0; round < rounds; round++) {
        const char *path = paths.items[random_below(paths.count)];
        struct buf text = read_file(path);
        struct str whole = buf_str(&text);
        if (whole.len > LONGEST)
            whole = str_sub(str_from(whole, random_below(whole.len - LONGEST)), 0, LONGEST);
        if (whole.len)
            damage(whole, 1 + random_below(100), &log);
        buf_clear(&lines);
        buf_clear(&fast);
        read_lines(buf_str(&log), &lines);
        read_fast(buf_str(&log), random_below(2) ? 0 : 1 + random_below(5000), &fast);
        if (!str_eq(buf_str(&lines), buf_str(&fast)) && getenv("WARPLINT_TEST_KEEP")) {
            FILE *kept = fopen(getenv("WARPLINT_TEST_KEEP"), "wb");
            ck_assert(kept && fwrite(log.ptr, 1, log.len, kept) == log.len && fclose(kept) == 0);
        }
        check_same(buf_str(&lines), buf_str(&fast), path);
        records += str_find(buf_str(&fast), STR("\nkernel")) != STR_NONE;
        buf_free(&text);
    }
    ck_assert_uint_gt(records, rounds / 4);
    buf_free(&lines);
    buf_free(&fast);
    buf_free(&log);
    paths_free(&paths);
}
END_TEST

/* ---- long logs -------------------------------------------------------------------------------------------------- */

/* All logs in a row, some of them damaged, until the text is many blocks long. */
static void long_log(struct buf *out)
{
    enum { BYTES = 6 << 20 };
    struct paths paths = all_logs();
    struct buf damaged = {0};
    while (out->len < BYTES) {
        struct buf text = read_file(paths.items[random_below(paths.count)]);
        if (random_below(8) == 0 && text.len)
            damage(buf_str(&text), 50, &damaged);
        buf_add(out, damaged.len ? buf_str(&damaged) : buf_str(&text));
        buf_char(out, '\n');
        buf_clear(&damaged);
        buf_free(&text);
    }
    buf_free(&damaged);
    paths_free(&paths);
}

/* Half of the logs have no damage: in a log with a torn line all later records would be ambiguous. */
static void clean_log(struct buf *out)
{
    static const char *const names[] = {"clean", "register-spill", "rdc-two-archs", "unroll-sm90", "ansi-crlf"};
    enum { BYTES = 6 << 20 };
    while (out->len < BYTES) {
        struct buf path = {0};
        buf_fmt(&path, "fixtures/%s/log.txt", names[random_below(sizeof names / sizeof *names)]);
        struct buf text = read_file(source_path(path.ptr));
        buf_add(out, buf_str(&text));
        buf_free(&text);
        buf_free(&path);
    }
}

START_TEST(long_logs_in_pieces)
{
    static const size_t most[] = {1 << 18, 65536, 1000};
    struct buf text = {0}, whole = {0}, model = {0};
    if (_i)
        long_log(&text);
    else
        clean_log(&text);
    read_fast(buf_str(&text), 0, &whole);
    ck_assert_uint_ne(str_find(buf_str(&whole), STR("kernel entry")), STR_NONE);
    for (size_t m = 0; m < sizeof most / sizeof *most; m++) {
        buf_clear(&model);
        read_fast(buf_str(&text), most[m], &model);
        check_same(buf_str(&whole), buf_str(&model), "pieces");
    }
    buf_free(&text);
    buf_free(&whole);
    buf_free(&model);
}
END_TEST

/* The memory after the last page of a map is not readable. */
START_TEST(a_mapped_file_reads_the_same)
{
    struct buf text = {0}, whole = {0}, model = {0};
    clean_log(&text);
    size_t page = (size_t)sysconf(_SC_PAGESIZE), bytes = text.len / page * page;
    int fd = open("/dev/zero", O_RDWR);
    char *map = mmap(NULL, bytes + page, PROT_READ | PROT_WRITE, MAP_PRIVATE, fd, 0);
    ck_assert(fd >= 0 && map != MAP_FAILED);
    memcpy(map, text.ptr, bytes);
    ck_assert_int_eq(mprotect(map + bytes, page, PROT_NONE), 0);
    read_fast(str_sub(buf_str(&text), 0, bytes), 4096, &whole);
    struct model read = {0};
    struct log_reader *reader = log_reader_new(&read, STR("log"));
    log_reader_feed(reader, (struct str){map, bytes});
    log_reader_finish(reader);
    model_link(&read);
    print_model(&read, &model);
    model_free(&read);
    check_same(buf_str(&whole), buf_str(&model), "map");
    munmap(map, bytes + page);
    close(fd);
    buf_free(&text);
    buf_free(&whole);
    buf_free(&model);
}
END_TEST

/* ---- what is sought --------------------------------------------------------------------------------------------- */

static const char *const sought[] = {
    "ptxas",
    "nvlink",
    "nvcc",
    "info ",
    "unrol",
    "fatbinary",
    "pragma",
    "frame,",
    "remark:",
    "CUDA",
    "\033",
    "INFO: From ",
    " failed: (",
    "Cuda compilation tools",
    "launch_bounds",
    "exceed",
    "[output clipped",
    "[...truncated",
};

/* Each word at each position of blocks of each length, and half a word at the end of readable memory. */
START_TEST(each_word_is_found_everywhere)
{
    enum { LONGEST = 80 };
    struct str word = str_of(sought[_i]);
    for (size_t length = word.len; length <= LONGEST; length++)
        for (size_t at = 0; at <= length; at++) {
            char *block = mem_alloc(length);
            memset(block, 'x', length);
            size_t bytes = length - at < word.len ? length - at : word.len;
            memcpy(block + at, word.ptr, bytes);
            ck_assert(prefilter_in_line((struct str){block, length}) == (bytes == word.len));
            free(block);
        }
}
END_TEST

/* A word in random text of the letters of all words: the text before it must not hide it. */
START_TEST(words_are_found_in_random_text)
{
    enum { LENGTH = 300 };
    static const char letters[] = "ptxnvlcfotbiagmk r:UDAFCudhs_\n\r\020\013";
    char block[LENGTH];
    for (size_t round = 0; round < test_rounds(20000); round++) {
        struct str word = str_of(sought[random_below(sizeof sought / sizeof *sought)]);
        size_t place = random_below(LENGTH - word.len);
        for (size_t at = 0; at < LENGTH; at++)
            block[at] = letters[random_below(round % 2 ? 20 : sizeof letters - 1)];
        memcpy(block + place, word.ptr, word.len);
        ck_assert(prefilter_in_line((struct str){block, LENGTH}));
    }
}
END_TEST

/* A record and everything that it owns, except its name, takes at most 208 bytes, with as many constant banks as ptxas
 * prints. */
START_TEST(records_are_small)
{
    enum { MOST_BYTES = 208, BANKS = 4 };
    ck_assert_uint_le(sizeof(struct kernel) + sizeof(struct rare_metrics) + BANKS * sizeof(struct bank), MOST_BYTES);
    struct model model = {0};
    struct buf text = {0};
    clean_log(&text);
    read_in_pieces(&model, STR("log"), buf_str(&text), 0);
    size_t bytes = model.kernel_count * sizeof *model.kernels + model.bank_count * sizeof *model.banks +
                   model.rare_count * sizeof *model.rare_metrics;
    ck_assert_uint_gt(model.kernel_count, 10000);
    ck_assert_uint_le(bytes / model.kernel_count, MOST_BYTES);
    model_free(&model);
    buf_free(&text);
}
END_TEST

int main(void)
{
    TCase *reading = tcase_create("reading");
    tcase_set_timeout(reading, 300);
    tcase_add_test(reading, fast_paths_read_as_the_table_does);
    tcase_add_test(reading, both_readers_drop_a_used_line_of_another_record);
    tcase_add_test(reading, unusual_records_are_read_the_same);
    tcase_add_test(reading, names_of_every_length);
    tcase_add_test(reading, records_are_cut_anywhere);
    tcase_add_test(reading, a_last_line_is_read_like_any_other);
    tcase_add_test(reading, damaged_logs_are_read_the_same);
    tcase_add_loop_test(reading, long_logs_in_pieces, 0, 2);
    tcase_add_test(reading, a_mapped_file_reads_the_same);
    tcase_add_loop_test(reading, each_word_is_found_everywhere, 0, (int)(sizeof sought / sizeof *sought));
    tcase_add_test(reading, words_are_found_in_random_text);
    tcase_add_test(reading, records_are_small);
    return run_suite("reading", &reading, 1);
}
