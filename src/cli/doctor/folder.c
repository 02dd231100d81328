/* Finds signs in a build folder and in a compiler; see doctor.h. */
#include "cli/doctor/doctor.h"

#include "cli/folder.h"
#include "cli/records.h"
#include "nvcc/object.h"
#include "nvcc/probe.h"
#include "nvcc/program.h"
#include "nvcc/triton_cache.h"

enum { LARGEST_FILE = 1 << 26 };

/* ---- CMake's cache ---------------------------------------------------------------------------------------------- */

/* The value of "NAME:TYPE=VALUE" in CMakeCache.txt; empty if it is not set. */
static struct str cached_value(struct str text, struct str name)
{
    struct str rest = text, line;
    while (str_split(&rest, '\n', &line)) {
        size_t equals = str_find_char(line, '=');
        if (equals != STR_NONE && str_starts(line, name) && line.len > name.len && line.ptr[name.len] == ':')
            return str_trim(str_from(line, equals + 1));
    }
    return STR("");
}

static bool runs_warplint(struct str launcher)
{
    struct str word;
    while (str_split(&launcher, ';', &word))
        if (str_eq(word, STR("warplint")) || str_ends(word, STR("/warplint")))
            return true;
    return false;
}

static void see_cmake(struct evidence *evidence, struct str path, struct str text)
{
    static const struct str others[] = {STR_INIT("CMAKE_CXX_COMPILER_LAUNCHER"), STR_INIT("CMAKE_C_COMPILER_LAUNCHER")};
    static const struct str without[] = {STR_INIT("Visual Studio"), STR_INIT("Xcode"), STR_INIT("Borland"),
                                         STR_INIT("Green Hills")};
    struct str generator = cached_value(text, STR("CMAKE_GENERATOR"));
    struct str launcher = cached_value(text, STR("CMAKE_CUDA_COMPILER_LAUNCHER"));
    if (evidence->build.len == 0)
        evidence->build = arena_str(&evidence->arena, str_sub(path, 0, path_folder(path).len - 1));
    SCOPED(buf) command = {0}; /* that CMake makes of the list of launchers */
    for (struct str rest = launcher, word; str_split(&rest, ';', &word);)
        buf_fmt(&command, str_find_char(word, ' ') == STR_NONE ? "%.*s " : "\"%.*s\" ", STR_ARG(word));
    buf_add(&command, STR("nvcc"));
    evidence_launchers(evidence, buf_str(&command), path, 0);
    for (size_t at = 0; at < sizeof others / sizeof *others && !runs_warplint(launcher); at++)
        if (runs_warplint(cached_value(text, others[at])))
            evidence_see(evidence, SIGN_OTHER_LAUNCHER, path, 0, others[at]);
    for (size_t at = 0; at < sizeof without / sizeof *without; at++)
        if (str_starts(generator, without[at]))
            evidence_see(evidence, SIGN_NO_LAUNCHERS, path, 0, generator);
}

/* ---- files of build tools --------------------------------------------------------------------------------------- */

static void see_lines(struct evidence *evidence, struct str path, struct str text)
{
    struct str rest = text, line;
    for (uint64_t number = 1; str_split(&rest, '\n', &line); number++)
        if (str_find(line, STR("warplint")) != STR_NONE || str_find(line, STR("ccache")) != STR_NONE)
            evidence_launchers(evidence, line, path, number);
}

/* Examines every file with this name below the folder. */
static void see_files(struct evidence *evidence, const char *name, bool cmake, struct diags *diags)
{
    SCOPED(path_list) list = {0};
    file_walk(evidence->path, str_of(name), &list, NULL); /* errors were reported when records were searched */
    for (size_t at = 0; at < list.count; at++) {
        SCOPED(buf) text = {0};
        if (!str_eq(path_name(list.paths[at]), str_of(name)) ||
            !file_read(list.paths[at], INPUT_REGULAR, LARGEST_FILE, &text, diags))
            continue;
        evidence_see(evidence, SIGN_BUILD_FILES, list.paths[at], 0, STR(""));
        (cmake ? see_cmake : see_lines)(evidence, list.paths[at], buf_str(&text));
    }
}

static void see_objects(struct evidence *evidence)
{
    SCOPED(path_list) list = {0};
    file_walk(evidence->path, STR(".o"), &list, NULL);
    for (size_t at = 0; at < list.count; at++) {
        if (folder_is_trial(str_from(list.paths[at], evidence->path.len)) ||
            !object_has_device_code(arena_cstr(&evidence->arena, list.paths[at])))
            continue;
        evidence_see(evidence, SIGN_OBJECTS, list.paths[at], 0, STR(""));
        evidence_see(evidence, SIGN_BUILD_FILES, list.paths[at], 0, STR(""));
    }
}

_Static_assert((int)SIGN_SOURCELESS - (int)SIGN_STALE == (int)RECORD_SOURCELESS,
               "signs of faults stand in their order");

void evidence_folder(struct evidence *evidence, const struct path_list *records, struct diags *diags)
{
    struct records_state state;
    struct arena *arena = &evidence->arena;
    SCOPED(triton_entries) entries = {0};
    evidence_see(evidence, SIGN_FOLDER, STR(""), 0, STR(""));
    see_files(evidence, "CMakeCache.txt", true, diags);
    see_files(evidence, "rules.ninja", false, diags);
    see_files(evidence, "build.ninja", false, diags);
    see_files(evidence, "build.make", false, diags);
    see_files(evidence, "Makefile", false, diags);
    /* The build tool is make if the folder has a Makefile that CMake did not write and no CMakeLists.txt. */
    if (evidence->build.len || file_exists(arena_fmt(arena, "%.*s/CMakeLists.txt", STR_ARG(evidence->path))))
        evidence_see(evidence, SIGN_CMAKE, STR(""), 0, STR(""));
    else if (file_exists(arena_fmt(arena, "%.*s/Makefile", STR_ARG(evidence->path))))
        evidence_see(evidence, SIGN_MAKE, STR(""), 0, STR(""));
    see_objects(evidence);
    if (triton_cache_list(evidence->path, &entries, NULL) && entries.count)
        evidence_see(evidence, SIGN_TRITON, STR(""), 0, STR(""));
    records_compare(evidence->path, records, &state, arena);
    for (int fault = 0; fault < RECORD_FAULTS; fault++) {
        const struct path_count *paths = &state.faulty[fault];
        const enum sign sign = (enum sign)(SIGN_STALE + fault);
        if (paths->count)
            evidence_see(evidence, sign, paths->first, 0, STR(""));
        evidence->signs[sign].count = paths->count;
    }
    evidence->signs[SIGN_SOURCELESS].detail = state.gone_source;
    evidence->unrecorded = state.unrecorded;
}

/* ---- compilers -------------------------------------------------------------------------------------------------- */

void evidence_compiler(struct evidence *evidence)
{
    struct str word = evidence->path;
    const char *name = arena_cstr(&evidence->arena, word);
    if (!program_path(name, &evidence->arena)) {
        evidence_see(evidence, SIGN_NO_COMPILER, word, 0, STR(""));
        return;
    }
    if (!probe_is_compiler(name)) {
        evidence_see(evidence, SIGN_OTHER_PROGRAM, word, 0, STR(""));
        return;
    }
    struct compiler_features features = probe_compiler(name, STR(""));
    if (!features.prefix)
        evidence_see(evidence, SIGN_NO_HOOK, word, 0, STR(""));
    if (!features.remarks)
        evidence_see(evidence, SIGN_NO_REMARKS, word, 0, STR(""));
}
