#include "report/label.h"

#include "log/name.h"
#include "log/region.h"
#include "log/spelling.h"
#include "report/alike.h"
#include "report/elide.h"

#include <stdlib.h>

enum {
    FIRST_DIGITS = 4,
    PATH_DIGITS = 8,     /* of a label that begins with words of the path: those of other leads may begin so */
    SURE_DIGITS = 12,    /* of a mark that is compared with no other one */
    MOST_ASKED = 128,    /* names of a lead, before all of them are made */
    MOST_PARTED = 50000, /* names of a lead, of which long ones are told apart by words */
};

/* scale:6_2, the function and the line of which a kernel is a part; the line of an identity is L. */
static bool spell_region(struct str name, struct buf *out)
{
    struct region region;
    if (!region_of(name, &region))
        return false;
    if (region.named_so) {
        buf_add(out, name);
        return true;
    }
    spell_kernel(region.function, out);
    buf_add(out, STR(":"));
    buf_add(out, region.line.len ? region.line : STR("L"));
    buf_add(out, region.suffix);
    return true;
}

/* The label before it is elided to so many bytes. */
static void make_whole(struct str mangled, size_t width, struct buf *out)
{
    struct buf shorter = {0};
    if (!spell_region(mangled, &shorter))
        spell_kernel(mangled, &shorter);
    spell_shorter(&shorter, width);
    safe_text(buf_str(&shorter), out);
    buf_free(&shorter);
}

void label_make(struct str mangled, struct buf *out)
{
    struct buf whole = {0};
    make_whole(mangled, LABEL_WIDTH, &whole);
    elide_name(buf_str(&whole), LABEL_WIDTH, out);
    buf_free(&whole);
}

void label_template(struct str mangled, struct buf *out)
{
    struct buf template = {0}, shorter = {0}, safe = {0};
    name_template(mangled, &template);
    if (str_starts(mangled, STR("_Z")) || str_ends(mangled, STR(")")))
        spell_name(buf_str(&template), &shorter);
    else if (!spell_region(buf_str(&template), &shorter))
        buf_add(&shorter, buf_str(&template));
    safe_text(buf_str(&shorter), &safe);
    elide_name(buf_str(&safe), LABEL_WIDTH, out);
    buf_free(&template);
    buf_free(&shorter);
    buf_free(&safe);
}

/* What is known of a name that was looked at. */
struct label {
    struct str whole;
    struct str final; /* ptr NULL: not made yet */
};

/* A name among all: those whose leads have one hash hang in one chain, with others now and then. */
struct label_place {
    uint32_t lead, next; /* hash; the next name of the chain + 1 */
    uint32_t label;      /* into labels->labels + 1; 0: the name was not looked at */
};

struct label_chain {
    uint32_t first, size, asked; /* first: a name + 1 */
};

static struct str keep(struct labels *labels, struct buf *text)
{
    struct str kept = arena_str(&labels->arena, buf_str(text));
    buf_free(text);
    return kept;
}

/* Demangles a name, once. Valid until the next one. */
static struct label *look_at(struct labels *labels, uint32_t name)
{
    struct label_place *place = &labels->places[name];
    if (!place->label) {
        struct buf whole = {0};
        make_whole(labels->names->strings[name], LABEL_WIDTH, &whole);
        labels->labels = mem_reserve(labels->labels, &labels->cap, labels->count + 1, sizeof *labels->labels);
        labels->labels[labels->count++] = (struct label){.whole = keep(labels, &whole)};
        place->label = (uint32_t)labels->count;
    }
    return &labels->labels[place->label - 1];
}

static bool is_long(struct str whole)
{
    return whole.len > LABEL_WIDTH;
}

static bool is_final(const struct labels *labels, uint32_t name)
{
    uint32_t label = labels->places[name].label;
    return label && labels->labels[label - 1].final.ptr;
}

static uint32_t lead_of(struct labels *labels, uint32_t name)
{
    struct lead lead;
    struct str text = {lead.text, 0};
    if (alike_lead(labels->names->strings[name], &lead))
        text.len = lead.len;
    else
        text = str_sub(alike_own_name(look_at(labels, name)->whole), 0, ALIKE_LEAD);
    return (uint32_t)str_hash(text);
}

static struct label_chain *chain_of(const struct labels *labels, uint32_t lead)
{
    return &labels->chains[lead & (labels->chain_count - 1)];
}

static void make_index(struct labels *labels)
{
    size_t count = labels->names->count;
    for (labels->chain_count = 16; labels->chain_count < count;)
        labels->chain_count *= 2;
    labels->places = mem_alloc((count + 1) * sizeof *labels->places);
    labels->chains = mem_alloc(labels->chain_count * sizeof *labels->chains);
    for (uint32_t name = 0; name < count; name++)
        labels->places[name].lead = lead_of(labels, name);
    for (uint32_t name = 0; name < count; name++) { /* apart from the leads: the processor waits for many at a time */
        struct label_place *place = &labels->places[name];
        struct label_chain *chain = chain_of(labels, place->lead);
        place->next = chain->first;
        chain->first = name + 1;
        chain->size++;
    }
}

void labels_init(struct labels *labels, const struct intern *names)
{
    *labels = (struct labels){.names = names};
}

static void *make_index_of(void *labels)
{
    make_index(labels);
    return NULL;
}

void labels_begin(struct labels *labels, unsigned threads)
{
    enum { MANY = 10000 }; /* names, from which on a thread is worth its start */
    labels->works = labels->names->count >= MANY && threads_to_use(threads) > 1 &&
                    thread_start(&labels->thread, make_index_of, labels);
}

static void wait_for(struct labels *labels)
{
    if (labels->works)
        pthread_join(labels->thread, NULL);
    labels->works = false;
}

/* A name that may look like another one. */
struct like {
    struct str whole, mangled;
    uint32_t name;
};

struct gathered {
    struct like *items;
    size_t count, cap;
};

static void gather(struct labels *labels, uint32_t name, struct gathered *to)
{
    to->items = mem_reserve(to->items, &to->cap, to->count + 1, sizeof *to->items);
    to->items[to->count++] = (struct like){look_at(labels, name)->whole, labels->names->strings[name], name};
}

static int by_whole(const void *left, const void *right)
{
    const struct like *a = left, *b = right;
    int order = str_cmp(a->whole, b->whole);
    return order ? order : str_cmp(a->mangled, b->mangled);
}

static void set_final(struct labels *labels, uint32_t name, struct buf *label)
{
    struct str kept = keep(labels, label);
    look_at(labels, name)->final = kept;
}

static void add_mark(uint64_t hash, int digits, struct buf *label)
{
    buf_fmt(label, "~%0*llx", digits, (unsigned long long)(hash >> (64 - 4 * digits)));
}

static void add_marked(const struct parted *parted, uint64_t hash, int digits, struct buf *label)
{
    buf_clear(label);
    elide_parted(parted, LABEL_WIDTH - 1 - (size_t)digits, label);
    add_mark(hash, digits, label);
}

static uint64_t identity_hash(struct str mangled)
{
    struct buf identity = {0};
    name_identity(mangled, &identity);
    uint64_t hash = str_hash(buf_str(&identity));
    buf_free(&identity);
    return hash;
}

/* The label with digits that no other one has which was taken: of the identity where that tells them apart, else of
 * the name. */
static void mark(struct labels *labels, const struct like *like, const struct parted *parted, int digits,
                 struct intern *taken)
{
    struct buf label = {0};
    uint64_t hash = identity_hash(like->mangled);
    for (size_t known = taken->count; taken->count == known; digits += 4) {
        if (digits > SURE_DIGITS)
            hash = digits > 16 ? hash + 1 : str_hash(like->mangled);
        add_marked(parted, hash, digits < 16 ? digits : 16, &label);
        intern_add(taken, buf_str(&label));
    }
    set_final(labels, like->name, &label);
}

/* A whole name that could be another one's label with its mark, or cut. */
static bool is_special(struct str whole)
{
    return str_find_char(whole, '~') != STR_NONE || str_find(whole, STR("...")) != STR_NONE;
}

/* Names that are shown whole, and are the same. */
static void make_same(struct labels *labels, const struct like *same, size_t count)
{
    struct intern taken = {0};
    const struct parted whole = {.name = same->whole};
    int digits = same->whole.len + 1 + FIRST_DIGITS > LABEL_WIDTH ? SURE_DIGITS : FIRST_DIGITS;
    bool shared = count > 1 || is_special(same->whole);
    for (size_t at = 0; at < count; at++)
        if (shared)
            mark(labels, &same[at], &whole, digits, &taken);
        else
            look_at(labels, same[at].name)->final = same->whole;
    intern_free(&taken);
}

/* The names that are shown whole and may look like one, which is among them; all of the lead once many of it were asked
 * for. */
static void gather_short(struct labels *labels, uint32_t name, struct gathered *to)
{
    struct alike alike;
    struct str whole = look_at(labels, name)->whole;
    uint32_t lead = labels->places[name].lead;
    struct label_chain *chain = chain_of(labels, lead);
    bool all = ++chain->asked > MOST_ASKED;
    alike_set(&alike, labels->names->strings[name]);
    for (uint32_t other = chain->first; other; other = labels->places[other - 1].next) {
        if (labels->places[other - 1].lead != lead || is_final(labels, other - 1) ||
            (!all && alike_differ(&alike, labels->names->strings[other - 1])))
            continue;
        struct str theirs = look_at(labels, other - 1)->whole;
        if (all ? !is_long(theirs) : str_eq(theirs, whole))
            gather(labels, other - 1, to);
    }
}

/* None depends on what was asked for before. */
static void make_short(struct labels *labels, uint32_t name)
{
    struct gathered like = {0};
    gather_short(labels, name, &like);
    qsort(like.items, like.count, sizeof *like.items, by_whole);
    for (size_t start = 0, end = 0; start < like.count; start = end) {
        while (end < like.count && str_eq(like.items[end].whole, like.items[start].whole))
            end++;
        make_same(labels, like.items + start, end - start);
    }
    free(like.items);
}

/* A name that no demangler here knows, and one of very many: a mark whatever others there are. */
static void make_alone(struct labels *labels, uint32_t name)
{
    struct buf label = {0};
    const struct parted whole = {.name = look_at(labels, name)->whole};
    add_marked(&whole, str_hash(labels->names->strings[name]), SURE_DIGITS, &label); /* identities may be the same */
    set_final(labels, name, &label);
}

static bool stands_alone(struct labels *labels, uint32_t name)
{
    return str_starts(look_at(labels, name)->whole, STR("_Z")) ||
           chain_of(labels, labels->places[name].lead)->size > MOST_PARTED;
}

/* Long names by the words at which they part, marked where these are the same. */
static void make_parted(struct labels *labels, const struct like *items, const struct parted *parted, size_t count)
{
    struct intern seen = {0}, taken = {0};
    struct buf label = {0};
    struct first {
        uint32_t number;
        bool leads; /* with its own name */
    } *firsts = mem_alloc(count * sizeof *firsts);
    uint32_t *times = mem_alloc(count * sizeof *times);
    for (size_t at = 0; at < count; at++) {
        buf_clear(&label);
        firsts[at].leads = elide_parted(&parted[at], LABEL_WIDTH, &label);
        firsts[at].number = intern_add(&seen, buf_str(&label));
        times[firsts[at].number]++;
    }
    for (size_t at = 0; at < count; at++) {
        struct str own = intern_get(&seen, firsts[at].number);
        if (!firsts[at].leads)
            mark(labels, &items[at], &parted[at], PATH_DIGITS, &taken);
        else if (times[firsts[at].number] > 1 || str_find_char(own, '~') != STR_NONE)
            mark(labels, &items[at], &parted[at], FIRST_DIGITS, &taken);
        else
            look_at(labels, items[at].name)->final = arena_str(&labels->arena, own);
    }
    buf_free(&label);
    free(firsts);
    free(times);
    intern_free(&seen);
    intern_free(&taken);
}

/* All long names of a lead. */
static void make_long(struct labels *labels, uint32_t name)
{
    struct gathered like = {0};
    uint32_t lead = labels->places[name].lead;
    for (uint32_t other = chain_of(labels, lead)->first; other; other = labels->places[other - 1].next)
        if (labels->places[other - 1].lead == lead && is_long(look_at(labels, other - 1)->whole) &&
            !stands_alone(labels, other - 1))
            gather(labels, other - 1, &like);
    qsort(like.items, like.count, sizeof *like.items, by_whole);
    struct parted *parted = mem_alloc(like.count * sizeof *parted);
    for (size_t at = 0; at < like.count; at++)
        parted[at].name = like.items[at].whole;
    find_partings(parted, like.count);
    make_parted(labels, like.items, parted, like.count);
    free(parted);
    free(like.items);
}

static void make(struct labels *labels, uint32_t name)
{
    if (!is_long(look_at(labels, name)->whole))
        make_short(labels, name);
    else if (stands_alone(labels, name))
        make_alone(labels, name);
    else
        make_long(labels, name);
}

struct str label_of(struct labels *labels, struct str mangled)
{
    uint32_t name = intern_find(labels->names, mangled);
    if (name == INTERN_NONE)
        return (struct str){"", 0};
    wait_for(labels);
    if (!labels->places)
        make_index(labels);
    if (!is_final(labels, name))
        make(labels, name);
    return look_at(labels, name)->final;
}

void label_lasting(struct labels *labels, struct str mangled, size_t width, struct buf *out)
{
    struct buf whole = {0};
    make_whole(mangled, width, &whole);
    if (whole.len <= LABEL_WIDTH) {
        buf_add(out, label_of(labels, mangled));
    } else if (whole.len <= width) {
        buf_add(out, buf_str(&whole));
    } else {
        elide_name(buf_str(&whole), width - 1 - SURE_DIGITS, out);
        add_mark(identity_hash(mangled), SURE_DIGITS, out);
    }
    buf_free(&whole);
}

void labels_free(struct labels *labels)
{
    wait_for(labels);
    arena_free(&labels->arena);
    free(labels->labels);
    free(labels->places);
    free(labels->chains);
    *labels = (struct labels){0};
}
