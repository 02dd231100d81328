/* How command lines of nvcc and clang++ are understood, and which of the compiler's messages the filter passes on. */
#define _GNU_SOURCE /* syscall */
#include "testing.h"

#include "base/file.h"
#include "log/command.h"
#include "nvcc/invocation.h"
#include "nvcc/object.h"
#include "nvcc/output_filter.h"

#include <elf.h>
#include <errno.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <sys/syscall.h>
#include <unistd.h>

/* ---- the tables ---- */

/* Each spelling appears once, in its own row; the rows of an option with a short and a long name begin with the long
 * one, in sorted order. */
static void check_order(int number, enum dialect reader)
{
    size_t count = 0;
    EACH(const struct nvcc_option, row, option_tables[number].rows, option_tables[number].count) {
        bool takes = row->takes == TAKES_NEXT || row->takes == TAKES_JOINED;
        struct str value, spelling, before = {0};
        ck_assert_msg(takes || row->means != MEANS_OTHER, "%s take nothing and mean nothing: they need no row",
                      row->spellings);
        for (struct str rest = str_of(row->spellings); rest.len && str_split(&rest, ' ', &spelling); count++) {
            bool is_first = number != DIALECT_NVCC || str_starts(spelling, STR("--"));
            ck_assert_msg(!is_first || str_cmp(before, spelling) < 0, "%.*s is out of order", STR_ARG(spelling));
            ck_assert_msg(spelling.len >= 2 && spelling.ptr[0] == '-', "%.*s", STR_ARG(spelling));
            ck_assert_ptr_eq(option_find(reader, spelling, &value), row);
            before = is_first ? spelling : before;
        }
    }
    ck_assert_uint_gt(count, 10);
}

START_TEST(test_tables_are_sorted)
{
    for (int dialect = 0; dialect < DIALECTS; dialect++)
        check_order(dialect, (enum dialect)dialect);
    check_order(DIALECTS, DIALECT_CLANG);
    check_order(DIALECTS, DIALECT_NVHPC);
}
END_TEST

/* ---- command lines ---- */

static void print_words(struct buf *out, const char *label, const struct str_list *words)
{
    buf_fmt(out, "%s", label);
    for (size_t at = 0; at < words->count; at++)
        buf_fmt(out, "%s%.*s", at ? "," : "", STR_ARG(words->items[at]));
}

/* "compiler 0 phase 4 code link debug in a.cu src a.cu out a.o" */
static void print_invocation(const struct invocation *invocation, struct buf *out)
{
    static const char *const phases[] = {"link",   "run",   "library", "dlink",      "compile", "cuda",
                                         "fatbin", "cubin", "ptx",     "preprocess", "none"};
    if (invocation->compiler)
        buf_fmt(out, "at %zu ", invocation->compiler);
    static const char *const dialects[DIALECTS] = {"", "clang ", "nvhpc "};
    buf_fmt(out, "%s", dialects[invocation->dialect]);
    if (invocation->toolkit.len)
        buf_fmt(out, "toolkit %.*s ", STR_ARG(invocation->toolkit));
    buf_fmt(out, "%s%s%s%s", phases[invocation->phase], invocation->makes_code ? " code" : "",
            invocation->links ? " links" : "", invocation->debug ? " debug" : "");
    buf_fmt(out, "%s%s", invocation->asks_remarks ? " remarks" : "", invocation->has_prefix ? " prefix" : "");
    if (invocation->host_compiler.len)
        buf_fmt(out, " host %.*s", STR_ARG(invocation->host_compiler));
    print_words(out, " src ", &invocation->sources);
    print_words(out, " out ", &invocation->outputs);
    if (invocation->includes.count)
        print_words(out, " in ", &invocation->includes);
    if (invocation->pre_includes.count)
        print_words(out, " before ", &invocation->pre_includes);
    if (invocation->unread.len)
        buf_fmt(out, " unread %.*s %.*s", STR_ARG(invocation->unread), STR_ARG(invocation->unread_why));
    if (invocation->unread_reason)
        buf_fmt(out, " unjudged: %.20s", invocation->unread_reason);
    buf_fmt(out, "%s", invocation->launcher.moves ? " elsewhere" : "");
    if (invocation->writes_dependencies)
        buf_fmt(out, " headers '%.*s'", STR_ARG(invocation->dependencies));
}

static void read_line(const char *line, const char *prepend, const char *append, struct buf *said)
{
    const char *words[32];
    size_t count = 0;
    struct arena arena = {0};
    struct str rest = str_of(line), word;
    while (str_split(&rest, ' ', &word))
        words[count++] = arena_cstr(&arena, word);
    struct invocation invocation;
    invocation_read(&invocation, words, count,
                    (struct launcher_variables){.prepend = str_of(prepend), .append = str_of(append)});
    buf_clear(said);
    print_invocation(&invocation, said);
    invocation_free(&invocation);
    arena_free(&arena);
}

static const struct {
    const char *line, *means;
} lines[] = {
    {"nvcc -c a.cu", "compile code src a.cu out a.o"},
    {"nvcc -c dir/a.b.cu -o x.o", "compile code src dir/a.b.cu out x.o"},
    {"nvcc -c -o=x.o dir/a.cu", "compile code src dir/a.cu out x.o"},
    {"nvcc --compile --output-file x.o a.cu", "compile code src a.cu out x.o"},
    {"nvcc --output-file=x.o -dc a.cu", "compile code src a.cu out x.o"},
    {"nvcc -c a.cu -o x.o -o y.o", "compile code src a.cu out y.o"},
    {"nvcc -c dir/a.cu", "compile code src dir/a.cu out a.o"},
    {"nvcc -c -odir od dir/a.cu", "compile code src dir/a.cu out od/a.o"},
    {"nvcc -c -odir=od/ dir/a.cu", "compile code src dir/a.cu out od/a.o"},
    {"nvcc -c a.cu b.cu c.cpp d.o", "compile code src a.cu,b.cu out a.o,b.o,c.o"},
    {"nvcc -c a.cpp", "compile src  out a.o"},
    {"nvcc -MD -c a.cu", "compile code src a.cu out a.o headers ''"},
    {"nvcc -MMD -MF d/x.d -c a.cu", "compile code src a.cu out a.o headers 'd/x.d'"},
    {"nvcc --generate-dependencies-with-compile --dependency-output=x.d -c a.cu",
     "compile code src a.cu out a.o headers 'x.d'"},
    {"nvcc --generate-nonsystem-dependencies-with-compile -c a.cu", "compile code src a.cu out a.o headers ''"},
    {"nvcc -I a,b -Ic --include-path=d --system-include e -include f.h --pre-include=g.h -c a.cu",
     "compile code src a.cu out a.o in a,b,c,d,e before f.h,g.h"},
    {"clang++ -MD -MF x.d -I a,b -iquote c -isystem d -idirafter e -include f.h -x cuda -c a.cu",
     "clang compile code debug src a.cu out a.o in a,b,c,d,e before f.h headers 'x.d'"},
    {"nvcc -x cu -c a.cpp -o a.o", "compile code src a.cpp out a.o"},
    {"nvcc --x=cu -c a.cpp", "compile code src a.cpp out a.o"},
    {"nvcc -x c++ -c a.cu", "compile src  out a.o"},
    {"nvcc -ptx a.cu", "ptx src a.cu out "},
    {"nvcc -c -ptx a.cu -o a.ptx", "ptx src a.cu out "},
    {"nvcc -cubin -arch sm_80 dir/a.cu", "cubin code src dir/a.cu out a.cubin"},
    {"nvcc -dc -cubin a.cu", "cubin code src a.cu out a.cubin"},
    {"nvcc -cubin a.ptx", "cubin code src a.ptx out a.cubin"},
    {"nvcc -dc a.ptx -o x.o", "compile code src a.ptx out x.o"},
    {"nvcc --device-c a.cu b.ptx", "compile code src a.cu,b.ptx out a.o,b.o"},
    {"nvcc -rdc=true -c a.ptx", "compile code src a.ptx out a.o"},
    {"nvcc -relocatable-device-code=true -rdc=false -c a.ptx", "compile src  out "},
    {"nvcc -c --relocatable-device-code true a.ptx", "compile code src a.ptx out a.o"},
    {"nvcc -c -dlto -odir d a.ptx", "compile code src a.ptx out d/a.o"},
    {"nvcc -dc -x cu a.ptx", "compile code src a.ptx out a.o"},
    {"nvcc -c a.ptx", "compile src  out "},
    {"nvcc -fatbin a.cu", "fatbin code src a.cu out a.fatbin"},
    {"nvcc -cuda a.cu", "cuda code src a.cu out a.cu.cpp.ii"},
    {"nvcc -lib a.cu", "library code src a.cu out a.a"},
    {"nvcc a.cu m.cpp -o app", "link code links src a.cu out app"},
    {"nvcc a.cu", "link code links src a.cu out a.out"},
    {"nvcc m.cpp", "link src  out a.out"},
    {"nvcc a.o b.o -o app", "link links src  out app"},
    {"ar qc liba.a a.o", "link src  out a.out"},
    {"/usr/bin/g++ a.o b.o -o app", "link src  out app"},
    {"nvcc -shared a.o", "link links src  out a.out"},
    {"nvcc -dlink a.o b.o", "dlink links src  out a_dlink.o"},
    {"nvcc -dlink a.o -o d.o", "dlink links src  out d.o"},
    {"nvcc -E a.cu", "preprocess src a.cu out "},
    {"nvcc -E -c a.cu -o a.ii", "preprocess src a.cu out "},
    {"nvcc -M a.cu", "preprocess src a.cu out "},
    {"nvcc -MM -o a.d a.cu", "preprocess src a.cu out "},
    {"nvcc -c -MD -MT x.o -MF x.o.d -x cu -rdc=true -c /abs/a.cu -o x.o",
     "compile code src /abs/a.cu out x.o headers 'x.o.d'"},
    {"nvcc --version", "none src  out "},
    {"nvcc -V", "none src  out "},
    {"nvcc --help", "none src  out "},
    {"nvcc --dryrun -c a.cu", "none src a.cu out "},
    {"nvcc -dryrun -c a.cu", "none src a.cu out "},
    {"nvcc -clean -c a.cu", "none src a.cu out "},
    {"nvcc --run a.cu", "run src a.cu out  unjudged: with -run the progra"},
    {"nvcc -run a.out", "run src  out "},
    {"nvcc --list-gpu-code", "none src  out "},
    {"nvcc", "link src  out "},
    {"nvcc -DX=a.cu -D Y.cu -I b.cu -Ic.cu -isystem d.cu -include e.cu -L f.cu -c a.cu",
     "compile code src a.cu out a.o in b.cu,c.cu,d.cu before e.cu"},
    {"nvcc -Xcompiler x.cu -Xptxas -O3 -ccbin g.cu -gencode arch=compute_80,code=sm_80 -std c++17 -c a.cu",
     "compile code host g.cu src a.cu out a.o"},
    {"nvcc -t 4 -maxrregcount 32 -O3 -m64 -lineinfo -use_fast_math -c a.cu", "compile code src a.cu out a.o"},
    {"nvcc --ptxas-prefix=time --cicc-prefix time.cu -c a.cu", "compile code prefix src a.cu out a.o"},
    {"nvcc --all-prefix time -c a.cu", "compile code prefix src a.cu out a.o"},
    {"nvcc --cicc-prefix time -c a.cu", "compile code src a.cu out a.o"},
    {"nvcc -Xcicc --Xopt,-pass-remarks=inline -c a.cu", "compile code remarks src a.cu out a.o"},
    {"nvcc --cicc-options=--Xopt=-pass-remarks-missed=x -c a.cu", "compile code remarks src a.cu out a.o"},
    {"nvcc -Xcicc -O2 -c a.cu", "compile code src a.cu out a.o"},
    {"nvcc -opt-info inline -c a.cu", "compile code remarks src a.cu out a.o"},
    {"nvcc --optimization-info=inline -c a.cu", "compile code remarks src a.cu out a.o"},
    {"nvcc -ccbin /usr/bin/g++-11 -c a.cu", "compile code host /usr/bin/g++-11 src a.cu out a.o"},
    {"nvcc -forward-unknown-to-host-compiler -fPIC -Wall -march=native -c a.cu", "compile code src a.cu out a.o"},
    {"nvcc -G -c a.cu", "compile code debug src a.cu out a.o"},
    {"nvcc -Xptxas -O0 -c a.cu", "compile code debug src a.cu out a.o"},
    {"nvcc -Xptxas=-v,-O0 -c a.cu", "compile code debug src a.cu out a.o"},
    {"nvcc -g -O0 -c a.cu", "compile code src a.cu out a.o"},
    {"/opt/cuda/bin/nvcc -c a.cu", "compile code src a.cu out a.o"},
    {"ccache nvcc -c a.cu", "at 1 compile code src a.cu out a.o"},
    {"/usr/bin/sccache /usr/local/cuda/bin/nvcc -c a.cu", "at 1 compile code src a.cu out a.o"},
    {"env A=nvcc B=1 ccache nvcc -c a.cu", "at 4 compile code src a.cu out a.o"},
    {"nice -n 5 nvcc-12.4 -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"nvcc_wrapper -O3 -c a.cpp", "compile code src a.cpp out a.o"},
    {"my-compiler -c nvcc_test.cu -o nvcc.o", "compile code src nvcc_test.cu out nvcc.o"},
    {"clang++ -x cuda -c a.cpp -o a.o", "clang compile code debug src a.cpp out a.o"},
    {"clang++-14 --cuda-gpu-arch=sm_80 -c a.cu", "clang compile code debug src a.cu out a.o"},
    {"ccache clang++ -c -oa.o a.cu", "at 1 clang compile code debug src a.cu out a.o"},
    {"/opt/x86_64-linux-gnu-clang++-18.1 -c a.cu", "clang compile code debug src a.cu out a.o"},
    {"clang-tidy a.cu", "link code links src a.cu out a.out unjudged: 'clang-tidy' is not "},
    {"clang-format -i a.cpp", "link src  out a.out"},
    {"clang++ --cuda-path=/opt/cuda -c a.cu", "clang toolkit /opt/cuda compile code debug src a.cu out a.o"},
    {"clang++ -c a.cpp", "clang compile src  out a.o"},
    {"clang++ -O2 -c a.cu", "clang compile code src a.cu out a.o"},
    {"clang++ -O -c a.cu -O0", "clang compile code debug src a.cu out a.o"},
    {"clang++ -g -Os -c a.cu", "clang compile code src a.cu out a.o"},
    {"clang++ -Xarch_device -O3 -c a.cu", "clang compile code src a.cu out a.o"},
    {"clang++ -O3 -Xarch_device -O0 -c a.cu", "clang compile code debug src a.cu out a.o"},
    {"clang++ --config=release -c a.cu", "clang compile code src a.cu out a.o"},
    {"clang -fopenmp --offload-arch=sm_90 -c a.c", "clang compile code src a.c out a.o"},
    {"clang++ -c a.cpp -fopenmp=libomp -fopenmp-targets=x86_64,nvptx64 b.o", "clang compile code src a.cpp out a.o"},
    {"clang++ -fopenmp --offload-arch sm_90 a.cu b.cpp c.o -o app", "clang link code src a.cu,b.cpp out app"},
    {"clang -fopenmp --offload-arch=gfx90a -c a.c", "clang compile src  out a.o"},
    {"clang -fopenmp -c a.c", "clang compile src  out a.o"},
    {"clang --offload-arch=sm_90 -c a.c", "clang compile src  out a.o"},
    {"clang -fopenmp --offload-arch=sm_90 --offload-host-only -c a.c", "clang none src a.c out "},
    {"clang -fopenmp --offload-arch=sm_90 -foffload-lto=thin -c a.c", "clang ptx src a.c out "},
    {"clang++ -x cuda a.cpp -x none b.cu m.o -o app", "clang link code debug src a.cpp,b.cu out app"},
    {"clang++ -S a.cu", "clang ptx debug src a.cu out "},
    {"clang++ -E a.cu", "clang preprocess debug src a.cu out "},
    {"clang++ -fsycl -fsycl-targets=nvptx64-nvidia-cuda -c a.cpp",
     "clang compile src  out a.o unjudged: how this compiler ma"},
    {"clang -fopenmp -fopenmp-targets=nvptx64 -E a.c", "clang preprocess src a.c out "},
    {"g++ -foffload=nvptx-none -fopenacc -c a.cpp", "compile src  out a.o unjudged: how this compiler ma"},
    {"g++ -c a.cpp", "compile src  out a.o"},
    {"ptxas -arch=sm_90 a.ptx -o a.cubin", "link code links src a.ptx out a.cubin unjudged: the command is one o"},
    {"ptxas --version", "none src  out "},
    {"nvfortran -gpu=cc90,ptxinfo -acc -c a.f90 -o x.o", "nvhpc compile code src a.f90 out x.o"},
    {"nvfortran -acc -c dir/a.F90", "nvhpc compile code src dir/a.F90 out a.o"},
    {"nvfortran -acc=host -c a.f90", "nvhpc compile src  out a.o"},
    {"nvfortran -acc=multicore -stdpar=multicore -mp -c a.f90", "nvhpc compile src  out a.o"},
    {"nvfortran -c a.cuf b.f90", "nvhpc compile code src a.cuf out a.o,b.o"},
    {"nvfortran -c a.f90", "nvhpc compile src  out a.o"},
    {"nvc -mp=gpu -gpu=cc80 a.c b.o -o app", "nvhpc link code src a.c out app"},
    {"nvc++ -stdpar -std c++20 -c a.cpp", "nvhpc compile code src a.cpp out a.o"},
    {"ccache nvc++ -stdpar=gpu -gpu=debug -c a.cpp", "at 1 nvhpc compile code debug src a.cpp out a.o"},
    {"nvc++ -cuda -MD -MF a.d -S a.cpp", "nvhpc ptx src a.cpp out  headers 'a.d'"},
    {"mpif90 -acc -gpu=cc90 -module mods -c a.f90", "nvhpc compile code src a.f90 out a.o"},
    {"mpif90 -acc -c a.f90", "nvhpc compile code src a.f90 out a.o unjudged: the compiler is not "},
    {"mpif90 -O3 -c a.f90", "compile src  out "},
    {"pgfortran -ta=tesla:cc70 -c a.f90", "nvhpc compile code src a.f90 out a.o unjudged: the compiler is not "},
    {"pgfortran -Mcuda=cc70,ptxinfo -c a.f90", "nvhpc compile code src a.f90 out a.o"},
    {"clang++ -fsyntax-only -MF x.cu a.cu", "clang preprocess debug src a.cu out "},
};

START_TEST(test_command_lines)
{
    struct buf said = {0};
    read_line(lines[_i].line, "", "", &said);
    ck_assert_msg(str_eq(buf_str(&said), str_of(lines[_i].means)), "%s\nmeans %.*s\nexpected %s", lines[_i].line,
                  STR_ARG(buf_str(&said)), lines[_i].means);
    buf_free(&said);
}
END_TEST

/* A command means the same to the wrapper, which has its words, and to the log reader, which has its echo. */
START_TEST(test_optimised)
{
    struct buf table = read_file(source_path("tests/data/optimised.txt")), command = {0}, said = {0};
    struct str rest = buf_str(&table), line;
    size_t rows = 0;
    while (rest.len && str_split(&rest, '\n', &line)) {
        if (line.len < 10 || line.ptr[0] == '#')
            continue;
        struct command echoed = {0};
        bool debug = str_starts(line, STR("debug ")), none = str_ends(line, STR(" nothing"));
        struct str options = none ? STR("-w") : str_from(line, 10);
        buf_clear(&command);
        buf_fmt(&command, "nvcc %.*s -c a.cu", STR_ARG(options));
        buf_char(&command, '\0');
        read_line(command.ptr, "", "", &said);
        ck_assert_msg((str_find(buf_str(&said), STR(" debug ")) != STR_NONE) == debug, "%.*s: %s", STR_ARG(line),
                      command.ptr);
        ck_assert(command_find((struct str){command.ptr, command.len - 1}, &echoed));
        ck_assert_msg(echoed.debug == debug, "%.*s, echoed", STR_ARG(line));
        rows++;
    }
    ck_assert_uint_gt(rows, 25);
    buf_free(&table);
    buf_free(&command);
    buf_free(&said);
}
END_TEST

/* Read with NVCC_APPEND_FLAGS=-G in the environment of the launcher. */
static const struct {
    const char *line, *means;
} launched[] = {
    {"nice nvcc -c a.cu", "at 1 compile code debug src a.cu out a.o"},
    {"env A=1 nvcc -c a.cu", "at 2 compile code debug src a.cu out a.o"},
    {"env NVCC_APPEND_FLAGS=b.cu nvcc -c a.cu", "at 2 compile code src a.cu,b.cu out a.o,b.o"},
    {"env NVCC_PREPEND_FLAGS=b.cu nvcc -c a.cu", "at 2 compile code debug src b.cu,a.cu out b.o,a.o"},
    {"env NVCC_APPEND_FLAGS=b.cu NVCC_APPEND_FLAGS= nvcc -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"/usr/bin/env -i nvcc -c a.cu", "at 2 compile code src a.cu out a.o"},
    {"env - nvcc -c a.cu", "at 2 compile code src a.cu out a.o"},
    {"env --ignore-environment NVCC_APPEND_FLAGS=-ox nvcc -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"env -u NVCC_APPEND_FLAGS nvcc -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"env -uNVCC_APPEND_FLAGS nvcc -c a.cu", "at 2 compile code src a.cu out a.o"},
    {"env --unset NVCC_APPEND_FLAGS nvcc -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"env --unset=NVCC_APPEND_FLAGS -- nvcc -c a.cu", "at 3 compile code src a.cu out a.o"},
    {"env -u NVCC nvcc -c a.cu", "at 3 compile code debug src a.cu out a.o"},
    {"env --debug -v nvcc -c a.cu", "at 3 compile code debug src a.cu out a.o"},
    {"env -iu NVCC_APPEND_FLAGS nvcc -c a.cu", "at 3 compile code debug src a.cu out  unjudged: an option of the lau"},
    {"nice -n 5 env -i nvcc -c a.cu", "at 5 compile code src a.cu out a.o"},
    {"env -i env NVCC_APPEND_FLAGS=-ptx nvcc -c a.cu", "at 4 ptx src a.cu out "},
    {"cmake -E env NVCC_APPEND_FLAGS=b.cu -- nvcc -c a.cu", "at 5 compile code src a.cu,b.cu out a.o,b.o"},
    {"cmake -E env --unset=NVCC_APPEND_FLAGS nvcc -c a.cu", "at 4 compile code src a.cu out a.o"},
    {"cmake -E env --modify PATH=set:/x nvcc -c a.cu", "at 5 compile code debug src a.cu out a.o"},
    {"cmake -E env --modify NVCC_APPEND_FLAGS=set:x nvcc -c a.cu",
     "at 5 compile code debug src a.cu out  unjudged: an option of the lau"},
    {"env --unse=NVCC_APPEND_FLAGS nvcc -c a.cu",
     "at 2 compile code debug src a.cu out  unjudged: an option of the lau"},
    {"env -S A=1 nvcc", "at 3 link debug src  out  unjudged: an option of the lau"},
    {"env -S A=1 nvcc --version", "at 3 none debug src  out "},
    {"env -C e nvcc -c a.cu", "at 3 compile code debug src a.cu out a.o elsewhere"},
    {"env -Ce nvcc -c a.cu", "at 2 compile code debug src a.cu out a.o elsewhere"},
    {"env -i -C e nvcc -c a.cu", "at 4 compile code src a.cu out a.o elsewhere"},
    {"env --chdir e nvcc -c a.cu", "at 3 compile code debug src a.cu out a.o elsewhere"},
    {"env --chdir=e nvcc -optf a.opt a.cu",
     "at 2 link code links debug src a.cu out  unread a.opt is of another folder, to which the launcher changes "
     "elsewhere"},
    {"cmake -E chdir e nvcc -c a.cu", "at 4 compile code debug src a.cu out a.o elsewhere"},
    {"cmake -E chdir e env -i nvcc -c a.cu", "at 6 compile code src a.cu out a.o elsewhere"},
    {"setsid nvcc -c a.cu", "at 1 compile code debug src a.cu out a.o"},
    {"setsid -f nvcc -c a.cu", "at 2 compile code debug src a.cu out  unjudged: the compiler runs in"},
    {"setsid -cf nvcc -c a.cu", "at 2 compile code debug src a.cu out  unjudged: the compiler runs in"},
    {"setsid --fork nvcc -c a.cu", "at 2 compile code debug src a.cu out  unjudged: the compiler runs in"},
    {"setsid -f nvcc -ptx a.cu", "at 2 ptx debug src a.cu out "},
};

START_TEST(test_launchers)
{
    struct buf said = {0};
    read_line(launched[_i].line, "", "-G", &said);
    ck_assert_msg(str_eq(buf_str(&said), str_of(launched[_i].means)), "%s\n%.*s", launched[_i].line,
                  STR_ARG(buf_str(&said)));
    buf_free(&said);
}
END_TEST

START_TEST(test_variables_add_words)
{
    struct buf said = {0};
    read_line("nvcc a.cu", "-c -odir\tp", "-o  \"x y.o\" ", &said);
    ck_assert_msg(str_starts(buf_str(&said), STR("compile code src a.cu out \"x y.o\" unjudged: the shell that nvcc ")),
                  "%.*s", STR_ARG(buf_str(&said)));
    read_line("nvcc a.cu -o x", "-o p", "-ptx", &said);
    ck_assert_msg(str_eq(buf_str(&said), STR("ptx src a.cu out ")), "%.*s", STR_ARG(buf_str(&said)));
    read_line("clang++ a.cu", "-c", "-E", &said);
    ck_assert_msg(str_eq(buf_str(&said), STR("clang link code debug src a.cu out a.out")), "%.*s",
                  STR_ARG(buf_str(&said)));
    buf_free(&said);
}
END_TEST

/* ---- option files ---- */

static void write_file(const char *path, const char *text)
{
    FILE *file = fopen(path, "wb");
    ck_assert(file != NULL);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

START_TEST(test_option_files)
{
    char folder[] = "/tmp/warplint-test-XXXXXX";
    struct buf said = {0};
    ck_assert(mkdtemp(folder) != NULL);
    ck_assert_int_eq(chdir(folder), 0);
    write_file("inner", "-o \"x y.o\"\n-DA=\\\"b.cu\\\"\n");
    write_file("outer", "  -c\n-optf inner,none\n");
    write_file("loop", "-optf loop -c ");
    struct buf many = {0};
    buf_fmt(&many, "-optf outer");
    for (int at = 0; at < 300; at++)
        buf_fmt(&many, ",inner");
    buf_char(&many, '\0');
    write_file("many", many.ptr);
    buf_free(&many);
    write_file("blanks", "");
    ck_assert_int_eq(truncate("blanks", 17 << 20), 0);
    ck_assert_int_eq(mkfifo("pipe", 0600), 0);
    static const struct {
        const char *line, *means;
    } cases[] = {
        {"nvcc -optf outer a.cu", "compile code src a.cu out x y.o"},
        {"nvcc -optf=outer a.cu", "compile code src a.cu out x y.o"},
        {"nvcc --options-file outer,none a.cu", "compile code src a.cu out x y.o"},
        {"nvcc --options-file=inner -optf outer a.cu", "compile code src a.cu out x y.o"},
        {"nvcc -optf loop a.cu",
         "compile code src a.cu out  unread loop is in option files 16 deep, the most that are read"},
        {"nvcc -optf blanks -c a.cu",
         "compile code src a.cu out  unread blanks is larger than 16777216 bytes, the most that is read here"},
        {"nvcc -optf pipe,outer a.cu",
         "link code links src a.cu out  unread pipe is not a regular file, and can be read only once"},
        {"nvcc -optf many a.cu",
         "compile code src a.cu out x y.o unread inner comes after 256 others, the most that are read"},
        {"nvcc -optf", "link src  out "},
        {"nvcc -optf none -c a.cu", "compile code src a.cu out a.o"},
        {"nvcc -Xcompiler -optf=outer a.cu", "link code links src a.cu out a.out"},
        {"clang++ -c -optf outer a.cu", "clang compile code debug src a.cu out ptf"}, /* clang reads this as -o ptf */
    };
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        read_line(cases[at].line, "", "", &said);
        ck_assert_msg(str_eq(buf_str(&said), str_of(cases[at].means)), "%s\nmeans %.*s\nexpected %s", cases[at].line,
                      STR_ARG(buf_str(&said)), cases[at].means);
    }
    unlink("inner");
    unlink("outer");
    unlink("loop");
    unlink("many");
    unlink("blanks");
    unlink("pipe");
    ck_assert_int_eq(chdir("/"), 0);
    rmdir(folder);
    buf_free(&said);
}
END_TEST

/* Removes only files that the command made, never its inputs. */
START_TEST(test_outputs_are_removed)
{
    char folder[] = "/tmp/warplint-test-XXXXXX";
    ck_assert(mkdtemp(folder) != NULL);
    ck_assert_int_eq(chdir(folder), 0);
    static const char *const files[] = {"a.cu", "b.cu", "a.o", "b.o", "x.o", "a.d"};
    for (size_t at = 0; at < sizeof files / sizeof *files; at++)
        write_file(files[at], "x");
    struct invocation invocation;
    const char *both[] = {"nvcc", "-c", "-MD", "a.cu", "b.cu"};
    invocation_read(&invocation, both, 5, (struct launcher_variables){0});
    invocation_remove_outputs(&invocation);
    invocation_free(&invocation);
    ck_assert(access("a.o", F_OK) != 0 && access("b.o", F_OK) != 0);
    ck_assert(access("a.cu", F_OK) == 0 && access("x.o", F_OK) == 0 && access("a.d", F_OK) == 0);
    const char *input[] = {"nvcc", "-c", "a.cu", "-o", "./a.cu"}, *device[] = {"nvcc", "-c", "a.cu", "-o", "/dev/null"},
               *dir[] = {"nvcc", "-c", "a.cu", "-o", "."};
    invocation_read(&invocation, input, 5, (struct launcher_variables){0});
    invocation_remove_outputs(&invocation);
    invocation_free(&invocation);
    invocation_read(&invocation, device, 5, (struct launcher_variables){0});
    invocation_remove_outputs(&invocation);
    invocation_free(&invocation);
    invocation_read(&invocation, dir, 5, (struct launcher_variables){0});
    invocation_remove_outputs(&invocation);
    invocation_free(&invocation);
    ck_assert(access("a.cu", F_OK) == 0 && access("/dev/null", F_OK) == 0);
    /* If a file cannot be examined, the first one is reported with the reason. */
    const char *round[] = {"nvcc", "-c", "a.cu", "-o", "round/a.o"};
    ck_assert_int_eq(symlink("round", "round"), 0);
    invocation_read(&invocation, round, 5, (struct launcher_variables){0});
    struct removal removal = invocation_remove_outputs(&invocation);
    ck_assert(removal.count == 0 && removal.error == ELOOP && str_eq(removal.stuck, STR("round/a.o")));
    invocation_free(&invocation);
    ck_assert_int_eq(unlink("round"), 0);
    for (size_t at = 0; at < sizeof files / sizeof *files; at++)
        unlink(files[at]);
    ck_assert_int_eq(chdir("/"), 0);
    ck_assert_int_eq(rmdir(folder), 0);
}
END_TEST

/* Any bytes are accepted as words: this code runs before the compiler does. */
START_TEST(test_any_words_are_accepted)
{
    uint64_t random = 1;
    static const char *const pieces[] = {"-",   "--",   "o",     "c",    "=",     "x",   "cu",
                                         ".cu", "optf", "/",     "nvcc", "clang", "",    "ccache",
                                         "-o",  "-x",   "-odir", "-ptx", "\xff",  "a b", "-Xptxas"};
    for (int round = 0; round < 20000; round++) {
        struct arena arena = {0};
        const char *words[8];
        size_t count = 1 + (size_t)(random >> 40) % 8;
        for (size_t word = 0; word < count; word++) {
            struct buf text = {0};
            for (int piece = 0; piece < 3; piece++) {
                random = random * 6364136223846793005u + 1442695040888963407u;
                buf_add(&text, str_of(pieces[(random >> 33) % (sizeof pieces / sizeof *pieces)]));
            }
            words[word] = arena_cstr(&arena, buf_str(&text));
            buf_free(&text);
        }
        struct invocation invocation;
        invocation_read(&invocation, words, count,
                        (struct launcher_variables){.prepend = STR("-o \""), .append = STR("-x")});
        ck_assert_uint_lt(invocation.compiler, count);
        invocation_free(&invocation);
        arena_free(&arena);
    }
}
END_TEST

/* ---- the output filter ---- */

static void feed(struct output_filter *output_filter, struct str bytes, struct buf *out)
{
    while (bytes.len)
        buf_add(out, output_filter_take(output_filter, &bytes));
}

static void sift(enum passthrough level, bool remarks, struct str text, size_t piece_bytes, struct buf *out)
{
    struct output_filter output_filter = {.level = level, .remarks = remarks};
    buf_clear(out);
    for (size_t at = 0; at < text.len; at += piece_bytes)
        feed(&output_filter, str_sub(text, at, at + piece_bytes), out);
    buf_add(out, output_filter_rest(&output_filter));
}

#define RECORD                                                                                                         \
    "ptxas info    : 0 bytes gmem\n"                                                                                   \
    "ptxas info    : Compiling entry function '_Z1kPf' for 'sm_90'\n"                                                  \
    "ptxas info    : Function properties for _Z1kPf\n"                                                                 \
    "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"                                             \
    "ptxas info    : Used 10 registers, used 0 barriers\n"                                                             \
    "ptxas info    : Compile time = 1.234 ms\n"
#define CAP "ptxas info    : Overriding maximum register limit 256 for '_Z1kPf' with  24 of maxrregcount option\n"
#define LINKED                                                                                                         \
    "nvlink info    : 0 bytes gmem\nnvlink info    : Function properties for '_Z2k2Pf':\n"                             \
    "nvlink info    : used 24 registers, used 0 barriers, 0 stack, 0 bytes smem, 536 bytes cmem[0], 0 bytes lmem\n"
#define WARNED "ptxas warning : Registers are spilled to local memory in function 'k', 8 bytes spill stores\n"
#define ADVICE "ptxas info    : (C7511) Potential Performance Loss: wgmma.mma_async instructions are serialized\n"
#define OTHERS                                                                                                         \
    "a.cu(3): warning #177-D: variable was declared\n    int i;\n        ^\n\n    0 bytes stack frame, not ours\n"     \
    "ptxas fatal   : no\nptxas error   : Used\nptxas info    : Useful\n#$ ptxas -v\n\033[1mremark\033[0m\r\np\n\n"

#define REMARK   "remark: a.cu:5:5:   Analyzing unrolling strategy...\n"
#define DECLARED "warplint info    : PTX 1: entry k sm_90 maxntid=256,1,1\n"

struct sifting {
    enum passthrough level;
    const char *text, *passed;
};

/* The command asks for remarks only because we added the option. */
static const struct sifting remarked[] = {
    {PASS_WARNINGS, REMARK "\n" REMARK "\n\n" RECORD, ""},
    {PASS_ALL, REMARK "\n" DECLARED RECORD, REMARK "\n" DECLARED RECORD},
    {PASS_WARNINGS, "\n" REMARK "\n\n\n" OTHERS, "\n\n" OTHERS},
    {PASS_WARNINGS, REMARK "x\n\n\n" REMARK RECORD "\n", "x\n\n\n\n"},
    {PASS_WARNINGS, "remark\n\nremark:\nRemark: y\n\n", "remark\n\nremark:\nRemark: y\n\n"},
};

static const struct sifting sifted[] = {
    {PASS_WARNINGS, REMARK "\n" REMARK "\n\n" RECORD, REMARK "\n" REMARK "\n\n"},
    {PASS_WARNINGS, DECLARED "warplint: error: PTX\n\n" DECLARED, "warplint: error: PTX\n\n"},
    {PASS_WARNINGS, RECORD, ""},
    {PASS_WARNINGS, OTHERS, OTHERS},
    {PASS_WARNINGS, "x" RECORD OTHERS RECORD, "xptxas info    : 0 bytes gmem\n" OTHERS},
    {PASS_WARNINGS, WARNED RECORD ADVICE CAP LINKED, WARNED ADVICE},
    {PASS_NONE, WARNED RECORD ADVICE OTHERS LINKED, ADVICE OTHERS},
    {PASS_ALL, WARNED RECORD ADVICE OTHERS LINKED, WARNED RECORD ADVICE OTHERS LINKED},
    {PASS_WARNINGS, "", ""},
    {PASS_WARNINGS, "ptxas info", "ptxas info"},
    {PASS_WARNINGS, "ptxas info    : Compil\n", "ptxas info    : Compil\n"},
    {PASS_WARNINGS, "ptxas info    : Used 12 registers", ""},
    {PASS_WARNINGS, "    0 bytes stack frame, 0 bytes\n", "    0 bytes stack frame, 0 bytes\n"},
    {PASS_WARNINGS, "ptxas info    : Function properties for k\nx\n    0 bytes stack frame, 0\n",
     "x\n    0 bytes stack frame, 0\n"},
};

static void check_sifting(const struct sifting *sifting, bool remarks)
{
    struct buf out = {0};
    for (size_t size = 1; size < 3000; size += size < 40 ? 1 : 977) {
        sift(sifting->level, remarks, str_of(sifting->text), size, &out);
        ck_assert_msg(str_eq(buf_str(&out), str_of(sifting->passed)), "in pieces of %zu bytes:\n%.*s\nexpected:\n%s",
                      size, STR_ARG(buf_str(&out)), sifting->passed);
    }
    buf_free(&out);
}

START_TEST(test_passed_lines)
{
    check_sifting(&sifted[_i], false);
}
END_TEST

START_TEST(test_remarks)
{
    check_sifting(&remarked[_i], true);
}
END_TEST

/* A line that begins like one of ptxas's and continues with an endless number is not one of ptxas's, so it passes. */
START_TEST(test_endless_numbers_pass)
{
    struct buf text = {0}, out = {0};
    buf_add(&text, STR("ptxas info    : "));
    buf_pad(&text, '7', 100000);
    for (size_t size = 1; size < 100000; size *= 13) {
        sift(PASS_WARNINGS, true, buf_str(&text), size, &out);
        ck_assert(str_eq(buf_str(&out), buf_str(&text)));
    }
    buf_free(&text);
    buf_free(&out);
}
END_TEST

/* Text of other tools passes at once: a prompt without a line end is not held back. */
START_TEST(test_passes_at_once)
{
    struct buf out = {0};
    struct output_filter output_filter = {.level = PASS_WARNINGS};
    feed(&output_filter, STR("Continue? "), &out);
    ck_assert(str_eq(buf_str(&out), STR("Continue? ")));
    feed(&output_filter, STR("y\nptxas x"), &out);
    ck_assert(str_eq(buf_str(&out), STR("Continue? y\nptxas x")));
    buf_free(&out);
}
END_TEST

/* ---- objects ---- */

/* An ELF object with three section names: none, the string table's, and the given one. */
struct small_object {
    Elf64_Ehdr header;
    Elf64_Shdr sections[3];
    char names[32];
};

static struct small_object make_object(const char *name)
{
    struct small_object object = {0};
    memcpy(object.header.e_ident, ELFMAG, SELFMAG);
    object.header.e_ident[EI_CLASS] = ELFCLASS64;
    object.header.e_ident[EI_DATA] = ELFDATA2LSB;
    object.header.e_ident[EI_VERSION] = EV_CURRENT;
    object.header.e_type = ET_REL;
    object.header.e_shoff = offsetof(struct small_object, sections);
    object.header.e_shentsize = sizeof(Elf64_Shdr);
    object.header.e_shnum = 3;
    object.header.e_shstrndx = 1;
    object.sections[1].sh_type = SHT_STRTAB;
    object.sections[1].sh_offset = offsetof(struct small_object, names);
    object.sections[1].sh_size = sizeof object.names;
    object.sections[2].sh_name = 1;
    snprintf(object.names + 1, sizeof object.names - 1, "%s", name);
    return object;
}

static bool has_device_code(const void *bytes, size_t size)
{
    char path[] = "/tmp/warplint-test-XXXXXX";
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    ck_assert_int_eq(write(fd, bytes, size), (ssize_t)size);
    close(fd);
    bool found = object_has_device_code(path);
    unlink(path);
    return found;
}

START_TEST(test_objects)
{
    struct small_object device = make_object(".nv_fatbin"), relocatable = make_object("__nv_relfatbin"),
                        other = make_object(".nv_fatbinary");
    ck_assert(has_device_code(&device, sizeof device));
    ck_assert(has_device_code(&relocatable, sizeof relocatable));
    ck_assert(!has_device_code(&other, sizeof other));
    struct small_object many = device; /* counts that do not fit into the header's fields */
    many.header.e_shnum = 0;
    many.sections[0].sh_size = 3;
    many.header.e_shstrndx = SHN_XINDEX;
    many.sections[0].sh_link = 1;
    ck_assert(has_device_code(&many, sizeof many));
    struct small_object program = device;
    program.header.e_type = ET_EXEC;
    ck_assert(!has_device_code(&program, sizeof program));
    ck_assert(!object_has_device_code("/"));
    ck_assert(!object_has_device_code("/dev/zero"));
    ck_assert(!object_has_device_code("/nowhere/a.o"));
}
END_TEST

/* Cut at any byte, and with every byte changed in several ways: a result, and no crash. */
START_TEST(test_broken_objects)
{
    struct small_object device = make_object(".nv_fatbin");
    for (size_t size = 0; size < sizeof device; size++)
        ck_assert(!has_device_code(&device, size));
    static const unsigned char spoils[] = {0x00, 0x01, 0x7f, 0x80, 0xff};
    for (size_t at = 0; at < sizeof device; at++) {
        for (size_t which = 0; which < sizeof spoils; which++) {
            struct small_object spoilt = device;
            ((unsigned char *)&spoilt)[at] = spoils[which];
            has_device_code(&spoilt, sizeof spoilt);
        }
    }
}
END_TEST

/* Replaces the C library's function, also for libelf: read number failing_read fails. */
static int failing_read;
ssize_t pread(int fd, void *into, size_t size, off_t offset)
{
    if (failing_read == 0 || --failing_read > 0)
        return syscall(SYS_pread64, fd, into, size, offset);
    errno = EIO;
    return -1;
}

/* A file that cannot be read has no stamp; it must not get the stamp of a file without device code. */
START_TEST(test_unread_objects)
{
    struct small_object device = make_object(".nv_fatbin");
    char path[] = "/tmp/warplint-test-XXXXXX";
    struct buf stamp = {0};
    int fd = mkstemp(path), failed = 0;
    ck_assert_int_eq(write(fd, &device, sizeof device), (ssize_t)sizeof device);
    for (failing_read = 1; object_stamp(path, &stamp) == EIO; failing_read = failed + 1)
        failed++;
    ck_assert_int_ge(failed, 3); /* the header, the sections, their names */
    ck_assert_msg(str_eq(buf_str(&stamp), STR("0 9e3779b97f4a7c15")), "%.*s", STR_ARG(buf_str(&stamp)));
    failing_read = 0;
    close(fd);
    unlink(path);
    buf_free(&stamp);
}
END_TEST

/* Records of other versions contain these stamps, so they must never change. */
START_TEST(test_stamps)
{
    struct small_object device = make_object(".nv_fatbin"), host = make_object(".text");
    char path[] = "/tmp/warplint-test-XXXXXX";
    struct buf stamp = {0};
    int fd = mkstemp(path);
    ck_assert_int_ge(fd, 0);
    const struct {
        const void *bytes;
        size_t size;
        const char *stamp;
    } cases[] = {{"", 0, "0 9e3779b97f4a7c15"},
                 {"object\n", 7, "7 ae095b569c98c6ce"},
                 {"object\n\0", 8, "8 ae095b569c98c6ce"},
                 {&device, sizeof device, "0 9e3779b97f4a7c15"},
                 {&host, sizeof host, "288 76af4aaddbc17f1a"}};
    for (size_t at = 0; at < sizeof cases / sizeof *cases; at++) {
        buf_clear(&stamp);
        ck_assert_int_eq(ftruncate(fd, 0), 0);
        ck_assert_int_eq(pwrite(fd, cases[at].bytes, cases[at].size, 0), (ssize_t)cases[at].size);
        ck_assert_int_eq(object_stamp(path, &stamp), 0);
        ck_assert_msg(str_eq(buf_str(&stamp), str_of(cases[at].stamp)), "%zu: %.*s", at, STR_ARG(buf_str(&stamp)));
    }
    for (size_t size = 0; size < sizeof device; size++) { /* cut anywhere: no crash */
        ck_assert_int_eq(ftruncate(fd, (off_t)size), 0);
        object_stamp(path, &stamp);
    }
    ck_assert(object_stamp("/", &stamp) && object_stamp("/dev/null", &stamp));
    ck_assert_int_eq(object_stamp("/no/file", &stamp), ENOENT);
    close(fd);
    unlink(path);
    buf_free(&stamp);
}
END_TEST

int main(void)
{
    TCase *cases[] = {tcase_create("options"), tcase_create("output filter"), tcase_create("objects")};
    tcase_add_test(cases[0], test_tables_are_sorted);
    tcase_add_loop_test(cases[0], test_command_lines, 0, sizeof lines / sizeof *lines);
    tcase_add_test(cases[0], test_optimised);
    tcase_add_loop_test(cases[0], test_launchers, 0, sizeof launched / sizeof *launched);
    tcase_add_test(cases[0], test_variables_add_words);
    tcase_add_test(cases[0], test_option_files);
    tcase_add_test(cases[0], test_outputs_are_removed);
    tcase_set_timeout(cases[0], 60);
    tcase_add_test(cases[0], test_any_words_are_accepted);
    tcase_add_loop_test(cases[1], test_remarks, 0, sizeof remarked / sizeof *remarked);
    tcase_add_loop_test(cases[1], test_passed_lines, 0, sizeof sifted / sizeof *sifted);
    tcase_add_test(cases[1], test_endless_numbers_pass);
    tcase_add_test(cases[1], test_passes_at_once);
    tcase_add_test(cases[2], test_objects);
    tcase_add_test(cases[2], test_unread_objects);
    tcase_set_timeout(cases[1], 60); /* for a busy machine */
    tcase_set_timeout(cases[2], 60);
    tcase_add_test(cases[2], test_broken_objects);
    tcase_add_test(cases[2], test_stamps);
    return run_suite("nvcc", cases, sizeof cases / sizeof *cases);
}
