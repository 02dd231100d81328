#include "baseline/family.h"

#include "baseline/successors.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

enum {
    MOST_ARGUMENTS = 32, /* longer lists of arguments are not compared by position */
    MOST_WORK = 1 << 22, /* lists compared in all, over all sets of positions of all families */
    MOST_MAPPINGS = 64,
};

/* ---- gone and new kernels --------------------------------------------------------------------------------------- */

/* What kernels with different names may have in common. Each way is tried for the kernels for which the ways before it
 * found nothing. */
enum way {
    BY_PLACE,      /* the line of the source */
    BY_NAME,       /* the source, and the base name without its scope */
    BY_NAME_ALONE, /* the base name without its scope, of any source and of several scopes; the family is unsure */
    BY_PARAMETERS, /* the source, and the function parameters; the family is unsure */
    WAYS,
};

struct member {
    uint32_t group, item;
    uint32_t former;     /* the group of its name in the base, if it was renamed; NO_INDEX: it was not */
    uint32_t keys[WAYS]; /* each with architecture and toolkit; NO_INDEX: unknown */
    struct str id;
    bool gone;
    bool stays; /* it has a partner: neither gone nor new */
};

struct finding_families {
    struct comparison *comparison;
    struct intern groups;     /* base name, architecture, toolkit of the base */
    struct intern keys[WAYS]; /* see struct member */
    size_t group_count;       /* including those that join_groups adds */
    size_t sure_count;        /* groups with a smaller number are neither BY_NAME_ALONE nor BY_PARAMETERS */
    struct member *members;
    size_t count, cap;
    size_t work; /* see struct sides */
    struct buf scratch, readable;
};

static struct str without_scope(struct str name)
{
    size_t scope = str_rfind(name, STR("::"));
    return scope == STR_NONE ? name : str_from(name, scope + 2);
}

/* "(float*, int)", the parameters in a demangled name; empty: the name has none. */
static struct str parameters_of(struct str id, struct buf *readable)
{
    buf_clear(readable);
    name_demangle(id, readable);
    struct str parameters = str_from(buf_str(readable), name_parameters_at(buf_str(readable)));
    return str_eq(parameters, STR("()")) ? STR("") : parameters;
}

static uint32_t add_key(struct finding_families *f, enum way way, size_t common, struct str text)
{
    f->scratch.len = common;
    buf_add(&f->scratch, text);
    return text.len ? intern_add(&f->keys[way], buf_str(&f->scratch)) : NO_INDEX;
}

/* f->scratch has the architecture and the toolkit. */
static void add_keys(struct finding_families *f, struct member *member, const struct kernel_metrics *entry,
                     struct str name)
{
    const uint32_t file = compare_file(f->comparison, entry);
    size_t common = f->scratch.len;
    member->keys[BY_NAME_ALONE] = add_key(f, BY_NAME_ALONE, common, without_scope(name));
    if (file == NO_INDEX)
        return;
    f->scratch.len = common;
    buf_fmt(&f->scratch, "%u ", file);
    common = f->scratch.len;
    buf_clear(&f->readable);
    if (entry->line)
        buf_fmt(&f->readable, "%u", entry->line);
    member->keys[BY_PLACE] = add_key(f, BY_PLACE, common, buf_str(&f->readable));
    member->keys[BY_NAME] = add_key(f, BY_NAME, common, without_scope(name));
    if (!member->stays)
        member->keys[BY_PARAMETERS] = add_key(f, BY_PARAMETERS, common, parameters_of(member->id, &f->readable));
}

/* The group of a name. f->scratch has the architecture and the toolkit, and keeps them. */
static uint32_t group_of(struct finding_families *f, struct str id)
{
    const size_t common = f->scratch.len;
    name_template(id, &f->scratch);
    const uint32_t group = intern_add(&f->groups, buf_str(&f->scratch));
    f->scratch.len = common;
    return group;
}

static void add_member(struct finding_families *f, const struct pair *pair)
{
    const struct comparison *c = f->comparison;
    bool gone = pair->head == NO_INDEX;
    const struct kernel_metrics_set *set = gone ? c->base : c->head;
    struct member member = {.gone = gone, .former = NO_INDEX, .keys = {NO_INDEX, NO_INDEX, NO_INDEX, NO_INDEX}};
    member.item = gone ? pair->base : pair->head;
    const struct kernel_metrics *entry = &set->items[member.item];
    struct toolkit toolkit = gone ? entry->toolkit : compare_base_toolkit(c, entry->toolkit);
    struct str arch = intern_get(set->strings, entry->arch);
    if (entry->kind != KERNEL_ENTRY)
        return;
    member.stays = !gone && (pair->base != NO_INDEX || entry->deselected);
    member.id = intern_get(set->strings, entry->id);
    buf_clear(&f->scratch);
    buf_fmt(&f->scratch, "%.*s %d.%d ", STR_ARG(arch), toolkit.major, toolkit.minor);
    const size_t common = f->scratch.len;
    member.group = group_of(f, member.id);
    if (pair->renamed)
        member.former = group_of(f, intern_get(c->strings, c->base->items[pair->base].id));
    member.former = member.former == member.group ? NO_INDEX : member.former;
    add_keys(f, &member, entry, str_from(intern_get(&f->groups, member.group), common));
    *MEM_ADD(f->members, f->count, f->cap) = member;
}

enum { SEVERAL = UINT32_MAX - 1 }; /* instead of the only group */

static void note_group(uint32_t *only, uint32_t group)
{
    *only = *only == NO_INDEX || *only == group ? group : SEVERAL;
}

/* What is known of the kernels with one key. */
struct key_groups {
    uint32_t gone, new; /* the only group of that side; NO_INDEX: none */
    bool stays;         /* a kernel keeps the name */
};

/* True if the groups with this key are one family. */
static bool is_family(const struct key_groups *groups, enum way way)
{
    const bool several = groups->gone == SEVERAL || groups->new == SEVERAL;
    const bool by_name = way == BY_NAME || way == BY_NAME_ALONE;
    return groups->gone != NO_INDEX && groups->new != NO_INDEX && !(by_name && groups->stays) &&
           (way == BY_NAME_ALONE || !several);
}

/* By group: whether kernels of it are gone, and whether some are new. A group with both is a family already. */
struct group_sides {
    bool *gone, *new;
};

static struct group_sides find_sides(const struct finding_families *f)
{
    struct group_sides sides = {mem_alloc(f->group_count + 1), mem_alloc(f->group_count + 1)};
    EACH(const struct member, member, f->members, f->count)
        (member->gone ? sides.gone : sides.new)[member->group] |= !member->stays;
    return sides;
}

static void free_sides(struct group_sides sides)
{
    free(sides.gone);
    free(sides.new);
}

/* The key by which a gone or new kernel may be in a family with kernels of other names; NO_INDEX: none. */
static uint32_t key_of(const struct member *member, enum way way, struct group_sides sides)
{
    const bool done = sides.gone[member->group] && sides.new[member->group];
    return member->stays || done ? NO_INDEX : member->keys[way];
}

/* Joins groups with gone kernels only and groups with new kernels only to one family if their key says so. Their
 * kernels with other keys are not in that family. */
static void join_groups(struct finding_families *f, enum way way)
{
    const size_t count = f->keys[way].count;
    struct key_groups *of_key = mem_alloc((count + 1) * sizeof *of_key);
    struct group_sides sides = find_sides(f);
    for (size_t at = 0; at < count; at++)
        of_key[at] = (struct key_groups){.gone = NO_INDEX, .new = NO_INDEX};
    EACH(const struct member, member, f->members, f->count) {
        const uint32_t key = key_of(member, way, sides);
        if (key != NO_INDEX)
            note_group(member->gone ? &of_key[key].gone : &of_key[key].new, member->group);
        else if (member->stays && member->keys[way] != NO_INDEX)
            of_key[member->keys[way]].stays |= member->former == NO_INDEX;
    }
    EACH(struct member, member, f->members, f->count) {
        const uint32_t key = key_of(member, way, sides);
        if (key != NO_INDEX && is_family(&of_key[key], way))
            member->group = (uint32_t)(f->group_count + key);
    }
    f->group_count += count;
    free(of_key);
    free_sides(sides);
}

/* Where all renamed kernels of a name have one new name, and no others have it, the kernels of the old name that are
 * gone and those of the new name that are new are a family: they were renamed too, and changed. */
static void join_renamed(struct finding_families *f)
{
    uint32_t *head_of = mem_alloc((f->group_count + 1) * sizeof *head_of);
    uint32_t *base_of = mem_alloc((f->group_count + 1) * sizeof *base_of);
    struct group_sides sides = find_sides(f);
    for (size_t at = 0; at < f->group_count; at++)
        head_of[at] = base_of[at] = NO_INDEX;
    EACH(const struct member, member, f->members, f->count) {
        if (member->former == NO_INDEX)
            continue;
        note_group(&head_of[member->former], member->group);
        note_group(&base_of[member->group], member->former);
    }
    EACH(struct member, member, f->members, f->count) {
        const uint32_t former = member->group, head = head_of[former];
        if (member->gone && head < SEVERAL && base_of[head] == former && !sides.new[former] && !sides.gone[head])
            member->group = head;
    }
    free(head_of);
    free(base_of);
    free_sides(sides);
}

static void drop_staying(struct finding_families *f)
{
    size_t kept = 0;
    for (size_t at = 0; at < f->count; at++)
        if (!f->members[at].stays)
            f->members[kept++] = f->members[at];
    f->count = kept;
}

static int by_group(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    int order = number_cmp(a->group, b->group);
    if (!order)
        order = number_cmp(b->gone, a->gone);
    if (!order)
        order = str_cmp(a->id, b->id);
    return order ? order : number_cmp(a->item, b->item);
}

/* ---- arguments -------------------------------------------------------------------------------------------------- */

struct arguments {
    uint32_t items[MOST_ARGUMENTS]; /* numbers of texts */
    size_t count;                   /* may be more than are held */
    uint32_t file;                  /* of the kernel, see compare_file */
};

/* "512ul" is 512: the type of a number is no argument of its own. */
static struct str without_suffix(struct str argument)
{
    size_t end = argument.len;
    while (end && (argument.ptr[end - 1] == 'u' || argument.ptr[end - 1] == 'l'))
        end--;
    struct str number = str_sub(argument, 0, end), digits = str_from(number, number.len && number.ptr[0] == '-');
    uint64_t value = 0;
    return str_uint(&digits, &value) && digits.len == 0 ? number : argument;
}

/* "run()::{lambda()#2}": the number does not identify the lambda (baseline/lambda.h). */
static void drop_lambda_numbers(struct buf *name)
{
    size_t kept = 0;
    for (size_t at = 0; at < name->len; at++) {
        name->ptr[kept++] = name->ptr[at];
        for (bool number = name->ptr[at] == '#'; number && at + 1 < name->len && is_digit(name->ptr[at + 1]);)
            at++;
    }
    name->len = kept;
}

static void add_list(struct str list, struct intern *texts, struct arguments *out)
{
    while (list.len) {
        size_t length = name_member(list);
        uint32_t text = intern_add(texts, without_suffix(str_trim(str_sub(list, 0, length))));
        if (out->count < MOST_ARGUMENTS)
            out->items[out->count] = text;
        out->count++;
        if (length >= list.len || list.ptr[length] != ',')
            return;
        list = str_from(list, length + 1);
    }
}

/* The template arguments of the function and of its scopes: int and 4 of "void a<int>::k<4>(float*)". */
static struct arguments read_arguments(struct str id, struct intern *texts, struct buf *readable)
{
    struct arguments out = {.count = 0};
    int depth = 0;
    buf_clear(readable);
    name_demangle(id, readable);
    drop_lambda_numbers(readable);
    const struct str name = name_alone(buf_str(readable));
    for (size_t at = 0; at < name.len; at++) {
        int nesting = name_nesting(name, at);
        if (depth == 0 && nesting > 0 && name.ptr[at] == '<' && at + 1 < name.len && name.ptr[at + 1] != '>')
            add_list(str_from(name, at + 1), texts, &out);
        depth += nesting;
    }
    return out;
}

/* ---- mappings --------------------------------------------------------------------------------------------------- */

struct sides {
    struct family *family;
    struct arguments *gone, *new;
    bool *gone_left, *new_left; /* by index: not in a mapping yet */
    bool same_file, same_count; /* kernels of one class have one file, lists of one length */
    size_t *work;               /* how many lists may still be compared, shared by all families */
    struct arena *arena;
    struct buf scratch;
};

static void add_reduced(const struct sides *sides, const struct arguments *list, uint64_t left_out, struct buf *out)
{
    buf_clear(out);
    if (sides->same_file)
        buf_fmt(out, "%u ", list->file);
    if (sides->same_count)
        buf_fmt(out, "%zu ", list->count);
    for (size_t at = 0; at < list->count && at < MOST_ARGUMENTS; at++)
        if (!(left_out >> at & 1))
            buf_add(out, (struct str){(const char *)&list->items[at], sizeof list->items[at]});
}

/* Makes the mapping of the kernels that are left. Kernels whose lists are equal without these positions are one class.
 */
static void map_without(struct sides *sides, uint64_t of_gone, uint64_t of_new, struct mapping *mapping)
{
    const struct family *family = sides->family;
    const size_t lists = family->new_count + family->gone_count;
    SCOPED(intern) classes = {0};
    for (size_t at = 0; at < family->new_count; at++) {
        mapping->class_of_new[at] = (uint32_t)family->new_count; /* a class without gone kernels */
        add_reduced(sides, &sides->new[at], of_new, &sides->scratch);
        if (sides->new_left[at])
            mapping->class_of_new[at] = intern_add(&classes, buf_str(&sides->scratch));
    }
    for (size_t at = 0; at < family->gone_count; at++) {
        mapping->class_of_gone[at] = INTERN_NONE;
        add_reduced(sides, &sides->gone[at], of_gone, &sides->scratch);
        if (sides->gone_left[at])
            mapping->class_of_gone[at] = intern_find(&classes, buf_str(&sides->scratch));
    }
    *sides->work -= *sides->work < lists ? *sides->work : lists;
}

int32_t *family_count_classes(const struct family *family, const struct mapping *mapping)
{
    int32_t *more = mem_alloc((family->new_count + 1) * sizeof *more);
    for (size_t at = 0; at < family->new_count; at++)
        more[mapping->class_of_new[at]]--;
    for (size_t at = 0; at < family->gone_count; at++)
        if (mapping->class_of_gone[at] != INTERN_NONE)
            more[mapping->class_of_gone[at]]++;
    return more;
}

/* The number of gone kernels with a new one; a class with fewer new ones counts as many. */
static size_t count_mapped(const struct family *family, const struct mapping *mapping)
{
    int32_t *more = family_count_classes(family, mapping);
    size_t mapped = 0, surplus = 0;
    for (size_t at = 0; at < family->gone_count; at++)
        mapped += mapping->class_of_gone[at] != INTERN_NONE;
    for (size_t at = 0; mapping->changed && at < family->new_count; at++)
        surplus += more[at] > 0 ? (size_t)more[at] : 0;
    free(more);
    return mapped - surplus;
}

/* Removes the kernels that the mapping decides from those that are left. In a class with fewer new kernels it is
 * unknown which of the gone ones they replace. */
static void take_out_mapped(struct sides *sides, const struct mapping *mapping)
{
    const struct family *family = sides->family;
    int32_t *more = family_count_classes(family, mapping);
    bool *mapped = mem_alloc(family->new_count + 1); /* by class */
    for (size_t at = 0; at < family->gone_count; at++) {
        uint32_t class = mapping->class_of_gone[at];
        if (class == INTERN_NONE)
            continue;
        mapped[class] = true;
        sides->gone_left[at] = sides->gone_left[at] && mapping->changed && more[class] > 0;
    }
    for (size_t at = 0; at < family->new_count; at++)
        sides->new_left[at] = sides->new_left[at] && !mapped[mapping->class_of_new[at]];
    free(mapped);
    free(more);
}

static bool any(const bool *items, size_t count)
{
    return memchr(items, true, count) != NULL;
}

static size_t longest(const struct arguments *lists, size_t count)
{
    size_t most = 0;
    for (size_t at = 0; at < count; at++)
        most = lists[at].count > most ? lists[at].count : most;
    return most;
}

static bool one_length(const struct arguments *lists, size_t count)
{
    for (size_t at = 0; at < count; at++)
        if (lists[at].count != lists[0].count)
            return false;
    return true;
}

static bool one_file(const struct sides *sides)
{
    const uint32_t file = sides->gone[0].file;
    for (size_t at = 0; at < sides->family->gone_count; at++)
        if (sides->gone[at].file != file)
            return false;
    for (size_t at = 0; at < sides->family->new_count; at++)
        if (sides->new[at].file != file)
            return false;
    return true;
}

/* The next larger number with as many bits set (Gosper's algorithm). */
static uint64_t next_set(uint64_t set)
{
    uint64_t lowest = set & -set, ripple = set + lowest;
    return lowest ? ripple | ((set ^ ripple) >> 2) / lowest : UINT64_MAX;
}

static struct mapping make_mapping(struct sides *sides, bool changed)
{
    const struct family *family = sides->family;
    return (struct mapping){
        .class_of_gone = arena_alloc(sides->arena, family->gone_count * sizeof(uint32_t)),
        .class_of_new = arena_alloc(sides->arena, family->new_count * sizeof(uint32_t)),
        .changed = changed,
    };
}

/* Adds the mappings of those sets of `positions` positions that give the most gone kernels a new one. */
static void add_sets(struct sides *sides, size_t count, size_t positions, bool of_gone, bool of_new)
{
    struct family *family = sides->family;
    const size_t first = family->mapping_count;
    struct mapping found = make_mapping(sides, of_gone && of_new);
    size_t best = 1;
    uint64_t set = ((uint64_t)1 << count) - 1;
    for (; set < (uint64_t)1 << positions && *sides->work; set = next_set(set)) {
        map_without(sides, of_gone ? set : 0, of_new ? set : 0, &found);
        size_t mapped = count_mapped(family, &found);
        if (mapped > best)
            family->mapping_count = first;
        if (mapped < best || family->mapping_count == MOST_MAPPINGS)
            continue;
        best = mapped;
        family->mappings[family->mapping_count++] = found;
        found = make_mapping(sides, found.changed);
    }
    for (size_t at = first; at < family->mapping_count; at++)
        take_out_mapped(sides, &family->mappings[at]);
}

/* Maps all kernels that are left to each other, or all of a file. */
static void add_rest(struct sides *sides, bool changed)
{
    struct family *family = sides->family;
    family->mappings[family->mapping_count] = make_mapping(sides, changed);
    map_without(sides, UINT64_MAX, UINT64_MAX, &family->mappings[family->mapping_count++]);
}

/* Maps kernels that differ in the fewest arguments first. */
static void map_by_arguments(struct sides *sides)
{
    const struct family *family = sides->family;
    const size_t gone = longest(sides->gone, family->gone_count), new = longest(sides->new, family->new_count);
    const size_t even = one_length(sides->gone, family->gone_count) && one_length(sides->new, family->new_count);
    const size_t most = new > gone ? new : gone;
    if (most > MOST_ARGUMENTS)
        return;
    if (even && gone != new)
        add_sets(sides, most - (gone < new ? gone : new), most, gone > new, new > gone);
    sides->same_count = true;
    for (size_t count = 0; family->changed && count + even <= most; count++) /* all of one length: see add_rest */
        if (any(sides->gone_left, family->gone_count) && any(sides->new_left, family->new_count))
            add_sets(sides, count, most, true, true);
    sides->same_count = false;
}

/* Kernels of one file are mapped first; in the end all that are left are mapped to each other. */
static void find_mappings(struct sides *sides)
{
    struct family *family = sides->family;
    sides->gone_left = arena_alloc(sides->arena, family->gone_count);
    sides->new_left = arena_alloc(sides->arena, family->new_count);
    memset(sides->gone_left, true, family->gone_count);
    memset(sides->new_left, true, family->new_count);
    family->mappings = arena_alloc(sides->arena, (MOST_MAPPINGS + 2) * sizeof *family->mappings);
    family->changed = longest(sides->gone, family->gone_count) == longest(sides->new, family->new_count);
    sides->same_file = !one_file(sides);
    map_by_arguments(sides);
    if (sides->same_file) {
        add_rest(sides, family->changed);
        take_out_mapped(sides, &family->mappings[family->mapping_count - 1]);
        sides->same_file = false;
        map_by_arguments(sides);
    }
    family->undecided = sides->gone_left;
    add_rest(sides, false);
}

const struct family *family_of(const struct comparison *comparison, const struct pair *pair)
{
    return pair->family == NO_INDEX ? NULL : &comparison->families[pair->family];
}

bool family_is_sure(const struct comparison *comparison, const struct pair *pair)
{
    const struct family *family = family_of(comparison, pair);
    return family && !family->unsure;
}

const struct kernel_metrics *family_base(const struct comparison *comparison, const struct pair *pair)
{
    uint32_t item = pair->base;
    if (item == NO_INDEX && pair->family != NO_INDEX)
        item = comparison->families[pair->family].nearest[pair->member];
    return item == NO_INDEX ? NULL : &comparison->base->items[item];
}

bool family_replaces(const struct family *family, size_t gone, size_t new)
{
    for (size_t at = 0; at < family->mapping_count; at++)
        if (family->mappings[at].class_of_gone[gone] == family->mappings[at].class_of_new[new])
            return true;
    return false;
}

bool family_says_successors(const struct family *family, size_t gone)
{
    return !family->undecided[gone];
}

/* True if the template arguments or an undecided new kernel give it a successor; otherwise it is only gone. */
static bool is_replaced(const struct family *family, size_t gone)
{
    const struct mapping *rest = &family->mappings[family->mapping_count - 1];
    return !family->undecided[gone] || rest->class_of_gone[gone] != INTERN_NONE;
}

/* ---- all families ----------------------------------------------------------------------------------------------- */

static void add_family(struct finding_families *f, const struct member *members, size_t gone, size_t new)
{
    struct comparison *c = f->comparison;
    struct family *family = &c->families[c->family_count++];
    struct sides sides = {.family = family, .arena = &c->arena};
    SCOPED(intern) texts = {0};
    *family = (struct family){.gone_count = gone, .new_count = new, .shown_new = NO_INDEX};
    family->unsure = members[0].group >= f->sure_count;
    family->gone = arena_alloc(&c->arena, gone * sizeof *family->gone);
    family->new = arena_alloc(&c->arena, new * sizeof *family->new);
    sides.gone = mem_alloc(gone * sizeof *sides.gone);
    sides.new = mem_alloc(new * sizeof *sides.new);
    buf_clear(&f->scratch);
    name_template(members[0].id, &f->scratch);
    family->name = arena_str(&c->arena, buf_str(&f->scratch));
    for (size_t at = 0; at < gone + new; at++) {
        struct arguments arguments = read_arguments(members[at].id, &texts, &f->scratch);
        arguments.file = compare_file(c, &(at < gone ? c->base : c->head)->items[members[at].item]);
        *(at < gone ? &sides.gone[at] : &sides.new[at - gone]) = arguments;
        *(at < gone ? &family->gone[at] : &family->new[at - gone]) = members[at].item;
    }
    sides.work = &f->work;
    find_mappings(&sides);
    for (size_t at = 0; at < gone; at++)
        family->shown.gone += is_replaced(family, at);
    successors_compare(c, family);
    free(sides.gone);
    free(sides.new);
    buf_free(&sides.scratch);
}

static void add_families(struct finding_families *f)
{
    struct comparison *c = f->comparison;
    c->families = arena_alloc(&c->arena, (f->count / 2 + 1) * sizeof *c->families);
    for (size_t from = 0, to = 0; from < f->count; from = to) {
        size_t gone = 0;
        for (to = from; to < f->count && f->members[to].group == f->members[from].group; to++)
            gone += f->members[to].gone;
        if (gone && gone < to - from)
            add_family(f, &f->members[from], gone, to - from - gone);
    }
}

/* True if a new kernel of the file of the gone one may replace it, as far as the files are known, or arguments were
 * only added or removed: then the new kernel is the same one, also if its file was renamed. */
static bool is_replaced_in_file(const struct comparison *c, const struct family *family, size_t gone)
{
    const uint32_t file = compare_file(c, &c->base->items[family->gone[gone]]);
    bool found = file == NO_INDEX || (!family->changed && !family->undecided[gone]);
    for (size_t new = 0; new < family->new_count && !found; new ++) {
        const uint32_t other = compare_file(c, &c->head->items[family->new[new]]);
        found = (other == file || other == NO_INDEX) && family_replaces(family, gone, new);
    }
    return found;
}

static void note_families(struct comparison *c)
{
    uint32_t *pair_of = mem_alloc((c->base->count + 1) * sizeof *pair_of); /* by gone item of the base */
    for (size_t at = c->head->count; at < c->count; at++)
        pair_of[c->pairs[at].base] = (uint32_t)at;
    for (uint32_t number = 0; number < c->family_count; number++) {
        const struct family *family = &c->families[number];
        for (uint32_t at = 0; at < family->gone_count; at++) {
            if (!is_replaced(family, at))
                continue;
            c->pairs[pair_of[family->gone[at]]].family = number;
            c->pairs[pair_of[family->gone[at]]].member = at;
            if (!family->unsure)
                c->seen[family->gone[at]] = is_replaced_in_file(c, family, at) ? SEEN : SEEN_ELSEWHERE;
            c->counts.replaced += !family->unsure;
        }
        for (uint32_t at = 0; at < family->new_count; at++) {
            c->pairs[family->new[at]].family = number;
            c->pairs[family->new[at]].member = at;
        }
    }
    free(pair_of);
}

void family_find(struct comparison *comparison)
{
    struct finding_families f = {.comparison = comparison, .work = MOST_WORK};
    const size_t *counts = comparison->counts.by_state;
    if (counts[COMPARE_GONE] && counts[COMPARE_NEW]) {
        for (size_t at = 0; at < comparison->count; at++)
            add_member(&f, &comparison->pairs[at]);
        f.group_count = f.groups.count;
        join_renamed(&f);
        for (enum way way = 0; way < WAYS; way++) {
            if (way <= BY_NAME_ALONE)
                f.sure_count = f.group_count;
            join_groups(&f, way);
        }
        drop_staying(&f);
        mem_sort(f.members, f.count, sizeof *f.members, by_group);
        add_families(&f);
        note_families(comparison);
    }
    if (comparison->part) {
        comparison->counts.by_state[COMPARE_GONE] = 0;
        comparison->count = comparison->head->count;
    }
    intern_free(&f.groups);
    for (int way = 0; way < WAYS; way++)
        intern_free(&f.keys[way]);
    free(f.members);
    buf_free(&f.scratch);
    buf_free(&f.readable);
}
