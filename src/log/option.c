#include "log/option.h"

#include <stdlib.h>

/*
 * Options of nvcc, from `nvcc --help` of CUDA 13.0, and the hidden options for the phases (-Xcicc, --ptxas-prefix). To
 * add an option that takes a value or decides what is made, add its spellings to the row of options that take the same
 * value and mean the same, or add a row. Each row is sorted by the long spellings.
 */
static const struct nvcc_option nvcc_options[] = {
    {"--link -link", TAKES_NOTHING, PHASE_LINK},
    {"--run -run", TAKES_NOTHING, PHASE_RUN},
    {"--lib -lib", TAKES_NOTHING, PHASE_LIBRARY},
    {"--device-link -dlink", TAKES_NOTHING, PHASE_DEVICE_LINK},
    {"--compile -c --device-c -dc --device-w -dw", TAKES_NOTHING, PHASE_COMPILE},
    {"--cuda -cuda", TAKES_NOTHING, PHASE_CUDA},
    {"--fatbin -fatbin", TAKES_NOTHING, PHASE_FATBIN},
    {"--cubin -cubin", TAKES_NOTHING, PHASE_CUBIN},
    {"--ltoir -ltoir --optix-ir -optix-ir --ptx -ptx", TAKES_NOTHING, PHASE_PTX},
    {"--generate-dependencies -M --generate-nonsystem-dependencies -MM --preprocess -E", TAKES_NOTHING,
     PHASE_PREPROCESS},
    {"--clean-targets -clean --dryrun -dryrun --fdevice-syntax-only -fdevice-syntax-only --help -h "
     "--list-gpu-arch -arch-ls --list-gpu-code -code-ls --version -V",
     TAKES_NOTHING, PHASE_NONE},
    {"--output-file -o", TAKES_NEXT, MEANS_OUTPUT},
    {"--output-directory -odir", TAKES_NEXT, MEANS_FOLDER},
    {"--x -x", TAKES_NEXT, MEANS_LANGUAGE},
    {"--options-file -optf", TAKES_NEXT, MEANS_OPTIONS_FILE},
    {"--device-debug -G", TAKES_NOTHING, MEANS_DEBUG},
    {"--dopt -dopt", TAKES_NEXT, MEANS_OPTIMISED},
    {"--Ofast-compile -Ofc", TAKES_NEXT, MEANS_FAST_COMPILE},
    {"--ptxas-options -Xptxas", TAKES_NEXT, MEANS_PTXAS_OPTIONS},
    {"--nvlink-options -Xnvlink", TAKES_NEXT, MEANS_NVLINK_OPTIONS},
    {"--resource-usage -res-usage", TAKES_NOTHING, MEANS_RESOURCE_USAGE},
    {"--relocatable-device-code -rdc", TAKES_NEXT, MEANS_RELOCATABLE},
    {"--include-path --system-include -isystem", TAKES_NEXT, MEANS_INCLUDES},
    {"-I", TAKES_JOINED, MEANS_INCLUDES},
    {"--pre-include -include", TAKES_NEXT, MEANS_PRE_INCLUDE},
    {"--generate-dependencies-with-compile -MD --generate-nonsystem-dependencies-with-compile -MMD", TAKES_NOTHING,
     MEANS_DEPENDENCIES},
    {"--dependency-output -MF", TAKES_NEXT, MEANS_DEPENDENCY_FILE},
    {"--cicc-options -Xcicc", TAKES_NEXT, MEANS_CICC_OPTIONS},
    {"--optimization-info -opt-info", TAKES_NEXT, MEANS_REMARKS},
    {"--all-prefix --ptxas-prefix", TAKES_NEXT, MEANS_PREFIX},
    {"--compiler-bindir -ccbin", TAKES_NEXT, MEANS_HOST_COMPILER},
    {"--compiler-options -Xcompiler", TAKES_NEXT, MEANS_HOST_OPTIONS},
    {"--maxrregcount -maxrregcount", TAKES_NEXT, MEANS_REGISTER_CAP},
    {"--generate-code -gencode", TAKES_NEXT, MEANS_TARGET},
    {"--fdevice-time-trace -fdevice-time-trace --keep-dir -keep-dir --time -time", TAKES_NEXT, MEANS_FILES},
    {"--keep -keep --save-temps -save-temps", TAKES_NOTHING, MEANS_FILES},
    {"--generate-dependency-targets -MP", TAKES_NOTHING, MEANS_DEPENDENCY_TARGET},
    {"--dependency-target-name -MT", TAKES_NEXT, MEANS_DEPENDENCY_TARGET},
    {"--split-compile -split-compile --threads", TAKES_NEXT, MEANS_PARALLEL},
    {"-t", TAKES_JOINED, MEANS_PARALLEL},
    {"--Werror -Werror --archive-options -Xarchive --archiver-binary -arbin "
     "--brief-diagnostics -brief-diag --cicc-prefix --compress-mode -compress-mode --cpp-prefix "
     "--cudadevrt -cudadevrt --cudafe-options -Xcudafe --cudafe-prefix --cudart -cudart "
     "--default-stream -default-stream --define-macro --dependency-drive-prefix -ddp "
     "--device-entity-has-hidden-visibility -device-entity-has-hidden-visibility "
     "--device-stack-protector -device-stack-protector --diag-error -diag-error "
     "--diag-suppress -diag-suppress --diag-warn -diag-warn --drive-prefix -dp --entries -e "
     "--fatbin-options -Xfatbin --fmad -fmad --frandom-seed -frandom-seed "
     "--ftemplate-backtrace-limit -ftemplate-backtrace-limit --ftemplate-depth -ftemplate-depth --ftz -ftz "
     "--gpu-architecture -arch --gpu-code -code --gpu-name --host-linker-script -hls "
     "--input-drive-prefix -idp --jump-table-density -jtd --libdevice-directory -ldir --library "
     "--library-path --linker-options -Xlinker --machine --nvasm-options -Xnvasm "
     "--nvdisasm-options -Xnvdisasm --nvlink-prefix --opencc-options -Xopencc --optimize "
     "--prec-div -prec-div --prec-sqrt -prec-sqrt --qpp-config -qpp-config --run-args -run-args "
     "--sanitize -sanitize --split-compile-extended -split-compile-extended "
     "--static-global-template-stub -static-global-template-stub --std -std --target-directory -target-dir "
     "--undefine-macro",
     TAKES_NEXT, MEANS_OTHER},
    {"-D -L -O -U -l -m", TAKES_JOINED, MEANS_OTHER},
};

/* Options that clang++ and the HPC compilers share, most of them from gcc. */
static const struct nvcc_option shared_options[] = {
    {"-c", TAKES_NOTHING, PHASE_COMPILE},
    {"-S", TAKES_NOTHING, PHASE_PTX},
    {"-E -M -MM -fsyntax-only", TAKES_NOTHING, PHASE_PREPROCESS},
    {"-### --help --version -help", TAKES_NOTHING, PHASE_NONE},
    {"-idirafter -isystem", TAKES_NEXT, MEANS_INCLUDES},
    {"-I", TAKES_JOINED, MEANS_INCLUDES},
    {"-include", TAKES_NEXT, MEANS_PRE_INCLUDE},
    {"-MD -MMD", TAKES_NOTHING, MEANS_DEPENDENCIES},
    {"-MF", TAKES_NEXT, MEANS_DEPENDENCY_FILE},
    {"-MQ -MT -rpath", TAKES_NEXT, MEANS_OTHER},
    {"-D -L -U -l", TAKES_JOINED, MEANS_OTHER},
};

/* Options of clang++, from `clang --help` and the CUDA page of its manual. */
static const struct nvcc_option clang_options[] = {
    {"-emit-llvm -foffload-lto -foffload-lto=full -foffload-lto=thin", TAKES_NOTHING, PHASE_PTX},
    {"--precompile", TAKES_NOTHING, PHASE_PREPROCESS},
    {"--cuda-host-only --offload-host-only -dumpmachine -dumpversion -print-resource-dir "
     "-print-search-dirs",
     TAKES_NOTHING, PHASE_NONE},
    {"-o", TAKES_JOINED, MEANS_OUTPUT},
    {"-x", TAKES_JOINED, MEANS_LANGUAGE},
    {"--cuda-noopt-device-debug", TAKES_NOTHING, MEANS_DEBUG},
    {"-O -O1 -O2 -O3 -O4 -Ofast -Og -Os -Oz", TAKES_NOTHING, MEANS_LEVEL},
    {"-O0", TAKES_NOTHING, MEANS_LEVEL_0},
    {"-Xarch_device", TAKES_NEXT, MEANS_DEVICE_OPTION},
    {"-Xcuda-ptxas", TAKES_NEXT, MEANS_PTXAS_OPTIONS},
    {"-iquote", TAKES_NEXT, MEANS_INCLUDES},
    {"--cuda-path", TAKES_NEXT, MEANS_TOOLKIT},
    {"-fopenmp -fopenmp=libiomp5 -fopenmp=libomp", TAKES_NOTHING, MEANS_OPENMP},
    {"--offload-arch -fopenmp-targets", TAKES_NEXT, MEANS_OFFLOADING},
    {"--config --param -MJ -T -Xarch_host -Xassembler -Xclang -Xcuda-fatbinary -Xlinker "
     "-Xoffload-linker -Xopenmp-target -Xpreprocessor -arch -dumpbase -e -framework -gcc-toolchain "
     "-imacros -iprefix -isysroot -mllvm -target -u -z",
     TAKES_NEXT, MEANS_OTHER},
    {"-B -F", TAKES_JOINED, MEANS_OTHER},
};

/* Options of nvfortran, nvc and nvc++, from the manual of the HPC compilers, with the names that PGI had for the same
 * options. */
static const struct nvcc_option nvhpc_options[] = {
    {"-F -P", TAKES_NOTHING, PHASE_PREPROCESS},
    {"-V -dryrun -version", TAKES_NOTHING, PHASE_NONE},
    {"-o", TAKES_NEXT, MEANS_OUTPUT},
    {"-x", TAKES_NEXT, MEANS_LANGUAGE},
    {"-mp -target", TAKES_EQUALS, MEANS_OPENMP},
    {"-gpu", TAKES_EQUALS, MEANS_GPU_OPTIONS},
    {"-Mcuda -acc -cuda -stdpar -ta", TAKES_EQUALS, MEANS_OFFLOADING},
    {"--diag_suppress -module", TAKES_NEXT, MEANS_OTHER},
    {"-J", TAKES_JOINED, MEANS_OTHER},
};

/* Options of ptxas, from `ptxas --help` of CUDA 13.0. "-O" never takes the next word. */
static const struct nvcc_option ptxas_options[] = {
    {"--device-debug -g", TAKES_NOTHING, MEANS_DEBUG},
    {"--opt-level", TAKES_NEXT, MEANS_LEVEL},
    {"-O", TAKES_JOINED, MEANS_LEVEL},
    {"--Ofast-compile -Ofc", TAKES_NEXT, MEANS_FAST_COMPILE},
    {"--verbose -v", TAKES_NOTHING, MEANS_RESOURCE_USAGE},
    {"--maxrregcount -maxrregcount", TAKES_NEXT, MEANS_REGISTER_CAP},
    {"--gpu-name -arch", TAKES_NEXT, MEANS_TARGET},
};

const struct option_table option_tables[DIALECTS + 1] = {
    [DIALECT_NVCC] = {nvcc_options, sizeof nvcc_options / sizeof *nvcc_options},
    [DIALECT_CLANG] = {clang_options, sizeof clang_options / sizeof *clang_options},
    [DIALECT_NVHPC] = {nvhpc_options, sizeof nvhpc_options / sizeof *nvhpc_options},
    [DIALECT_PTXAS] = {ptxas_options, sizeof ptxas_options / sizeof *ptxas_options},
    [DIALECTS] = {shared_options, sizeof shared_options / sizeof *shared_options},
};

/* Every spelling of a dialect with its row; filled and sorted at the first search. */
static struct spelling_list {
    struct spelling_row {
        struct str spelling; /* the first member, because str_order compares it */
        const struct nvcc_option *row;
    } * items;
    size_t count, cap;
} spellings[DIALECTS];

static void add_spellings(struct spelling_list *list, const struct option_table *table)
{
    struct str spelling;
    EACH(const struct nvcc_option, row, table->rows, table->count)
        for (struct str rest = str_of(row->spellings); rest.len && str_split(&rest, ' ', &spelling);)
            *MEM_ADD(list->items, list->count, list->cap) = (struct spelling_row){spelling, row};
}

static const struct nvcc_option *find(enum dialect dialect, struct str spelling)
{
    const struct spelling_row wanted = {spelling, NULL};
    struct spelling_list *list = &spellings[dialect];
    if (!list->count) {
        add_spellings(list, &option_tables[dialect]);
        if (dialect == DIALECT_CLANG || dialect == DIALECT_NVHPC)
            add_spellings(list, &option_tables[DIALECTS]);
        mem_sort(list->items, list->count, sizeof wanted, str_order);
    }
    const struct spelling_row *found = bsearch(&wanted, list->items, list->count, sizeof wanted, str_order);
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
