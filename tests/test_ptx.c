/* The reader of PTX on modules in tests/data/ptx.test and on damaged ones; and the log reader on the lines that it
 * writes. */
#include "testing.h"

#include "lint/linter.h"
#include "log/reader.h"
#include "nvcc/ptx.h"

#include <stdlib.h>

static void say(void *context, const struct bounds *kernel)
{
    bounds_write(kernel, context);
}

static void read_module(struct str text, struct buf *said)
{
    buf_clear(said);
    ptx_read(text, STR("sm_90"), say, said);
}

/* Takes the text before the next line that equals `line` off the front of *rest. */
static struct str take_until(struct str *rest, struct str line)
{
    size_t end = str_find(*rest, line);
    struct str part = str_sub(*rest, 0, end == STR_NONE ? rest->len : end + 1);
    *rest = str_from(*rest, end == STR_NONE ? rest->len : end + line.len);
    return part;
}

START_TEST(test_modules)
{
    struct buf file = read_file(source_path("tests/data/ptx.test")), said = {0};
    struct str rest = buf_str(&file);
    int groups = 0;
    take_until(&rest, STR("\n== "));
    for (; rest.len; groups++) {
        struct str group = take_until(&rest, STR("\n== "));
        struct str title = take_until(&group, STR("\n")), module = take_until(&group, STR("\n--\n"));
        read_module(module, &said);
        ck_assert_msg(str_eq(buf_str(&said), group), "%.*ssays\n%.*sexpected\n%.*s", STR_ARG(title),
                      STR_ARG(buf_str(&said)), STR_ARG(group));
    }
    ck_assert_int_eq(groups, 17);
    buf_free(&said);
    buf_free(&file);
}
END_TEST

/* The text cut at every byte, and with every byte replaced by the most significant characters: no crash, no endless
 * loop. */
START_TEST(test_broken_modules)
{
    struct buf file = read_file(source_path("tests/data/ptx.test")), said = {0}, broken = {0};
    static const char bytes[] = "{}\"/*\\.\0\n\xff";
    struct str text = str_sub(buf_str(&file), 0, 3000);
    for (size_t end = 0; end < text.len; end += 3)
        read_module(str_sub(text, 0, end), &said);
    for (size_t at = 0; at < text.len; at += 5) {
        buf_clear(&broken);
        buf_add(&broken, text);
        broken.ptr[at] = bytes[(at / 5) % (sizeof bytes - 1)];
        read_module(buf_str(&broken), &said);
    }
    buf_free(&broken);
    buf_free(&said);
    buf_free(&file);
}
END_TEST

/* The length of a name is limited. */
START_TEST(test_large_modules)
{
    struct buf name = {0}, text = {0}, said = {0};
    buf_pad(&name, 'n', 1 << 16);
    buf_add(&text, STR(".entry k() .maxntid 32 {\n"));
    for (int at = 0; at < 200000; at++)
        buf_add(&text, STR("\tadd.s64 \t%rd4, %rd2, %rd3;\n\tld.global.f32 \t%f1, [%rd4];\n"));
    buf_add(&text, STR("}\n.entry "));
    for (int at = 0; at < 64; at++)
        buf_add(&text, buf_str(&name));
    buf_fmt(&text, "() .maxntid 64 { }\n.entry %.*s() .maxntid 96 { }\n", STR_ARG(buf_str(&name)));
    ptx_read(buf_str(&text), STR("sm_90"), say, &said);
    buf_free(&text);
    ck_assert(str_starts(buf_str(&said), STR("warplint info    : PTX 1: entry k sm_90 maxntid=32,1,1\n")));
    ck_assert(str_ends(buf_str(&said), STR("nnn sm_90 maxntid=96,1,1\n")));
    ck_assert(str_find(buf_str(&said), STR("maxntid=64")) == STR_NONE);
    buf_free(&said);
    buf_free(&name);
}
END_TEST

/* ---- the lines read back ---- */

static void print_kernel(const struct model *model, const struct kernel *kernel, struct buf *out)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const char *from = bound_from_names[rare->bound_from], *line = line_from_names[rare->line_from];
    buf_fmt(out, "%.*s %.*s %u", STR_ARG(kernel_name(model, kernel)), STR_ARG(kernel_arch(model, kernel)),
            rare->bound_threads);
    buf_fmt(out, " %s %u %u", from ? from : "-", rare->min_blocks, rare->cluster_blocks);
    if (rare->register_cap_from == CAP_SETMAXNREG)
        buf_add(out, STR(" setmaxnreg"));
    else if (rare->register_cap != UNKNOWN)
        buf_fmt(out, " cap %d %s", rare->register_cap, cap_from_names[rare->register_cap_from]);
    if (rare->dynamic_smem == DYNAMIC_SMEM_USED)
        buf_add(out, STR(" dynamic"));
    if (line)
        buf_fmt(out, " %.*s:%u %s", STR_ARG(model_string(model, kernel->source)), rare->source_line, line);
    buf_char(out, '\n');
}

#define ENTRY(name, arch)                                                                                              \
    "ptxas info    : Compiling entry function '" name "' for '" arch "'\n"                                             \
    "ptxas info    : Function properties for " name "\n"                                                               \
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"                                             \
    "ptxas info    : Used 8 registers, used 0 barriers\n"
#define OWN "warplint info    : PTX "

static const struct {
    const char *log, *records;
    unsigned unknown; /* number of unknown lines */
} logs[] = {
    {OWN "1: entry _Z1kv sm_90 maxntid=256,1,1 minnctapersm=3 line=4 file=/a b/k.cu\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 256 launch-bounds 3 0 /a b/k.cu:4 loc\n", 0},
    {OWN "1: entry _Z1kv sm_90 reqntid=32,2,2 maxntid=1024,1,1 reqnctapercluster=2,2,1\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 128 required 0 4\n", 0},
    {OWN "1: entry _Z1kv sm_90 maxnreg=40\n"
         "ptxas info    : Overriding maximum register limit 256 for '_Z1kv' with  32 of maxrregcount option\n"
         "ptxas info    : 0 bytes gmem\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 0 - 0 0 cap 40 __maxnreg__\n", 0},
    {OWN "1: entry _Z1kv sm_80 maxntid=64,1,1\n" OWN "1: entry _Z1kv sm_90 maxntid=128,1,1\n" ENTRY("_Z1kv", "sm_90")
         ENTRY("_Z1kv", "sm_80") ENTRY("_Z1jv", "sm_80"),
     "_Z1kv sm_90 128 launch-bounds 0 0\n_Z1kv sm_80 64 launch-bounds 0 0\n_Z1jv sm_80 0 - 0 0\n", 0},
    {OWN "1: entry _Z1kv sm_90 maxntid=64,1,1\n" ENTRY("_Z1kv", "sm_90") OWN
     "1: entry _Z1kv sm_90 maxntid=128,1,1\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 0 - 0 0\n_Z1kv sm_90 0 - 0 0\n", 0}, /* two files in one command: which one? */
    {OWN "1: entry _Z1kv sm_90 extern_shared=1\n" ENTRY("_Z1kv", "sm_90") ENTRY("_Z1jv", "sm_90"),
     "_Z1kv sm_90 0 - 0 0 dynamic\n_Z1jv sm_90 0 - 0 0\n", 0},
    {OWN "1: entry _Z1kv sm_90 extern_shared=1\n" OWN "1: entry _Z1kv sm_90 maxntid=64,1,1\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 0 - 0 0\n", 0}, /* two files in one command: which one? */
    {OWN "1: entry _Z1kv sm_90 maxntid=384,1,1 setmaxnreg=1\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 384 launch-bounds 0 0 setmaxnreg\n", 0},
    {OWN "1: entry _Z1kv sm_90 later=7 maxntid=64,1,1\n" ENTRY("_Z1kv", "sm_90"), "_Z1kv sm_90 64 launch-bounds 0 0\n",
     0},
    {OWN "2: entry _Z1kv sm_90 maxntid=64,1,1\n" ENTRY("_Z1kv", "sm_90"), "_Z1kv sm_90 0 - 0 0\n", 1},
    {OWN "1: entry _Z1kv sm_90 maxntid=64,one,1\n" ENTRY("_Z1kv", "sm_90"), "_Z1kv sm_90 0 - 0 0\n", 1},
    {OWN "1: entry _Z1kv\n" ENTRY("_Z1kv", "sm_90"), "_Z1kv sm_90 0 - 0 0\n", 1},
    {OWN "1: entry _Z1kv sm_90 maxntid=64000,64000,64 minnctapersm=300\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 65535 launch-bounds 0 0\n", 0},
    {OWN "1: entry _Z1kv sm_90 reqntid=512,4,1 reqnctapercluster=2048,2048,64\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 2048 required 0 65535\n", 0},
    {"2026-11-21T12:00:00.000000Z " OWN "1: entry _Z1kv sm_90 maxntid=64,1,1\n" ENTRY("_Z1kv", "sm_90"),
     "_Z1kv sm_90 64 launch-bounds 0 0\n", 0},
};

START_TEST(test_lines)
{
    struct model model = {0};
    struct buf records = {0};
    struct log_reader *reader = log_reader_new(&model, STR("log"));
    log_reader_feed(reader, str_of(logs[_i].log));
    log_reader_finish(reader);
    for (size_t at = 0; at < model.kernel_count; at++)
        print_kernel(&model, &model.kernels[at], &records);
    ck_assert_msg(str_eq(buf_str(&records), str_of(logs[_i].records)), "%s\ngives\n%.*sexpected\n%s", logs[_i].log,
                  STR_ARG(buf_str(&records)), logs[_i].records);
    ck_assert_uint_eq(model.logs[0].unknown_lines, logs[_i].unknown);
    buf_free(&records);
    model_free(&model);
}
END_TEST

/* ---- the launch configurations that follow from them ---- */

/* The launch configuration of the only kernel of a log, as text. */
static struct str describe_launch_config(const char *log, int threads, struct buf *out)
{
    struct model model = {0};
    struct ruleset rules = {0};
    struct log_reader *reader = log_reader_new(&model, STR("log"));
    log_reader_feed(reader, str_of(log));
    log_reader_finish(reader);
    struct linter_options options = {.launch_config = launch_config_none(), .fail_on = SEVERITY_WARNING};
    options.launch_config.threads = threads;
    options.launch_config.threads_from = threads ? THREADS_CLI : THREADS_UNKNOWN;
    struct linter *linter = linter_new(&rules, &model, &options);
    const struct context *context = linter_record(linter, 0);
    const char *from = threads_from_names[context->launch_config.threads_from],
               *cap = cap_from_names[context->register_cap_from];
    buf_clear(out);
    buf_fmt(out, "%d %s min %d cap %d %s", context->launch_config.threads, from ? from : "-",
            context->launch_config.min_blocks, context->register_cap == UNKNOWN ? -1 : context->register_cap,
            cap ? cap : "-");
    linter_free(linter);
    model_free(&model);
    ruleset_free(&rules);
    return buf_str(out);
}

static const struct {
    const char *declared, *arch;
    int given; /* --threads of the command line */
    const char *launch_config;
} judged[] = {
    {"", "sm_90", 0, "0 - min 0 cap -1 -"},
    {"maxntid=256,1,1 minnctapersm=3", "sm_90", 0, "256 launch-bounds min 3 cap 80 __launch_bounds__"},
    {"maxntid=256,1,1 minnctapersm=3", "sm_70", 0, "256 launch-bounds min 3 cap 80 __launch_bounds__"},
    {"maxntid=256,1,1 minnctapersm=3", "sm_37", 0, "256 launch-bounds min 3 cap -1 -"},
    {"maxntid=1024,1,1", "sm_120", 0, "1024 launch-bounds min 0 cap 64 __launch_bounds__"},
    {"maxntid=64,1,1", "sm_90", 0, "64 launch-bounds min 0 cap -1 -"},
    {"maxntid=256,1,1", "sm_90", 128, "128 cli min 0 cap -1 -"},
    {"maxntid=1025,1,1", "sm_90", 0, "1024 launch-bounds min 0 cap 56 __launch_bounds__"},
    {"maxntid=1025,1,1", "sm_75", 0, "1024 launch-bounds min 0 cap -1 -"}, /* ptxas ignores it */
    {"reqntid=512,4,1", "sm_90", 128, "2048 required min 0 cap 32 __block_size__"},
    {"reqntid=512,1,1", "sm_90", 128, "512 required min 0 cap 128 __block_size__"},
    {"maxnreg=40", "sm_90", 128, "128 cli min 0 cap 40 __maxnreg__"},
};

START_TEST(test_judged)
{
    struct buf log = {0}, launch_config = {0};
    if (*judged[_i].declared)
        buf_fmt(&log, OWN "1: entry k %s %s\n", judged[_i].arch, judged[_i].declared);
    buf_fmt(&log, "ptxas info    : Compiling entry function 'k' for '%s'\n", judged[_i].arch);
    buf_add(&log, STR("ptxas info    : Used 8 registers, used 0 barriers\n"));
    buf_char(&log, '\0');
    struct str found = describe_launch_config(log.ptr, judged[_i].given, &launch_config);
    ck_assert_msg(str_eq(found, str_of(judged[_i].launch_config)), "%s on %s: %.*s, expected %s", judged[_i].declared,
                  judged[_i].arch, STR_ARG(found), judged[_i].launch_config);
    buf_free(&launch_config);
    buf_free(&log);
}
END_TEST

int main(void)
{
    TCase *ptx = tcase_create("ptx");
    tcase_add_test(ptx, test_modules);
    tcase_add_test(ptx, test_broken_modules);
    tcase_add_test(ptx, test_large_modules);
    tcase_add_loop_test(ptx, test_lines, 0, sizeof logs / sizeof *logs);
    tcase_add_loop_test(ptx, test_judged, 0, sizeof judged / sizeof *judged);
    return run_suite("ptx", &ptx, 1);
}
