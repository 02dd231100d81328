#define _GNU_SOURCE /* memmem, pwrite, mkstemp */
/* Binaries against the logs of the same compile, and broken binaries. The files are in tests/data/binaries. */
#include "testing.h"

#include "log/binary_check.h"
#include "log/reader.h"
#include "nvcc/binary.h"
#include "nvcc/decompress.h"

#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

static const char *const names[] = {"lz4.elf", "zstd.elf", "cubin.elf", "family.fatbin", "offload.elf", "calls.fatbin"};
enum { FILES = sizeof names / sizeof *names };

static const char *data(const char *name)
{
    static char relative[200];
    snprintf(relative, sizeof relative, "tests/data/binaries/%s", name);
    return source_path(relative);
}

static void read_log(struct model *model, const char *path)
{
    struct buf text = read_file(path);
    struct log_reader *reader = log_reader_new(model, str_of(path));
    log_reader_feed(reader, buf_str(&text));
    log_reader_finish(reader);
    buf_free(&text);
}

/* ---- right ones ------------------------------------------------------------------------------------------------- */

static size_t count_entries(const struct model *model, enum producer producer, int flags)
{
    size_t count = 0;
    for (size_t at = 0; at < model->kernel_count; at++)
        count += model->kernels[at].kind == KERNEL_ENTRY && model->kernels[at].producer == producer &&
                 (model->kernels[at].flags & flags) == flags;
    return count;
}

START_TEST(binary_and_log_say_the_same)
{
    static const struct {
        const char *binary, *log;
        size_t entries;
    } rows[FILES] = {
        {"lz4.elf", "lz4.log", 14},          {"zstd.elf", "zstd.log", 14},       {"cubin.elf", "cubin.log", 14},
        {"family.fatbin", "family.log", 28}, {"offload.elf", "offload.log", 28}, {"calls.fatbin", "calls.log", 21},
    };
    struct model model = {0};
    struct diags diags = {0};
    read_log(&model, data(rows[_i].log));
    size_t events = model.event_count;
    ck_assert(binary_read(&model, str_of(data(rows[_i].binary)), true, NULL, &diags));
    ck_assert_uint_eq(count_entries(&model, PRODUCER_PTXAS, 0), rows[_i].entries);
    ck_assert_uint_eq(count_entries(&model, PRODUCER_BINARY, 0), rows[_i].entries);
    model_link(&model);
    model_check_binaries(&model);
    ck_assert_uint_eq(count_entries(&model, PRODUCER_BINARY, KERNEL_COVERED), rows[_i].entries);
    for (size_t at = events; at < model.event_count; at++)
        ck_abort_msg("%s", model_string(&model, model.events[at].text).ptr);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* A number that was changed in the log is reported, and no other. */
START_TEST(every_difference_is_reported)
{
    static const struct {
        size_t field;
        const char *said;
    } rows[] = {
        {offsetof(struct kernel, registers), "registers 9 in the log, 8 in the binary"},
        {offsetof(struct kernel, barriers), "barriers 1 in the log, 0 in the binary"},
        {offsetof(struct kernel, stack_bytes), "stack frame 1 B in the log, 0 B in the binary"},
        {offsetof(struct kernel, smem_bytes), "shared memory 1 B in the log, 0 B in the binary"},
    };
    struct model model = {0};
    struct diags diags = {0};
    read_log(&model, data("cubin.log"));
    ck_assert(binary_read(&model, str_of(data("cubin.elf")), true, NULL, &diags));
    uint32_t plain = intern_find(&model.names, STR("_Z5plainPf"));
    for (size_t at = 0; at < model.kernel_count; at++) {
        struct kernel *kernel = &model.kernels[at];
        int32_t value;
        if (kernel->name != plain || kernel->producer != PRODUCER_PTXAS)
            continue;
        memcpy(&value, (char *)kernel + rows[_i].field, sizeof value);
        value = value == UNKNOWN ? 1 : value + 1;
        memcpy((char *)kernel + rows[_i].field, &value, sizeof value);
    }
    size_t events = model.event_count;
    model_check_binaries(&model);
    ck_assert_uint_eq(model.event_count, events + 1);
    const struct event *event = &model.events[events];
    ck_assert_str_eq(model_string(&model, event->id).ptr, "binary-mismatch");
    ck_assert_ptr_nonnull(strstr(model_string(&model, event->text).ptr, rows[_i].said));
    ck_assert_uint_eq(event->name, plain);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

START_TEST(a_variant_is_named)
{
    struct model model = {0};
    struct diags diags = {0};
    ck_assert(binary_read(&model, str_of(data("cubin.elf")), true, NULL, &diags));
    ck_assert_str_eq(kernel_arch(&model, &model.kernels[0]).ptr, "sm_90a"); /* from the options that ptxas notes */
    ck_assert(binary_read(&model, str_of(data("family.fatbin")), true, NULL, &diags));
    ck_assert_uint_ne(intern_find(&model.strings, STR("sm_100f")), INTERN_NONE); /* from the flags of the fatbin */
    ck_assert_uint_ne(intern_find(&model.strings, STR("sm_75")), INTERN_NONE);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* The number of a log has 16 bits: one log more than that is refused and must not get number 0. */
START_TEST(logs_have_a_limit)
{
    struct model model = {0};
    struct diags diags = {0};
    for (int log = 0; log < UINT16_MAX - 1; log++)
        model_add_log(&model, (struct log_info){0});
    ck_assert(binary_read(&model, str_of(data("cubin.elf")), true, NULL, &diags));
    ck_assert_uint_eq(model.kernels[0].log, UINT16_MAX - 1);
    ck_assert(!binary_read(&model, str_of(data("cubin.elf")), true, NULL, &diags));
    ck_assert_uint_eq(model.log_count, UINT16_MAX);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* The launch bounds of a kernel, read from the binary, and then copied to its record of the log. */
START_TEST(bounds_are_copied_to_the_log)
{
    static const struct {
        const char *name;
        int threads, cap;
        enum cap_from from;
    } rows[] = {
        {"_Z5plainPf", 0, UNKNOWN, CAP_UNKNOWN},
        {"_Z7boundedPfi", 256, 80, CAP_LAUNCH_BOUNDS},
        {"_Z12bounded_oncePf", 512, 128, CAP_LAUNCH_BOUNDS},
        {"_Z6cappedPf", 0, 40, CAP_UNKNOWN},
    };
    struct model model = {0};
    struct diags diags = {0};
    size_t seen = 0;
    read_log(&model, data("cubin.log"));
    ck_assert(binary_read(&model, str_of(data("cubin.elf")), true, NULL, &diags));
    model_check_binaries(&model);
    for (size_t at = 0; at < model.kernel_count; at++) {
        const struct kernel *kernel = &model.kernels[at];
        if (!str_eq(kernel_name(&model, kernel), str_of(rows[_i].name)))
            continue;
        seen++;
        const struct rare_metrics *rare = kernel_rare(&model, kernel);
        ck_assert_int_eq(rare->bound_threads, rows[_i].threads);
        ck_assert_int_eq(rare->bound_from, rows[_i].threads ? BOUND_LAUNCH_BOUNDS : BOUND_NONE);
        ck_assert_int_eq(rare->register_cap, rows[_i].cap);
        ck_assert_int_eq(rare->register_cap_from, rows[_i].from);
    }
    ck_assert_uint_eq(seen, 2);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* What the machine code says about dynamic shared memory. If a module declares some, a whole program (no -rdc) marks
 * all its kernels: for a kernel that has static shared memory too, or that accesses no shared memory, use is unknown.
 * All kernels of sm_110 (reserved.cubin) are marked, because they use the memory that the system reserves. */
START_TEST(dynamic_shared_memory)
{
    enum { NO = DYNAMIC_SMEM_NONE, YES = DYNAMIC_SMEM_USED, UNSAID = DYNAMIC_SMEM_UNKNOWN };
    static const struct {
        const char *file;
        struct {
            const char *name;
            int expected;
        } kernels[5];
    } rows[] = {
        {"dynamic.cubin",
         {{"_Z4nonePf", UNSAID},
          {"_Z5fixedPf", UNSAID},
          {"_Z5sizedPf", YES},
          {"_Z4bothPf", UNSAID},
          {"_Z6calledPf", YES}}},
        {"dynamic_object.cubin",
         {{"_Z4nonePf", UNSAID},
          {"_Z5fixedPf", UNSAID},
          {"_Z5sizedPf", YES},
          {"_Z4bothPf", YES},
          {"_Z6calledPf", UNSAID}}},
        {"dynamic_linked.cubin",
         {{"_Z4nonePf", NO},
          {"_Z5fixedPf", UNSAID},
          {"_Z5sizedPf", YES},
          {"_Z4bothPf", UNSAID},
          {"_Z6calledPf", UNSAID}}},
        {"located.cubin", {{"_Z6nestedPKfPKiPfii", NO}}},
        {"reserved.cubin", {{"_Z5sizedPf", YES}, {"_Z8reservedPf", UNSAID}}},
    };
    struct model model = {0};
    struct diags diags = {0};
    size_t seen = 0, expected = 0;
    ck_assert(binary_read(&model, str_of(data(rows[_i].file)), true, NULL, &diags));
    for (size_t row = 0; row < 5 && rows[_i].kernels[row].name; row++, expected++)
        for (size_t at = 0; at < model.kernel_count; at++) {
            const struct kernel *kernel = &model.kernels[at];
            if (!str_eq(kernel_name(&model, kernel), str_of(rows[_i].kernels[row].name)))
                continue;
            seen++;
            ck_assert_msg((int)kernel_dynamic_smem(&model, kernel) == rows[_i].kernels[row].expected, "%s: %d",
                          rows[_i].kernels[row].name, kernel_dynamic_smem(&model, kernel));
        }
    ck_assert_uint_eq(seen, expected);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* ---- broken ones ------------------------------------------------------------------------------------------------ */

/* Reads the bytes as a file. Reading must return whatever they are, and must print an error if it fails. */
static bool survives(int fd, const char *path, struct str bytes)
{
    struct model model = {0};
    struct diags diags = {0};
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_int_eq(pwrite(fd, bytes.ptr, bytes.len, 0), (ssize_t)bytes.len);
    bool ok = binary_read(&model, str_of(path), true, NULL, &diags);
    ck_assert(ok || diags.errors > 0);
    model_link(&model);
    model_check_binaries(&model);
    model_free(&model);
    diags_free(&diags);
    return ok;
}

static int scratch(char *path)
{
    strcpy(path, "/tmp/warplint-binary-XXXXXX");
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    return fd;
}

/* Kernels written by hand (212 in cuBLAS) have no register attribute; the flags of their code section hold the number.
 * If that is missing too, the kernel is kept with unknown registers. The input is frame.cubin, changed. */
START_TEST(registers_of_the_code_section)
{
    static const char attribute[] = {4, 0x2f, 8, 0}, info[] = {9, 0, 0, 64};
    static const struct {
        bool section_states;
        int32_t registers;
    } rows[] = {{true, 64}, {false, UNKNOWN}};
    struct model model = {0};
    struct diags diags = {0};
    struct buf bytes = read_file(data("frame.cubin"));
    char *found = memmem(bytes.ptr, bytes.len, attribute, sizeof attribute);
    ck_assert_ptr_nonnull(found);
    found[1] = 0x7f;
    ck_assert_ptr_null(memmem(bytes.ptr, bytes.len, attribute, sizeof attribute));
    found = memmem(bytes.ptr, bytes.len, info, sizeof info);
    ck_assert_ptr_nonnull(found);
    if (!rows[_i].section_states)
        found[3] = 0;
    char path[64];
    int fd = scratch(path);
    ck_assert_int_eq(pwrite(fd, bytes.ptr, bytes.len, 0), (ssize_t)bytes.len);
    ck_assert(binary_read(&model, str_of(path), true, NULL, &diags));
    ck_assert_uint_eq(count_entries(&model, PRODUCER_BINARY, 0), 1);
    ck_assert_int_eq(model.kernels[0].registers, rows[_i].registers);
    close(fd);
    unlink(path);
    buf_free(&bytes);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

/* Before CUDA 13 the flags of the code section hold the number of barriers. The input is barriers.cubin. */
START_TEST(barriers_of_the_code_section)
{
    static const struct {
        const char *name;
        int32_t barriers;
    } rows[] = {{"_Z4nonePi", 0}, {"_Z3onePi", 1}, {"_Z4fivePi", 5}, {"_Z3anyPii", 16}};
    struct model model = {0};
    struct diags diags = {0};
    ck_assert(binary_read(&model, str_of(data("barriers.cubin")), true, NULL, &diags));
    ck_assert_uint_eq(model.kernel_count, 4);
    size_t at = 0;
    while (!str_eq(intern_get(&model.names, model.kernels[at].name), str_of(rows[_i].name)))
        ck_assert_uint_lt(++at, model.kernel_count);
    ck_assert_int_eq(model.kernels[at].barriers, rows[_i].barriers);
    model_free(&model);
    diags_free(&diags);
}
END_TEST

static bool begins_as_binary(const char *path)
{
    struct diags diags = {0};
    bool failed = false, is = binary_is(str_of(path), &failed, &diags);
    ck_assert(!failed && diags.count == 0);
    diags_free(&diags);
    return is;
}

START_TEST(cut_short)
{
    char path[40];
    int fd = scratch(path);
    struct buf whole = read_file(data(names[_i]));
    for (size_t length = 0; length < whole.len; length += length < 200 ? 1 : 1 + whole.len / 150)
        survives(fd, path, str_sub(buf_str(&whole), 0, length));
    ck_assert(survives(fd, path, buf_str(&whole)));
    buf_free(&whole);
    close(fd);
    unlink(path);
}
END_TEST

static uint64_t next_random(uint64_t *state)
{
    *state = *state * 6364136223846793005u + 1442695040888963407u;
    return *state >> 33;
}

/* Also a file that is cut behind the last section that we read is reported as cut. */
START_TEST(cut_files_are_named)
{
    static const char *const whole_names[] = {"cubin.elf", "rdc_object.cubin", "rdc_linked.cubin", "lz4.elf",
                                              "offload.elf"};
    char path[40];
    int fd = scratch(path);
    struct buf whole = read_file(data(whole_names[_i]));
    for (size_t length = 4; length<whole.len; length += whole.len - length> 200 ? 1 + whole.len / 150 : 1) {
        struct model model = {0};
        struct diags diags = {0};
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, whole.ptr, length, 0), (ssize_t)length);
        ck_assert(begins_as_binary(path));
        ck_assert(!binary_read(&model, str_of(path), false, NULL, &diags));
        ck_assert_uint_eq(model.kernel_count, 0);
        ck_assert_ptr_nonnull(strstr(diags.items[0].message.ptr, "cut short"));
        model_free(&model);
        diags_free(&diags);
    }
    buf_free(&whole);
    close(fd);
    unlink(path);
}
END_TEST

static void add_member(struct buf *archive, const char *name, struct str bytes)
{
    buf_fmt(archive, "%-16s%-12d%-6d%-6d%-8d%-10zu`\n", name, 0, 0, 0, 644, bytes.len);
    buf_add(archive, bytes);
    buf_pad(archive, '\n', bytes.len % 2);
}

/* A cubin can be a member of an archive, also the last one; an error about it names the member. */
START_TEST(members_of_an_archive)
{
    char path[40];
    int fd = scratch(path);
    struct buf cubin = read_file(data("cubin.elf")), object = read_file(data("lz4.elf")), archive = {0};
    struct model model = {0};
    struct diags diags = {0};
    buf_add(&archive, STR("!<arch>\n"));
    add_member(&archive, "first/", buf_str(&cubin));
    add_member(&archive, "broken/", str_sub(buf_str(&object), 0, object.len / 2));
    add_member(&archive, "last/", buf_str(&cubin));
    ck_assert_int_eq(ftruncate(fd, 0), 0);
    ck_assert_int_eq(pwrite(fd, archive.ptr, archive.len, 0), (ssize_t)archive.len);
    ck_assert(!binary_read(&model, str_of(path), true, NULL, &diags));
    ck_assert_uint_eq(count_entries(&model, PRODUCER_BINARY, 0), 28);
    ck_assert_uint_eq(diags.count, 1);
    ck_assert_ptr_nonnull(strstr(diags.items[0].message.ptr, ": broken: it is cut short"));
    buf_free(&cubin);
    buf_free(&object);
    buf_free(&archive);
    model_free(&model);
    diags_free(&diags);
    close(fd);
    unlink(path);
}
END_TEST

/* Random bytes change, most of them in headers, where a change does most. */
START_TEST(bytes_changed)
{
    char path[40];
    int fd = scratch(path);
    uint64_t state = 20261121u + (uint64_t)_i;
    const char *rounds = getenv("WARPLINT_TEST_ROUNDS");
    long most = rounds ? atol(rounds) : 400;
    struct buf whole = read_file(data(names[_i])), copy = {0};
    for (long round = 0; round < most; round++) {
        buf_clear(&copy);
        buf_add(&copy, buf_str(&whole));
        for (size_t changes = 1 + next_random(&state) % 8; changes; changes--) {
            size_t reach = next_random(&state) % 2 ? 4096 : copy.len;
            copy.ptr[next_random(&state) % (reach < copy.len ? reach : copy.len)] = (char)next_random(&state);
        }
        survives(fd, path, buf_str(&copy));
    }
    buf_free(&whole);
    buf_free(&copy);
    close(fd);
    unlink(path);
}
END_TEST

START_TEST(payloads_keep_their_length)
{
    struct buf out = {0};
    ck_assert(!decompress(PACKING_ZSTD, STR("no frame at all"), 100, &out));
    ck_assert(!decompress(PACKING_LZ4,
                          STR("\x1f"
                              "no block"),
                          100, &out));
    ck_assert(!decompress(PACKING_ZSTD, STR("x"), DECOMPRESS_LIMIT + 1, &out));
    ck_assert(!decompress(PACKING_LZ4, STR(""), 1, &out));
    ck_assert(decompress(PACKING_LZ4,
                         STR("\x30"
                             "abc"),
                         3, &out)); /* three literal bytes */
    ck_assert(str_eq(buf_str(&out), STR("abc")));
    ck_assert(!decompress(PACKING_LZ4,
                          STR("\x30"
                              "abc"),
                          4, &out));
    ck_assert_uint_eq(out.len, 3);
    buf_free(&out);
}
END_TEST

START_TEST(only_binaries_are_binaries)
{
    ck_assert(begins_as_binary(data("cubin.elf")) && begins_as_binary(data("family.fatbin")));
    ck_assert(!begins_as_binary(data("cubin.log")) && !begins_as_binary(data("kernels.cu")));
    ck_assert(!begins_as_binary("/") && !begins_as_binary("/dev/null") && !begins_as_binary("no such file"));
}
END_TEST

int main(void)
{
    TCase *right = tcase_create("right"), *broken = tcase_create("broken");
    tcase_add_loop_test(right, binary_and_log_say_the_same, 0, FILES);
    tcase_add_loop_test(right, every_difference_is_reported, 0, 4);
    tcase_add_loop_test(right, bounds_are_copied_to_the_log, 0, 4);
    tcase_add_test(right, a_variant_is_named);
    tcase_add_loop_test(right, dynamic_shared_memory, 0, 5);
    tcase_add_loop_test(right, registers_of_the_code_section, 0, 2);
    tcase_add_loop_test(right, barriers_of_the_code_section, 0, 4);
    tcase_add_test(right, logs_have_a_limit);
    tcase_add_test(right, only_binaries_are_binaries);
    tcase_add_loop_test(broken, cut_short, 0, FILES);
    tcase_add_loop_test(broken, cut_files_are_named, 0, 5);
    tcase_add_test(broken, members_of_an_archive);
    tcase_add_loop_test(broken, bytes_changed, 0, FILES);
    tcase_add_test(broken, payloads_keep_their_length);
    tcase_set_timeout(broken, 300);
    TCase *cases[] = {right, broken};
    return run_suite("binary", cases, 2);
}
