#define _XOPEN_SOURCE 700 /* realpath */
#include "nvcc/invocation.h"

#include "base/file.h"
#include "log/command.h"
#include "log/optimise.h"
#include "nvcc/program.h"

#include <errno.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* ---- words ------------------------------------------------------------------------------------------------------ */

/*
 * Splits text at white space outside of double quotes. In an option file quotes are removed and a backslash keeps the
 * next character; in the environment variables nvcc leaves both unchanged.
 */
static void split(struct str_list *words, struct arena *arena, struct str text, bool file)
{
    SCOPED(buf) word = {0};
    bool quoted = false, any = false;
    for (size_t at = 0; at <= text.len; at++) {
        char c = at < text.len ? text.ptr[at] : ' ';
        if (is_white_space(c) && (!quoted || at == text.len)) {
            if (any)
                str_list_add(words, arena_str(arena, buf_str(&word)));
            buf_clear(&word);
            any = false;
            continue;
        }
        any = true;
        quoted ^= c == '"';
        if (file && c == '\\' && at + 1 < text.len)
            buf_char(&word, text.ptr[++at]);
        else if (!file || c != '"')
            buf_char(&word, c);
    }
}

enum { DEEPEST_FILE = 16, MOST_FILES = 256, LARGEST_FILE_BYTES = 1 << 24 };

static void take_words(struct invocation *invocation, const struct str_list *words, int depth);

static void leave_unread(struct invocation *invocation, struct str path, const char *why)
{
    if (invocation->unread.len)
        return;
    invocation->unread = arena_str(&invocation->arena, path);
    invocation->unread_why = arena_fmt(&invocation->arena, "%s", why);
}

/* Reads the text of an option file; the text stays empty if the file is not read. A file that is not regular is left to
 * the compiler, because a pipe can be read only once. */
static void read_option_file(struct invocation *invocation, struct str path, int depth, struct buf *text)
{
    SCOPED(diags) diags = {0};
    if (invocation->launcher.moves && !str_starts(path, STR("/"))) {
        leave_unread(invocation, path, "is of another folder, to which the launcher changes");
        return;
    }
    if (!file_exists(path))
        return;
    if (depth >= DEEPEST_FILE)
        leave_unread(invocation, path, "is in option files 16 deep, the most that are read");
    else if (invocation->option_files >= MOST_FILES)
        leave_unread(invocation, path, "comes after 256 others, the most that are read");
    else if (str_eq(path, STR("-")) || !file_is_regular(path))
        leave_unread(invocation, path, "is not a regular file, and can be read only once");
    else if (file_read(path, INPUT_REGULAR, LARGEST_FILE_BYTES, text, &diags))
        invocation->option_files++;
    else
        leave_unread(invocation, path, diags.count ? diags.items[0].message.ptr : "cannot be read");
    if (invocation->unread.len)
        buf_clear(text);
}

/* Takes the options of each file in a comma-separated list. */
static void take_files(struct invocation *invocation, struct str list, int depth)
{
    struct str path;
    while (invocation->unread.len == 0 && str_split(&list, ',', &path)) {
        SCOPED(buf) text = {0};
        SCOPED(str_list) words = {0};
        read_option_file(invocation, path, depth, &text);
        split(&words, &invocation->arena, buf_str(&text), true);
        take_words(invocation, &words, depth + 1);
    }
}

/* Appends the words, and the contents of option files instead of their names. */
static void take_words(struct invocation *invocation, const struct str_list *words, int depth)
{
    for (size_t at = 0; at < words->count; at++) {
        struct str value;
        size_t first = at;
        const struct nvcc_option *option = option_take(invocation->dialect, words, &at, &value);
        if (option && option->means == MEANS_OPTIONS_FILE)
            take_files(invocation, value, depth);
        else
            for (size_t word = first; word <= at; word++)
                str_list_add(&invocation->words, words->items[word]);
    }
}

/* ---- names of files --------------------------------------------------------------------------------------------- */

static bool is_device_source(struct str path, struct str language)
{
    if (language.len)
        return str_is_one_of(language, "cu cuda");
    return path_has_suffix(path, "cu gpu");
}

static bool is_fortran(struct str path)
{
    return path_has_suffix(path, "cuf CUF f F for FOR f90 F90 f95 F95 f03 F03 f08 F08");
}

/* Compiling this input makes an object file. */
static bool is_source(struct str path, struct str language)
{
    return language.len || path_has_suffix(path, "cu gpu c cc cpp cxx C CPP c++ i ii");
}

/* ---- the compiler ----------------------------------------------------------------------------------------------- */

static bool is_of_version(char c)
{
    return is_digit(c) || c == '+' || c == '-' || c == '.';
}

/* "clang", "x86_64-linux-gnu-clang++-18" */
static bool is_clang(struct str word)
{
    struct str name = path_name(word);
    size_t at = str_rfind(name, STR("clang"));
    struct str version = str_from(name, at == STR_NONE ? at : at + strlen("clang"));
    return at != STR_NONE && str_span(version, is_of_version) == version.len;
}

/* NVIDIA's HPC compilers, and PGI's. */
static bool is_nvhpc(struct str word)
{
    return str_is_one_of(path_name(word), "nvfortran nvc nvc++ pgfortran pgf77 pgf90 pgf95 pgcc pgc++");
}

static bool is_compiler(struct str word)
{
    bool is_text = str_find(path_name(word), STR(" ")) != STR_NONE; /* such a text is the argument of `env -S` */
    if (word.len == 0 || word.ptr[0] == '-' || is_text || str_find_char(word, '=') != STR_NONE ||
        is_source(word, (struct str){0}))
        return false;
    return str_find(path_name(word), STR("nvcc")) != STR_NONE || is_clang(word) || is_nvhpc(word);
}

/* Programs that run commands which are not visible here: from a file, a text or standard input. */
static bool is_builder(struct str word)
{
    return str_is_one_of(path_name(word), "bash bazel dash find gmake make meson ninja parallel sh ssh xargs zsh");
}

/* The word is nvcc under its own name, in a command of an unknown program: the word before it does not make it an
 * output file, and it exists as a program. */
static bool is_nvcc_behind(const char *before, const char *word)
{
    struct str name = path_name(str_of(word));
    bool named = str_eq(name, STR("nvcc")) || str_starts(name, STR("nvcc-")) || str_eq(name, STR("nvcc.exe"));
    SCOPED(arena) arena = {0};
    return named && !str_starts(str_of(before), STR("-o")) && !str_starts(str_of(before), STR("--output")) &&
           program_path(word, &arena);
}

static size_t find_compiler(const char *const *words, size_t count)
{
    if (count == 0 || is_compiler(str_of(words[0])) || is_builder(str_of(words[0])))
        return 0;
    bool launches = command_is_launcher(str_of(words[0]));
    for (size_t at = 1; at < count; at++)
        if (launches ? is_compiler(str_of(words[at])) : is_nvcc_behind(words[at - 1], words[at]))
            return at;
    return 0;
}

/* ---- what the command makes ------------------------------------------------------------------------------------- */

struct command_reader {
    struct invocation *invocation;
    struct str output, folder, language; /* empty: not given */
    bool openmp, for_nvidia;
    bool resource_usage;
    struct optimise optimise;
};

/* nvcc accepts comma-separated lists; empty items are ignored. */
static void add_list(struct invocation *invocation, struct str_list *words, struct str list)
{
    struct str piece;
    while (invocation->dialect == DIALECT_NVCC && str_split(&list, ',', &piece))
        if (piece.len)
            str_list_add(words, piece);
    if (invocation->dialect != DIALECT_NVCC && list.len)
        str_list_add(words, list);
}

/* Options that offload code to the GPU. clang: -fopenmp and a target. NVHPC: -acc, -stdpar, -cuda, unless they are for
 * the host's processors alone, and -mp=gpu. */
static void read_offloading(struct command_reader *r, int means, struct str value)
{
    struct str piece;
    if (means == MEANS_GPU_OPTIONS) {
        r->invocation->takes_ptxinfo = true;
        while (str_split(&value, ',', &piece))
            r->optimise.device_debug |= str_eq(piece, STR("debug"));
    } else if (r->invocation->dialect == DIALECT_NVHPC) {
        bool host = str_find(value, STR("host")) != STR_NONE || str_find(value, STR("multicore")) != STR_NONE;
        r->for_nvidia |= str_find(value, STR("gpu")) != STR_NONE || (means == MEANS_OFFLOADING && !host);
    } else if (means == MEANS_OPENMP) {
        r->openmp = true;
    } else {
        r->for_nvidia |= str_starts(value, STR("sm_")) || str_find(value, STR("nvptx")) != STR_NONE;
    }
}

static bool any_is_one_of(const struct str_list *words, const char *list)
{
    bool any = false;
    for (size_t at = 0; at < words->count; at++)
        any |= str_is_one_of(words->items[at], list);
    return any;
}

static void read_word(struct command_reader *r, const struct str_list *words, size_t *at)
{
    struct invocation *invocation = r->invocation;
    struct str word = words->items[*at], value;
    optimise_see_word(&r->optimise, word);
    if (word.len < 2 || word.ptr[0] != '-') {
        str_list_add(&invocation->inputs, arena_str(&invocation->arena, word));
        if (invocation->dialect == DIALECT_CLANG && is_device_source(word, r->language)) {
            str_list_add(&invocation->sources, word);
            r->optimise.asks_level = true;
        }
        return;
    }
    const struct nvcc_option *option = option_take(invocation->dialect, words, at, &value);
    if (!option)
        return;
    optimise_take(&r->optimise, option, value);
    if (option->means < PHASE_COUNT && option->means > invocation->phase)
        invocation->phase = (enum nvcc_phase)option->means;
    switch (option->means) {
    case MEANS_OUTPUT: r->output = value; break;
    case MEANS_FOLDER: r->folder = value; break;
    case MEANS_LANGUAGE: r->language = str_eq(value, STR("none")) ? STR("") : value; break;
    case MEANS_PTXAS_OPTIONS: invocation->asks_ptxas |= ptxas_asks_verbose(value); break;
    case MEANS_NVLINK_OPTIONS: invocation->asks_nvlink |= ptxas_asks_verbose(value); break;
    case MEANS_CICC_OPTIONS: invocation->asks_remarks |= str_find(value, STR("pass-remarks")) != STR_NONE; break;
    case MEANS_REMARKS: invocation->asks_remarks = true; break;
    case MEANS_RESOURCE_USAGE: r->resource_usage = true; break;
    case MEANS_RELOCATABLE: invocation->relocatable = str_eq(value, STR("true")); break;
    case MEANS_INCLUDES: add_list(invocation, &invocation->includes, value); break;
    case MEANS_PRE_INCLUDE: add_list(invocation, &invocation->pre_includes, value); break;
    case MEANS_DEPENDENCIES: invocation->writes_dependencies = true; break;
    case MEANS_DEPENDENCY_FILE: invocation->dependencies = value; break;
    case MEANS_PREFIX: invocation->has_prefix = true; break;
    case MEANS_HOST_COMPILER: invocation->host_compiler = arena_str(&invocation->arena, value); break;
    case MEANS_TOOLKIT: invocation->toolkit = arena_str(&invocation->arena, value); break;
    case MEANS_OPENMP:
    case MEANS_OFFLOADING:
    case MEANS_GPU_OPTIONS: read_offloading(r, option->means, value); break;
    default: break;
    }
}

/* The outputs without -o: one file for each input, with this suffix, or one file of this name. Outputs of other phases
 * are not needed. */
static const struct {
    const char *suffix, *name;
} defaults[PHASE_COUNT] = {
    [PHASE_COMPILE] = {.suffix = "o"},
    [PHASE_FATBIN] = {.suffix = "fatbin"},
    [PHASE_CUBIN] = {.suffix = "cubin"},
    [PHASE_CUDA] = {.suffix = "cu.cpp.ii"},
    [PHASE_LINK] = {.name = "a.out"},
    [PHASE_LIBRARY] = {.name = "a.a"},
    [PHASE_DEVICE_LINK] = {.name = "a_dlink.o"},
};

/* The output of compiling "dir/a.cu" is "a.o", in the working directory or in the folder of -odir. */
static void add_default(struct command_reader *r, struct str input, const char *suffix)
{
    struct str name = path_name(input);
    size_t dot = str_rfind(name, STR("."));
    struct str stem = str_sub(name, 0, dot);
    const char *slash = r->folder.len && !str_ends(r->folder, STR("/")) ? "/" : "";
    str_list_add(&r->invocation->outputs,
                 arena_fmt(&r->invocation->arena, "%.*s%s%.*s.%s", STR_ARG(r->folder), slash, STR_ARG(stem), suffix));
}

/* The phase compiles PTX inputs. Compiling PTX makes an object only if the code is relocatable. */
static bool takes_ptx(const struct command_reader *r)
{
    const struct invocation *invocation = r->invocation;
    switch (invocation->phase) {
    case PHASE_CUBIN:
    case PHASE_FATBIN:
    case PHASE_LINK:
    case PHASE_DEVICE_LINK: return true;
    case PHASE_COMPILE:
        return invocation->relocatable || any_is_one_of(&invocation->words, "-dlto --dlink-time-opt -lto --lto");
    default: return false;
    }
}

static bool is_compiled_ptx(const struct command_reader *r, struct str input)
{
    return takes_ptx(r) && r->language.len == 0 && path_has_suffix(input, "ptx");
}

static void find_outputs(struct command_reader *r)
{
    struct invocation *invocation = r->invocation;
    const char *suffix = defaults[invocation->phase].suffix, *name = defaults[invocation->phase].name;
    bool known = r->output.len || !invocation->unread.len; /* a file that was not read may name the output */
    invocation->names_output = r->output.len > 0;
    if ((!suffix && !name) || !known || invocation->inputs.count == 0)
        return;
    if (r->output.len) {
        str_list_add(&invocation->outputs, arena_str(&invocation->arena, r->output));
        return;
    }
    for (size_t at = 0; suffix && at < invocation->inputs.count; at++) {
        struct str input = invocation->inputs.items[at];
        bool device_only = invocation->phase == PHASE_FATBIN || invocation->phase == PHASE_CUBIN;
        if (is_source(input, r->language) || (invocation->dialect == DIALECT_NVHPC && is_fortran(input)) ||
            (device_only && path_has_suffix(input, "cubin")) || is_compiled_ptx(r, input))
            add_default(r, input, suffix);
    }
    if (name)
        str_list_add(&invocation->outputs, str_of(name));
}

/* The command compiles device code of this input. */
static bool is_compiled(const struct command_reader *r, struct str input, struct str compiler)
{
    const struct invocation *invocation = r->invocation;
    bool source = is_source(input, r->language), device = is_device_source(input, r->language);
    if (invocation->dialect == DIALECT_CLANG) /* read_word has already taken the device sources */
        return r->openmp && r->for_nvidia && source && !device;
    if (invocation->dialect == DIALECT_NVHPC)
        return (r->for_nvidia && (source || is_fortran(input))) || path_has_suffix(input, "cuf CUF");
    if (source && str_find(path_name(compiler), STR("nvcc_wrapper")) != STR_NONE)
        return true; /* Kokkos: it compiles every C++ source as CUDA */
    return is_compiled_ptx(r, input) || device;
}

static void find_sources(struct command_reader *r, struct str compiler)
{
    struct invocation *invocation = r->invocation;
    enum nvcc_phase phase = invocation->phase;
    bool any_object = false;
    for (size_t at = 0; at < invocation->inputs.count; at++) {
        struct str input = invocation->inputs.items[at];
        if (is_compiled(r, input, compiler))
            str_list_add(&invocation->sources, input);
        any_object |= !is_source(input, r->language);
    }
    bool links = phase == PHASE_DEVICE_LINK || phase == PHASE_LINK;
    invocation->makes_code = phase < PHASE_PTX && phase != PHASE_RUN && invocation->sources.count > 0;
    /* Build tools put their launcher for links before ar and g++ too. */
    any_object &= is_compiler(compiler);
    invocation->links = invocation->dialect == DIALECT_NVCC && links && (any_object || invocation->sources.count > 0);
}

/* The command has an option that only the HPC compilers know. This identifies them also if a script of another name
 * (mpif90) starts them. */
static bool has_nvhpc_words(const char *const *words, size_t first, size_t count)
{
    bool any = false;
    for (size_t at = first; at < count; at++) {
        struct str word = str_of(words[at]);
        any |= str_eq(word, STR("-acc")) || str_starts(word, STR("-acc=")) || str_starts(word, STR("-gpu=")) ||
               str_starts(word, STR("-stdpar")) || str_eq(word, STR("-mp=gpu")) || str_starts(word, STR("-ta=")) ||
               str_starts(word, STR("-Mcuda"));
    }
    return any;
}

static enum dialect dialect_of(struct str compiler, const char *const *words, size_t first, size_t count)
{
    if (is_clang(compiler))
        return DIALECT_CLANG;
    bool nvcc = str_find(path_name(compiler), STR("nvcc")) != STR_NONE;
    return is_nvhpc(compiler) || (!nvcc && has_nvhpc_words(words, first, count)) ? DIALECT_NVHPC : DIALECT_NVCC;
}

static bool any_holds(const struct str_list *words, struct str text)
{
    for (size_t at = 0; at < words->count; at++)
        if (str_find(words->items[at], text) != STR_NONE)
            return true;
    return false;
}

/* The command is a whole build, or a command line that a shell or a launcher splits: compilers may run in it without
 * being visible here. */
static bool runs_compilers(const struct invocation *invocation, struct str compiler)
{
    const struct str_list *words = &invocation->words;
    bool found = str_is_one_of(path_name(compiler), "bazel gmake make meson ninja");
    if (str_is_one_of(path_name(compiler), "bash cmake dash sh zsh"))
        return any_holds(words, STR("nvcc")) || any_holds(words, STR("--build"));
    for (size_t at = 0; at < words->count && (command_is_launcher(compiler) || is_builder(compiler)); at++) {
        const struct str word = words->items[at];
        const bool is_text = str_find_char(word, ' ') != STR_NONE && str_find(word, STR("nvcc")) != STR_NONE;
        found |= is_text || str_eq(path_name(word), STR("nvcc"));
    }
    return found;
}

/* "g++", "x86_64-linux-gnu-gcc-12": compilers and linkers of the host, which builds also run only to query them. */
static bool is_host_tool(struct str program)
{
    struct str name = path_name(program), piece;
    while (str_split(&name, '-', &piece))
        if (str_is_one_of(piece,
                          "CC ar as c++ c89 c99 cc clang clang++ cpp dpcpp flang g++ gcc gfortran hipcc icc icpc "
                          "icpx icx ld lld mpic++ mpicc mpicxx mpif90 mpifort ranlib rustc"))
            return true;
    return is_compiler(program) || str_eq(path_name(program), STR("cmake"));
}

/* The input is a file that a compiler, a linker or an archiver processes. */
static bool is_work_of_compilers(struct str input)
{
    return is_source(input, (struct str){0}) || is_fortran(input) || input.ptr[0] == '@' ||
           path_has_suffix(input, "a asm cubin fatbin hip ispc la lib lo m mm o obj ptx rs s S so swift");
}

/* An unknown program that has no input for a compiler may be a script of a whole build. */
static bool may_be_build(const struct invocation *invocation, struct str program)
{
    bool found = program.len > 0 && !is_host_tool(program);
    for (size_t at = 0; at < invocation->inputs.count; at++)
        found &= !is_work_of_compilers(invocation->inputs.items[at]);
    for (size_t at = 0; at < invocation->words.count; at++)
        found &= !str_is_one_of(invocation->words.items[at], "--version -version -dumpversion -dumpmachine --help");
    return found;
}

/* nvcc passes its commands to a shell, with names in double quotes. The shell may expand such a name, so the name of
 * the file is unknown. */
static bool any_expands(const struct invocation *invocation)
{
    for (size_t at = 0; at < invocation->outputs.count; at++)
        if (strpbrk(invocation->outputs.items[at].ptr, "$`\\\""))
            return true;
    return false;
}

#define MEND_BUILD                                                                                                     \
    "give the build the nvcc of `warplint wrap --install-shim DIR`, or put `warplint wrap --` in front of nvcc"

/* Why the messages about the device code of this command cannot be read; NULL: they can, or there is no device code. */
static const char *find_why_not(struct invocation *invocation, struct str compiler)
{
    const char *obstacle = invocation->launcher.obstacle;
    bool works = invocation->makes_code || invocation->links || invocation->inputs.count == 0;
    /* "clang-tidy", or a script, which may not accept options for a compiler */
    bool is_tool_of_clang = str_find(path_name(compiler), STR("clang")) != STR_NONE && !is_clang(compiler);
    if (obstacle && works && invocation->phase < PHASE_PTX)
        return obstacle;
    if (runs_compilers(invocation, compiler))
        return "the command is a build tool or a shell; " MEND_BUILD;
    if (may_be_build(invocation, compiler) || (invocation->makes_code && is_tool_of_clang))
        return arena_fmt(&invocation->arena,
                         "'%.*s' is not a known compiler, and no compile by nvcc was seen in it; " MEND_BUILD,
                         STR_ARG(compiler))
            .ptr;
    if (invocation->phase >= PHASE_PTX || invocation->inputs.count == 0)
        return NULL;
    if (str_is_one_of(path_name(compiler), "ptxas nvlink cicc cudafe++ fatbinary"))
        return "the command is one of the tools that nvcc runs; put `warplint wrap --` in front of nvcc";
    if (invocation->phase == PHASE_RUN && invocation->sources.count)
        return "with -run the program's messages cannot be told from the compiler's; compile first, then run";
    if (invocation->makes_code && invocation->dialect == DIALECT_NVCC && any_expands(invocation))
        return "the shell that nvcc runs expands the name of the output ($ ` \\ \"), so what is made is not known";
    if (invocation->makes_code && invocation->dialect == DIALECT_NVHPC && !invocation->asks_ptxinfo &&
        !invocation->takes_ptxinfo)
        return "the compiler is not known to take -gpu=ptxinfo; add ptxinfo to -ta or -Mcuda";
    if (!invocation->makes_code && any_holds(&invocation->words, STR("nvptx")))
        return "how this compiler makes code for nvptx is not known; give the log of its build to `warplint check`";
    return NULL;
}

void invocation_read(struct invocation *invocation, const char *const *words, size_t count,
                     struct launcher_variables outside)
{
    SCOPED(str_list) given = {0};
    const struct str_list *all = &invocation->words;
    *invocation = (struct invocation){.compiler = find_compiler(words, count)};
    invocation->launcher = launcher_read(words, invocation->compiler, outside);
    struct str compiler = count ? str_of(words[invocation->compiler]) : STR("");
    const size_t first = invocation->compiler + 1;
    invocation->dialect = dialect_of(compiler, words, first, count);
    const bool nvcc = invocation->dialect == DIALECT_NVCC;
    split(&given, &invocation->arena, nvcc ? invocation->launcher.variables.prepend : STR(""), false);
    for (size_t at = first; at < count; at++)
        str_list_add(&given, str_of(words[at]));
    split(&given, &invocation->arena, nvcc ? invocation->launcher.variables.append : STR(""), false);
    take_words(invocation, &given, 0);
    struct command_reader reading = {.invocation = invocation};
    for (size_t at = 0; at < all->count; at++)
        read_word(&reading, all, &at);
    invocation->debug = optimise_is_off(&reading.optimise);
    invocation->relocatable |= any_is_one_of(all, "-dc --device-c -dw --device-w");
    find_outputs(&reading);
    invocation->asks_ptxinfo = any_holds(all, STR("ptxinfo"));
    /* Like nvcc 13.0: relocatable code is final only after the link, so nvlink reports the resource usage instead of
     * ptxas. */
    invocation->asks_nvlink |= reading.resource_usage && invocation->relocatable;
    invocation->asks_ptxas |= (reading.resource_usage && !invocation->relocatable) || invocation->asks_ptxinfo;
    invocation->takes_ptxinfo |= str_starts(path_name(compiler), STR("nv"));
    find_sources(&reading, compiler);
    invocation->unread_reason = find_why_not(invocation, compiler);
    if (invocation->launcher.obstacle)
        invocation->outputs.count = 0;
}

bool invocation_runs_under(const struct invocation *invocation, const char *const *words, const char *list)
{
    SCOPED(arena) arena = {0};
    for (size_t at = 0; at < invocation->compiler; at++)
        if (str_is_one_of(path_name(str_of(words[at])), list))
            return true;
    const char *path = program_path(words[invocation->compiler], &arena);
    return path && str_is_one_of(path_name(str_of(path)), list);
}

void invocation_free(struct invocation *invocation)
{
    str_list_free(&invocation->words);
    str_list_free(&invocation->inputs);
    str_list_free(&invocation->sources);
    str_list_free(&invocation->outputs);
    free(invocation->before);
    str_list_free(&invocation->includes);
    str_list_free(&invocation->pre_includes);
    arena_free(&invocation->arena);
    *invocation = (struct invocation){0};
}

void invocation_forget_files(struct invocation *invocation)
{
    invocation->sources.count = invocation->outputs.count = 0;
    invocation->includes.count = invocation->pre_includes.count = 0;
}

/* Every write to a regular file changes its state. For other files a write cannot be detected. */
static bool has_written(const struct invocation *invocation, size_t output)
{
    struct stat after;
    bool there = stat(invocation->outputs.items[output].ptr, &after) == 0;
    if (!invocation->before || (there && !S_ISREG(after.st_mode)))
        return true;
    if (!there)
        return !invocation->names_output;
    const struct stat *before = &invocation->before[output];
    return before->st_dev != after.st_dev || before->st_ino != after.st_ino || before->st_size != after.st_size ||
           before->st_ctim.tv_sec != after.st_ctim.tv_sec || before->st_ctim.tv_nsec != after.st_ctim.tv_nsec;
}

void invocation_note_outputs(struct invocation *invocation)
{
    invocation->before = mem_alloc((invocation->outputs.count + 1) * sizeof *invocation->before);
    for (size_t at = 0; at < invocation->outputs.count; at++)
        if (stat(invocation->outputs.items[at].ptr, &invocation->before[at]) != 0)
            invocation->before[at] = (struct stat){0};
}

struct str invocation_drop_unwritten(struct invocation *invocation)
{
    struct str_list *outputs = &invocation->outputs;
    struct str first = {"", 0};
    size_t kept = 0;
    for (size_t at = 0; at < outputs->count; at++) {
        if (has_written(invocation, at)) {
            if (invocation->before)
                invocation->before[kept] = invocation->before[at];
            outputs->items[kept++] = outputs->items[at];
        } else if (first.len == 0) {
            first = outputs->items[at];
        }
    }
    outputs->count = kept;
    return first;
}

static bool is_input(const struct invocation *invocation, const struct stat *output)
{
    struct stat input;
    for (size_t at = 0; at < invocation->inputs.count; at++)
        if (stat(invocation->inputs.items[at].ptr, &input) == 0 && input.st_dev == output->st_dev &&
            input.st_ino == output->st_ino)
            return true;
    return false;
}

/* Such a path leads to a file that some process has open. */
static bool leads_to_descriptor(struct str path)
{
    return str_starts(path, STR("/proc/")) || (str_starts(path, STR("/dev/")) && !str_starts(path, STR("/dev/shm/")));
}

/* The file that a link leads to. Returns false with errno if there is none, or if the link leads to a descriptor. Does
 * not allocate memory, like all code that removes outputs. */
static bool follow_links(struct str link, char path[PATH_MAX])
{
    char to[PATH_MAX] = "";
    if (readlink(link.ptr, to, sizeof to - 1) < 0)
        return false;
    errno = EPERM;
    return !leads_to_descriptor(link) && !leads_to_descriptor(str_of(to)) && realpath(link.ptr, path);
}

/* If the output is a link, the compiler has written to the file behind it, and that file is removed. */
static void remove_output(const struct invocation *invocation, struct str output, struct removal *removal)
{
    struct stat status;
    bool there = stat(output.ptr, &status) == 0, stuck = !there && errno != ENOENT && errno != ENOTDIR;
    if (there && S_ISREG(status.st_mode) && !is_input(invocation, &status)) {
        char file[PATH_MAX];
        bool direct = lstat(output.ptr, &status) == 0 && !S_ISLNK(status.st_mode);
        stuck = !(direct || follow_links(output, file)) || unlink(direct ? output.ptr : file) != 0;
        if (!stuck && removal->count++ == 0)
            removal->first = output;
    }
    if (stuck && removal->stuck.len == 0) {
        removal->error = errno;
        removal->stuck = output;
    }
}

struct removal invocation_remove_outputs(const struct invocation *invocation)
{
    struct removal removal = {0};
    for (size_t at = 0; at < invocation->outputs.count; at++)
        if (has_written(invocation, at))
            remove_output(invocation, invocation->outputs.items[at], &removal);
    return removal;
}
