#include "cli/doctor/doctor.h"

#include "base/escape.h"
#include "cli/records.h"
#include "log/command.h"

#define BIT(sign) (UINT64_C(1) << SIGN_##sign)

/* In `without`: no error or warning before this row may apply. */
#define ALONE (UINT64_C(1) << 63)

/* CMake does not use its launcher for device links. Their numbers are in the program; a shim as the compiler makes
 * records of them. */
#define LINKS_OF_CMAKE                                                                                                 \
    "warplint check --objects PROGRAM {input}\n"                                                                       \
    "warplint wrap --record-only --install-shim shim   # no launcher\n"                                                \
    "cmake -B build2 -DCMAKE_CUDA_COMPILER=\"$PWD/shim/bin/nvcc\""

const struct cause cause_table[] = {
    /* ---- nothing to judge ---- */
    {"empty-log", SEVERITY_ERROR, SIGN_COUNT, 0, BIT(INPUT) | BIT(FOLDER), "the log is empty",
     "ptxas prints to standard error, which a pipe does not carry by itself", "make 2>&1 | tee {log}"},
    {"no-compile", SEVERITY_ERROR, SIGN_INPUT, 0,
     BIT(COMPILE) | BIT(RESOURCES) | BIT(KERNELS) | BIT(FUNCTIONS) | BIT(UP_TO_DATE) | BIT(FOLDER) | BIT(PTX_ONLY) |
         BIT(LTO) | BIT(STOPPED) | BIT(CLIPPED) | BIT(CUT) | BIT(USAGE_REFUSED) | BIT(AMD) | BIT(WRAP) |
         BIT(UNKNOWN_LINES) | BIT(STEPS),
     "no line mentions nvcc, ptxas or a CUDA source",
     "it is the log of something else, or the build tool shows neither commands nor messages",
     "cmake --build build --clean-first --verbose 2>&1 | tee {log}\nmake -B V=1 2>&1 | tee {log}"},
    {"up-to-date", SEVERITY_ERROR, SIGN_UP_TO_DATE, 0, BIT(COMPILE) | BIT(RESOURCES) | BIT(KERNELS) | BIT(FUNCTIONS),
     "nothing was compiled, the build was up to date", "ptxas prints only when it compiles",
     "cmake --build build --clean-first 2>&1 | tee {log}\nmake -B 2>&1 | tee {log}\n"
     "bazel clean && bazel build ... 2>&1 | tee {log}"},
    {"variable-behind-cache", SEVERITY_WARNING, SIGN_VARIABLE, BIT(CACHE), BIT(ASKS) | BIT(WRAP) | BIT(RECORDS),
     "adds -Xptxas=-v, and a compiler cache runs nvcc",
     "ccache does not hash the variable, nor does an old sccache: their cached messages may be of a compile without "
     "it, or of another build",
     "nvcc -Xptxas=-v ...               # on the command line, where caches look\n"
     "export CCACHE_NAMESPACE=warplint  # or in a part of the cache of its own"},
    {"not-verbose", SEVERITY_ERROR, SIGN_COMPILE, 0,
     BIT(RESOURCES) | BIT(KERNELS) | BIT(ASKS) | BIT(WRAP) | BIT(RECORDS) | BIT(FOLDER) | BIT(USAGE_REFUSED) |
         BIT(CLIPPED),
     "nvcc ran without -Xptxas=-v, so ptxas did not print what kernels need", NULL,
     "export NVCC_APPEND_FLAGS=\"$NVCC_APPEND_FLAGS -Xptxas=-v\"\n"
     "cmake --build build --clean-first 2>&1 | tee {log}\n"
     "make -B 2>&1 | tee {log}\n"
     "bazel build --@rules_cuda//cuda:copts=-Xptxas=-v ... 2>&1 | tee {log}\n"
     "clang++ -x cuda -Xcuda-ptxas -v ..."},
    {"steps-only", SEVERITY_ERROR, SIGN_STEPS, 0,
     BIT(RESOURCES) | BIT(KERNELS) | BIT(FUNCTIONS) | BIT(COMPILE) | BIT(STOPPED) | BIT(CLIPPED) | BIT(CUT) |
         BIT(FOLDER),
     "nvcc shows the commands that it runs, and ptxas did not print what kernels need",
     "nvcc's -v is not that of ptxas, and --dryrun runs nothing", "nvcc -Xptxas=-v ... 2>&1 | tee {log}"},
    {"stderr-lost", SEVERITY_ERROR, SIGN_ASKS, 0,
     BIT(RESOURCES) | BIT(KERNELS) | BIT(WRAP) | BIT(FOLDER) | BIT(STOPPED) | BIT(CLIPPED) | BIT(CUT) |
         BIT(USAGE_REFUSED),
     "the commands have -Xptxas=-v, and no output of ptxas is here", "it prints to standard error, which was not kept",
     "make 2>&1 | tee {log}"},
    {"swallowed", SEVERITY_ERROR, SIGN_WRAP, 0, BIT(RESOURCES) | BIT(KERNELS) | BIT(FOLDER) | BIT(RECORDS),
     "nvcc ran under `warplint wrap`, which keeps ptxas's lines",
     "they are in records beside the objects: judge the folder of the build", "warplint check build"},
    {"ptx-only", SEVERITY_ERROR, SIGN_PTX_ONLY, 0, BIT(KERNELS) | BIT(FUNCTIONS) | BIT(COMPILE) | BIT(LTO),
     "only PTX is made, which has no registers yet", "ptxas allots them when it compiles for a GPU",
     "nvcc -gencode arch=compute_90,code=sm_90 ...\ncmake -B {dir} -DCMAKE_CUDA_ARCHITECTURES=90"},
    {"device-lto", SEVERITY_ERROR, SIGN_LTO, 0, BIT(LINKED) | BIT(KERNELS),
     "device code is optimised at the link (-dlto)", "the compiles allot no registers, the link does",
     "nvcc -dlto -dlink -Xptxas=-v -Xnvlink=-v ...\ncmake -B {dir} -DCMAKE_INTERPROCEDURAL_OPTIMIZATION=OFF"},
    {"usage-refused", SEVERITY_ERROR, SIGN_USAGE_REFUSED, 0, BIT(KERNELS),
     "--resource-usage shows nothing of relocatable device code", NULL, "nvcc -rdc=true -Xptxas=-v ..."},
    {"amd", SEVERITY_ERROR, SIGN_AMD, 0, BIT(RESOURCES) | BIT(KERNELS),
     "resource lines of AMD's compiler, and none of ptxas",
     "warplint reads what NVIDIA's compilers print; kernels for AMD GPUs are not read", NULL},
    {"functions-only", SEVERITY_ERROR, SIGN_FUNCTIONS, 0, BIT(KERNELS) | BIT(CLIPPED) | BIT(CUT),
     "device functions, and no kernel", "what they need is known where a kernel calls them",
     "nvcc -dlink -Xnvlink=-v ... 2>&1 | tee {log}   # has kernels too"},
    {"records-not-verbose", SEVERITY_ERROR, SIGN_RECORDS, 0,
     BIT(RESOURCES) | BIT(KERNELS) | BIT(FUNCTIONS) | BIT(PTX_ONLY) | BIT(LTO),
     "the records are empty: `wrap` ran with --no-verbose, or the output of ptxas was redirected", NULL,
     "warplint wrap -- nvcc ...   # without --no-verbose"},

    /* ---- the result cannot be trusted ---- */
    {"cache-outside", SEVERITY_WARNING, SIGN_CACHE_OUTSIDE, 0, 0, "runs warplint, and should be run by it",
     "so it caches nothing, or old verdicts; what CMake's RULE_LAUNCH_COMPILE names is outside of every launcher "
     "(ggml and llama.cpp set it)",
     "cmake -B {dir} -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--;ccache\"\n"
     "cmake -B {dir} -DGGML_CCACHE=OFF   # ggml: no RULE_LAUNCH_COMPILE"},
    {"partly-verbose", SEVERITY_WARNING, SIGN_QUIET, BIT(ASKS), BIT(VARIABLE) | BIT(WRAP) | BIT(FOLDER),
     "some compiles have -Xptxas=-v, and this one does not", "its kernels are missing",
     "export NVCC_APPEND_FLAGS=\"$NVCC_APPEND_FLAGS -Xptxas=-v\"   # rebuild"},
    {"rdc-without-link", SEVERITY_WARNING, SIGN_RDC, BIT(KERNELS), BIT(LINKED) | BIT(UNRECORDED_LINK),
     "relocatable device code, and no record of its link",
     "the registers and the shared memory that count are those of the link; CMake's launcher does not see it",
     "nvcc -dlink -Xnvlink=-v ...\n" LINKS_OF_CMAKE},
    {"debug", SEVERITY_WARNING, SIGN_DEBUG, 0, 0, "device code is not optimised (-G, -Ofc=max, or -O0 for ptxas)",
     "these are not the numbers of a release; -lineinfo brings lines without that",
     "nvcc -lineinfo ...   # instead of -G\nclang++ -O2 -x cuda ...\ncmake -B {dir} -DCMAKE_BUILD_TYPE=Release"},
    {"interleaved", SEVERITY_WARNING, SIGN_AMBIGUOUS, 0, BIT(TORN) | BIT(WRAPPED),
     "several compilers wrote at once: it is not known which kernels the numbers belong to", NULL,
     "make -O -j8 2>&1 | tee {log}   # or ninja\ncmake -B build -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--\""},
    {"torn", SEVERITY_WARNING, SIGN_TORN, 0, BIT(WRAPPED), "several compilers wrote at once and cut each other's lines",
     "nothing after the first cut can be trusted",
     "make -O -j8 2>&1 | tee {log}   # or ninja\ncmake -B build -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--\""},
    {"wrapped", SEVERITY_WARNING, SIGN_WRAPPED, 0, 0,
     "messages are wrapped into the next line, as a terminal or a mail program does it",
     "nothing after the first of them can be trusted", "make >build.log 2>&1; warplint check build.log"},
    {"lines-missing", SEVERITY_WARNING, SIGN_MISSING, 0, BIT(TORN) | BIT(WRAPPED),
     "lines of the compiler are missing: it is not known which kernels the numbers belong to", NULL,
     "make 2>&1 | tee {log}   # all lines"},
    {"cut", SEVERITY_WARNING, SIGN_CUT, 0, BIT(CLIPPED),
     "the log ends inside a kernel or a line: the rest of the build is missing", NULL,
     "make 2>&1 | tee {log}   # to its end, no `head`"},
    {"filtered", SEVERITY_ERROR, SIGN_FILTERED, 0, 0, "the line with stack and spills is missing, here and everywhere",
     "`grep ptxas` drops it: its words are indented below the kernel's name", "make 2>&1 | tee {log}   # all lines"},
    {"unstated", SEVERITY_WARNING, SIGN_UNSTATED, 0, BIT(FILTERED) | BIT(CUT),
     "not stated for this kernel, so rules that need it cannot judge the kernel",
     "a filter dropped lines of ptxas, or they never were there: a binary does not say what of local memory is spills, "
     "and the driver and old toolkits print none",
     "make 2>&1 | tee {log}   # all lines\nwarplint check app.o {log}   # a binary and the log of its build"},
    {"clipped", SEVERITY_WARNING, SIGN_CLIPPED, 0, 0, "the log is truncated at a limit of length", NULL,
     "make >build.log 2>&1; warplint check build.log   # in the job itself\n"
     "docker buildx create --driver-opt env.BUILDKIT_STEP_LOG_MAX_SIZE=-1\n"
     "bazel build --experimental_ui_max_stdouterr_bytes=-1 ..."},
    {"stopped", SEVERITY_WARNING, SIGN_STOPPED, 0, 0, "the build ended with an error",
     "kernels that it did not compile are missing", "make -k 2>&1 | tee {log}   # ninja -k 0"},
    {"unknown-arch", SEVERITY_WARNING, SIGN_UNKNOWN_ARCH, 0, 0, "an architecture that this version does not know",
     "its limits are not known, so its occupancy is not judged",
     "warplint list archs   # a newer version may know more"},

    /* ---- folders ---- */
    {"no-build", SEVERITY_ERROR, SIGN_FOLDER, 0, BIT(RECORDS) | BIT(BUILD_FILES) | BIT(TRITON), "nothing is built here",
     "no records, no objects with device code, no files of a build tool", "warplint doctor build"},
    {"no-launchers", SEVERITY_ERROR, SIGN_NO_LAUNCHERS, 0, BIT(RECORDS), "this generator of CMake starts no launchers",
     "Ninja and Makefiles do", "cmake -G Ninja -B build2 -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--\""},
    {"other-launcher", SEVERITY_ERROR, SIGN_OTHER_LAUNCHER, 0, BIT(RECORDS) | BIT(NO_LAUNCHERS),
     "names warplint, and CUDA has a launcher of its own", NULL,
     "cmake -B {dir} -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--\""},
    {"not-wrapped", SEVERITY_ERROR, SIGN_BUILD_FILES, 0,
     BIT(RECORDS) | BIT(WRAP) | BIT(NO_LAUNCHERS) | BIT(OTHER_LAUNCHER),
     "nothing here is built under `warplint wrap`, so there are no records", NULL,
     "cmake -B {dir} -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--\"\ncmake --build {dir} --clean-first\n"
     "warplint wrap --install-shim shim\n"
     "make -B NVCC=\"$PWD/shim/bin/nvcc\" CUDA_HOME=\"$PWD/shim\"\n"
     "export PYTORCH_NVCC=\"warplint wrap -- $CUDA_HOME/bin/nvcc\"   # PyTorch"},
    {"not-built", SEVERITY_ERROR, SIGN_WRAP, BIT(FOLDER), BIT(RECORDS) | BIT(OBJECTS) | BIT(NO_LAUNCHERS),
     "set up for `warplint wrap`, and nothing was compiled yet", NULL,
     "cmake --build {dir}\nmake -B NVCC=\"$PWD/shim/bin/nvcc\" CUDA_HOME=\"$PWD/shim\""},
    {"built-before", SEVERITY_ERROR, SIGN_OBJECTS, BIT(FOLDER) | BIT(WRAP), BIT(RECORDS) | BIT(NO_LAUNCHERS),
     "compiled before the folder was set up for `warplint wrap`", NULL,
     "cmake --build {dir} --clean-first\nmake -B NVCC=\"$PWD/shim/bin/nvcc\" CUDA_HOME=\"$PWD/shim\""},
    {"stale-records", SEVERITY_WARNING, SIGN_STALE, 0, 0,
     "not of its object, which was built again or changed without `warplint wrap`", NULL,
     "cmake --build {dir} --clean-first   # under the launcher\nmake -B NVCC=\"$PWD/shim/bin/nvcc\" "
     "CUDA_HOME=\"$PWD/shim\""},
    {"old-link", SEVERITY_WARNING, SIGN_OLD_LINK, 0, 0, "a device link of objects that were compiled again since",
     "its numbers are those of older code: link again", "rm {object} && cmake --build {dir}"},
    {"unread-object", SEVERITY_WARNING, SIGN_UNREAD_OBJECT, 0, 0, "a record whose object cannot be read",
     "it is not known whether the record is of this object", "ls -l {object}"},
    {"orphaned-records", SEVERITY_WARNING, SIGN_ORPHANED, 0, 0, "a record without its object",
     "a failed gate removed it, or its source is gone",
     "cmake --build {dir}   # delete the record when its source is gone"},
    {"gone-source", SEVERITY_WARNING, SIGN_SOURCELESS, 0, 0, "the source of this record is gone",
     "if it was deleted or renamed, its kernels are no longer in the build: delete the record and its object",
     "rm {object} {object}.warplint.ndjson\n.SECONDARY: SOURCE   # in a Makefile that generates and deletes it"},
    {"unrecorded", SEVERITY_WARNING, SIGN_UNRECORDED, 0, 0, "device code without a record, where others have one",
     "it was compiled before the launcher was set, or its target or subproject sets another one",
     "cmake --build {dir} --clean-first   # under the launcher\nmake -B NVCC=\"$PWD/shim/bin/nvcc\" "
     "CUDA_HOME=\"$PWD/shim\""},

    {"unrecorded-link", SEVERITY_WARNING, SIGN_UNRECORDED_LINK, 0, 0, "a device link without a record",
     "CMake does not use its launcher for device links; their registers and shared memory are those that count",
     LINKS_OF_CMAKE},

    {"no-kernels", SEVERITY_ERROR, SIGN_COUNT, 0, ALONE | BIT(KERNELS) | BIT(TRITON), "no kernel is in it",
     "ptxas printed no kernel: the sources may have none",
     "warplint check --allow-empty {input}   # where that is as it should be"},

    /* ---- some information is missing ---- */
    {"no-compiler", SEVERITY_ERROR, SIGN_NO_COMPILER, 0, 0, "there is no such compiler, or it does not answer", NULL,
     "warplint doctor --nvcc /usr/local/cuda/bin/nvcc"},
    {"not-nvcc", SEVERITY_ERROR, SIGN_OTHER_PROGRAM, 0, 0, "this program compiles no CUDA, expected nvcc or clang",
     "its --version names neither the CUDA compilation tools nor clang",
     "warplint doctor --nvcc /usr/local/cuda/bin/nvcc"},
    {"triton-cache", SEVERITY_NOTE, SIGN_TRITON, 0, BIT(RECORDS), "this is a cache of Triton",
     "its kernels are in the code of its entries, so no log is needed", "warplint report {dir}\nwarplint check {dir}"},
    {"no-hook", SEVERITY_NOTE, SIGN_NO_HOOK, 0, 0, "this nvcc has no --ptxas-prefix",
     "`wrap` learns launch bounds from the object, without the minimum of blocks, and lines of kernels from the "
     "sources",
     "warplint wrap --threads 256 -- nvcc ...   # or in .warplint.yaml"},
    {"no-remarks", SEVERITY_NOTE, SIGN_NO_REMARKS, 0, 0,
     "this nvcc does not say what becomes of loops with #pragma unroll", "they are not judged",
     "warplint wrap -- /usr/local/cuda/bin/nvcc ...   # of a newer toolkit"},
    {"sccache", SEVERITY_NOTE, SIGN_SCCACHE, 0, 0, "`wrap` leaves out its hook and its remarks under sccache",
     "it takes nvcc's commands apart", "cmake -B {dir} -DCMAKE_CUDA_COMPILER_LAUNCHER=\"warplint;wrap;--;ccache\""},
    {"spills-not-located", SEVERITY_NOTE, SIGN_UNLOCATED, 0, 0, "the source lines of the spills are not known", NULL,
     "nvcc -lineinfo ...   # the machine code stays the same\nwarplint check {input} app.o   # the log and the "
     "binaries "
     "of "
     "one build"},
    {"unknown-lines", SEVERITY_NOTE, SIGN_UNKNOWN_LINES, 0, 0, "a line of ptxas that this version does not understand",
     NULL, "warplint check --unknown {input}   # shows them"},
};
const size_t cause_count = sizeof cause_table / sizeof *cause_table;

static bool shows(const struct cause *cause, uint64_t signs)
{
    bool there = cause->sign == SIGN_COUNT || signs >> cause->sign & 1;
    return there && (signs & cause->with) == cause->with && (signs & cause->without) == 0;
}

bool cause_applies(const struct cause *cause, const struct evidence *evidence)
{
    uint64_t signs = 0;
    for (int sign = 0; sign < SIGN_COUNT; sign++)
        signs |= evidence->signs[sign].count ? UINT64_C(1) << sign : 0;
    bool of_compiler = cause->sign >= SIGN_NO_COMPILER && cause->sign <= SIGN_NO_REMARKS;
    bool applies = of_compiler == evidence->is_compiler && shows(cause, signs);
    for (const struct cause *other = cause_table; applies && cause->without & ALONE && other < cause; other++)
        applies = !shows(other, signs);
    return applies;
}

/* The folder for the fix: CMake's build folder of the sign, or the input. */
static struct str folder_of(const struct cause *cause, const struct evidence *evidence)
{
    struct str seen = evidence->signs[cause->sign].path;
    size_t files = str_find(seen, STR("/CMakeFiles/"));
    if (evidence->signs[SIGN_FOLDER].count == 0)
        return STR("build");
    if (files != STR_NONE)
        return str_sub(seen, 0, files);
    return evidence->build.len ? evidence->build : evidence->path;
}

/* The build tool of a line of a fix, by the beginning of the line; a line that is not in this table is for all tools.
 * To add one: a row. */
static const struct {
    struct str begin;
    enum sign tool; /* SIGN_COUNT: a tool that doctor does not detect */
} tools[] = {
    {STR_INIT("cmake "), SIGN_CMAKE}, {STR_INIT("warplint wrap --record-only --install-shim"), SIGN_CMAKE},
    {STR_INIT("make "), SIGN_MAKE},   {STR_INIT("warplint wrap --install-shim"), SIGN_MAKE},
    {STR_INIT("bazel "), SIGN_COUNT}, {STR_INIT("export PYTORCH_NVCC"), SIGN_COUNT},
};

static bool is_for(struct str line, enum sign tool)
{
    for (size_t at = 0; at < sizeof tools / sizeof *tools; at++)
        if (str_starts(line, tools[at].begin))
            return tools[at].tool == tool;
    return true;
}

static void add_line(const struct cause *cause, const struct evidence *evidence, struct str line, struct buf *out)
{
    const bool is_log = str_ends(evidence->path, STR(".log")) || /* otherwise the command could overwrite a source */
                        (str_ends(evidence->path, STR(".txt")) && evidence->signs[SIGN_RESOURCES].count);
    const struct str seen = evidence->signs[cause->sign].path;
    const struct {
        struct str hole, name;
    } holes[] = {{STR("{dir}"), folder_of(cause, evidence)},
                 {STR("{log}"), is_log ? evidence->path : STR("build.log")},
                 {STR("{object}"), str_ends(seen, STR(RECORD_SUFFIX)) ? record_object(seen) : seen},
                 {STR("{input}"), str_starts(evidence->path, STR("<")) ? STR("build.log") : evidence->path}};
    while (line.len) {
        size_t taken = 0;
        for (size_t at = 0; at < sizeof holes / sizeof *holes && !taken; at++)
            if (str_starts(line, holes[at].hole)) {
                SCOPED(buf) safe = {0};
                escape_text(holes[at].name, &safe);
                shell_word(buf_str(&safe), out);
                taken = holes[at].hole.len;
            }
        if (!taken)
            buf_char(out, line.ptr[0]);
        line = str_from(line, taken ? taken : 1);
    }
}

void cause_fix(const struct cause *cause, const struct evidence *evidence, struct buf *out)
{
    const enum sign tool = evidence->signs[SIGN_CMAKE].count  ? SIGN_CMAKE
                           : evidence->signs[SIGN_MAKE].count ? SIGN_MAKE
                                                              : SIGN_COUNT;
    struct str rest = str_of(cause->fix), line;
    bool has_own = false, any = false;
    while (tool != SIGN_COUNT && rest.len && str_split(&rest, '\n', &line))
        has_own |= is_for(line, tool);
    for (rest = str_of(cause->fix); rest.len && str_split(&rest, '\n', &line);) {
        if (has_own && !is_for(line, tool))
            continue;
        buf_add(out, any ? STR("\n") : STR(""));
        add_line(cause, evidence, line, out);
        any = true;
    }
}
