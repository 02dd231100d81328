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

/* What the kernels of a family have in common, the strictest first. Each way is tried for the kernels for which the
 * ways before it found nothing. */
enum way {
    BY_TEMPLATE,   /* the base name */
    BY_PLACE,      /* the line of the source */
    BY_NAME,       /* the source, and the base name without its scope */
    BY_NAME_ALONE, /* the base name without its scope, of any source and of several scopes; the family is unsure */
    BY_PARAMETERS, /* the source, and the function parameters; the family is unsure */
    WAYS,
};

struct member {
    uint32_t keys[WAYS]; /* each with architecture and toolkit; NO_INDEX: unknown */
    enum way way;        /* by which it is in its family */
    uint32_t group;      /* keys[way], or the key of the name that its other instances have now */
    uint32_t item;
    uint32_t former; /* the key of its name in the base, if it was renamed; NO_INDEX: it was not */
    struct str id;
    bool gone;
    bool stays; /* it has a partner: neither gone nor new */
};

struct finding_families {
    struct comparison *comparison;
    struct intern keys; /* of all ways */
    struct member *members;
    size_t count, cap;
    size_t work; /* see struct sides */
    struct arena arena;
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

/* The key of the text, with architecture and toolkit of the entry and a file. */
static uint32_t add_key(struct finding_families *f, enum way way, const struct kernel_metrics *entry, uint32_t file,
                        struct str text)
{
    const struct toolkit toolkit = compare_base_toolkit(f->comparison, entry->toolkit);
    buf_clear(&f->scratch);
    buf_fmt(&f->scratch, "%d %u %d.%d %u %.*s", way, entry->arch, toolkit.major, toolkit.minor, file, STR_ARG(text));
    return text.len ? intern_add(&f->keys, buf_str(&f->scratch)) : NO_INDEX;
}

static void add_keys(struct finding_families *f, struct member *member, const struct kernel_metrics *entry)
{
    const uint32_t file = compare_file(f->comparison, entry);
    SCOPED(buf) name = {0}, line = {0};
    name_template(member->id, &name);
    const struct str own = without_scope(buf_str(&name));
    member->keys[BY_TEMPLATE] = add_key(f, BY_TEMPLATE, entry, NO_INDEX, buf_str(&name));
    member->keys[BY_NAME_ALONE] = add_key(f, BY_NAME_ALONE, entry, NO_INDEX, own);
    if (file == NO_INDEX)
        return;
    if (entry->line)
        buf_fmt(&line, "%u", entry->line);
    member->keys[BY_PLACE] = add_key(f, BY_PLACE, entry, file, buf_str(&line));
    member->keys[BY_NAME] = add_key(f, BY_NAME, entry, file, own);
    if (!member->stays)
        member->keys[BY_PARAMETERS] = add_key(f, BY_PARAMETERS, entry, file, parameters_of(member->id, &f->readable));
}

static void add_member(struct finding_families *f, const struct pair *pair)
{
    const struct comparison *c = f->comparison;
    const bool gone = pair->head == NO_INDEX;
    const uint32_t item = gone ? pair->base : pair->head;
    const struct kernel_metrics *entry = &(gone ? c->base : c->head)->items[item];
    struct member member = {.gone = gone, .item = item, .former = NO_INDEX, .id = intern_get(c->strings, entry->id)};
    if (entry->kind != KERNEL_ENTRY)
        return;
    member.stays = !gone && (pair->base != NO_INDEX || entry->deselected);
    memset(member.keys, 0xff, sizeof member.keys); /* NO_INDEX */
    add_keys(f, &member, entry);
    member.group = member.keys[BY_TEMPLATE];
    if (pair->renamed) {
        buf_clear(&f->readable);
        name_template(intern_get(c->strings, c->base->items[pair->base].id), &f->readable);
        member.former = add_key(f, BY_TEMPLATE, entry, NO_INDEX, buf_str(&f->readable));
        member.former = member.former == member.group ? NO_INDEX : member.former;
    }
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

enum { HAS_GONE = 1, HAS_NEW = 2 };

/* By group: whether kernels of it are gone, and whether some are new. A group with both is a family. */
static uint8_t *find_sides(struct finding_families *f)
{
    uint8_t *sides = arena_alloc(&f->arena, f->keys.count + 1);
    EACH(const struct member, member, f->members, f->count)
        sides[member->group] |= member->stays ? 0 : member->gone ? HAS_GONE : HAS_NEW;
    return sides;
}

/* Joins groups with gone kernels only and groups with new kernels only to one family if their key says so. Their
 * kernels with other keys are not in that family. */
static void join_groups(struct finding_families *f, enum way way)
{
    struct key_groups *of_key = arena_alloc(&f->arena, (f->keys.count + 1) * sizeof *of_key);
    const uint8_t *sides = find_sides(f);
    for (size_t at = 0; at < f->keys.count; at++)
        of_key[at] = (struct key_groups){.gone = NO_INDEX, .new = NO_INDEX};
    EACH(const struct member, member, f->members, f->count) {
        struct key_groups *groups = &of_key[member->keys[way] == NO_INDEX ? f->keys.count : member->keys[way]];
        if (member->stays)
            groups->stays |= member->former == NO_INDEX;
        else if (sides[member->group] != (HAS_GONE | HAS_NEW))
            note_group(member->gone ? &groups->gone : &groups->new, member->group);
    }
    EACH(struct member, member, f->members, f->count) {
        const uint32_t key = member->keys[way];
        if (member->stays || sides[member->group] == (HAS_GONE | HAS_NEW) || key == NO_INDEX ||
            !is_family(&of_key[key], way))
            continue;
        member->group = key;
        member->way = way;
    }
}

/* Where all renamed kernels of a name have one new name, and no others have it, the kernels of the old name that are
 * gone and those of the new name that are new are a family: they were renamed too, and changed. */
static void join_renamed(struct finding_families *f)
{
    const size_t bytes = (f->keys.count + 1) * sizeof(uint32_t);
    uint32_t *head_of = memset(arena_alloc(&f->arena, bytes), 0xff, bytes); /* NO_INDEX */
    uint32_t *base_of = memset(arena_alloc(&f->arena, bytes), 0xff, bytes);
    const uint8_t *sides = find_sides(f);
    EACH(const struct member, member, f->members, f->count) {
        if (member->former == NO_INDEX)
            continue;
        note_group(&head_of[member->former], member->group);
        note_group(&base_of[member->group], member->former);
    }
    EACH(struct member, member, f->members, f->count) {
        const uint32_t former = member->group, head = head_of[former];
        if (member->gone && head < SEVERAL && base_of[head] == former && !(sides[former] & HAS_NEW) &&
            !(sides[head] & HAS_GONE))
            member->group = head;
    }
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
    int order =
        numbers_cmp((const int64_t[]){a->way, a->group, b->gone}, (const int64_t[]){b->way, b->group, a->gone}, 3);
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
    struct arguments *lists;    /* of the gone kernels, then of the new ones */
    bool *left;                 /* in the same order: not in a mapping yet */
    bool same_file, same_count; /* kernels of one class have one file, lists of one length */
    size_t *work;               /* how many lists may still be compared, shared by all families */
    struct arena *arena;
};

/* The list without these positions. */
static struct str reduced(const struct sides *sides, size_t kernel, uint64_t left_out, struct buf *out)
{
    const struct arguments *list = &sides->lists[kernel];
    buf_clear(out);
    buf_fmt(out, "%u %zu ", sides->same_file ? list->file : 0, sides->same_count ? list->count : 0);
    for (size_t at = 0; at < list->count && at < MOST_ARGUMENTS; at++)
        if (!(left_out >> at & 1))
            buf_add(out, (struct str){(const char *)&list->items[at], sizeof list->items[at]});
    return buf_str(out);
}

/* Makes the mapping of the kernels that are left. Kernels whose lists are equal without these positions are one class.
 */
static void map_without(struct sides *sides, uint64_t of_gone, uint64_t of_new, struct mapping *mapping)
{
    const size_t gone = sides->family->gone_count, new = sides->family->new_count;
    SCOPED(intern) classes = {0};
    SCOPED(buf) scratch = {0};
    memset(mapping->classes, 0, new * sizeof *mapping->classes);
    for (size_t at = 0; at < new; at++) {
        mapping->class_of_new[at] = INTERN_NONE;
        if (!sides->left[gone + at])
            continue;
        mapping->class_of_new[at] = intern_add(&classes, reduced(sides, gone + at, of_new, &scratch));
        mapping->classes[mapping->class_of_new[at]].new ++;
    }
    for (size_t at = 0; at < gone; at++) {
        mapping->class_of_gone[at] =
            sides->left[at] ? intern_find(&classes, reduced(sides, at, of_gone, &scratch)) : INTERN_NONE;
        if (mapping->class_of_gone[at] != INTERN_NONE)
            mapping->classes[mapping->class_of_gone[at]].gone++;
    }
    *sides->work -= *sides->work < gone + new ? *sides->work : gone + new;
}

/* The number of gone kernels with a new one; a class with fewer new ones counts as many. */
static size_t count_mapped(const struct family *family, const struct mapping *mapping)
{
    size_t mapped = 0;
    EACH(const struct mapping_class, class, mapping->classes, family->new_count)
        mapped += mapping->changed && class->new < class->gone ? class->new : class->gone;
    return mapped;
}

/* Removes the kernels that the mapping decides from those that are left. In a class with fewer new kernels it is
 * unknown which of the gone ones they replace. */
static void take_out_mapped(struct sides *sides, const struct mapping *mapping)
{
    const size_t gone = sides->family->gone_count, new = sides->family->new_count;
    for (size_t at = 0; at < gone; at++)
        if (mapping->class_of_gone[at] != INTERN_NONE && !mapping_lacks_new(mapping, mapping->class_of_gone[at]))
            sides->left[at] = false;
    for (size_t at = 0; at < new; at++)
        if (mapping->class_of_new[at] != INTERN_NONE && mapping->classes[mapping->class_of_new[at]].gone)
            sides->left[gone + at] = false;
}

static bool any(const bool *items, size_t count)
{
    return memchr(items, true, count) != NULL;
}

/* The most arguments of these lists; *even becomes false if they differ in length. */
static size_t longest(const struct arguments *lists, size_t count, bool *even)
{
    size_t most = 0;
    for (size_t at = 0; at < count; at++) {
        most = lists[at].count > most ? lists[at].count : most;
        *even &= lists[at].count == lists[0].count;
    }
    return most;
}

static bool one_file(const struct sides *sides)
{
    for (size_t at = 0; at < sides->family->gone_count + sides->family->new_count; at++)
        if (sides->lists[at].file != sides->lists[0].file)
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
        .classes = arena_alloc(sides->arena, family->new_count * sizeof(struct mapping_class)),
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
    const size_t gone_count = sides->family->gone_count, new_count = sides->family->new_count;
    bool even = true;
    const size_t gone = longest(sides->lists, gone_count, &even);
    const size_t new = longest(sides->lists + gone_count, new_count, &even);
    const size_t most = new > gone ? new : gone;
    sides->family->changed = gone == new;
    if (most > MOST_ARGUMENTS)
        return;
    if (even && gone != new)
        add_sets(sides, most - (gone < new ? gone : new), most, gone > new, new > gone);
    sides->same_count = true;
    for (size_t count = 0; sides->family->changed && count + even <= most;
         count++) /* all of one length: see add_rest */
        if (any(sides->left, gone_count) && any(sides->left + gone_count, new_count))
            add_sets(sides, count, most, true, true);
    sides->same_count = false;
}

/* Kernels of one file are mapped first; in the end all that are left are mapped to each other. */
static void find_mappings(struct sides *sides)
{
    struct family *family = sides->family;
    const size_t count = family->gone_count + family->new_count;
    sides->left = memset(arena_alloc(sides->arena, count), true, count);
    family->mappings = arena_alloc(sides->arena, (MOST_MAPPINGS + 2) * sizeof *family->mappings);
    sides->same_file = !one_file(sides);
    map_by_arguments(sides);
    if (sides->same_file) {
        add_rest(sides, family->changed);
        take_out_mapped(sides, &family->mappings[family->mapping_count - 1]);
        sides->same_file = false;
        map_by_arguments(sides);
    }
    family->undecided = sides->left;
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
    EACH(const struct mapping, mapping, family->mappings, family->mapping_count)
        if (mapping->class_of_gone[gone] != INTERN_NONE && mapping->class_of_gone[gone] == mapping->class_of_new[new])
            return true;
    return false;
}

bool mapping_lacks_new(const struct mapping *mapping, uint32_t class)
{
    return mapping->changed && mapping->classes[class].gone > mapping->classes[class].new;
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
    SCOPED(intern) texts = {0};
    *family = (struct family){.gone_count = gone, .new_count = new, .shown_new = NO_INDEX};
    family->unsure = members[0].way >= BY_NAME_ALONE;
    family->gone = arena_alloc(&c->arena, gone * sizeof *family->gone);
    family->new = arena_alloc(&c->arena, new * sizeof *family->new);
    buf_clear(&f->scratch);
    name_template(members[0].id, &f->scratch);
    family->name = arena_str(&c->arena, buf_str(&f->scratch));
    struct sides sides = {.family = family, .arena = &c->arena, .work = &f->work};
    sides.lists = arena_alloc(&f->arena, (gone + new) * sizeof *sides.lists);
    for (size_t at = 0; at < gone + new; at++) {
        sides.lists[at] = read_arguments(members[at].id, &texts, &f->scratch);
        sides.lists[at].file = compare_file(c, &(at < gone ? c->base : c->head)->items[members[at].item]);
        *(at < gone ? &family->gone[at] : &family->new[at - gone]) = members[at].item;
    }
    find_mappings(&sides);
    for (size_t at = 0; at < gone; at++)
        family->shown.gone += is_replaced(family, at);
    successors_compare(c, family);
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
        join_renamed(&f);
        for (enum way way = BY_PLACE; way < WAYS; way++)
            join_groups(&f, way);
        drop_staying(&f);
        mem_sort(f.members, f.count, sizeof *f.members, by_group);
        add_families(&f);
        note_families(comparison);
    }
    if (comparison->part) {
        comparison->counts.by_state[COMPARE_GONE] = 0;
        comparison->count = comparison->head->count;
    }
    intern_free(&f.keys);
    arena_free(&f.arena);
    free(f.members);
    buf_free(&f.scratch);
    buf_free(&f.readable);
}
