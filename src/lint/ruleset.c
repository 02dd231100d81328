#include "lint/builtin.h"
#include "lint/regex.h"
#include "lint/rule.h"
#include "lint/yml.h"

#include <dirent.h>
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Where the id is or belongs in the sorted set. */
static size_t position(const struct ruleset *set, struct str id, bool *found)
{
    size_t low = 0, high = set->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (str_cmp(set->rules[middle].id, id) < 0)
            low = middle + 1;
        else
            high = middle;
    }
    *found = low < set->count && str_eq(set->rules[low].id, id);
    return low;
}

static void put(struct ruleset *set, const struct rule *rule)
{
    bool found = false;
    size_t at = position(set, rule->id, &found);
    if (found) {
        rule_free(&set->rules[at]);
    } else {
        set->rules = mem_reserve(set->rules, &set->cap, set->count + 1, sizeof *set->rules);
        memmove(&set->rules[at + 1], &set->rules[at], (set->count - at) * sizeof *set->rules);
        set->count++;
    }
    set->rules[at] = *rule;
}

bool ruleset_add(struct ruleset *set, struct str path, struct str stem, struct str text, bool builtin,
                 struct diags *diags)
{
    struct yml yaml;
    struct rule rule = {0};
    bool ok = yml_parse(&yaml, path, text, diags);
    ok = ok && rule_read(&rule, &yaml, &set->arena, diags);
    if (ok && !str_eq(rule.id, stem))
        ok = diag_error(diags, yml_place(&yaml, yml_member(yaml.root, STR("id"))),
                        "the id is '%.*s', the file's name says '%.*s'", STR_ARG(rule.id), STR_ARG(stem));
    rule.builtin = builtin;
    if (ok)
        put(set, &rule);
    else
        rule_free(&rule);
    yml_free(&yaml);
    return ok;
}

bool ruleset_load_builtin(struct ruleset *set, struct diags *diags)
{
    bool ok = true;
    for (size_t at = 0; at < builtin_rule_count; at++) {
        struct str id = str_of(builtin_rules[at].id);
        struct str path = arena_fmt(&set->arena, "built-in:%.*s.yaml", STR_ARG(id));
        ok = ruleset_add(set, path, id, builtin_rules[at].text, true, diags) && ok;
    }
    return ok;
}

/* ---- a folder of rules ---- */

enum { MOST_BYTES = (1 << 20) + 1 }; /* one more than yml_parse takes, so that it can refuse */

static bool read_text(struct str path, struct buf *text, struct diags *diags)
{
    FILE *file = fopen(path.ptr, "rb");
    char block[8192];
    size_t got = 0;
    if (!file)
        return diag_error(diags, (struct place){.path = path}, "cannot be read: %s", strerror(errno));
    while (text->len < MOST_BYTES && (got = fread(block, 1, sizeof block, file)) > 0)
        buf_add(text, (struct str){block, got});
    bool failed = ferror(file);
    fclose(file);
    return !failed || diag_error(diags, (struct place){.path = path}, "cannot be read");
}

static int by_text(const void *a, const void *b)
{
    return str_cmp(*(const struct str *)a, *(const struct str *)b);
}

/* The names of the folder that end in .yaml, sorted; NULL where it cannot be opened. Release with free. */
static struct str *rule_files(struct ruleset *set, struct str path, size_t *count)
{
    DIR *folder = opendir(arena_cstr(&set->arena, path));
    *count = 0;
    if (!folder)
        return NULL;
    size_t cap = 1;
    struct str *names = mem_alloc(sizeof *names);
    for (struct dirent *entry = readdir(folder); entry; entry = readdir(folder)) {
        struct str name = str_of(entry->d_name);
        if (!str_ends(name, STR(".yaml")) || name.ptr[0] == '.')
            continue;
        names = mem_reserve(names, &cap, *count + 1, sizeof *names);
        names[(*count)++] = arena_str(&set->arena, name);
    }
    closedir(folder);
    qsort(names, *count, sizeof *names, by_text);
    return names;
}

bool ruleset_load_dir(struct ruleset *set, struct str path, struct diags *diags)
{
    size_t count = 0;
    struct str *names = rule_files(set, path, &count);
    bool ok = true;
    if (!names)
        return diag_error(diags, (struct place){.path = path}, "no folder of rules: %s", strerror(errno));
    if (count == 0)
        ok = diag_error(diags, (struct place){.path = path},
                        "no rule is in this folder, expected files like no-spills.yaml");
    while (path.len > 1 && path.ptr[path.len - 1] == '/')
        path.len--;
    for (size_t at = 0; at < count; at++) {
        struct buf text = {0};
        struct str file = arena_fmt(&set->arena, "%.*s/%.*s", STR_ARG(path), STR_ARG(names[at]));
        struct str stem = str_sub(names[at], 0, names[at].len - sizeof ".yaml" + 1);
        ok = read_text(file, &text, diags) && ruleset_add(set, file, stem, buf_str(&text), false, diags) && ok;
        buf_free(&text);
    }
    free(names);
    return ok;
}

void ruleset_free(struct ruleset *set)
{
    for (size_t at = 0; at < set->count; at++)
        rule_free(&set->rules[at]);
    free(set->rules);
    arena_free(&set->arena);
    *set = (struct ruleset){0};
}

/* ---- selection ---- */

static bool unknown_rule(const struct ruleset *set, struct str word, struct diags *diags)
{
    const char **ids = mem_alloc((set->count + 1) * sizeof *ids);
    for (size_t at = 0; at < set->count; at++)
        ids[at] = set->rules[at].id.ptr;
    const char *near = nearest_word(word, ids, set->count);
    diag_error(diags, (struct place){0}, "no rule is called '%.*s' or starts so%s%s", STR_ARG(word),
               near ? ", did you mean " : "", near ? near : "");
    free(ids);
    return false;
}

/* A rule that is off and called by its full name is wanted: it speaks as a note. */
static void choose(struct rule *rule, bool on, bool by_name)
{
    rule->selected = on;
    if (on && by_name && rule->severity == SEVERITY_OFF)
        rule->severity = SEVERITY_NOTE;
}

/* The rule of that id, or all that start so; how many. */
static size_t choose_word(struct ruleset *set, struct str word, bool on)
{
    bool exact = false;
    size_t from = position(set, word, &exact), hits = 0;
    for (size_t at = from; word.len && at < set->count && str_starts(set->rules[at].id, word); at++) {
        choose(&set->rules[at], on, exact);
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
        if (choose_word(set, word, on) == 0)
            ok = unknown_rule(set, word, diags);
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

const struct rule *ruleset_find(const struct ruleset *set, struct str id)
{
    bool found = false;
    size_t at = position(set, id, &found);
    return found ? &set->rules[at] : NULL;
}

bool rule_lines_wanted(const struct ruleset *set)
{
    for (size_t at = 0; at < set->count; at++)
        if (rule_is_on(&set->rules[at]) && set->rules[at].kind == RULE_PATTERN)
            return true;
    return false;
}
