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

static void add_word(struct words *words, uint32_t word)
{
    *MEM_ADD(words->items, words->count, words->cap) = word;
}

/* A kernel that is gone or new: all of its entries, one for each architecture and each file that compiles it. */
struct entity {
    uint32_t id;     /* into the strings of its set */
    uint32_t *pairs; /* indices in the comparison, sorted by architecture and file on both sides */
    size_t pair_count, pair_cap;
    struct words words;      /* of its scope, then its name with template arguments, then its parameters */
    size_t name, parameters; /* where the name and the parameters begin in the words */
    uint32_t before, after;  /* pairs of its neighbours on its first architecture; NO_INDEX: none */
    uint32_t file;           /* of its first entry, see compare_file */
    uint32_t candidate;      /* entity of the other side; NO_INDEX: none */
    size_t candidates;
    int form;     /* the one that the candidate has in common with it */
    bool ordered; /* before and after are known */
    bool usable;
};

struct side {
    const struct kernel_metrics_set *set;
    struct entity *items;
    size_t count, cap;
    uint32_t *entity_of;       /* by string: number + 1, 0: none */
    bool *is_id, *is_arch;     /* by string: true if some entry of the set has it */
    struct intern identifiers; /* of all names of the set */
};

struct renaming {
    struct comparison *comparison;
    bool in_order; /* the records of the head are in the order of their compiles */
    struct side base, head;
    struct intern staying; /* templates (log/name.h) of kernels that keep their names */
    struct intern words;
    uint8_t *kind; /* by word: enum word_kind */
    size_t kind_cap;
    struct words gone_marks, new_marks; /* renamed identifiers of the two candidates being compared */
    struct buf scratch, readable;
};

enum word_kind { WORD_OTHER = 1, WORD_NAME, WORD_GONE, WORD_NEW };

static bool is_letter(char c)
{
    return is_word(c) && !is_digit(c);
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

static enum word_kind kind_of_word(const struct renaming *r, struct str word)
{
    bool is_number = str_eq(word, STR("__half")) || str_eq(word, STR("__nv_bfloat16")); /* number types, like float */
    if (!is_letter(word.ptr[0]) || is_number)
        return WORD_OTHER;
    bool in_base = intern_find(&r->base.identifiers, word) != INTERN_NONE;
    bool in_head = intern_find(&r->head.identifiers, word) != INTERN_NONE;
    return in_base == in_head ? WORD_NAME : in_base ? WORD_GONE : WORD_NEW;
}

static uint32_t word_number(struct renaming *r, struct str word)
{
    size_t known = r->words.count;
    uint32_t number = intern_add(&r->words, word);
    if (number == known)
        *MEM_AT(r->kind, r->kind_cap, number) = (uint8_t)kind_of_word(r, word);
    return number;
}

static bool word_is(const struct renaming *r, uint32_t word, const char *text)
{
    return str_eq(intern_get(&r->words, word), str_of(text));
}

static void split_words(struct renaming *r, struct str text, struct words *words)
{
    while (text.len) {
        size_t length = word_length(text);
        if (text.ptr[0] != ' ')
            add_word(words, word_number(r, str_sub(text, 0, length)));
        text = str_from(text, length);
    }
}

/* Removes the parameters of enclosing functions from the words from `first` on: "(int)" of "run(int)::{lambda()#1}". */
static void drop_inner_parameters(const struct renaming *r, struct words *words, size_t first)
{
    size_t *open = mem_alloc((words->count + 1) * sizeof *open);
    size_t depth = 0, kept = first;
    for (size_t at = first; at < words->count; at++) {
        uint32_t word = words->items[at];
        bool ends = depth && word_is(r, word, ")");
        bool surrounds = ends && at + 1 < words->count && word_is(r, words->items[at + 1], "::");
        if (word_is(r, word, "("))
            open[depth++] = kept;
        words->items[kept++] = word;
        if (ends)
            depth--;
        if (surrounds)
            kept = open[depth];
    }
    words->count = kept;
    free(open);
}

/* The depth of brackets after the word. */
static int depth_after(const struct renaming *r, uint32_t word, int depth)
{
    struct str text = intern_get(&r->words, word);
    if (text.len != 1)
        return depth;
    if (text.ptr[0] == '<' || text.ptr[0] == '(' || text.ptr[0] == '{')
        return depth + 1;
    return text.ptr[0] == '>' || text.ptr[0] == ')' || text.ptr[0] == '}' ? depth - 1 : depth;
}

/* The index after the last "::" outside of brackets; 0: there is none. */
static size_t scope_end(const struct renaming *r, const struct words *words)
{
    size_t end = 0;
    int depth = 0;
    for (size_t at = 0; at < words->count; at++) {
        depth = depth_after(r, words->items[at], depth);
        if (depth == 0 && word_is(r, words->items[at], "::"))
            end = at + 1;
    }
    return end;
}

static void read_name(struct renaming *r, struct entity *entity)
{
    struct words *words = &entity->words;
    buf_clear(&r->readable);
    name_demangle(intern_get(r->comparison->strings, entity->id), &r->readable);
    struct str readable = buf_str(&r->readable);
    split_words(r, name_alone(readable), words);
    drop_inner_parameters(r, words, 0);
    entity->name = scope_end(r, words);
    entity->parameters = words->count;
    split_words(r, str_from(readable, name_parameters_at(readable)), words);
    drop_inner_parameters(r, words, entity->parameters);
}

/* ---- gone and new kernels --------------------------------------------------------------------------------------- */

struct identifiers {
    struct intern *table;
    struct str name;
};

static void note_identifier(void *context, struct identifier found)
{
    const struct identifiers *note = context;
    intern_add(note->table, str_sub(note->name, found.at, found.at + found.len));
}

static void note_identifiers(struct side *side)
{
    for (uint32_t at = 0; at < side->set->strings->count; at++) {
        struct identifiers note = {&side->identifiers, intern_get(side->set->strings, at)};
        if (side->is_id[at] && !mangled_walk(note.name, note_identifier, &note))
            intern_add(&side->identifiers, note.name);
    }
}

static void note_set(struct side *side, const struct kernel_metrics_set *set)
{
    side->set = set;
    side->is_id = mem_alloc(set->strings->count + 1);
    side->is_arch = mem_alloc(set->strings->count + 1);
    side->entity_of = mem_alloc((set->strings->count + 1) * sizeof *side->entity_of);
    for (size_t at = 0; at < set->count; at++) {
        side->is_id[set->items[at].id] = true;
        if (set->items[at].arch != NO_INDEX)
            side->is_arch[set->items[at].arch] = true;
    }
    note_identifiers(side);
}

static uint32_t item_of(const struct renaming *r, const struct side *side, uint32_t pair)
{
    return side == &r->base ? r->comparison->pairs[pair].base : r->comparison->pairs[pair].head;
}

static const struct kernel_metrics *entry_of(const struct renaming *r, const struct side *side, uint32_t pair)
{
    return &side->set->items[item_of(r, side, pair)];
}

static int order_of_pairs(const struct renaming *r, const struct side *side, uint32_t left, uint32_t right)
{
    const struct kernel_metrics *a = entry_of(r, side, left), *b = entry_of(r, side, right);
    const struct intern *strings = side->set->strings;
    const int order = str_cmp(intern_get(strings, a->arch), intern_get(strings, b->arch));
    return order ? order : number_cmp(compare_file(r->comparison, a), compare_file(r->comparison, b));
}

static struct entity *entity_for(struct side *side, uint32_t id)
{
    if (!side->entity_of[id]) {
        *MEM_ADD(side->items, side->count, side->cap) = (struct entity){
            .id = id, .before = NO_INDEX, .after = NO_INDEX, .file = NO_INDEX, .candidate = NO_INDEX, .usable = true};
        side->entity_of[id] = (uint32_t)side->count;
    }
    return &side->items[side->entity_of[id] - 1];
}

static void take_pair(struct renaming *r, struct side *side, const struct side *other, uint32_t pair)
{
    const struct kernel_metrics *entry = entry_of(r, side, pair);
    if (other->is_id[entry->id])
        return;
    struct entity *entity = entity_for(side, entry->id);
    entity->usable &= !entry->ambiguous && entry->values[MEASURE_REGISTERS] != UNKNOWN && entry->arch != NO_INDEX;
    if (entry->arch == NO_INDEX ||
        !other->is_arch[entry->arch]) /* the other side was not built for this architecture */
        return;
    MEM_ADD(entity->pairs, entity->pair_count, entity->pair_cap);
    size_t at = entity->pair_count - 1;
    int order = -1;
    for (; at && (order = order_of_pairs(r, side, entity->pairs[at - 1], pair)) > 0; at--)
        entity->pairs[at] = entity->pairs[at - 1];
    entity->pairs[at] = pair;
    entity->usable &= order != 0; /* otherwise two kernels of a file have this name */
}

static void collect(struct renaming *r)
{
    for (uint32_t at = 0; at < r->comparison->count; at++) {
        const struct pair *pair = &r->comparison->pairs[at];
        if (pair->state == COMPARE_GONE)
            take_pair(r, &r->base, &r->head, at);
        else if (pair->state == COMPARE_NEW)
            take_pair(r, &r->head, &r->base, at);
    }
}

static void note_staying(struct renaming *r, const struct side *side)
{
    for (uint32_t at = 0; at < side->set->strings->count; at++) {
        if (!side->is_id[at] || side->entity_of[at])
            continue;
        buf_clear(&r->readable);
        name_template(intern_get(side->set->strings, at), &r->readable);
        intern_add(&r->staying, buf_str(&r->readable));
    }
}

/* ---- neighbours ------------------------------------------------------------------------------------------------- */

/* By item of the side: its pair if the kernel keeps its name, else NO_INDEX. The caller frees the array. */
static uint32_t *staying_pairs(const struct renaming *r, const struct side *side)
{
    uint32_t *pair_of = mem_alloc((side->set->count + 1) * sizeof *pair_of);
    for (size_t at = 0; at < side->set->count; at++)
        pair_of[at] = NO_INDEX;
    for (uint32_t at = 0; at < r->comparison->count; at++) {
        const struct pair *pair = &r->comparison->pairs[at];
        if (pair->base != NO_INDEX && pair->head != NO_INDEX && !pair->copy)
            pair_of[item_of(r, side, at)] = at;
    }
    return pair_of;
}

/* Walks over the set and sets the neighbour of each gone or new kernel: the previous kernel of its architecture that
 * keeps its name. */
static void walk_neighbours(struct renaming *r, struct side *side, const uint32_t *pair_of, bool forwards)
{
    const size_t archs = side->set->strings->count;
    uint32_t *last = mem_alloc((archs + 1) * sizeof *last);
    for (size_t at = 0; at <= archs; at++)
        last[at] = NO_INDEX;
    for (size_t step = 0; step < side->set->count; step++) {
        size_t item = forwards ? step : side->set->count - 1 - step;
        const struct kernel_metrics *entry = &side->set->items[item];
        size_t arch = entry->arch == NO_INDEX ? archs : entry->arch;
        if (entry->deselected || entry->kind != KERNEL_ENTRY)
            continue;
        if (pair_of[item] != NO_INDEX) {
            last[arch] = pair_of[item];
            continue;
        }
        uint32_t number = side->entity_of[entry->id];
        struct entity *entity = number ? &side->items[number - 1] : NULL;
        if (!entity || !entity->pair_count || item_of(r, side, entity->pairs[0]) != item)
            continue;
        *(forwards ? &entity->before : &entity->after) = last[arch];
        entity->ordered = side == &r->head ? r->in_order : entry->kernel != NO_INDEX;
    }
    free(last);
}

static void find_neighbours(struct renaming *r, struct side *side)
{
    uint32_t *pair_of = staying_pairs(r, side);
    walk_neighbours(r, side, pair_of, false);
    walk_neighbours(r, side, pair_of, true);
    free(pair_of);
}

/* ---- forms ------------------------------------------------------------------------------------------------------ */

static void add_bytes(struct buf *out, const void *bytes, size_t count)
{
    buf_add(out, (struct str){bytes, count});
}

/* Appends architectures and kinds; with `numbers` also the values. */
static void add_entries(const struct renaming *r, const struct side *side, const struct entity *entity, bool numbers,
                        struct buf *out)
{
    for (size_t at = 0; at < entity->pair_count; at++) {
        const struct kernel_metrics *entry = entry_of(r, side, entity->pairs[at]);
        add_bytes(out, &entry->arch, sizeof entry->arch);
        buf_char(out, (char)entry->kind);
        add_bytes(out, entry->values, numbers ? sizeof *entry->values * (MEASURE_BARRIERS + 1) : 0);
    }
}

static bool is_renamed(const struct renaming *r, uint32_t word)
{
    return r->kind[word] == WORD_GONE || r->kind[word] == WORD_NEW;
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
            add_word(marks, word);
    }
}

static void add_words_around_name(const struct entity *entity, struct buf *out)
{
    const uint32_t *words = entity->words.items;
    add_bytes(out, words, entity->name * sizeof *words);
    if (entity->name < entity->words.count)
        add_bytes(out, &words[entity->name + 1], (entity->words.count - entity->name - 1) * sizeof *words);
}

static struct str make_form(struct renaming *r, const struct side *side, const struct entity *entity, int form)
{
    buf_clear(&r->scratch);
    add_entries(r, side, entity, form != FORM_NAME_KEPT, &r->scratch);
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
    bool files = gone->file != NO_INDEX && new->file != NO_INDEX;
    if (gone->ordered && new->ordered) {
        bool same = gone->before == new->before && gone->after == new->after;
        bool any = gone->before != NO_INDEX || gone->after != NO_INDEX;
        return !same ? PLACE_OTHER : any || (files && gone->file == new->file) ? PLACE_SAME : PLACE_UNKNOWN;
    }
    if (!files)
        return PLACE_UNKNOWN;
    return gone->file == new->file ? PLACE_SAME : PLACE_OTHER;
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

/* True if another kernel of that name keeps it: this one is an overload. */
static bool is_overload(struct renaming *r, const struct entity *entity)
{
    buf_clear(&r->readable);
    name_template(intern_get(r->comparison->strings, entity->id), &r->readable);
    return intern_find(&r->staying, buf_str(&r->readable)) != INTERN_NONE;
}

/* True if only the parameters changed: the function, its template arguments and its file are the same, and it has no
 * overload on either side. */
static bool got_parameters(struct renaming *r, const struct entity *gone, const struct entity *new)
{
    bool elsewhere = gone->file != NO_INDEX && new->file != NO_INDEX && gone->file != new->file;
    return !elsewhere && !is_overload(r, gone) && !is_overload(r, new);
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
            formed[count++] =
                (struct formed){intern_add(forms, make_form(r, side, entity, form)), at, side == &r->head};
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
        for (size_t pair = 0; pair < gone->pair_count; pair++)
            compare_join(r->comparison, gone->pairs[pair], new->pairs[pair]);
    }
    compare_drop_joined(r->comparison);
    return kernels;
}

static void read_side(struct renaming *r, struct side *side)
{
    EACH(struct entity, entity, side->items, side->count) {
        entity->usable &= entity->pair_count > 0;
        if (!entity->usable)
            continue;
        read_name(r, entity);
        entity->file = compare_file(r->comparison, entry_of(r, side, entity->pairs[0]));
    }
}

static void free_side(struct side *side)
{
    for (size_t at = 0; at < side->count; at++) {
        free(side->items[at].pairs);
        free(side->items[at].words.items);
    }
    free(side->items);
    free(side->entity_of);
    free(side->is_id);
    free(side->is_arch);
    intern_free(&side->identifiers);
}

size_t rename_join(struct comparison *comparison, bool in_order)
{
    struct renaming r = {.comparison = comparison, .in_order = in_order};
    size_t kernels = 0;
    if (comparison->counts.by_state[COMPARE_GONE] == 0 || comparison->counts.by_state[COMPARE_NEW] == 0)
        return 0;
    note_set(&r.base, comparison->base);
    note_set(&r.head, comparison->head);
    collect(&r);
    note_staying(&r, &r.base);
    note_staying(&r, &r.head);
    read_side(&r, &r.base);
    read_side(&r, &r.head);
    find_neighbours(&r, &r.base);
    find_neighbours(&r, &r.head);
    for (int form = 0; form < FORMS; form++)
        find_candidates(&r, form);
    drop_contradictions(&r);
    kernels = join_chosen(&r);
    if (kernels)
        files_match_renamed(comparison);
    free_side(&r.base);
    free_side(&r.head);
    intern_free(&r.words);
    intern_free(&r.staying);
    free(r.gone_marks.items);
    free(r.new_marks.items);
    free(r.kind);
    buf_free(&r.scratch);
    buf_free(&r.readable);
    return kernels;
}
