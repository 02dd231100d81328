#include "config/config.h"

#include "base/file.h"

#include <stddef.h>
#include <stdlib.h>

enum { LARGEST_FILE = 1 << 20, MOST_FILES = 16 };

/* ---- search for the file ---- */

/* True for a dangling link too: opening it fails, and that is reported. */
static bool is_there(struct str folder, const char *name)
{
    SCOPED(arena) arena = {0};
    return file_name_exists(arena_fmt(&arena, "%.*s%s", STR_ARG(folder), name));
}

/* `folder` is "", "../", "../../": folder and its parent are one at the root of the file system. */
static bool is_root(struct str folder)
{
    SCOPED(arena) arena = {0};
    struct str above = arena_fmt(&arena, "%.*s..", STR_ARG(folder));
    return !file_exists(above) || file_same(arena_fmt(&arena, "%.*s.", STR_ARG(folder)), above);
}

/* Changes the folder to its parent: removes its last name, or appends "../" if there is none. */
static void go_up(struct buf *folder)
{
    struct str path = buf_str(folder);
    struct str names = str_sub(path, 0, path.len ? path.len - 1 : 0), last = path_name(names);
    if (last.len && !str_eq(last, STR(".")) && !str_eq(last, STR("..")))
        folder->len -= last.len + 1;
    else
        buf_add(folder, STR("../"));
}

bool config_find(struct str from, struct buf *path)
{
    SCOPED(buf) folder = {0};
    const char *name = NULL;
    buf_add(&folder, from);
    if (folder.len && folder.ptr[folder.len - 1] != '/')
        buf_char(&folder, '/');
    for (;; go_up(&folder)) {
        struct str here = buf_str(&folder);
        name = is_there(here, CONFIG_NAME) ? CONFIG_NAME : is_there(here, CONFIG_WRONG_NAME) ? CONFIG_WRONG_NAME : NULL;
        if (name || is_there(here, ".git") || is_root(here))
            break;
    }
    if (name)
        buf_fmt(path, "%.*s%s", STR_ARG(buf_str(&folder)), name);
    return name != NULL;
}

/* ---- the files ---- */

/* A path in a file is relative to the folder of the file. */
static struct str path_from(struct config *config, struct str file, struct str path)
{
    struct str folder = path.ptr[0] == '/' ? STR("") : path_folder(file);
    return arena_fmt(&config->arena, "%.*s%.*s", STR_ARG(folder), STR_ARG(path));
}

/* True for a map in which all keys are settings. */
static bool is_configuration(const struct yml_node *root)
{
    bool known = root && root->kind == YML_MAP;
    for (const struct yml_node *member = known ? root->first : NULL; member && known; member = member->next)
        known = decode_find_key(config_keys, config_key_count, member->key);
    return known;
}

/* Reads a file that another one extends. It may be any file, even a private key, so errors do not show its lines and
 * values unless it is a configuration. */
static bool parse_unquoted(struct config_file *file, struct str text, struct diags *diags)
{
    SCOPED(diags) found = {0};
    bool ok = yml_parse(&file->yaml, file->path, text, &found);
    file->yaml.unquoted = !ok || !is_configuration(file->yaml.root);
    for (size_t at = 0; at < found.count; at++)
        found.items[at].place.source = STR("");
    diags_append(diags, &found);
    return ok;
}

static bool parse_file(struct config_file *file, enum input_allowed allowed, struct place asked_at, struct diags *diags)
{
    SCOPED(buf) text = {0};
    struct diags unread = {0};
    bool ok = file_read(file->path, allowed, LARGEST_FILE, &text, &unread) &&
              (asked_at.path.len ? parse_unquoted(file, buf_str(&text), diags)
                                 : yml_parse(&file->yaml, file->path, buf_str(&text), diags));
    diags_add_unread(diags, &unread, file->path, asked_at, "");
    return ok;
}

static void read_extends(struct config *config, struct config_file *file, struct diags *diags)
{
    const struct yml_node *node = yml_member(file->yaml.root, STR("extends"));
    if (!node)
        return;
    struct yaml_decoder r = {.yaml = &file->yaml, .arena = &config->arena, .diags = diags};
    file->extends = decode_text(&r, node, "the path of another configuration");
    file->extends_place = yml_place(&file->yaml, node);
}

/* True, with an error, if the next file of the chain is already in it. */
static bool is_cycle(const struct config *config, const struct config_file *file, struct str next, struct diags *diags)
{
    for (size_t at = 0; at < config->file_count; at++)
        if (file_same(config->files[at].path, next))
            return !diag_error(diags, file->extends_place, "'%.*s' extends itself%s", STR_ARG(next),
                               at == 0 ? "" : ", by way of other files");
    if (config->file_count < MOST_FILES)
        return false;
    return !diag_error(diags, file->extends_place, "more than %d files extend each other", MOST_FILES);
}

/* Reads the chain of files from `path` to its base; each is stored before the one that extends it. */
static void load_files(struct config *config, struct str path, enum input_allowed allowed, struct diags *diags)
{
    struct place asked_at = {0};
    struct config_file *all = arena_alloc(&config->arena, MOST_FILES * sizeof *all);
    for (bool more = true; more;) {
        struct config_file *file = config->files = &all[MOST_FILES - ++config->file_count];
        file->path = arena_str(&config->arena, path);
        if (parse_file(file, allowed, asked_at, diags))
            read_extends(config, file, diags);
        else
            file->yaml.root = NULL;
        more = file->extends.len > 0;
        if (more) {
            path = path_from(config, file->path, file->extends);
            asked_at = file->extends_place;
            allowed = INPUT_REGULAR;
            more = !is_cycle(config, file, path, diags);
        }
    }
}

/* ---- the keys of a file ---- */

static void read_fail_on(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct config *config = into;
    const bool never = str_eq(node->scalar, STR("never"));
    enum severity severity = SEVERITY_OFF;
    if (!never && !(severity_parse(node->scalar, &severity) && severity != SEVERITY_OFF)) {
        decode_fail(r, node, "error, warning, note or never");
        return;
    }
    config->fail_on = severity;
    config->has_fail_on = true;
    config->fail_on_place = yml_place(r->yaml, node);
}

static void read_baseline(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct config *config = into;
    struct str path = decode_text(r, node, "the path of a baseline");
    if (!path.len)
        return;
    config->baseline = path_from(config, config->reading->path, path);
    config->baseline_place = yml_place(r->yaml, node);
}

static void read_sms(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    const struct scope nothing = {.groups = true, .regexes = r->regexes};
    struct config *config = into;
    config->sms = arch_value_read(r, node, &launch_facts[LAUNCH_sms].key, &nothing);
    if (config->sms)
        config->sms->by_chip = true;
}

static void read_rules_dir(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct config *config = into;
    struct str path = decode_text(r, node, "the path of a folder");
    if (!path.len)
        return;
    path = path_from(config, config->reading->path, path);
    if (file_is_dir(path)) {
        config->reading->rules_dir = path;
    } else {
        config->rules_missing = true;
        diag_error(r->diags, yml_place(r->yaml, node), "'%.*s' is not a folder", STR_ARG(path));
    }
}

/* ---- rules ---- */

static void read_severity(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule_setting *setting = into;
    setting->has_severity = decode_severity(r, node, &setting->severity);
    setting->severity_place = yml_place(r->yaml, node);
}

static void read_params(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct rule_setting *setting = into;
    setting->params = decode_members(r, node, YML_MAP, "a map of parameters and their values");
    for (const struct yml_node *member = setting->params; member; member = member->next)
        if (!decode_is_text(member))
            decode_fail(r, member, "a number, true, false or a text");
}

/* True if the map has a key that only rules have, so it defines a rule. */
static bool is_definition(const struct yml_node *node)
{
    static const char *const signs[] = {"when", "event", "pattern", "message", "cases", "title"};
    for (size_t at = 0; at < sizeof signs / sizeof *signs; at++)
        if (yml_member(node, str_of(signs[at])))
            return true;
    return false;
}

static void read_setting(const struct yaml_decoder *r, const struct yml_node *node, struct config *config)
{
    static const struct decode_key keys[] = {{.name = "severity", .read = read_severity},
                                             {.name = "params", .read = read_params}};
    struct rule_setting *setting = MEM_ADD(config->settings, config->setting_count, config->setting_cap);
    *setting = (struct rule_setting){.file = config->reading, .node = node, .defines = is_definition(node)};
    if (setting->defines)
        return; /* read as a rule after the rules before it */
    if (node->kind == YML_SCALAR)
        read_severity(r, node, setting);
    else if (node->kind == YML_MAP)
        decode_map(r, node, "the setting of a rule", keys, sizeof keys / sizeof *keys, setting);
    else
        decode_fail(r, node, "error, warning, note, off or a map with severity and params");
}

static void read_rules(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    const struct yml_node *member = decode_members(r, node, YML_MAP, "a map of rules");
    for (; member; member = member->next)
        read_setting(r, member, into);
}

/* ---- kernels and exceptions ---- */

static struct kernel_override *add_entry(struct config *config)
{
    return MEM_ADD(config->entries, config->entry_count, config->entry_cap);
}

/* entry: the index of the entry that contains the list, or NO_INDEX. */
static void read_exceptions(const struct yaml_decoder *r, const struct yml_node *node, struct config *config,
                            uint32_t entry)
{
    const char *expected = "a list of exceptions, as in `[{rule: register-spill, reason: TEXT}]`";
    const struct yml_node *member = decode_members(r, node, YML_LIST, expected);
    for (; member; member = member->next) {
        const struct yml_node *kernel = NULL;
        struct exception exception;
        exception_read(r, member, entry != NO_INDEX, &exception, &kernel);
        exception.entry = kernel ? (uint32_t)config->entry_count : entry;
        if (kernel)
            kernel_override_of_exception(r, kernel, add_entry(config));
        *MEM_ADD(config->exceptions, config->exception_count, config->exception_cap) = exception;
    }
}

static void read_allow(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    read_exceptions(r, node, into, NO_INDEX);
}

static void read_kernels(const struct yaml_decoder *r, const struct yml_node *node, void *into)
{
    struct config *config = into;
    const struct yml_node *member = decode_members(r, node, YML_LIST, "a list of entries");
    for (; member; member = member->next) {
        const struct yml_node *exceptions = NULL;
        kernel_override_read(r, member, add_entry(config), &exceptions);
        if (exceptions)
            read_exceptions(r, exceptions, config, (uint32_t)(config->entry_count - 1));
    }
}

/* ---- loading and freeing ---- */

/* To add a setting, add a row, with the text that `init` writes. */
const struct decode_key config_keys[] = {
    {"extends", NULL, 0, "../team.yaml", "read first; this file overrides it, key by key"},
    {"archs", decode_archs, offsetof(struct config, archs), "[sm_80, sm_90]", "judge only these architectures"},
    {"fail-on", read_fail_on, 0, "warning", "error, warning, note or never: what fails"},
    {"baseline", read_baseline, 0, "warplint-baseline.json", "judge only what is new or worse than this"},
    {"rules", read_rules, 0, NULL, "severity and parameters of rules; here as they are built in"},
    {"rules-dir", read_rules_dir, 0, "lint/rules", "a folder with rules of your own"},
    {"sms", read_sms, 0, "{sm_80: 108, sm_90: 132}", "SMs of the product, for what a whole GPU reserves"},
    {"kernels", read_kernels, 0, NULL, "what is known of kernels; the last entry that matches wins, key by key"},
    {"allow", read_allow, 0, NULL, "exceptions for any kernel; each needs a reason"},
};
const size_t config_key_count = sizeof config_keys / sizeof *config_keys;

bool config_load(struct config *config, struct str path, enum input_allowed allowed, struct diags *diags)
{
    size_t errors = diags->errors, first = diags->count;
    *config = (struct config){0};
    load_files(config, path, allowed, diags);
    EACH(struct config_file, file, config->files, config->file_count) {
        struct yaml_decoder r = {
            .yaml = &file->yaml, .arena = &config->arena, .regexes = &config->regexes, .diags = diags};
        config->reading = file;
        if (file->yaml.root)
            decode_map(&r, file->yaml.root, "the configuration", config_keys, config_key_count, config);
    }
    diags_sort(diags, first);
    return diags->errors == errors;
}

void config_free(struct config *config)
{
    EACH(struct config_file, file, config->files, config->file_count)
        yml_free(&file->yaml);
    regex_list_free(&config->regexes);
    free(config->settings);
    free(config->entries);
    free(config->exceptions);
    arena_free(&config->arena);
    *config = (struct config){0};
}
