/*
 * Names are compared as lists of words. Each name has up to four forms; each form leaves out what one kind of renaming
 * changes. Names with an equal form and equal values are candidates, and only candidates are compared in pairs.
 *
 * Equal values alone are not enough, because many kernels share them. Without the words 13 of the 6570 renamed kernels
 * of tests/test_rename.c are found, with them 5171; and 9 of its 28 conditions fail: model<float>::run would be taken
 * for model<double>::run.
 */
#include "baseline/rename.h"

#include "baseline/files.h"
#include "log/mangled.h"
#include "log/name.h"
#include "log/spelling.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_CANDIDATES = 1 << 12 }; /* pairs with one form; more of them would all be ambiguous */

/* ---- words ------------------------------------------------------------------------------------------------------ */

struct words {
    uint32_t *items; /* into renaming.words */
    size_t count, cap;
};

/* A gone or new entry. */
struct member {
    const struct kernel_metrics *entry;
    uint32_t pair; /* index in the comparison */
    uint32_t file; /* see compare_file */
};

/* A kernel that is gone or new: all of its entries on architectures of both sides. */
struct entity {
    uint32_t id;
    const struct member *members; /* sorted by architecture and file, equally on both sides */
    size_t count;
    struct words words;      /* of its scope, then its name with template arguments, then its parameters */
    size_t name, parameters; /* where the name and the parameters begin in the words */
    uint32_t before, after;  /* pairs of its neighbours on its first architecture; NO_INDEX: none */
    bool ordered;            /* they are known */
    bool usable;
    uint32_t candidate; /* entity of the other side; NO_INDEX: none */
    size_t candidates;
    int form; /* the one that the candidate has in common with it */
};

struct side {
    const struct kernel_metrics_set *set;
    struct member *members;
    size_t member_count, member_cap;
    struct entity *items;
    size_t count, cap;
    bool *is_id, *is_arch; /* by string: some entry of the set has it */
    bool *is_changed;      /* by string: the identity of a gone or new kernel */
    uint8_t bit;           /* of the sides of words */
};

struct renaming {
    struct comparison *comparison;
    bool in_order; /* the records of the head are in the order of their compiles */
    struct side base, head;
    struct intern overloads; /* see overload_key */
    struct intern words;
    uint8_t *sides; /* by word: the bits of the sides that have it as an identifier in a name */
    size_t sides_cap;
    struct arena arena;
    struct words gone_marks, new_marks; /* renamed identifiers of the two candidates being compared */
    struct buf scratch, readable;
};

enum { OF_BASE = 1, OF_HEAD = 2 };

static uint32_t note_word(struct renaming *r, struct str word, uint8_t sides)
{
    const uint32_t number = intern_add(&r->words, word);
    *MEM_AT(r->sides, r->sides_cap, number) |= sides;
    return number;
}

/* True if only one side has the identifier. */
static bool is_renamed(const struct renaming *r, uint32_t word)
{
    return r->sides[word] == OF_BASE || r->sides[word] == OF_HEAD;
}

static bool word_is(const struct renaming *r, uint32_t word, const char *text)
{
    return str_eq(intern_get(&r->words, word), str_of(text));
}

/* The length of the first word of the text, without leading blanks. */
static size_t word_length(struct str text)
{
    static const struct str hidden = STR_INIT("(anonymous namespace)");
    size_t length = first_word(text).len;
    if (str_starts(text, hidden))
        return hidden.len;
    if (str_starts(text, STR("::")))
        return 2;
    return length ? length : 1;
}

/* The index of the bracket that the last word closes; the index of that word if it closes none. */
static size_t opening(const struct renaming *r, const struct words *words, size_t first)
{
    int depth = 0;
    for (size_t at = words->count; at-- > first;) {
        depth += word_is(r, words->items[at], ")") - word_is(r, words->items[at], "(");
        if (depth == 0)
            return at;
    }
    return words->count;
}

/* Appends the words of the text without the parameters of enclosing functions: "(int)" of "run(int)::{lambda()#1}". */
static void split_words(struct renaming *r, struct str text, struct words *words)
{
    const size_t first = words->count;
    for (size_t length; text.len; text = str_from(text, length)) {
        length = word_length(text);
        if (text.ptr[0] == ' ')
            continue;
        const uint32_t word = note_word(r, str_sub(text, 0, length), 0);
        if (word_is(r, word, "::") && words->count > first && word_is(r, words->items[words->count - 1], ")"))
            words->count = opening(r, words, first);
        *MEM_ADD(words->items, words->count, words->cap) = word;
    }
}

/* The index after the last "::" outside of brackets; 0: there is none. */
static size_t scope_end(struct str name)
{
    size_t end = 0;
    int depth = 0;
    for (size_t at = 0; at < name.len; at++) {
        depth += name_nesting(name, at);
        if (depth == 0 && str_starts(str_from(name, at), STR("::")))
            end = at + 2;
    }
    return end;
}

static void read_name(struct renaming *r, struct entity *entity)
{
    struct words *words = &entity->words;
    buf_clear(&r->readable);
    name_demangle(intern_get(r->comparison->strings, entity->id), &r->readable);
    const struct str readable = buf_str(&r->readable), name = name_alone(readable);
    const size_t scope = scope_end(name);
    split_words(r, str_sub(name, 0, scope), words);
    entity->name = words->count;
    split_words(r, str_from(name, scope), words);
    entity->parameters = words->count;
    split_words(r, str_from(readable, name_parameters_at(readable)), words);
}

/* ---- gone and new kernels --------------------------------------------------------------------------------------- */

struct identifiers {
    struct renaming *renaming;
    struct str name;
    uint8_t side;
};

static void note_identifier(void *context, struct identifier found)
{
    const struct identifiers *note = context;
    note_word(note->renaming, str_sub(note->name, found.at, found.at + found.len), note->side);
}

static void note_set(struct renaming *r, struct side *side, const struct kernel_metrics_set *set, uint8_t bit)
{
    const size_t strings = set->strings->count + 1;
    *side = (struct side){.set = set,
                          .is_id = arena_alloc(&r->arena, strings),
                          .is_arch = arena_alloc(&r->arena, strings),
                          .is_changed = arena_alloc(&r->arena, strings),
                          .bit = bit};
    EACH(const struct kernel_metrics, entry, set->items, set->count) {
        side->is_id[entry->id] = true;
        if (entry->arch != NO_INDEX)
            side->is_arch[entry->arch] = true;
    }
    for (uint32_t at = 0; at < set->strings->count; at++) {
        struct identifiers note = {r, intern_get(set->strings, at), bit};
        if (side->is_id[at] && !mangled_walk(note.name, note_identifier, &note))
            note_word(r, note.name, bit);
    }
}

/* Adds the entry of a gone or new pair, except if the other side was not built for its architecture. */
static void take_pair(struct renaming *r, struct side *side, const struct side *other, uint32_t pair)
{
    const struct pair *of = &r->comparison->pairs[pair];
    const struct kernel_metrics *entry = &side->set->items[side->bit == OF_BASE ? of->base : of->head];
    if (other->is_id[entry->id])
        return;
    side->is_changed[entry->id] = true;
    if (entry->arch == NO_INDEX || other->is_arch[entry->arch])
        *MEM_ADD(side->members, side->member_count, side->member_cap) =
            (struct member){entry, pair, compare_file(r->comparison, entry)};
}

static int by_entity(const void *left, const void *right)
{
    const struct member *a = left, *b = right;
    return numbers_cmp((const int64_t[]){a->entry->id, a->entry->arch, a->file, a->pair},
                       (const int64_t[]){b->entry->id, b->entry->arch, b->file, b->pair}, 4);
}

/* False if some of its numbers may be another kernel's, or two kernels of a file have its name. */
static bool is_usable(const struct entity *entity)
{
    for (size_t at = 0; at < entity->count; at++) {
        const struct member *member = &entity->members[at];
        const struct kernel_metrics *entry = member->entry;
        if (entry->ambiguous || entry->values[MEASURE_REGISTERS] == UNKNOWN || entry->arch == NO_INDEX ||
            (at && member[-1].entry->arch == entry->arch && member[-1].file == member->file))
            return false;
    }
    return true;
}

static void make_entities(struct renaming *r, struct side *side)
{
    mem_sort(side->members, side->member_count, sizeof *side->members, by_entity);
    for (size_t from = 0, to; from < side->member_count; from = to) {
        struct entity entity = {.id = side->members[from].entry->id,
                                .members = &side->members[from],
                                .before = NO_INDEX,
                                .after = NO_INDEX,
                                .candidate = NO_INDEX};
        for (to = from; to < side->member_count && side->members[to].entry->id == entity.id; to++)
            entity.count++;
        entity.usable = is_usable(&entity);
        read_name(r, &entity);
        *MEM_ADD(side->items, side->count, side->cap) = entity;
    }
}

/* "ns::kernel" after a byte: the sides that have it with these parameters; 0: kernels that keep their names have it,
 * with any. The text is valid until the next call. */
static struct str overload_key(struct renaming *r, uint32_t id, uint8_t sides, const struct entity *entity)
{
    const size_t count = entity ? entity->words.count - entity->parameters : 0;
    buf_clear(&r->scratch);
    buf_char(&r->scratch, (char)sides);
    name_template(intern_get(r->comparison->strings, id), &r->scratch);
    buf_char(&r->scratch, '\0');
    if (count)
        buf_add(&r->scratch, (struct str){(const char *)&entity->words.items[entity->parameters],
                                          count * sizeof *entity->words.items});
    return buf_str(&r->scratch);
}

static void note_overloads(struct renaming *r, const struct side *side)
{
    for (uint32_t at = 0; at < side->set->strings->count; at++)
        if (side->is_id[at] && !side->is_changed[at])
            intern_add(&r->overloads, overload_key(r, at, 0, NULL));
    EACH(const struct entity, entity, side->items, side->count)
        intern_add(&r->overloads, overload_key(r, entity->id, side->bit, entity));
}

static void collect(struct renaming *r)
{
    note_set(r, &r->base, r->comparison->base, OF_BASE);
    note_set(r, &r->head, r->comparison->head, OF_HEAD);
    note_word(r, STR("__half"), OF_BASE | OF_HEAD); /* number types, like float */
    note_word(r, STR("__nv_bfloat16"), OF_BASE | OF_HEAD);
    for (uint32_t at = 0; at < r->comparison->count; at++) {
        const struct pair *pair = &r->comparison->pairs[at];
        if (pair->state == COMPARE_GONE)
            take_pair(r, &r->base, &r->head, at);
        else if (pair->state == COMPARE_NEW)
            take_pair(r, &r->head, &r->base, at);
    }
    make_entities(r, &r->base);
    make_entities(r, &r->head);
    note_overloads(r, &r->base);
    note_overloads(r, &r->head);
}

/* ---- neighbours ------------------------------------------------------------------------------------------------- */

/* count + 1 numbers that are NO_INDEX. */
static uint32_t *numbers_unset(struct renaming *r, size_t count)
{
    const size_t bytes = (count + 1) * sizeof(uint32_t);
    return memset(arena_alloc(&r->arena, bytes), 0xff, bytes);
}

/* By item of the side: the pair of the previous kernel of its architecture that keeps its name; pair_of: by item, the
 * pair of a kernel that keeps its name. */
static uint32_t *walk_neighbours(struct renaming *r, const struct side *side, const uint32_t *pair_of, bool forwards)
{
    const size_t archs = side->set->strings->count;
    uint32_t *last = numbers_unset(r, archs), *neighbours = numbers_unset(r, side->set->count);
    for (size_t step = 0; step < side->set->count; step++) {
        const size_t item = forwards ? step : side->set->count - 1 - step;
        const struct kernel_metrics *entry = &side->set->items[item];
        const size_t arch = entry->arch == NO_INDEX ? archs : entry->arch;
        if (entry->deselected || entry->kind != KERNEL_ENTRY)
            continue;
        neighbours[item] = last[arch];
        last[arch] = pair_of[item] == NO_INDEX ? last[arch] : pair_of[item];
    }
    return neighbours;
}

static void find_neighbours(struct renaming *r, struct side *side)
{
    uint32_t *pair_of = numbers_unset(r, side->set->count);
    for (uint32_t at = 0; at < r->comparison->count; at++) {
        const struct pair *pair = &r->comparison->pairs[at];
        if (pair->base != NO_INDEX && pair->head != NO_INDEX && !pair->copy)
            pair_of[side->bit == OF_BASE ? pair->base : pair->head] = at;
    }
    const uint32_t *before = walk_neighbours(r, side, pair_of, true);
    const uint32_t *after = walk_neighbours(r, side, pair_of, false);
    EACH(struct entity, entity, side->items, side->count) {
        const struct kernel_metrics *entry = entity->members->entry;
        entity->before = before[entry - side->set->items];
        entity->after = after[entry - side->set->items];
        entity->ordered =
            entry->kind == KERNEL_ENTRY && (side->bit == OF_HEAD ? r->in_order : entry->kernel != NO_INDEX);
    }
}

/* ---- forms ------------------------------------------------------------------------------------------------------ */

static void add_bytes(struct buf *out, const void *bytes, size_t count)
{
    buf_add(out, (struct str){bytes, count});
}

/* Appends architectures and kinds; with `numbers` also the values. */
static void add_entries(const struct entity *entity, bool numbers, struct buf *out)
{
    for (size_t at = 0; at < entity->count; at++) {
        const struct kernel_metrics *entry = entity->members[at].entry;
        add_bytes(out, &entry->arch, sizeof entry->arch);
        buf_char(out, (char)entry->kind);
        add_bytes(out, entry->values, numbers ? sizeof *entry->values * (MEASURE_BARRIERS + 1) : 0);
    }
}

static bool is_in_scope(const struct entity *entity, uint32_t word)
{
    for (size_t at = 0; at < entity->name; at++)
        if (entity->words.items[at] == word)
            return true;
    return false;
}

enum form {
    FORM_SCOPELESS,     /* without the function's scope */
    FORM_SCOPE_NOWHERE, /* without that scope in types too, which moved along */
    FORM_OWN_NAME,      /* without the function's own name; of kernels without a candidate */
    FORM_NAME_KEPT,     /* without parameters and values; everything else must have the same name */
    FORMS,
};

/* Appends the name and the parameters without what may be renamed: identifiers that only one side has become a mark,
 * and are left out as scopes. `out` gets the form, `marks` the identifiers that became marks; either may be NULL. */
static void add_form(const struct renaming *r, const struct entity *entity, int form, struct buf *out,
                     struct words *marks)
{
    static const uint32_t mark = UINT32_MAX;
    const struct words *words = &entity->words;
    for (size_t at = entity->name; at < words->count; at++) {
        uint32_t word = words->items[at];
        bool renamed = is_renamed(r, word);
        bool scopes = at + 1 < words->count && word_is(r, words->items[at + 1], "::");
        if (scopes && (renamed || (form == FORM_SCOPE_NOWHERE && is_in_scope(entity, word)))) {
            at++;
            continue;
        }
        if (out)
            add_bytes(out, renamed ? &mark : &word, sizeof word);
        if (marks && renamed)
            *MEM_ADD(marks->items, marks->count, marks->cap) = word;
    }
}

static void add_words_around_name(const struct entity *entity, struct buf *out)
{
    const uint32_t *words = entity->words.items;
    add_bytes(out, words, entity->name * sizeof *words);
    if (entity->name < entity->words.count)
        add_bytes(out, &words[entity->name + 1], (entity->words.count - entity->name - 1) * sizeof *words);
}

static struct str make_form(struct renaming *r, const struct entity *entity, int form)
{
    buf_clear(&r->scratch);
    add_entries(entity, form != FORM_NAME_KEPT, &r->scratch);
    if (form == FORM_NAME_KEPT)
        add_bytes(&r->scratch, entity->words.items, entity->parameters * sizeof *entity->words.items);
    else if (form == FORM_OWN_NAME)
        add_words_around_name(entity, &r->scratch);
    else
        add_form(r, entity, form, &r->scratch, NULL);
    return buf_str(&r->scratch);
}

/* ---- candidates ------------------------------------------------------------------------------------------------- */

enum place_known { PLACE_UNKNOWN, PLACE_SAME, PLACE_OTHER };

/* Whether the neighbours of both are the same pairs. */
static enum place_known compare_places(const struct entity *gone, const struct entity *new)
{
    const uint32_t file = gone->members->file, other = new->members->file;
    const bool files = file != NO_INDEX && other != NO_INDEX;
    if (gone->ordered && new->ordered) {
        bool same = gone->before == new->before && gone->after == new->after;
        bool any = gone->before != NO_INDEX || gone->after != NO_INDEX;
        return !same ? PLACE_OTHER : any || (files && file == other) ? PLACE_SAME : PLACE_UNKNOWN;
    }
    if (!files)
        return PLACE_UNKNOWN;
    return file == other ? PLACE_SAME : PLACE_OTHER;
}

/* How the scope of the function changed. */
enum scope_change {
    SCOPE_SAME,
    SCOPE_MOVED,    /* a namespace was added, removed or renamed */
    SCOPE_REPLACED, /* another scope that exists on both sides is in its place */
};

/* True if the scope of b contains the words of the scope of a in the same order, renamed ones aside. */
static bool is_part(const struct renaming *r, const struct entity *a, const struct entity *b)
{
    size_t found = 0;
    for (size_t at = 0; at < a->name; at++) {
        uint32_t word = a->words.items[at];
        if (word_is(r, word, "::") || is_renamed(r, word))
            continue;
        while (found < b->name && b->words.items[found] != word)
            found++;
        if (found++ >= b->name)
            return false;
    }
    return true;
}

static enum scope_change compare_scopes(const struct renaming *r, const struct entity *a, const struct entity *b)
{
    size_t bytes = a->name * sizeof *a->words.items;
    if (a->name == b->name && (a->name == 0 || memcmp(a->words.items, b->words.items, bytes) == 0))
        return SCOPE_SAME;
    return is_part(r, a, b) || is_part(r, b, a) ? SCOPE_MOVED : SCOPE_REPLACED;
}

/* The function's own name. */
static uint32_t own_name(const struct entity *entity)
{
    return entity->name < entity->parameters ? entity->words.items[entity->name] : NO_INDEX;
}

/* Stores which identifiers were renamed to which; false if the numbers of identifiers differ. */
static bool marks_agree(struct renaming *r, const struct entity *gone, const struct entity *new, int form)
{
    struct words *a = &r->gone_marks, *b = &r->new_marks;
    a->count = b->count = 0;
    add_form(r, gone, form, NULL, a);
    add_form(r, new, form, NULL, b);
    return a->count == b->count;
}

static bool same_parameters(const struct entity *a, const struct entity *b)
{
    const size_t count = a->words.count - a->parameters;
    return count == b->words.count - b->parameters &&
           (count == 0 || memcmp(&a->words.items[a->parameters], &b->words.items[b->parameters],
                                 count * sizeof *a->words.items) == 0);
}

static bool has_overload(struct renaming *r, const struct entity *entity, uint8_t side)
{
    return intern_find(&r->overloads, overload_key(r, entity->id, side, side ? entity : NULL)) != INTERN_NONE;
}

/* True if only the parameters changed: the function, its template arguments and its file are the same. False if they
 * may be overloads: another kernel keeps the name, or both lists of parameters are on both sides. */
static bool got_parameters(struct renaming *r, const struct entity *gone, const struct entity *new)
{
    const uint32_t file = gone->members->file, other = new->members->file;
    const bool elsewhere = file != NO_INDEX && other != NO_INDEX && file != other;
    return !elsewhere && !has_overload(r, gone, 0) && !has_overload(r, new, 0) &&
           (same_parameters(gone, new) || !has_overload(r, gone, OF_HEAD) || !has_overload(r, new, OF_BASE));
}

/* True if the neighbours allow what was renamed. nvcc emits the kernels of each namespace together, so a kernel that
 * moved to another namespace has other neighbours. */
static bool may_be_one(struct renaming *r, const struct entity *gone, const struct entity *new, int form)
{
    enum place_known place = compare_places(gone, new);
    enum scope_change scope = compare_scopes(r, gone, new);
    if (form == FORM_NAME_KEPT)
        return got_parameters(r, gone, new);
    if (form == FORM_OWN_NAME) /* the names may occur on both sides, in other kernels */
        return place == PLACE_SAME && scope == SCOPE_SAME;
    if (!marks_agree(r, gone, new, form))
        return false;
    size_t renamed = r->gone_marks.count;
    if (own_name(gone) != own_name(new))
        return renamed == 1 && place == PLACE_SAME && scope == SCOPE_SAME;
    if (scope == SCOPE_REPLACED)
        return place == PLACE_SAME && renamed == 0;
    return renamed == 0 || place != PLACE_OTHER;
}

/* An entity as it is sorted: entities with one form and equal values are adjacent, the gone ones first. */
struct formed {
    uint32_t form, entity;
    bool is_new;
};

static int by_form(const void *left, const void *right)
{
    const struct formed *a = left, *b = right;
    return numbers_cmp((const int64_t[]){a->form, a->is_new, a->entity},
                       (const int64_t[]){b->form, b->is_new, b->entity}, 3);
}

static void note_candidate(struct entity *entity, uint32_t other, int form)
{
    if (entity->candidate == other)
        return;
    entity->candidates++;
    entity->candidate = other;
    entity->form = form;
}

/* formed has `gone` gone entities, then `new` new ones. */
static void try_pairs(struct renaming *r, const struct formed *formed, size_t gone, size_t new, int form)
{
    bool too_many = gone * new > MOST_CANDIDATES;
    for (size_t g = 0; g < gone; g++) {
        struct entity *old = &r->base.items[formed[g].entity];
        old->candidates += too_many ? 2 : 0;
        for (size_t n = gone; n < gone + new && !too_many; n++) {
            struct entity *renamed = &r->head.items[formed[n].entity];
            if (!may_be_one(r, old, renamed, form))
                continue;
            note_candidate(old, formed[n].entity, form);
            note_candidate(renamed, formed[g].entity, form);
        }
    }
}

static size_t add_formed(struct renaming *r, const struct side *side, int form, struct intern *forms,
                         struct formed *formed)
{
    size_t count = 0;
    for (uint32_t at = 0; at < side->count; at++) {
        const struct entity *entity = &side->items[at];
        if (entity->usable && (form != FORM_OWN_NAME || entity->candidates == 0))
            formed[count++] = (struct formed){intern_add(forms, make_form(r, entity, form)), at, side == &r->head};
    }
    return count;
}

static void find_candidates(struct renaming *r, int form)
{
    SCOPED(intern) forms = {0};
    struct formed *formed = mem_alloc((r->base.count + r->head.count + 1) * sizeof *formed);
    size_t count = add_formed(r, &r->base, form, &forms, formed);
    count += add_formed(r, &r->head, form, &forms, formed + count);
    mem_sort(formed, count, sizeof *formed, by_form);
    for (size_t from = 0, to = 0; from < count; from = to) {
        size_t gone = 0;
        for (to = from; to < count && formed[to].form == formed[from].form; to++)
            gone += !formed[to].is_new;
        try_pairs(r, &formed[from], gone, to - from - gone, form);
    }
    free(formed);
}

/* ---- joining ---------------------------------------------------------------------------------------------------- */

static bool is_chosen(const struct renaming *r, const struct entity *gone)
{
    if (gone->candidates != 1)
        return false;
    const struct entity *new = &r->head.items[gone->candidate];
    return new->candidates == 1 && &r->base.items[new->candidate] == gone;
}

/* Drops candidates for which an identifier would be renamed to two different ones, or two to the same one. */
static void drop_contradictions(struct renaming *r)
{
    enum { NONE = UINT32_MAX, SEVERAL = UINT32_MAX - 1 };
    uint32_t *other = mem_alloc((r->words.count + 1) * sizeof *other);
    for (size_t at = 0; at < r->words.count; at++)
        other[at] = NONE;
    for (int round = 0; round < 2; round++) {
        EACH(struct entity, gone, r->base.items, r->base.count) {
            if (!is_chosen(r, gone) || gone->form >= FORM_OWN_NAME) /* no identifier is renamed everywhere */
                continue;
            marks_agree(r, gone, &r->head.items[gone->candidate], gone->form);
            for (size_t mark = 0; mark < r->gone_marks.count; mark++) {
                uint32_t a = r->gone_marks.items[mark], b = r->new_marks.items[mark];
                if (round == 1 && (other[a] == SEVERAL || other[b] == SEVERAL))
                    gone->candidates = 2;
                other[a] = other[a] == NONE || other[a] == b ? b : SEVERAL;
                other[b] = other[b] == NONE || other[b] == a ? a : SEVERAL;
            }
        }
    }
    free(other);
}

static size_t join_chosen(struct renaming *r)
{
    size_t kernels = 0;
    EACH(const struct entity, gone, r->base.items, r->base.count) {
        if (!is_chosen(r, gone))
            continue;
        const struct entity *new = &r->head.items[gone->candidate];
        kernels++;
        for (size_t at = 0; at < gone->count; at++)
            compare_join(r->comparison, gone->members[at].pair, new->members[at].pair);
    }
    compare_drop_joined(r->comparison);
    return kernels;
}

static void free_side(struct side *side)
{
    for (size_t at = 0; at < side->count; at++)
        free(side->items[at].words.items);
    free(side->items);
    free(side->members);
}

size_t rename_join(struct comparison *comparison, bool in_order)
{
    struct renaming r = {.comparison = comparison, .in_order = in_order};
    if (comparison->counts.by_state[COMPARE_GONE] == 0 || comparison->counts.by_state[COMPARE_NEW] == 0)
        return 0;
    collect(&r);
    find_neighbours(&r, &r.base);
    find_neighbours(&r, &r.head);
    for (int form = 0; form < FORMS; form++)
        find_candidates(&r, form);
    drop_contradictions(&r);
    const size_t kernels = join_chosen(&r);
    if (kernels)
        files_match_renamed(comparison);
    free_side(&r.base);
    free_side(&r.head);
    arena_free(&r.arena);
    intern_free(&r.words);
    intern_free(&r.overloads);
    free(r.sides);
    free(r.gone_marks.items);
    free(r.new_marks.items);
    buf_free(&r.scratch);
    buf_free(&r.readable);
    return kernels;
}
