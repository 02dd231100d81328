/*
 * __completions bash|zsh|fish [FILE]: the script by which a shell completes our command lines, made of the tables that
 * parse them. The build calls it and installs what it writes.
 */
#include "cli/commands.h"
#include "cli/init/init.h"
#include "cli/settings.h"

#include "rules/field.h"

#include <stdlib.h>

enum kind { NOTHING, FILES, FOLDERS, WORDS, LIST, FORMAT_PATH };

/* What a value is, by the word that the help has for it. */
struct meaning {
    enum kind kind;
    struct str words; /* with blanks between them: of WORDS, LIST (with commas between several), FORMAT_PATH */
};

struct script {
    struct ruleset rules;
    struct arena arena;
    struct buf out;
    struct str rule_ids, fields, archs, formats, systems, lists, verbs, config_verbs, topics;
    bool failed;
    struct diags diags;
};

/* ---- words ------------------------------------------------------------------------------------------------------ */

static void add_word(struct buf *words, struct str word)
{
    if (words->len)
        buf_char(words, ' ');
    buf_add(words, word);
}

static struct str keep(struct script *script, struct buf *words)
{
    struct str kept = arena_str(&script->arena, buf_str(words));
    buf_free(words);
    return kept;
}

static struct str split_bars(struct script *script, struct str value)
{
    struct str words = arena_str(&script->arena, value);
    for (size_t at = 0; at < words.len; at++)
        if (words.ptr[at] == '|')
            ((char *)(uintptr_t)words.ptr)[at] = ' ';
    return words;
}

static void collect(struct script *script)
{
    struct buf rules = {0}, fields = {0}, archs = {0}, formats = {0}, systems = {0}, lists = {0};
    for (size_t at = 0; at < script->rules.count; at++)
        add_word(&rules, script->rules.rules[at].id);
    for (const struct field *field = field_after(NULL); field; field = field_after(field))
        add_word(&fields, str_of(field->name));
    for (size_t at = 0; at < arch_count; at++)
        add_word(&archs, arena_fmt(&script->arena, "sm_%d%d", arch_table[at].major, arch_table[at].minor));
    for (size_t at = 0; at < format_count; at++)
        add_word(&formats, str_of(format_table[at].name));
    for (size_t at = 0; at < ci_system_count; at++)
        add_word(&systems, str_of(ci_systems[at].word));
    add_word(&systems, STR("none"));
    for (size_t at = 0; list_word(at); at++)
        add_word(&lists, str_of(list_word(at)));
    script->rule_ids = keep(script, &rules);
    script->topics = arena_fmt(&script->arena, "%.*s expressions", STR_ARG(script->rule_ids));
    script->fields = keep(script, &fields);
    script->archs = keep(script, &archs);
    script->formats = keep(script, &formats);
    script->systems = keep(script, &systems);
    script->lists = keep(script, &lists);
    script->verbs = split_bars(script, str_of(baseline_verbs));
    script->config_verbs = split_bars(script, str_of(config_verbs));
}

/* A word of the help that is not known here stops the build: what it means to a shell is to be said. */
static struct meaning value_of(struct script *script, const char *value)
{
    const struct {
        const char *value;
        enum kind kind;
        struct str words;
    } known[] = {
        {"FILE", FILES, STR("")},
        {"PATH", FILES, STR("")},
        {"PROGRAM", FILES, STR("")},
        {"DIR", FOLDERS, STR("")},
        {"FORMAT", WORDS, script->formats},
        {"FORMAT=PATH", FORMAT_PATH, script->formats},
        {"A[,A]", LIST, script->archs},
        {"RULE[,RULE]", LIST, script->rule_ids},
        {"SEVERITY", WORDS, STR("error warning note never")},
        {"SYSTEM", WORDS, script->systems},
        {"ARCH", WORDS, script->archs},
        {"BYTES", NOTHING, STR("")},
        {"KERNEL", NOTHING, STR("")},
        {"N", NOTHING, STR("")},
        {"N[,N]", NOTHING, STR("")},
        {"NAME", NOTHING, STR("")},
        {"PERCENT", NOTHING, STR("")},
        {"SIZE", NOTHING, STR("")},
        {"REGEX", NOTHING, STR("")},
        {"TEXT", NOTHING, STR("")},
        {"X.Y", NOTHING, STR("")},
    };
    for (size_t at = 0; at < sizeof known / sizeof *known; at++)
        if (str_eq(str_of(value), str_of(known[at].value)))
            return (struct meaning){known[at].kind, known[at].words};
    if (str_find_char(str_of(value), '|') != STR_NONE)
        return (struct meaning){WORDS, split_bars(script, str_of(value))};
    script->failed = !diag_error(&script->diags, (struct place){0},
                                 "completions: nobody knows what a value called '%s' is; value_of says it", value);
    return (struct meaning){NOTHING, STR("")};
}

/* What stands behind a command and is no option. */
static struct meaning argument_of(const struct script *script, const struct command *command)
{
    switch (command->bit) {
    case COMMAND_LIST: return (struct meaning){WORDS, script->lists};
    case COMMAND_CONFIG: return (struct meaning){WORDS, script->config_verbs};
    case COMMAND_EXPLAIN: return (struct meaning){WORDS, script->topics};
    case COMMAND_OCCUPANCY: return (struct meaning){NOTHING, STR("")};
    default: return (struct meaning){FILES, STR("")};
    }
}

/* ---- bash ------------------------------------------------------------------------------------------------------- */

static void bash_reply(struct script *script, const struct meaning *value)
{
    static const char *const calls[] = {
        [NOTHING] = "return",        [FILES] = "_warplint_files", [FOLDERS] = "_warplint_folders",
        [WORDS] = "_warplint_words", [LIST] = "_warplint_list",   [FORMAT_PATH] = "_warplint_format_path",
    };
    buf_add(&script->out, str_of(calls[value->kind]));
    if (value->words.len)
        buf_fmt(&script->out, " '%.*s'", STR_ARG(value->words));
}

static void bash_command(struct script *script, const struct command *command)
{
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    struct buf options = {0};
    buf_fmt(&script->out, "    %s)\n        case $prev in\n", command->name);
    for (size_t at = 0; at < count; at++) {
        add_word(&options, arena_fmt(&script->arena, "--%s", rows[at]->name));
        if (!rows[at]->value)
            continue;
        struct meaning value = value_of(script, rows[at]->value);
        buf_fmt(&script->out, "        --%s", rows[at]->name);
        if (rows[at]->letter)
            buf_fmt(&script->out, " | -%c", rows[at]->letter);
        buf_add(&script->out, STR(") "));
        bash_reply(script, &value);
        buf_add(&script->out, STR("; return ;;\n"));
    }
    struct meaning argument = argument_of(script, command);
    buf_fmt(&script->out, "        esac\n        options='%.*s'\n", STR_ARG(buf_str(&options)));
    if (command->bit == COMMAND_BASELINE)
        buf_fmt(&script->out,
                "        [ \"$COMP_CWORD\" = 2 ] && argument='_warplint_words \"%.*s\"' || argument=_warplint_files\n",
                STR_ARG(script->verbs));
    else if (argument.kind == WORDS)
        buf_fmt(&script->out, "        argument='_warplint_words \"%.*s\"'\n", STR_ARG(argument.words));
    else
        buf_fmt(&script->out, "        argument=%s\n", argument.kind == FILES ? "_warplint_files" : "");
    buf_add(&script->out, STR("        ;;\n"));
    buf_free(&options);
}

/* Nothing here wants /dev/fd, which a bare chroot lacks. */
static const char bash_head[] =
    "# bash completion of warplint; made by the build from its tables of options\n"
    "_warplint_words() { COMPREPLY=($(compgen -W \"$1\" -- \"$cur\")); }\n"
    "_warplint_files() {\n"
    "    local IFS=$'\\n'\n"
    "    compopt -o filenames 2>/dev/null\n"
    "    COMPREPLY=($(compgen \"${1:--f}\" -- \"$cur\"))\n"
    "}\n"
    "_warplint_folders() { _warplint_files -d; }\n"
    "_warplint_list() {\n"
    "    local before=\n"
    "    [[ $cur != *,* ]] || before=${cur%,*},\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    COMPREPLY=($(compgen -P \"$before\" -W \"$1\" -- \"${cur##*,}\"))\n"
    "}\n"
    "_warplint_format_path() {\n"
    "    compopt -o nospace 2>/dev/null\n"
    "    COMPREPLY=($(compgen -S = -W \"$1\" -- \"$cur\"))\n"
    "}\n"
    "_warplint() {\n"
    "    local cur=${COMP_WORDS[COMP_CWORD]} prev=${COMP_WORDS[COMP_CWORD - 1]} options='' argument='' at\n"
    "    COMPREPLY=()\n"
    "    # `=` is a word of its own for bash: --option=value, -o FORMAT=PATH\n"
    "    [[ $cur != = ]] || cur=\n"
    "    if [[ ${COMP_WORDS[COMP_CWORD]} == = || $prev == = ]]; then\n"
    "        at=$((COMP_CWORD - 1))\n"
    "        [[ $prev != = ]] || at=$((COMP_CWORD - 2))\n"
    "        prev=${COMP_WORDS[at]}\n"
    "        [[ $prev == -* ]] || { _warplint_files; return; }\n"
    "    fi\n";

static void bash_script(struct script *script)
{
    struct buf *out = &script->out, names = {0};
    for (size_t at = 0; at < command_count; at++)
        add_word(&names, str_of(commands[at]->name));
    buf_add(out, str_of(bash_head));
    buf_fmt(
        out,
        "    if [ \"$COMP_CWORD\" = 1 ]; then\n        _warplint_words '%.*s --help --version'\n        return\n"
        "    fi\n    for ((at = 2; at < COMP_CWORD; at++)); do\n        if [[ ${COMP_WORDS[at]} == -- ]]; then\n"
        "            if [[ ${COMP_WORDS[1]} == wrap || ${COMP_WORDS[1]} == tune ]] && ((at + 1 == COMP_CWORD)); then\n"
        "                COMPREPLY=($(compgen -c -- \"$cur\"))\n            else\n"
        "                _warplint_files\n            fi\n            return\n        fi\n    done\n"
        "    case ${COMP_WORDS[1]} in\n",
        STR_ARG(buf_str(&names)));
    for (size_t at = 0; at < command_count; at++)
        bash_command(script, commands[at]);
    buf_add(out, STR("    *) return ;;\n    esac\n    if [[ $cur == -* ]]; then\n"
                     "        _warplint_words \"$options\"\n    elif [ -n \"$argument\" ]; then\n"
                     "        eval \"$argument\"\n    fi\n}\ncomplete -F _warplint warplint\n"));
    buf_free(&names);
}

/* ---- zsh -------------------------------------------------------------------------------------------------------- */

/* In single quotes of a shell and in a specification of _arguments. */
static void add_said(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (c == '\'')
            buf_add(out, STR("'\\''"));
        else if (c == '[' || c == ']' || c == ':' || c == '\\')
            buf_fmt(out, "\\%c", c);
        else
            buf_char(out, c);
    }
}

static void zsh_value(const struct meaning *value, struct buf *out)
{
    switch (value->kind) {
    case FILES: buf_add(out, STR("_files")); break;
    case FOLDERS: buf_add(out, STR("_files -/")); break;
    case WORDS: buf_fmt(out, "(%.*s)", STR_ARG(value->words)); break;
    case LIST: buf_fmt(out, "_sequence compadd - %.*s", STR_ARG(value->words)); break;
    case FORMAT_PATH: buf_fmt(out, "_warplint_format_path %.*s", STR_ARG(value->words)); break;
    case NOTHING: break;
    }
}

static void zsh_option(struct script *script, const struct option_row *info)
{
    struct buf *out = &script->out;
    buf_fmt(out, "            '*--%s%s[", info->name, info->value ? "=" : "");
    add_said(str_of(info->help), out);
    buf_add(out, STR("]"));
    if (info->value) {
        struct meaning value = value_of(script, info->value);
        buf_add(out, STR(":"));
        add_said(str_of(info->value), out);
        buf_add(out, STR(":"));
        zsh_value(&value, out);
    }
    buf_add(out, STR("' \\\n"));
    if (!info->letter)
        return;
    size_t end = out->len, start = str_rfind(str_sub(buf_str(out), 0, end), STR("'*--"));
    struct buf copy = {0};
    buf_add(&copy, str_sub(buf_str(out), start, end));
    struct str rest = str_from(buf_str(&copy), 4 + strlen(info->name) + (info->value != NULL));
    buf_fmt(out, "            '*-%c%s%.*s", info->letter, info->value ? "+" : "", STR_ARG(rest));
    buf_free(&copy);
}

static void zsh_command(struct script *script, const struct command *command)
{
    struct buf *out = &script->out;
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    struct meaning argument = argument_of(script, command);
    buf_fmt(out, "        %s)\n        _arguments -s \\\n", command->name);
    for (size_t at = 0; at < count; at++)
        zsh_option(script, rows[at]);
    if (command->bit == COMMAND_BASELINE)
        buf_fmt(out, "            '1:what:(%.*s)' '*:file:_files'\n", STR_ARG(script->verbs));
    else if (command->runs_compiler)
        buf_add(out, STR("            '*::compiler: _normal'\n"));
    else {
        buf_add(out, STR("            '*:argument:"));
        zsh_value(&argument, out);
        buf_add(out, STR("'\n"));
    }
    buf_add(out, STR("        ;;\n"));
}

static void zsh_script(struct script *script)
{
    struct buf *out = &script->out;
    buf_add(out,
            STR("#compdef warplint\n# zsh completion of warplint; made by the build from its tables of options\n\n"
                "_warplint_format_path() {\n    if compset -P '*='; then\n        _files\n    else\n"
                "        compadd -S = -- $@\n    fi\n}\n\n_warplint() {\n    local curcontext=$curcontext state line\n"
                "    local -a names\n    names=(\n"));
    for (size_t at = 0; at < command_count; at++) {
        buf_fmt(out, "        '%s:", commands[at]->name);
        add_said(str_of(commands[at]->what), out);
        buf_add(out, STR("'\n"));
    }
    buf_add(out,
            STR("    )\n    _arguments -C '--help[this text]' '--version[the version]' '1: :->command' '*:: :->rest'\n"
                "    case $state in\n    command) _describe command names ;;\n    rest)\n        case $line[1] in\n"));
    for (size_t at = 0; at < command_count; at++)
        zsh_command(script, commands[at]);
    buf_add(out, STR("        esac\n        ;;\n    esac\n}\n\n_warplint \"$@\"\n"));
}

/* ---- fish ------------------------------------------------------------------------------------------------------- */

static void fish_quoted(struct str text, struct buf *out)
{
    buf_char(out, '\'');
    for (size_t at = 0; at < text.len; at++)
        buf_fmt(out, "%s%c", text.ptr[at] == '\'' || text.ptr[at] == '\\' ? "\\" : "", text.ptr[at]);
    buf_char(out, '\'');
}

static void fish_format_path(struct str words, struct buf *out)
{
    struct str rest = words, word;
    buf_add(out, STR(" -r -F -a '"));
    for (const char *before = ""; str_split(&rest, ' ', &word); before = " ")
        buf_fmt(out, "%s%.*s=", before, STR_ARG(word));
    buf_char(out, '\'');
}

static void fish_value(const struct meaning *value, struct buf *out)
{
    if (value->kind == FILES)
        buf_add(out, STR(" -r -F"));
    else if (value->kind == FOLDERS)
        buf_add(out, STR(" -x -a '(__fish_complete_directories)'"));
    else if (value->kind == LIST)
        buf_fmt(out, " -x -a '(__warplint_list %.*s)'", STR_ARG(value->words));
    else if (value->kind == FORMAT_PATH)
        fish_format_path(value->words, out);
    else
        buf_add(out, STR(" -x"));
    if (value->kind == WORDS)
        buf_fmt(out, " -a '%.*s'", STR_ARG(value->words));
}

static void fish_command(struct script *script, const struct command *command)
{
    struct buf *out = &script->out;
    const struct option_row *rows[MOST_OPTIONS];
    size_t count = settings_options(command, rows);
    struct meaning argument = argument_of(script, command);
    buf_fmt(out, "\ncomplete -c warplint -n __fish_use_subcommand -f -a %s -d ", command->name);
    fish_quoted(str_of(command->what), out);
    buf_char(out, '\n');
    for (size_t at = 0; at < count; at++) {
        buf_fmt(out, "complete -c warplint -n '__fish_seen_subcommand_from %s' -l %s", command->name, rows[at]->name);
        if (rows[at]->letter)
            buf_fmt(out, " -s %c", rows[at]->letter);
        if (rows[at]->value) {
            struct meaning value = value_of(script, rows[at]->value);
            fish_value(&value, out);
        }
        buf_add(out, STR(" -d "));
        fish_quoted(str_of(rows[at]->help), out);
        buf_char(out, '\n');
    }
    if (command->bit == COMMAND_BASELINE)
        argument = (struct meaning){WORDS, script->verbs};
    if (argument.kind == WORDS)
        buf_fmt(out, "complete -c warplint -n '__fish_seen_subcommand_from %s' %s -a '%.*s'\n", command->name,
                command->bit == COMMAND_BASELINE ? "-F" : "-f", STR_ARG(argument.words));
    else if (command->runs_compiler)
        buf_fmt(out,
                "complete -c warplint -n '__fish_seen_subcommand_from %s' -F -a '(__fish_complete_subcommand --)'\n",
                command->name);
    else
        buf_fmt(out, "complete -c warplint -n '__fish_seen_subcommand_from %s' %s\n", command->name,
                argument.kind == FILES ? "-F" : "-f");
}

static void fish_script(struct script *script)
{
    struct buf *out = &script->out;
    buf_add(
        out,
        STR("# fish completion of warplint; made by the build from its tables of options\n"
            "function __warplint_list\n    set -l before (string match -r '^.*,' -- (commandline -ct | string replace "
            "-r '^--[a-z-]*=' ''))\n    for word in $argv\n        echo \"$before$word\"\n    end\nend\n\n"
            "complete -c warplint -n __fish_use_subcommand -f\n"
            "complete -c warplint -n __fish_use_subcommand -l help -d 'this text'\n"
            "complete -c warplint -n __fish_use_subcommand -l version -d 'the version'\n"));
    for (size_t at = 0; at < command_count; at++)
        fish_command(script, commands[at]);
}

/* ---- the command ------------------------------------------------------------------------------------------------ */

static bool write_script(struct script *script, struct str path)
{
    struct out out;
    if (!out_open(&out, path, &script->diags))
        return false;
    buf_add(&out.text, buf_str(&script->out));
    return out_close(&out, &script->diags);
}

int cmd_completions(int argc, char **argv)
{
    static const struct {
        const char *name;
        void (*make)(struct script *script);
    } shells[] = {{"bash", bash_script}, {"fish", fish_script}, {"zsh", zsh_script}};
    struct script script = {0};
    bool made = false;
    bool ok = ruleset_load_builtin(&script.rules, &script.diags);
    collect(&script);
    for (size_t at = 0; ok && (argc == 2 || argc == 3) && at < sizeof shells / sizeof *shells; at++) {
        if (!str_eq(str_of(argv[1]), str_of(shells[at].name)))
            continue;
        shells[at].make(&script);
        made = true;
    }
    if (!made)
        diag_error(&script.diags, (struct place){0},
                   COMPLETIONS_COMMAND " takes bash, fish or zsh, and a file or none");
    ok = made && !script.failed && write_script(&script, argc == 3 ? str_of(argv[2]) : STR("-"));
    buf_free(&script.out);
    arena_free(&script.arena);
    ruleset_free(&script.rules);
    say_diags(&script.diags);
    return ok ? STATUS_OK : made ? STATUS_UNTRUSTED : STATUS_USAGE;
}
