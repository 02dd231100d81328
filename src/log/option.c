#include "log/option.h"

#include "base/mem.h"

#include <stdlib.h>

/*
 * nvcc, from `nvcc --help` of CUDA 13.0, and the hidden options for the phases (-Xcicc, --ptxas-prefix). To add an
 * option that takes a value or decides what is made: one row with both spellings, sorted by the first.
 */
static const struct nvcc_option nvcc_options[] = {
    {STR_INIT("--Ofast-compile"), STR_INIT("-Ofc"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--Werror"), STR_INIT("-Werror"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--all-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_PREFIX},
    {STR_INIT("--archive-options"), STR_INIT("-Xarchive"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--archiver-binary"), STR_INIT("-arbin"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--brief-diagnostics"), STR_INIT("-brief-diag"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cicc-options"), STR_INIT("-Xcicc"), TAKES_NEXT, MEANS_CICC_OPTIONS},
    {STR_INIT("--cicc-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--clean-targets"), STR_INIT("-clean"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--compile"), STR_INIT("-c"), TAKES_NOTHING, PHASE_COMPILE},
    {STR_INIT("--compiler-bindir"), STR_INIT("-ccbin"), TAKES_NEXT, MEANS_HOST_COMPILER},
    {STR_INIT("--compiler-options"), STR_INIT("-Xcompiler"), TAKES_NEXT, MEANS_HOST_OPTIONS},
    {STR_INIT("--compress-mode"), STR_INIT("-compress-mode"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cpp-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cubin"), STR_INIT("-cubin"), TAKES_NOTHING, PHASE_CUBIN},
    {STR_INIT("--cuda"), STR_INIT("-cuda"), TAKES_NOTHING, PHASE_CUDA},
    {STR_INIT("--cudadevrt"), STR_INIT("-cudadevrt"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cudafe-options"), STR_INIT("-Xcudafe"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cudafe-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cudart"), STR_INIT("-cudart"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--default-stream"), STR_INIT("-default-stream"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--define-macro"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--dependency-drive-prefix"), STR_INIT("-ddp"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--dependency-output"), STR_INIT("-MF"), TAKES_NEXT, MEANS_DEPENDENCY_FILE},
    {STR_INIT("--dependency-target-name"), STR_INIT("-MT"), TAKES_NEXT, MEANS_DEPENDENCY_TARGET},
    {STR_INIT("--device-c"), STR_INIT("-dc"), TAKES_NOTHING, PHASE_COMPILE},
    {STR_INIT("--device-debug"), STR_INIT("-G"), TAKES_NOTHING, MEANS_DEBUG},
    {STR_INIT("--device-entity-has-hidden-visibility"), STR_INIT("-device-entity-has-hidden-visibility"), TAKES_NEXT,
     MEANS_OTHER},
    {STR_INIT("--device-link"), STR_INIT("-dlink"), TAKES_NOTHING, PHASE_DEVICE_LINK},
    {STR_INIT("--device-stack-protector"), STR_INIT("-device-stack-protector"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--device-w"), STR_INIT("-dw"), TAKES_NOTHING, PHASE_COMPILE},
    {STR_INIT("--diag-error"), STR_INIT("-diag-error"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--diag-suppress"), STR_INIT("-diag-suppress"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--diag-warn"), STR_INIT("-diag-warn"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--dopt"), STR_INIT("-dopt"), TAKES_NEXT, MEANS_OPTIMISED},
    {STR_INIT("--drive-prefix"), STR_INIT("-dp"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--dryrun"), STR_INIT("-dryrun"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--entries"), STR_INIT("-e"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--fatbin"), STR_INIT("-fatbin"), TAKES_NOTHING, PHASE_FATBIN},
    {STR_INIT("--fatbin-options"), STR_INIT("-Xfatbin"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--fdevice-syntax-only"), STR_INIT("-fdevice-syntax-only"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--fdevice-time-trace"), STR_INIT("-fdevice-time-trace"), TAKES_NEXT, MEANS_FILES},
    {STR_INIT("--fmad"), STR_INIT("-fmad"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--frandom-seed"), STR_INIT("-frandom-seed"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--ftemplate-backtrace-limit"), STR_INIT("-ftemplate-backtrace-limit"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--ftemplate-depth"), STR_INIT("-ftemplate-depth"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--ftz"), STR_INIT("-ftz"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--generate-code"), STR_INIT("-gencode"), TAKES_NEXT, MEANS_TARGET},
    {STR_INIT("--generate-dependencies"), STR_INIT("-M"), TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("--generate-dependencies-with-compile"), STR_INIT("-MD"), TAKES_NOTHING, MEANS_DEPENDENCIES},
    {STR_INIT("--generate-dependency-targets"), STR_INIT("-MP"), TAKES_NOTHING, MEANS_DEPENDENCY_TARGET},
    {STR_INIT("--generate-nonsystem-dependencies"), STR_INIT("-MM"), TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("--generate-nonsystem-dependencies-with-compile"), STR_INIT("-MMD"), TAKES_NOTHING, MEANS_DEPENDENCIES},
    {STR_INIT("--gpu-architecture"), STR_INIT("-arch"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--gpu-code"), STR_INIT("-code"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--gpu-name"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--help"), STR_INIT("-h"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--host-linker-script"), STR_INIT("-hls"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--include-path"), {NULL, 0}, TAKES_NEXT, MEANS_INCLUDES},
    {STR_INIT("--input-drive-prefix"), STR_INIT("-idp"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--jump-table-density"), STR_INIT("-jtd"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--keep"), STR_INIT("-keep"), TAKES_NOTHING, MEANS_KEEP},
    {STR_INIT("--keep-dir"), STR_INIT("-keep-dir"), TAKES_NEXT, MEANS_KEEP_FOLDER},
    {STR_INIT("--lib"), STR_INIT("-lib"), TAKES_NOTHING, PHASE_LIBRARY},
    {STR_INIT("--libdevice-directory"), STR_INIT("-ldir"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--library"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--library-path"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--link"), STR_INIT("-link"), TAKES_NOTHING, PHASE_LINK},
    {STR_INIT("--linker-options"), STR_INIT("-Xlinker"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--list-gpu-arch"), STR_INIT("-arch-ls"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--list-gpu-code"), STR_INIT("-code-ls"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--ltoir"), STR_INIT("-ltoir"), TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("--machine"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--maxrregcount"), STR_INIT("-maxrregcount"), TAKES_NEXT, MEANS_REGISTER_CAP},
    {STR_INIT("--nvasm-options"), STR_INIT("-Xnvasm"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--nvdisasm-options"), STR_INIT("-Xnvdisasm"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--nvlink-options"), STR_INIT("-Xnvlink"), TAKES_NEXT, MEANS_NVLINK_OPTIONS},
    {STR_INIT("--nvlink-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--opencc-options"), STR_INIT("-Xopencc"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--optimization-info"), STR_INIT("-opt-info"), TAKES_NEXT, MEANS_REMARKS},
    {STR_INIT("--optimize"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--options-file"), STR_INIT("-optf"), TAKES_NEXT, MEANS_OPTIONS_FILE},
    {STR_INIT("--optix-ir"), STR_INIT("-optix-ir"), TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("--output-directory"), STR_INIT("-odir"), TAKES_NEXT, MEANS_FOLDER},
    {STR_INIT("--output-file"), STR_INIT("-o"), TAKES_NEXT, MEANS_OUTPUT},
    {STR_INIT("--pre-include"), STR_INIT("-include"), TAKES_NEXT, MEANS_PRE_INCLUDE},
    {STR_INIT("--prec-div"), STR_INIT("-prec-div"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--prec-sqrt"), STR_INIT("-prec-sqrt"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--preprocess"), STR_INIT("-E"), TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("--ptx"), STR_INIT("-ptx"), TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("--ptxas-options"), STR_INIT("-Xptxas"), TAKES_NEXT, MEANS_PTXAS_OPTIONS},
    {STR_INIT("--ptxas-prefix"), {NULL, 0}, TAKES_NEXT, MEANS_PREFIX},
    {STR_INIT("--qpp-config"), STR_INIT("-qpp-config"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--relocatable-device-code"), STR_INIT("-rdc"), TAKES_NEXT, MEANS_RELOCATABLE},
    {STR_INIT("--resource-usage"), STR_INIT("-res-usage"), TAKES_NOTHING, MEANS_RESOURCE_USAGE},
    {STR_INIT("--run"), STR_INIT("-run"), TAKES_NOTHING, PHASE_RUN},
    {STR_INIT("--run-args"), STR_INIT("-run-args"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--sanitize"), STR_INIT("-sanitize"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--save-temps"), STR_INIT("-save-temps"), TAKES_NOTHING, MEANS_KEEP},
    {STR_INIT("--split-compile"), STR_INIT("-split-compile"), TAKES_NEXT, MEANS_PARALLEL},
    {STR_INIT("--split-compile-extended"), STR_INIT("-split-compile-extended"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--static-global-template-stub"), STR_INIT("-static-global-template-stub"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--std"), STR_INIT("-std"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--system-include"), STR_INIT("-isystem"), TAKES_NEXT, MEANS_INCLUDES},
    {STR_INIT("--target-directory"), STR_INIT("-target-dir"), TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--threads"), {NULL, 0}, TAKES_NEXT, MEANS_PARALLEL},
    {STR_INIT("--time"), STR_INIT("-time"), TAKES_NEXT, MEANS_FILES},
    {STR_INIT("--undefine-macro"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--version"), STR_INIT("-V"), TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--x"), STR_INIT("-x"), TAKES_NEXT, MEANS_LANGUAGE},
    {STR_INIT("-D"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-I"), {NULL, 0}, TAKES_JOINED, MEANS_INCLUDES},
    {STR_INIT("-L"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-O"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-U"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-l"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-m"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-t"), {NULL, 0}, TAKES_JOINED, MEANS_PARALLEL},
};

/* What clang++ and the HPC compilers have alike, most of it from gcc. */
static const struct nvcc_option shared_options[] = {
    {STR_INIT("-###"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--help"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--version"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-D"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-E"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-I"), {NULL, 0}, TAKES_JOINED, MEANS_INCLUDES},
    {STR_INIT("-L"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-M"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-MD"), {NULL, 0}, TAKES_NOTHING, MEANS_DEPENDENCIES},
    {STR_INIT("-MF"), {NULL, 0}, TAKES_NEXT, MEANS_DEPENDENCY_FILE},
    {STR_INIT("-MM"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-MMD"), {NULL, 0}, TAKES_NOTHING, MEANS_DEPENDENCIES},
    {STR_INIT("-MQ"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-MT"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-S"), {NULL, 0}, TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("-U"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-c"), {NULL, 0}, TAKES_NOTHING, PHASE_COMPILE},
    {STR_INIT("-fsyntax-only"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-help"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-idirafter"), {NULL, 0}, TAKES_NEXT, MEANS_INCLUDES},
    {STR_INIT("-include"), {NULL, 0}, TAKES_NEXT, MEANS_PRE_INCLUDE},
    {STR_INIT("-isystem"), {NULL, 0}, TAKES_NEXT, MEANS_INCLUDES},
    {STR_INIT("-l"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-rpath"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
};

/* clang++, from `clang --help` and the CUDA page of its manual. */
static const struct nvcc_option clang_options[] = {
    {STR_INIT("--config"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--cuda-host-only"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--cuda-noopt-device-debug"), {NULL, 0}, TAKES_NOTHING, MEANS_DEBUG},
    {STR_INIT("--cuda-path"), {NULL, 0}, TAKES_NEXT, MEANS_TOOLKIT},
    {STR_INIT("--offload-arch"), {NULL, 0}, TAKES_NEXT, MEANS_OFFLOADING},
    {STR_INIT("--offload-host-only"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("--param"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("--precompile"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-B"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-F"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-MJ"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-T"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xarch_device"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xarch_host"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xassembler"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xclang"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xcuda-fatbinary"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xcuda-ptxas"), {NULL, 0}, TAKES_NEXT, MEANS_PTXAS_OPTIONS},
    {STR_INIT("-Xlinker"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xoffload-linker"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xopenmp-target"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-Xpreprocessor"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-arch"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-dumpbase"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-dumpmachine"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-dumpversion"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-e"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-emit-llvm"), {NULL, 0}, TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("-foffload-lto"), {NULL, 0}, TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("-foffload-lto=full"), {NULL, 0}, TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("-foffload-lto=thin"), {NULL, 0}, TAKES_NOTHING, PHASE_PTX},
    {STR_INIT("-fopenmp"), {NULL, 0}, TAKES_NOTHING, MEANS_OPENMP},
    {STR_INIT("-fopenmp-targets"), {NULL, 0}, TAKES_NEXT, MEANS_OFFLOADING},
    {STR_INIT("-fopenmp=libiomp5"), {NULL, 0}, TAKES_NOTHING, MEANS_OPENMP},
    {STR_INIT("-fopenmp=libomp"), {NULL, 0}, TAKES_NOTHING, MEANS_OPENMP},
    {STR_INIT("-framework"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-gcc-toolchain"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-imacros"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-iprefix"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-iquote"), {NULL, 0}, TAKES_NEXT, MEANS_INCLUDES},
    {STR_INIT("-isysroot"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-mllvm"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-o"), {NULL, 0}, TAKES_JOINED, MEANS_OUTPUT},
    {STR_INIT("-print-resource-dir"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-print-search-dirs"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-target"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-u"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-x"), {NULL, 0}, TAKES_JOINED, MEANS_LANGUAGE},
    {STR_INIT("-z"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
};

/* nvfortran, nvc and nvc++, from the options in the manual of the HPC compilers; PGI's names of the same among them. */
static const struct nvcc_option nvhpc_options[] = {
    {STR_INIT("--diag_suppress"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-F"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-J"), {NULL, 0}, TAKES_JOINED, MEANS_OTHER},
    {STR_INIT("-Mcuda"), {NULL, 0}, TAKES_EQUALS, MEANS_OFFLOADING},
    {STR_INIT("-P"), {NULL, 0}, TAKES_NOTHING, PHASE_PREPROCESS},
    {STR_INIT("-V"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-acc"), {NULL, 0}, TAKES_EQUALS, MEANS_OFFLOADING},
    {STR_INIT("-cuda"), {NULL, 0}, TAKES_EQUALS, MEANS_OFFLOADING},
    {STR_INIT("-dryrun"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-gpu"), {NULL, 0}, TAKES_EQUALS, MEANS_GPU_OPTIONS},
    {STR_INIT("-module"), {NULL, 0}, TAKES_NEXT, MEANS_OTHER},
    {STR_INIT("-mp"), {NULL, 0}, TAKES_EQUALS, MEANS_OPENMP},
    {STR_INIT("-o"), {NULL, 0}, TAKES_NEXT, MEANS_OUTPUT},
    {STR_INIT("-stdpar"), {NULL, 0}, TAKES_EQUALS, MEANS_OFFLOADING},
    {STR_INIT("-ta"), {NULL, 0}, TAKES_EQUALS, MEANS_OFFLOADING},
    {STR_INIT("-target"), {NULL, 0}, TAKES_EQUALS, MEANS_OPENMP},
    {STR_INIT("-version"), {NULL, 0}, TAKES_NOTHING, PHASE_NONE},
    {STR_INIT("-x"), {NULL, 0}, TAKES_NEXT, MEANS_LANGUAGE},
};

const struct option_table option_tables[DIALECTS + 1] = {
    [DIALECT_NVCC] = {nvcc_options, sizeof nvcc_options / sizeof *nvcc_options},
    [DIALECT_CLANG] = {clang_options, sizeof clang_options / sizeof *clang_options},
    [DIALECT_NVHPC] = {nvhpc_options, sizeof nvhpc_options / sizeof *nvhpc_options},
    [DIALECTS] = {shared_options, sizeof shared_options / sizeof *shared_options},
};

/* Every spelling of a dialect with its row, sorted when it is first asked for. */
enum { MOST_SPELLINGS = 256 };
static struct spelling_row {
    struct str spelling;
    const struct nvcc_option *row;
} spellings[DIALECTS][MOST_SPELLINGS];
static size_t spelling_counts[DIALECTS];
_Static_assert(2 * sizeof nvcc_options / sizeof *nvcc_options <= MOST_SPELLINGS, "room for the largest table");

static void add_spellings(enum dialect dialect, const struct option_table *table)
{
    struct spelling_row *sorted = spellings[dialect];
    size_t *count = &spelling_counts[dialect];
    for (const struct nvcc_option *row = table->rows; row < table->rows + table->count; row++) {
        sorted[(*count)++] = (struct spelling_row){row->spelling, row};
        if (row->other.len)
            sorted[(*count)++] = (struct spelling_row){row->other, row};
    }
}

static int by_spelling(const void *left, const void *right)
{
    return str_cmp(((const struct spelling_row *)left)->spelling, ((const struct spelling_row *)right)->spelling);
}

static const struct nvcc_option *find(enum dialect dialect, struct str spelling)
{
    const struct spelling_row wanted = {spelling, NULL};
    if (!spelling_counts[dialect]) {
        add_spellings(dialect, &option_tables[dialect]);
        if (dialect != DIALECT_NVCC)
            add_spellings(dialect, &option_tables[DIALECTS]);
        mem_sort(spellings[dialect], spelling_counts[dialect], sizeof wanted, by_spelling);
    }
    const struct spelling_row *found =
        bsearch(&wanted, spellings[dialect], spelling_counts[dialect], sizeof wanted, by_spelling);
    return found ? found->row : NULL;
}

const struct nvcc_option *option_find(enum dialect dialect, struct str word, struct str *value)
{
    const struct nvcc_option *option = find(dialect, word);
    *value = option && option->takes == TAKES_EQUALS ? str_from(word, word.len) : (struct str){NULL, 0};
    if (option)
        return option;
    size_t equals = str_find_char(word, '=');
    if (equals != STR_NONE) {
        option = find(dialect, str_sub(word, 0, equals));
        if (option && option->takes != TAKES_NOTHING) {
            *value = str_from(word, equals + 1);
            return option;
        }
    }
    option = word.len > 2 && word.ptr[1] != '-' ? find(dialect, str_sub(word, 0, 2)) : NULL;
    if (!option || option->takes != TAKES_JOINED)
        return NULL;
    *value = str_from(word, 2);
    return option;
}

const struct nvcc_option *option_take(enum dialect dialect, const struct str_list *words, size_t *at, struct str *value)
{
    const struct nvcc_option *option = option_find(dialect, words->items[*at], value);
    if (option && option->takes != TAKES_NOTHING && !value->ptr)
        *value = *at + 1 < words->count ? words->items[++*at] : (struct str){"", 0};
    return option;
}
