#define _POSIX_C_SOURCE 200809L
#include "nvcc/probe.h"

#include "base/file.h"
#include "nvcc/pool.h"
#include "nvcc/program.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LARGEST_CACHE_BYTES = 1 << 16, MOST_WORDS = 24 };

#define PROBE_PREFIX "warplint-probe"

const char *const remark_options[REMARK_OPTIONS] = {
    "-Xcicc=--Xopt,-pass-remarks=unroll",
    "-Xcicc=--Xopt,-pass-remarks-missed=unroll",
};

/* ---- asking ----------------------------------------------------------------------------------------------------- */

/* A question to the compiler, and two files in the pool's folder: an empty input, and the name of an output. */
struct question {
    const char *word;
    struct str host_compiler;
    const char *input, *output;
    struct pool pool;
};

/* False if there is no folder. Call pool_end afterwards. */
static bool prepare(struct question *question, struct arena *arena)
{
    enum { MOST_SECONDS = 20 };
    if (!pool_begin(&question->pool, MOST_SECONDS, arena, NULL))
        return false;
    question->input = arena_fmt(arena, "%s/empty.ii", question->pool.folder).ptr;
    question->output = arena_fmt(arena, "%s/made", question->pool.folder).ptr;
    return file_write(str_of(question->input), STR(""), NULL);
}

/* ---- the dry run ------------------------------------------------------------------------------------------------ */

/* Results of the dry run. */
struct shown {
    struct str here, cicc_folder, path; /* values of its variables */
    struct str first_arch, last_arch;   /* first and last architecture that it calls cicc for: "compute_75" */
    bool remarks, prefix;
};

/* Reads one line of the dry run: "#$ NAME=VALUE" or "#$ COMMAND". */
static void read_shown(struct str line, struct shown *shown)
{
    const struct {
        struct str name;
        struct str *value;
    } variables[] = {
        {STR("_HERE_="), &shown->here}, {STR("CICC_PATH="), &shown->cicc_folder}, {STR("PATH="), &shown->path}};
    if (!str_starts(line, STR("#$ ")))
        return;
    line = str_from(line, 3);
    for (size_t at = 0; at < sizeof variables / sizeof *variables; at++)
        if (str_starts(line, variables[at].name))
            *variables[at].value = str_trim(str_from(line, variables[at].name.len));
    shown->prefix |= str_starts(line, STR(PROBE_PREFIX " ptxas "));
    struct str arch = str_after(line, STR(" -arch "));
    arch = str_sub(arch, 0, str_find_char(arch, ' '));
    if (str_find(str_sub(line, 0, str_find_char(line, ' ')), STR("cicc")) == STR_NONE || arch.len == 0)
        return;
    shown->remarks |= str_find(line, STR("--Xopt -pass-remarks=unroll")) != STR_NONE ||
                      str_find(line, STR("\"-pass-remarks=unroll\"")) != STR_NONE;
    shown->first_arch = shown->first_arch.len ? shown->first_arch : arch;
    shown->last_arch = arch;
}

/* Does one dry run. `archs`: an option, or NULL for the architectures that the compiler chooses itself. */
static bool dry_run(struct question *question, const char *archs, bool remarks, struct shown *shown, struct buf *answer)
{
    const char *words[MOST_WORDS] = {
        question->word, "--dryrun",      "--ptxas-prefix=" PROBE_PREFIX, "-c", "-x", "cu", question->input,
        "-o",           question->output};
    size_t count = 9; /* number of the words above */
    if (archs)
        words[count++] = archs;
    if (question->host_compiler.len) {
        words[count++] = "-ccbin";
        words[count++] = question->host_compiler.ptr;
    }
    for (size_t at = 0; remarks && at < REMARK_OPTIONS; at++)
        words[count++] = remark_options[at];
    *shown = (struct shown){0};
    buf_clear(answer);
    if (pool_ask(&question->pool, words, answer) != 0)
        return false;
    struct str text = buf_str(answer), line;
    while (str_split(&text, '\n', &line))
        read_shown(line, shown);
    return true;
}

/* ---- cicc ------------------------------------------------------------------------------------------------------- */

/* Compiles the empty file with the options as cicc gets them: nvcc does not know which options cicc accepts. */
static bool cicc_takes(struct question *question, const char *cicc, struct str arch, struct arena *arena)
{
    const char *words[MOST_WORDS] = {cicc, "-arch",         arena_cstr(arena, arch), "-m64", question->input,
                                     "-o", question->output};
    size_t count = 7; /* number of the words above */
    for (size_t at = 0; at < REMARK_OPTIONS; at++) {
        words[count++] = "--Xopt";
        words[count++] = strchr(remark_options[at], ',') + 1;
    }
    bool ok = pool_ask(&question->pool, words, NULL) == 0 && access(question->output, F_OK) == 0;
    unlink(question->output);
    return ok;
}

/* Asks cicc for the first and the last architecture, because old and new architectures have different optimisers. */
static bool ask_cicc(struct question *question, const struct shown *shown, struct arena *arena)
{
    const char *cicc = shown->cicc_folder.len ? program_find("cicc", shown->cicc_folder, arena) : NULL;
    cicc = cicc ? cicc : program_find("cicc", shown->path, arena);
    return cicc && cicc_takes(question, cicc, shown->first_arch, arena) &&
           (str_eq(shown->first_arch, shown->last_arch) || cicc_takes(question, cicc, shown->last_arch, arena));
}

static void take_version(struct str word, char *version)
{
    size_t length = word.len < VERSION_BYTES ? word.len : 0;
    if (length)
        memcpy(version, word.ptr, length);
    version[length] = '\0';
}

/* Takes the version from "Cuda compilation tools, release 13.0, V13.0.88". */
static void ask_version(struct question *question, const char *program, char *version)
{
    const char *const words[] = {program, "--version", NULL};
    SCOPED(buf) answer = {0};
    version[0] = '\0';
    if (!program || pool_ask(&question->pool, words, &answer) != 0)
        return;
    struct str digits = str_after(buf_str(&answer), STR(", V"));
    size_t length = 0;
    while (length < digits.len && (is_digit(digits.ptr[length]) || digits.ptr[length] == '.'))
        length++;
    take_version(str_sub(digits, 0, length), version);
}

bool probe_is_compiler(const char *word)
{
    static const struct str names[] = {STR_INIT("Cuda compilation tools"), STR_INIT("clang version"),
                                       STR_INIT("NVIDIA Compilers"), STR_INIT("PGI Compilers")};
    const char *const words[] = {word, "--version", NULL};
    struct question question = {.word = word};
    SCOPED(arena) arena = {0};
    SCOPED(buf) answer = {0};
    bool found = false;
    bool answered = prepare(&question, &arena) && pool_ask(&question.pool, words, &answer) == 0;
    for (size_t at = 0; at < sizeof names / sizeof *names; at++)
        found |= answered && str_find(buf_str(&answer), names[at]) != STR_NONE;
    pool_end(&question.pool);
    return found;
}

static const char *nvcc_of(const struct shown *shown, struct arena *arena)
{
    return program_path(arena_fmt(arena, "%.*s/nvcc", STR_ARG(shown->here)).ptr, arena);
}

const char *probe_nvcc(const char *word, struct arena *arena)
{
    struct question question = {.word = word};
    struct shown shown;
    SCOPED(buf) answer = {0};
    const char *nvcc = NULL;
    if (prepare(&question, arena) && dry_run(&question, NULL, false, &shown, &answer))
        nvcc = nvcc_of(&shown, arena);
    pool_end(&question.pool);
    return nvcc;
}

/* The programs that the word leads to; NULL if unknown. */
struct programs {
    const char *nvcc, *ptxas;
};

/* False if the compiler could not be asked; the answer may be different another time. */
static bool ask_compiler(struct question *question, struct compiler_features *features, struct programs *programs,
                         struct arena *arena)
{
    SCOPED(buf) answer = {0};
    struct shown shown;
    const char *const archs[] = {"-arch=all-major", NULL};
    bool answered = false, refused = false;
    for (int remarks = 1; remarks >= 0 && !answered; remarks--) {
        for (size_t at = 0; at < 2 && !answered; at++) {
            answered = dry_run(question, archs[at], remarks, &shown, &answer);
            shown.remarks &= remarks != 0;
            refused |= !answered && str_find(buf_str(&answer), STR("nknown option")) != STR_NONE;
        }
    }
    *features = (struct compiler_features){0};
    if (!answered)
        return refused;
    features->prefix = shown.prefix;
    features->remarks = shown.remarks && ask_cicc(question, &shown, arena);
    programs->nvcc = nvcc_of(&shown, arena);
    programs->ptxas = program_find("ptxas", arena_str(arena, shown.path), arena);
    ask_version(question, programs->nvcc, features->nvcc);
    ask_version(question, programs->ptxas, features->ptxas);
    return true;
}

/* ---- the cache -------------------------------------------------------------------------------------------------- */

/* The cache file for the program of that path; creates its folder if necessary. NULL: there is no cache. */
static const char *cache_file(const char *path, struct arena *arena)
{
    const char *cache = getenv("XDG_CACHE_HOME"), *home = getenv("HOME");
    struct str base = {"", 0};
    if (cache && cache[0] == '/')
        base = str_of(cache);
    else if (home && home[0] == '/')
        base = arena_fmt(arena, "%s/.cache", home);
    if (base.len == 0)
        return NULL;
    const char *folder = arena_fmt(arena, "%.*s/warplint", STR_ARG(base)).ptr;
    if (mkdir(folder, 0700) != 0 && errno == ENOENT) {
        mkdir(arena_cstr(arena, base), 0700);
        mkdir(folder, 0700);
    }
    return arena_fmt(arena, "%s/compiler-%016llx", folder, (unsigned long long)str_hash(str_of(path))).ptr;
}

/* "SIZE SECONDS.NANOSECONDS PATH": the program is the same as long as this text is the same. */
static struct str identity_of(const char *path, struct arena *arena)
{
    struct stat status;
    if (stat(path, &status) != 0)
        return arena_fmt(arena, "none %s", path);
    return arena_fmt(arena, "%lld %lld.%09ld %s", (long long)status.st_size, (long long)status.st_mtim.tv_sec,
                     status.st_mtim.tv_nsec, path);
}

/* The contents of the cache file: first everything that the answer depends on, then the answer. The answer depends on
 * the word's program, on the nvcc that the program led to, on the ptxas of that nvcc, and, if the program is not that
 * nvcc itself, on the PATH that led to it. */
static struct str cache_text(const char *path, const struct programs *programs,
                             const struct compiler_features *features, struct arena *arena)
{
    uint64_t way = strcmp(path, programs->nvcc) == 0 ? 0 : str_hash(str_of(getenv("PATH")));
    return arena_fmt(arena, "warplint compiler 2\n%s\n%s\n%s\nPATH %016llx\nremarks %d prefix %d nvcc %s ptxas %s\n",
                     identity_of(path, arena).ptr, identity_of(programs->nvcc, arena).ptr,
                     identity_of(programs->ptxas, arena).ptr, (unsigned long long)way, features->remarks,
                     features->prefix, features->nvcc, features->ptxas);
}

/* The path in an identity, "SIZE TIME PATH". */
static const char *program_of(struct str identity, struct arena *arena)
{
    struct str word;
    str_split(&identity, ' ', &word);
    str_split(&identity, ' ', &word);
    return arena_cstr(arena, identity);
}

static bool cache_read(const char *file, const char *path, struct compiler_features *features, struct arena *arena)
{
    enum { LINES = 6, WORDS = 8 };
    SCOPED(buf) text = {0};
    if (!file_read(str_of(file), INPUT_REGULAR, LARGEST_CACHE_BYTES, &text, NULL))
        return false;
    struct str rest = buf_str(&text), lines[LINES] = {{NULL, 0}}, words[WORDS] = {{NULL, 0}};
    for (int at = 0; at < LINES; at++)
        str_split(&rest, '\n', &lines[at]);
    for (int at = 0; at < WORDS; at++)
        str_split(&lines[LINES - 1], ' ', &words[at]);
    struct programs programs = {program_of(lines[2], arena), program_of(lines[3], arena)};
    features->remarks = str_eq(words[1], STR("1"));
    features->prefix = str_eq(words[3], STR("1"));
    take_version(words[5], features->nvcc);
    take_version(words[7], features->ptxas);
    return str_eq(buf_str(&text), cache_text(path, &programs, features, arena));
}

/* Asks the compiler and stores the answer in the file; file may be NULL. */
static struct compiler_features ask_and_remember(const char *word, struct str host_compiler, const char *path,
                                                 const char *file, struct arena *arena)
{
    struct question question = {.word = word, .host_compiler = host_compiler};
    struct compiler_features features = {0};
    struct programs programs = {0};
    bool answered = prepare(&question, arena) && ask_compiler(&question, &features, &programs, arena);
    pool_end(&question.pool);
    programs.nvcc = programs.nvcc ? programs.nvcc : path;
    programs.ptxas = programs.ptxas ? programs.ptxas : path;
    if (answered && file)
        file_write(str_of(file), cache_text(path, &programs, &features, arena), NULL);
    return features;
}

struct compiler_features probe_compiler(const char *word, struct str host_compiler)
{
    SCOPED(arena) arena = {0};
    struct compiler_features features = {0};
    const char *path = program_path(word, &arena), *file = path ? cache_file(path, &arena) : NULL;
    if (path && !(file && cache_read(file, path, &features, &arena)))
        features = ask_and_remember(word, host_compiler, path, file, &arena);
    return features;
}
