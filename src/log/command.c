#include "log/command.h"

#include "log/optimise.h"
#include "log/option.h"

#include <string.h>

bool command_word(struct str *rest, struct str *word)
{
    *rest = str_skip_blanks(*rest);
    if (rest->len == 0)
        return false;
    size_t at = 0;
    char quote = '\0';
    for (; at < rest->len && (quote || !is_space_or_tab(rest->ptr[at])); at++) {
        char c = rest->ptr[at];
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? '\0' : c;
    }
    *word = str_sub(*rest, 0, at);
    *rest = str_from(*rest, at);
    if (word->len > 1 && (word->ptr[0] == '"' || word->ptr[0] == '\'') && word->ptr[word->len - 1] == word->ptr[0])
        *word = str_sub(*word, 1, word->len - 1);
    return true;
}

static struct str base_name(struct str path)
{
    struct str name = path_name(path);
    size_t backslash = str_rfind(name, STR("\\"));
    return backslash == STR_NONE ? name : str_from(name, backslash + 1);
}

bool path_has_suffix(struct str path, const char *suffixes)
{
    size_t dot = str_rfind(path, STR("."));
    return dot != STR_NONE && dot > 0 && str_is_one_of(str_from(path, dot + 1), suffixes);
}

static bool is_compiler(struct str word)
{
    return str_is_one_of(base_name(word), "nvcc nvcc.exe nvcc_wrapper");
}

/* True for a command of ptxas, not a message of it: it has an option and an input file. */
static bool is_ptxas(struct str word, struct str rest, struct str *input)
{
    bool option = false;
    *input = STR("");
    if (!str_is_one_of(base_name(word), "ptxas ptxas.exe"))
        return false;
    while (command_word(&rest, &word)) {
        option |= word.len > 1 && word.ptr[0] == '-';
        if (path_has_suffix(word, "ptx s"))
            *input = word;
    }
    return option && input->len;
}

/* True for "clang++", "clang-22", "clang++-22.exe" that compile for CUDA or pass options to ptxas (OpenMP); most
 * commands of clang are for the host. */
static bool is_clang_for_device(struct str word, struct str rest)
{
    struct str name = base_name(word);
    if (!str_starts(name, STR("clang")))
        return false;
    for (name = str_from(name, 5); name.len && strchr("+-.0123456789", name.ptr[0]) && name.ptr[0];)
        name = str_from(name, 1);
    return (name.len == 0 || str_eq(name, STR("exe"))) &&
           (str_find(rest, STR("-x cuda")) != STR_NONE || str_find(rest, STR("-Xcuda-ptxas")) != STR_NONE);
}

/* Takes a source of the command; host sources are ignored if there are CUDA sources, because they have no kernels. */
static void take_source(struct str word, struct command *command)
{
    bool is_cuda = source_is_cuda(word), was_cuda = source_is_cuda(command->source);
    if (command->source.len == 0 || (is_cuda && !was_cuda)) {
        command->source = word;
        command->sources = 1;
    } else if (is_cuda == was_cuda) {
        command->sources += !str_eq(command->source, word);
    }
    command->several = command->sources > 1;
}

static void take_option(struct str word, const struct nvcc_option *option, struct str value, struct command *command,
                        struct optimise *optimise)
{
    command->rdc |= str_is_one_of(word, "-fgpu-rdc -dc --device-c");
    if (!option)
        return;
    optimise_take(optimise, option, value);
    command->rdc |= option->means == MEANS_RELOCATABLE && str_eq(value, STR("true"));
    command->verbose |=
        option->means == MEANS_RESOURCE_USAGE || (option->means == MEANS_PTXAS_OPTIONS && ptxas_asks_verbose(value));
}

/* True if nvcc compiles a source without a CUDA suffix for the host: "-x cu" is not given, and nvcc_wrapper does not
 * add it. */
static bool compiles_for_host(enum dialect dialect, struct str compiler, struct str language)
{
    return dialect == DIALECT_NVCC && !str_eq(base_name(compiler), STR("nvcc_wrapper")) && !str_eq(language, STR("cu"));
}

/* Reads the arguments up to the end or to a comment of the shell. */
static bool read_arguments(struct str compiler, struct str rest, enum dialect dialect, struct command *command)
{
    struct str word, language = STR("");
    struct optimise optimise = {0};
    bool works = false; /* the command links, or compiles files without a known suffix */
    while (command_word(&rest, &word) && (word.len == 0 || word.ptr[0] != '#')) {
        while (word.len && word.ptr[word.len - 1] == ')' && str_find_char(word, '(') == STR_NONE)
            word.len--;
        if (word.len == 0)
            continue;
        struct str value = {NULL, 0};
        const struct nvcc_option *option = word.ptr[0] == '-' ? option_find(dialect, word, &value) : NULL;
        if (option && option->takes != TAKES_NOTHING && !value.ptr && !command_word(&rest, &value))
            value = STR("");
        take_option(word, option, value, command, &optimise);
        if (option && option->means == MEANS_LANGUAGE)
            language = value;
        if (option && option->means < PHASE_COUNT && (enum nvcc_phase)option->means > command->phase)
            command->phase = option->means;
        optimise_see_word(&optimise, word);
        const bool is_file = word.ptr[0] != '-';
        if (is_file && path_has_suffix(word, "cu cuf CUF ptx cc cpp cxx c"))
            take_source(word, command);
        works |= (is_file && path_has_suffix(word, "o obj a lib so")) ||
                 (option && option->means >= PHASE_DEVICE_LINK && option->means <= PHASE_PTX);
    }
    optimise.asks_level =
        dialect == DIALECT_CLANG && (source_is_cuda(command->source) || str_eq(language, STR("cuda")));
    command->debug = optimise_is_off(&optimise);
    command->host_only = !source_is_cuda(command->source) && compiles_for_host(dialect, compiler, language);
    return command->source.len > 0 || works;
}

bool command_is_launcher(struct str word)
{
    return str_is_one_of(base_name(word), "buildcache cachepot ccache chrt cmake distcc env flock icecc ionice nice "
                                          "nohup numactl prlimit sccache setarch setsid stdbuf taskset time timeout");
}

static bool is_plus(char c)
{
    return c == '+';
}

/* True for a word that may precede a command: the prompt of a shell (`set -x` prints a "+" for each level) or of nvcc,
 * words of libtool, VAR=value, the path of a program. */
static bool may_lead(struct str word)
{
    size_t slash = str_find_char(word, '/');
    bool is_path = slash != STR_NONE && word.ptr[word.len - 1] != ':';
    return is_path || str_find_char(word, '=') != STR_NONE || str_span(word, is_plus) == word.len ||
           str_is_one_of(word, "$ #$ @ exec command libtool: compile:");
}

/* Finds the compiler in one command. If words precede it that neither run nor precede a command, the line may be a text
 * that quotes a command: then neither the source nor the options are known. */
static bool find_compiler(struct str text, struct command *command)
{
    enum { MOST_WORDS_BEFORE = 16 };
    struct str rest = text, word, input;
    bool launched = false /* after a launcher: its options and their values may follow */, certain = true;
    for (int words = 0; words < MOST_WORDS_BEFORE && command_word(&rest, &word); words++) {
        while (word.len && word.ptr[0] == '(')
            word = str_from(word, 1);
        if (is_compiler(word) || is_clang_for_device(word, rest)) {
            command->text = rest;
            bool found = read_arguments(word, rest, is_compiler(word) ? DIALECT_NVCC : DIALECT_CLANG, command);
            if (!certain)
                *command = (struct command){.text = rest};
            return found;
        }
        if (is_ptxas(word, rest, &input)) {
            struct optimise optimise = {0};
            ptxas_options_take(&optimise.ptxas, rest);
            *command =
                (struct command){.source = input, .of_ptxas = true, .debug = optimise_is_off(&optimise), .text = rest};
            return certain;
        }
        launched |= certain && (command_is_launcher(word) || str_eq(base_name(word), STR("warplint")));
        if (!launched && word.len && word.ptr[0] == '-')
            return false;
        certain &= launched || word.len == 0 || may_lead(word);
    }
    return false;
}

/* Takes the next command of the line, up to ";", "&" or "|" of the shell. These characters do not end it in quotes, nor
 * does the "&" of "2>&1". */
static bool next_command(struct str *line, struct str *command)
{
    size_t at = 0;
    char quote = '\0';
    if (line->len == 0)
        return false;
    for (; at < line->len; at++) {
        char c = line->ptr[at];
        bool redirects =
            c == '&' && ((at > 0 && line->ptr[at - 1] == '>') || str_starts(str_from(*line, at + 1), STR(">")));
        if (quote ? c == quote : c == '"' || c == '\'')
            quote = quote ? '\0' : c;
        else if (!quote && !redirects && (c == ';' || c == '&' || c == '|'))
            break;
    }
    *command = str_sub(*line, 0, at);
    *line = str_from(*line, at + (at < line->len));
    return true;
}

static bool compiles_nothing(struct str text)
{
    struct str word;
    while (command_word(&text, &word)) {
        while (word.len && (word.ptr[0] == '(' || word.ptr[0] == ')'))
            word = str_from(word, 1);
        if (str_span(word, is_plus) < word.len)
            return str_is_one_of(base_name(word),
                                 ": cd mkdir rm mv cp ln touch echo printf set export true test [ tee grep sed cat");
    }
    return true;
}

/* Reads "cd DIR" or "(cd DIR": sets the folder of the following commands. The folder becomes unknown (empty) after
 * "cd", "cd -", "cd ~x" and a second cd to a relative folder. */
static void take_folder(struct str text, struct str *folder)
{
    struct str word, before = *folder;
    bool is_cd = false;
    while (!is_cd && command_word(&text, &word)) {
        while (word.len && word.ptr[0] == '(')
            word = str_from(word, 1);
        if (word.len && !str_eq(word, STR("cd")) && !may_lead(word))
            return;
        is_cd = str_eq(word, STR("cd"));
    }
    if (!is_cd)
        return;
    bool named = command_word(&text, folder) && folder->len && !strchr("-~$`", folder->ptr[0]);
    if (!named || (before.len && folder->ptr[0] != '/'))
        *folder = STR("");
}

/* Reads the commands of a line of the shell. If there are several, it is unknown which one prints, so only their common
 * properties are used. If ptxas itself is run, the output is that of ptxas. */
static bool find_compilers(struct str line, struct command *command)
{
    struct str rest = line, text, folder = STR(""), input = STR("");
    bool any = false, debug = true, differ = false, ptxas = false, ptxas_debug = true;
    while (next_command(&rest, &text)) {
        struct command one = {0};
        take_folder(text, &folder);
        bool found = find_compiler(text, &one);
        if (found && one.of_ptxas) {
            input = ptxas ? STR("") : one.source;
            ptxas = true;
            ptxas_debug &= one.debug;
            command->text = command->text.len ? command->text : one.text;
            continue;
        }
        debug &= found ? one.debug : compiles_nothing(text);
        if (!found)
            continue;
        if (!any)
            command->text = str_from(line, (size_t)(one.text.ptr - line.ptr));
        if (one.source.len) {
            one.folder = path_is_relative(one.source) ? folder : STR("");
            differ |=
                command->source.len && !(str_eq(command->source, one.source) && str_eq(command->folder, one.folder));
            command->source = one.source;
            command->folder = one.folder;
        }
        command->several |= one.several;
        command->sources += one.sources;
        command->rdc |= one.rdc;
        command->verbose |= one.verbose;
        folder = str_ends(str_trim(text), STR(")")) ? STR("") : folder;
        command->host_only = one.host_only && (command->host_only || !any);
        command->phase = any && command->phase < one.phase ? command->phase : one.phase;
        any = true;
    }
    if (differ || !any)
        command->source = any ? STR("") : input;
    command->of_ptxas = ptxas && !any;
    command->phase = ptxas ? PHASE_COMPILE : command->phase;
    command->debug = ptxas ? ptxas_debug : any && debug;
    return any || ptxas;
}

bool command_is_of_host(struct str line)
{
    struct str rest = line, word, piece;
    bool found = false;
    while (command_word(&rest, &word)) {
        for (struct str name = base_name(word); str_split(&name, '-', &piece);) /* "x86_64-linux-gnu-gcc-12" */
            found |= str_is_one_of(piece, "cc c++ gcc g++ clang clang++ icx icpx icpc nvc nvc++");
        if (found && str_eq(word, STR("-c")))
            return true;
    }
    return false;
}

/* True for a command of another compiler that runs ptxas (nvfortran with "-gpu=ptxinfo", icpx). The source of the
 * following output is unknown, because a source without device code prints nothing. */
static bool find_other(struct str line)
{
    struct str rest = line, word;
    bool found = false;
    if (str_find(line, STR("ptxinfo")) == STR_NONE && str_find(line, STR("-Xcuda-ptxas")) == STR_NONE)
        return false;
    for (bool first = true; !found && command_word(&rest, &word); first = false) {
        if (word.len == 0 || (first && word.ptr[0] == '-'))
            return false;
        found = word.ptr[0] == '-' && (str_eq(word, STR("-Xcuda-ptxas")) || str_find(word, STR("ptxinfo")) != STR_NONE);
    }
    return found;
}

static struct str without_object_suffix(struct str path)
{
    size_t suffix = str_ends(path, STR(".o")) ? 2 : str_ends(path, STR(".obj")) ? 4 : 0;
    return str_sub(path, 0, path.len - suffix);
}

/* Takes the first folder from the path if it is one of these names (separated by blanks). */
static bool take_folder_named(struct str *path, const char *names)
{
    size_t end = 0;
    while (end < path->len && path->ptr[end] != '/' && path->ptr[end] != '\\')
        end++;
    if (end == path->len || !str_is_one_of(str_sub(*path, 0, end), names))
        return false;
    *path = str_from(*path, end + 1);
    return true;
}

/* An object of CMake: "src/CMakeFiles/foo.dir/sub/k.cu.o" is of src/sub/k.cu, because the build has the folders of the
 * sources. Ninja Multi-Config adds a folder for the configuration; "__" stands for "..". The object of a source outside
 * of the project has its whole path: "src/CMakeFiles/foo.dir/home/me/k.cu.o" may be of /home/me/k.cu or of
 * src/home/me/k.cu, so the source is unknown. */
static void take_object(struct str object, struct command *command)
{
    static const struct str ends[] = {STR_INIT(".dir/"), STR_INIT(".dir\\")};
    size_t dir = str_find_any(object, ends, 2), files = str_find(object, STR("CMakeFiles"));
    if (dir == STR_NONE || files > dir || !path_is_relative(object))
        return;
    command->source = without_object_suffix(str_from(object, dir + 5));
    command->folder = str_sub(object, 0, files);
    take_folder_named(&command->source, "Debug Release RelWithDebInfo MinSizeRel");
    bool is_outside = take_folder_named(&command->source, "C_ D_ Users home mnt opt root srv tmp usr var");
    while (take_folder_named(&command->source, "__")) {
        is_outside |= command->folder.len == 0;
        command->folder = path_folder(path_without_end_slashes(command->folder));
    }
    if (is_outside)
        command->source = STR("");
}

/* Reads the name of an object of CMake's FindCUDA: "CMakeFiles/demo.dir/sub/demo_generated_k.cu.o" is made from
 * sub/k.cu. False if the object has another form of name. */
static bool take_generated(struct str object, struct command *command)
{
    static const struct str mark = STR_INIT("_generated_");
    take_object(object, command);
    const struct str name = path_name(command->source), folder = path_folder(command->source);
    const size_t target = str_find(name, mark);
    const bool has_two_folders = folder.len && command->folder.len; /* command->folder holds one slice */
    command->source = has_two_folders || target == STR_NONE ? STR("") : str_from(name, target + mark.len);
    command->folder = folder.len ? folder : command->folder;
    return target != STR_NONE;
}

/* An object of Meson: "src/libk.a.p/d.cu.o" is of src/d.cu. Meson writes "_" for the slashes in the path of a source:
 * "sub_c.cu.o" may be of sub/c.cu or of sub_c.cu, so such a source is unknown. */
static void take_meson_object(struct str object, struct command *command)
{
    const size_t target = str_rfind(object, STR(".p/"));
    if (target == STR_NONE || str_find_char(str_from(object, target), '_') != STR_NONE)
        return;
    command->source = without_object_suffix(str_from(object, target + 3));
    command->folder = path_folder(str_sub(object, 0, target));
}

static bool is_of_progress(char c)
{
    return is_digit(c) || (c && strchr(" /%.:+-s", c)); /* NINJA_STATUS may add the percentage and the time */
}

/* Skips "[3/57] " (ninja, printed at the end of a command, before its output) or "[ 25%] " (make, printed at its
 * start). A label such as "[gpu/libs] " says nothing about the output. */
static struct str skip_progress(struct str line, bool *buffered)
{
    enum { LONGEST = 18 };
    if (line.len == 0 || line.ptr[0] != '[')
        return line;
    size_t end = str_find(str_sub(line, 0, LONGEST), STR("] "));
    if (end == STR_NONE)
        return line;
    struct str progress = str_sub(line, 1, end);
    *buffered = str_find_char(progress, '/') != STR_NONE && str_span(progress, is_of_progress) == progress.len;
    return str_from(line, end + 2);
}

/* True for the progress line of a step that is no compile known here, but may run ptxas: "[3/57] Generating k.cubin".
 * text: the line without the progress. After a step of ninja only its own output follows. */
static bool is_other_step(struct str line, struct str text, bool buffered)
{
    static const struct str silent[] = {
        STR_INIT("Building ASM object "), STR_INIT("Building C object "),   STR_INIT("Building CXX object "),
        STR_INIT("Built target "),        STR_INIT("Linking C "),           STR_INIT("Linking CXX "),
        STR_INIT("Linking CUDA exec"),    STR_INIT("Linking CUDA shared "), STR_INIT("Linking CUDA static ")};
    if (text.len == line.len)
        return false;
    struct str progress = str_skip_blanks(str_from(line, 1));
    const size_t digits = str_span(progress, is_digit);
    progress = str_from(progress, digits);
    return digits && (buffered ? str_starts(progress, STR("/")) && is_digit(progress.ptr[1])
                               : str_starts(progress, STR("%]")) &&
                                     !str_starts_any(text, silent, sizeof silent / sizeof *silent));
}

static bool take_between(struct str line, struct str before, struct str after, struct str *middle)
{
    size_t at = str_find(line, before);
    if (at == STR_NONE)
        return false;
    struct str rest = str_from(line, at + before.len);
    size_t end = after.len ? str_rfind(rest, after) : rest.len;
    *middle = str_trim(str_sub(rest, 0, end));
    return end != STR_NONE && middle->len > 0;
}

/* The headline of an action of Bazel, whose complete output follows: "INFO: From Compiling k.cu:", "ERROR:
 * /src/BUILD:5:1: Compiling k.cu failed: (Exit 1): ...". Only "Compiling", which rules_cuda writes, names the source.
 */
static bool take_action(struct str line, struct command *command)
{
    struct str action = str_sub(line, 0, str_find(line, STR(" failed: (")));
    if (action.len < line.len && str_find(action, STR("ERROR: ")) != STR_NONE &&
        str_find(action, STR("/BUILD")) != STR_NONE)
        action = str_from(action, str_rfind(action, STR(": ")) + 2);
    else if (!str_ends(str_trim(line), STR(":")) || !take_between(line, STR("INFO: From "), STR(":"), &action))
        return false;
    command->buffered = true;
    if (str_take(&action, STR("Compiling ")))
        command->source = str_sub(action, 0, str_find(action, STR(" [for "))); /* "[for tool]": the configuration */
    return true;
}

/* Skips the prompt of Windows, which MSBuild prints before each command: "C:\\My Work\\src>". */
static struct str skip_prompt(struct str line)
{
    bool drive = line.len > 2 && line.ptr[1] == ':' && line.ptr[2] == '\\';
    size_t end = drive || str_starts(line, STR("\\\\")) ? str_find_char(line, '>') : STR_NONE;
    return end == STR_NONE ? line : str_from(line, end + 1);
}

bool command_find(struct str line, struct command *command)
{
    struct str object;
    *command = (struct command){0};
    const struct str text = skip_progress(line, &command->buffered);
    const bool is_other = is_other_step(line, text, command->buffered);
    line = skip_prompt(text);
    if (take_between(line, STR("Building CUDA object "), STR(""), &object)) {
        take_object(object, command);
        command->phase = str_ends(object, STR(".ptx")) ? PHASE_PTX : PHASE_COMPILE;
        return true;
    }
    if (take_between(line, STR("Compiling Cuda object "), STR(""), &object)) {
        take_meson_object(object, command);
        command->phase = PHASE_COMPILE;
        return true;
    }
    if (take_between(line, STR("Building NVCC (Device) object "), STR(""), &object))
        return take_generated(object, command) || is_other;
    if (take_action(line, command))
        return true;
    if (take_between(line, STR("Compiling CUDA source file "), STR("..."), &command->source))
        return true;
    return find_compilers(line, command) || find_other(line) || is_other;
}

bool command_restates(struct str source, const struct command *command)
{
    return command->text.len && source.len && str_eq(base_name(source), base_name(command->source));
}

/* True for a character next to a target, as in "code=sm_80", "-arch sm_80" and "code=[compute_80,sm_80]", but not in a
 * path. */
static bool is_beside_target(char c)
{
    return (unsigned char)c <= ' ' || strchr("=,[]\"'\\", c);
}

/* Finds the next target of a kind ("sm_") in *rest, for example "sm_90a", and removes the text up to its end. */
static bool next_target(struct str *rest, struct str kind, struct str *target)
{
    const struct str text = *rest;
    size_t at = 0, found = 0;
    while ((found = str_find(str_from(text, at), kind)) != STR_NONE) {
        const size_t begin = at + found, number = begin + kind.len;
        size_t end = number;
        while (end < text.len && (is_digit(text.ptr[end]) || text.ptr[end] == 'a' || text.ptr[end] == 'f'))
            end++;
        at = end;
        if (end == number || !is_digit(text.ptr[number]) || (begin && !is_beside_target(text.ptr[begin - 1])) ||
            (end < text.len && !is_beside_target(text.ptr[end])))
            continue;
        *target = str_sub(text, begin, end);
        *rest = str_from(text, end);
        return true;
    }
    return false;
}

bool command_names(struct str text, struct str arch)
{
    struct str target;
    while (next_target(&text, STR("sm_"), &target))
        if (str_eq(target, arch))
            return true;
    return false;
}

size_t command_targets(struct str text)
{
    struct str rest = text, target;
    size_t count = 0;
    while (next_target(&rest, STR("sm_"), &target))
        count += !command_names(str_sub(text, 0, (size_t)(target.ptr - text.ptr)), target);
    return count;
}

bool command_toolkit(struct str line, struct toolkit *toolkit)
{
    static const struct str heads[] = {STR_INIT("Cuda compilation tools, release "),
                                       STR_INIT("The CUDA compiler identification is NVIDIA ")};
    enum { HEADS = sizeof heads / sizeof *heads };
    size_t end = 0, points = 0;
    struct str version = str_from(line, str_find_any(line, heads, HEADS));
    version = str_from(version, str_starts_any(version, heads, HEADS));
    while (end < version.len && (is_digit(version.ptr[end]) || (version.ptr[end] == '.' && points++ == 0)))
        end++;
    return toolkit_parse(str_sub(version, 0, end), toolkit);
}

/* True if the PTX may be a file that the compiler names after this source: "k.ptx"; a temporary file of a longer
 * compile is "tmpxft_0001_0000-6_k.compute_80.ptx" (nvcc) or "k-sm_80-1f.s" (clang). */
static bool is_named_after(struct str ptx, struct str source, bool temporary)
{
    struct str name = base_name(ptx), stem = base_name(source);
    stem = str_sub(stem, 0, str_rfind(stem, STR(".")));
    if (str_starts(name, STR("tmpxft_"))) {
        name = str_from(name, str_find_char(name, '-'));
        name = str_from(name, str_find_char(name, '_') + 1);
    }
    return str_take(&name, stem) && (temporary ? name.len && strchr(".-", name.ptr[0])
                                               : str_eq(name, STR(".ptx")) && str_eq(base_name(ptx), ptx));
}

/* The file that nvcc writes into a name with internal linkage, with "_" in place of every character that is no letter
 * and no digit: "sub_k_cu" in _GLOBAL__N__5ea31944_8_sub_k_cu_2c93c22d. Empty: the name has none. */
static struct str file_in_name(struct str name)
{
    static const struct str marks[] = {STR_INIT("_GLOBAL__N__"), STR_INIT("_INTERNAL_"), STR_INIT("__nv_static_")};
    uint64_t hash = 0, length = 0;
    struct str rest = str_from(name, str_find_any(name, marks, 3));
    const bool has_size = str_starts(rest, marks[2]); /* "__nv_static_30__5ea31944_8_sub_k_cu_2c93c22d" */
    rest = str_from(rest, str_starts_any(rest, marks, 3));
    if (has_size && !(str_uint(&rest, &length) && str_take(&rest, STR("__"))))
        return STR("");
    const bool has_file = str_hex(&rest, &hash) && str_take(&rest, STR("_")) && str_uint(&rest, &length) &&
                          str_take(&rest, STR("_")) && length < rest.len;
    return str_sub(rest, 0, has_file ? (size_t)length : 0);
}

bool command_may_print(struct str source, struct str name)
{
    const struct str file = file_in_name(name), base = base_name(source);
    if (!file.len || !path_has_suffix(base, "cu"))
        return true;
    for (size_t at = 0; at < base.len && file.len == base.len; at++)
        if (file.ptr[at] != (is_digit(base.ptr[at]) || is_ascii_letter(base.ptr[at]) ? base.ptr[at] : '_'))
            return false;
    return file.len == base.len;
}

bool command_assembles(const struct command *compile, struct str ptx)
{
    struct str rest = compile->text, word;
    if (ptx.len == 0 || compile->source.len == 0)
        return false;
    while (command_word(&rest, &word))
        if (str_eq(word, ptx))
            return true;
    return is_named_after(ptx, compile->source, compile->phase != PHASE_PTX);
}

/* ---- what a compile prints --------------------------------------------------------------------------------------- */

bool command_asks_verbose(struct str text)
{
    while (text.len) {
        size_t end = 0;
        while (end < text.len && !strchr(" ,=\"'", text.ptr[end]))
            end++;
        if (str_is_one_of(str_sub(text, 0, end), "-v --verbose --resource-usage -res-usage"))
            return true;
        text = str_from(text, end + 1);
    }
    return false;
}

/* True if the command has one of the words (a list separated by blanks). */
static bool has_word(struct str text, const char *words)
{
    struct str rest = text, word;
    while (command_word(&rest, &word))
        if (str_is_one_of(word, words))
            return true;
    return false;
}

/* True if the text names a target of that kind: "compute_90" in "-arch=compute_90", but not in compute_forces.cu. */
static bool targets(struct str text, struct str kind)
{
    struct str target;
    return next_target(&text, kind, &target);
}

bool source_is_cuda(struct str source)
{
    return path_has_suffix(source, "cu cuf CUF ptx");
}

bool source_may_hold_cuda(struct str source)
{
    return source_is_cuda(source) || path_has_suffix(source, "cuh h hh hpp hxx inl inc ipp tpp") ||
           str_ends(source, STR(".cu.cc")) || str_ends(source, STR(".cu.cpp"));
}

size_t command_sources_of_log(const struct model *model, uint16_t log, struct str *first)
{
    const struct log_info *info = &model->logs[log];
    struct str rest = info->compiled ? model_string(model, info->command) : STR(""), word;
    size_t count = 0;
    bool is_output = false;
    while (rest.len && str_split(&rest, '\0', &word)) {
        if (!is_output && !str_starts(word, STR("-")) && source_is_cuda(word) && !(count && str_eq(word, *first))) {
            *first = count ? *first : word;
            count++;
        }
        is_output = str_eq(word, STR("-o"));
    }
    return count;
}

/* Toolkits have folders like /usr/local/cuda-13.0/include, .../targets/x86_64-linux/include and
 * site-packages/nvidia/cuda_runtime/include. */
bool source_is_library(struct str path)
{
    if (str_starts(path, STR("/usr/include/")) || str_starts(path, STR("/usr/lib/")) ||
        str_find(path, STR("/include/cccl/")) != STR_NONE ||
        str_find(path, STR("/NVIDIA GPU Computing Toolkit/")) != STR_NONE)
        return true;
    size_t include = str_find(path, STR("/include/"));
    const struct str folder = str_sub(path, 0, include == STR_NONE ? 0 : include);
    const struct str last = path_name(folder), above = path_folder(folder);
    return str_eq(last, STR("cuda")) || str_starts(last, STR("cuda-")) || str_ends(above, STR("/targets/")) ||
           str_ends(above, STR("/nvidia/"));
}

bool command_is_lto(struct str text)
{
    return has_word(text, "-dlto --dlink-time-opt -dlink-time-opt") ||
           (targets(text, STR("lto_")) && !targets(text, STR("sm_")));
}

enum command_output command_output(const struct command *command)
{
    struct str text = command->text;
    bool of_host = !source_is_cuda(command->source) && (command->host_only || text.len == 0);
    if (text.len == 0 && command->phase == PHASE_COMPILE) /* a progress line, which may not prove the source */
        return COMMAND_UNKNOWN;
    if (command->source.len == 0 || of_host || command->phase > PHASE_PTX)
        return COMMAND_NO_COMPILE;
    if (command_is_lto(text))
        return COMMAND_LTO;
    if (command->phase == PHASE_PTX || (targets(text, STR("compute_")) && !targets(text, STR("sm_"))))
        return COMMAND_PTX;
    if (text.len == 0)
        return COMMAND_UNKNOWN;
    return command->verbose ? COMMAND_VERBOSE : COMMAND_QUIET;
}

bool command_is_silent(const struct command *command)
{
    enum command_output output = command_output(command);
    return command->source.len &&
           (command->host_only || command->phase >= PHASE_PTX || output == COMMAND_LTO || output == COMMAND_PTX);
}
