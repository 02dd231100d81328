#include "base/file.h"
#include "base/yml.h"
#include "rules/embedded_rule.h"
#include "rules/rule.h"

#include <stdlib.h>
#include <string.h>

/* The index of the id in the sorted set, or where it would be inserted. */
static size_t find_position(const struct ruleset *set, struct str id, bool *found)
{
    size_t at = 0;
    MEM_FIND(at, set->count, str_cmp(set->rules[at].id, id) < 0);
    *found = at < set->count && str_eq(set->rules[at].id, id);
    return at;
}

/* Adds the rule, or replaces the one with its id. A rule that was read with errors (ok is false) is freed instead.
 * Returns ok. */
static bool insert_or_replace(struct ruleset *set, struct rule *rule, bool ok)
{
    bool found = false;
    if (!ok) {
        rule_free(rule);
        return false;
    }
    size_t at = find_position(set, rule->id, &found);
    if (found) {
        rule_free(&set->rules[at]);
    } else {
        set->rules = mem_reserve(set->rules, &set->cap, set->count + 1, sizeof *set->rules);
        memmove(&set->rules[at + 1], &set->rules[at], (set->count - at) * sizeof *set->rules);
        set->count++;
    }
    set->rules[at] = *rule;
    return true;
}

bool ruleset_add(struct ruleset *set, struct str path, struct str stem, struct str text, bool builtin,
                 struct diags *diags)
{
    SCOPED(yml) yaml = {0};
    struct rule rule = {0};
    bool ok = yml_parse(&yaml, path, text, diags) && rule_read(&rule, &yaml, &set->arena, false, diags);
    if (ok && !str_eq(rule.id, stem))
        ok = diag_error(diags, yml_place(&yaml, yml_member(yaml.root, STR("id"))),
                        "the id is '%.*s', the file's name says '%.*s'", STR_ARG(rule.id), STR_ARG(stem));
    rule.builtin = builtin;
    return insert_or_replace(set, &rule, ok);
}

bool ruleset_add_inline(struct ruleset *set, const struct yml *yaml, const struct yml_node *node, struct diags *diags)
{
    struct yml view = *yaml;
    struct rule rule = {0};
    view.root = node;
    return insert_or_replace(set, &rule, rule_read(&rule, &view, &set->arena, false, diags));
}

bool ruleset_load_builtin(struct ruleset *set, struct diags *diags)
{
    bool ok = true;
    for (size_t at = 0; at < builtin_rule_count; at++) {
        SCOPED(yml) yaml = {0};
        struct rule rule;
        embedded_rule_tree(&builtin_rules[at], &yaml);
        bool read = rule_read(&rule, &yaml, &set->arena, true, diags);
        rule.builtin = true; /* the build has checked that its file has its id as name */
        ok &= insert_or_replace(set, &rule, read);
    }
    return ok;
}

/* ---- a folder of rules ---- */

enum { LARGEST_RULE = 1 << 20 };

/* "no-spills" of "rules/no-spills.yaml". */
static struct str stem_of(struct str path)
{
    struct str name = path_name(path);
    return str_sub(name, 0, name.len - (sizeof ".yaml" - 1));
}

static bool add_file(struct ruleset *set, struct str path, struct diags *diags)
{
    SCOPED(buf) text = {0};
    return file_read(path, INPUT_REGULAR, LARGEST_RULE, &text, diags) &&
           ruleset_add(set, path, stem_of(path), buf_str(&text), false, diags);
}

/* Reports an error if another file below the folder has the same id. */
static bool is_alone(const struct path_list *files, size_t at, struct diags *diags)
{
    for (size_t before = 0; before < at; before++)
        if (str_eq(stem_of(files->paths[before]), stem_of(files->paths[at])))
            return diag_error(diags, (struct place){.path = files->paths[at]},
                              "the rule is in this folder twice, the other file is %.*s",
                              STR_ARG(files->paths[before]));
    return true;
}

bool ruleset_load_dir(struct ruleset *set, struct str path, struct diags *diags)
{
    enum { MOST_ENTRIES = 10000 };
    SCOPED(path_list) files = {0}, others = {0};
    path = path_without_end_slashes(path);
    if (file_is_regular(path))
        return diag_error(diags, (struct place){.path = path}, "is a file, expected the folder of the rules");
    bool ok = file_walk_at_most(path, STR(".yaml"), MOST_ENTRIES, &files, diags) &&
              file_walk_at_most(path, STR(".yml"), MOST_ENTRIES, &others, diags);
    for (size_t at = 0; at < others.count; at++)
        if (str_find(str_from(others.paths[at], path.len), STR("/.")) == STR_NONE) /* .github, .gitlab-ci.yml */
            diag_warning(diags, (struct place){.path = others.paths[at]},
                         "not read: the names of rules' files end in .yaml");
    if (ok && files.count + files.left_out == 0)
        ok = diag_error(diags, (struct place){.path = path},
                        "no rule is in this folder, expected files like no-spills.yaml");
    if (files.left_out)
        ok = diag_error(diags, (struct place){.path = files.first_left}, "is not a regular file, expected one");
    for (size_t at = 0; at < files.count; at++)
        ok = is_alone(&files, at, diags) && add_file(set, files.paths[at], diags) && ok;
    return ok;
}

void ruleset_free(struct ruleset *set)
{
    EACH(struct rule, rule, set->rules, set->count)
        rule_free(rule);
    free(set->rules);
    arena_free(&set->arena);
    *set = (struct ruleset){0};
}

/* ---- selection ---- */

const char *ruleset_nearest(const struct ruleset *set, struct str word)
{
    return set->count ? nearest_word(word, &set->rules->id.ptr, sizeof *set->rules, set->count) : NULL;
}

/* Selects or deselects the rule with that id, or all whose ids start with the word; returns how many. A rule that is
 * off and is selected by its full id is turned on as a note. */
static size_t choose_word(struct ruleset *set, struct str word, bool on)
{
    bool exact = false;
    size_t from = find_position(set, word, &exact), hits = 0;
    for (size_t at = from; word.len && at < set->count && str_starts(set->rules[at].id, word); at++) {
        set->rules[at].selected = on;
        if (on && exact && set->rules[at].severity == SEVERITY_OFF)
            set->rules[at].severity = SEVERITY_NOTE;
        hits++;
        if (exact)
            break;
    }
    return hits;
}

static bool choose_list(struct ruleset *set, struct str list, bool on, struct diags *diags)
{
    struct str word;
    bool ok = true;
    while (str_split(&list, ',', &word)) {
        word = str_trim(word);
        if (choose_word(set, word, on))
            continue;
        const char *near = ruleset_nearest(set, word);
        ok = diag_error(diags, (struct place){0}, "no rule is called '%.*s' or begins with it%s%s", STR_ARG(word),
                        near ? ", did you mean " : "; `warplint list rules` lists them", near ? near : "");
    }
    return ok;
}

bool ruleset_select(struct ruleset *set, struct str list, struct diags *diags)
{
    for (size_t at = 0; !set->narrowed && at < set->count; at++)
        set->rules[at].selected = false;
    set->narrowed = true;
    return choose_list(set, list, true, diags);
}

bool ruleset_ignore(struct ruleset *set, struct str list, struct diags *diags)
{
    return choose_list(set, list, false, diags);
}

/* "spill" in "new-spill-of". */
static bool has_word(struct str id, struct str word)
{
    struct str part;
    while (str_split(&id, '-', &part))
        if (str_eq(part, word))
            return true;
    return false;
}

void ruleset_check_select(const struct ruleset *set, struct str list, struct diags *diags)
{
    struct str word;
    SCOPED(buf) others = {0};
    for (bool exact = false; str_split(&list, ',', &word); buf_clear(&others)) {
        word = str_trim(word);
        find_position(set, word, &exact);
        for (size_t at = 0; at < set->count && !exact; at++) {
            const struct rule *rule = &set->rules[at];
            if (!rule->selected && has_word(rule->id, word))
                buf_fmt(&others, "%s%.*s", others.len ? ", " : "", STR_ARG(rule->id));
        }
        if (others.len)
            diag_warning(
                diags, (struct place){0},
                "--select %.*s takes the rules that begin so, and leaves out %.*s; write '%.*s-' if that is meant",
                STR_ARG(word), STR_ARG(buf_str(&others)), STR_ARG(word));
    }
}

const struct rule *ruleset_find(const struct ruleset *set, struct str id)
{
    bool found = false;
    size_t at = find_position(set, id, &found);
    return found ? &set->rules[at] : NULL;
}

/* A rule must name in `left-to` all rules that those of its `left-to` name, so that no rule supersedes itself
 * indirectly. A built-in rule must not name a user's rule. */
static bool check_speaker(const struct rule *rule, const struct rule *other, struct place place, struct diags *diags)
{
    bool ok = true;
    if (other == rule)
        return diag_error(diags, place, "left-to names '%.*s', the rule itself", STR_ARG(rule->id));
    if (other->kind == RULE_PATTERN)
        return diag_error(diags, place, "'%.*s' is a rule on lines and says nothing of a record", STR_ARG(other->id));
    for (size_t at = 0; !other->builtin && at < other->superseded_by.count; at++)
        if (!str_list_has(&rule->superseded_by, other->superseded_by.items[at]))
            ok = diag_error(diags, place, "'%.*s' is left to '%.*s' itself: name that here, too", STR_ARG(other->id),
                            STR_ARG(other->superseded_by.items[at]));
    return ok;
}

/* The rule with that id, which the rule names in `key`; NULL with an error if there is none. */
static const struct rule *named_rule(const struct ruleset *set, struct str id, const char *key, struct place place,
                                     struct diags *diags)
{
    const struct rule *rule = ruleset_find(set, id);
    const char *near = rule ? NULL : ruleset_nearest(set, id);
    if (!rule)
        diag_error(diags, place, "%s names '%.*s', which is not a rule%s%s", key, STR_ARG(id),
                   near ? ", did you mean " : "", near ? near : "");
    return rule;
}

/* Reports an error unless both rules are of one kind: then the `next` of one can be used by the other. */
static bool check_next_of(const struct ruleset *set, const struct rule *rule, struct diags *diags)
{
    const struct place place = rule_place(rule, KEY_NEXT_OF);
    const struct rule *other = rule->next_of.len ? named_rule(set, rule->next_of, "next-of", place, diags) : NULL;
    static const char *const kind_nouns[] = {
        [RULE_KERNEL] = "kernels", [RULE_EVENT] = "messages", [RULE_PATTERN] = "lines"};
    if (rule->next_of.len == 0 || !other)
        return rule->next_of.len == 0;
    if (other->next_count == 0)
        return diag_error(diags, place, "next-of names '%.*s', which has no key `next`", STR_ARG(other->id));
    if (other->kind != rule->kind)
        return diag_error(diags, place, "next-of names '%.*s': that is a rule on %s, this one on %s",
                          STR_ARG(other->id), kind_nouns[other->kind], kind_nouns[rule->kind]);
    return true;
}

static bool check_named(const struct ruleset *set, const struct rule *rule, struct diags *diags)
{
    const struct place superseded_by = rule_place(rule, KEY_LEFT_TO),
                       exceptions_of = rule_place(rule, KEY_EXCEPTIONS_OF);
    bool ok = check_next_of(set, rule, diags);
    for (size_t at = 0; at < rule->superseded_by.count; at++) {
        const struct rule *other = named_rule(set, rule->superseded_by.items[at], "left-to", superseded_by, diags);
        ok &= other && check_speaker(rule, other, superseded_by, diags);
    }
    for (size_t at = 0; at < rule->exceptions_of.count; at++)
        ok &= named_rule(set, rule->exceptions_of.items[at], "exceptions-of", exceptions_of, diags) != NULL;
    return ok;
}

bool ruleset_check(const struct ruleset *set, struct diags *diags)
{
    bool ok = true;
    EACH(const struct rule, rule, set->rules, set->count)
        if (!rule->builtin)
            ok &= check_named(set, rule, diags);
    return ok;
}

bool rule_lines_wanted(const struct ruleset *set)
{
    EACH(const struct rule, rule, set->rules, set->count)
        if (rule_is_on(rule) && rule->kind == RULE_PATTERN)
            return true;
    return false;
}
