#include "report/label.h"

#include "log/name.h"
#include "report/alike.h"

#include <stdlib.h>

/* ---- one spelling ----------------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return c == '_' || (c >= '0' && c <= '9') || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || (c & 0x80);
}

static struct str first_word(struct str text)
{
    size_t end = 0;
    while (end < text.len && is_word(text.ptr[end]))
        end++;
    return str_sub(text, 0, end);
}

/* Namespaces that compilers and libraries put in and nobody wrote: CUB's and Thrust's of version and architecture list,
 * nvcc's of a file. The length with its "::"; 0: none. */
static size_t made_namespace(struct str text)
{
    if (text.ptr[0] != 'C' && text.ptr[0] != 'T' && text.ptr[0] != '_')
        return 0;
    struct str word = first_word(text);
    bool library = str_starts(word, STR("CUB_")) || str_starts(word, STR("THRUST_"));
    struct str version = str_from(word, str_find_char(word, '_') + 1);
    bool versioned = str_eq(version, STR("NS")) || (version.len && version.ptr[0] >= '0' && version.ptr[0] <= '9');
    bool made = (library && versioned) || str_starts(word, STR("_INTERNAL_"));
    return made && str_starts(str_from(text, word.len), STR("::")) ? word.len + 2 : 0;
}

/* "(int)" before a number says nothing; "(Mode)" does. The length with its brackets, 0: not one of them. */
static size_t plain_cast(struct str text, bool *is_bool)
{
    static const struct str types[] = {
        STR_INIT("(int)"),           STR_INIT("(unsigned int)"),   STR_INIT("(long)"),
        STR_INIT("(unsigned long)"), STR_INIT("(long long)"),      STR_INIT("(unsigned long long)"),
        STR_INIT("(short)"),         STR_INIT("(unsigned short)"), STR_INIT("(unsigned char)"),
        STR_INIT("(signed char)"),   STR_INIT("(char)"),           STR_INIT("(bool)"),
    };
    for (size_t at = 0; text.ptr[0] == '(' && at < sizeof types / sizeof *types; at++) {
        struct str rest = str_from(text, types[at].len);
        *is_bool = str_eq(types[at], STR("(bool)"));
        if (str_starts(text, types[at]) && rest.len &&
            (rest.ptr[0] == '-' || (rest.ptr[0] >= '0' && rest.ptr[0] <= '9')))
            return types[at].len;
    }
    return 0;
}

/* A number without the suffix of its type. */
static struct str add_number(struct str text, struct buf *out)
{
    struct str word = first_word(text), digits = word;
    while (digits.len > 1 && (digits.ptr[digits.len - 1] == 'u' || digits.ptr[digits.len - 1] == 'l'))
        digits.len--;
    struct str all = digits;
    uint64_t value = 0;
    buf_add(out, str_uint(&all, &value) && all.len == 0 ? digits : word);
    return str_from(text, word.len);
}

/* The length of the type that "const" stands before: up to what ends it outside of brackets. */
static size_t type_length(struct str text)
{
    int depth = 0;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        if (depth == 0 && (c == '*' || c == '&' || c == ',' || c == '>' || c == ')'))
            return at;
        depth += (c == '<' || c == '(') - (c == '>' || c == ')');
    }
    return text.len;
}

static void spell(struct str text, struct buf *out);

/* "const T" as "T const"; what is left behind the type. */
static struct str add_const(struct str text, struct buf *out)
{
    struct str rest = str_from(text, 6);
    struct str type = str_trim(str_sub(rest, 0, type_length(rest)));
    spell(type, out);
    buf_add(out, STR(" const"));
    return str_from(rest, type_length(rest));
}

/* "&(void f<int>(char*))", a function as an argument: only its name is its own; what is left. */
static struct str add_function(struct str text, struct buf *out)
{
    size_t end = 1;
    for (int depth = 0; end < text.len; end++) {
        depth += (text.ptr[end] == '(') - (text.ptr[end] == ')');
        if (depth == 0)
            break;
    }
    buf_char(out, '&');
    label_shorten(str_sub(text, 2, end), out);
    return str_from(text, end + 1);
}

/* One word of the name, spelled; what is left. */
static struct str add_word(struct str text, struct buf *out)
{
    bool argument = out->len == 0 || out->ptr[out->len - 1] == '<' || out->ptr[out->len - 1] == ' ';
    if (argument && str_starts(text, STR("const ")))
        return add_const(text, out);
    if (text.ptr[0] >= '0' && text.ptr[0] <= '9')
        return add_number(text, out);
    struct str word = first_word(text);
    buf_add(out, word);
    return str_from(text, word.len);
}

static void spell(struct str text, struct buf *out)
{
    while (text.len) {
        bool is_bool = false;
        char next = text.len > 1 ? text.ptr[1] : 0;
        size_t cast = plain_cast(text, &is_bool), skip = made_namespace(text);
        if (skip) {
            text = str_from(text, skip);
        } else if (cast) {
            text = str_from(text, cast);
            if (is_bool) {
                buf_add(out, text.ptr[0] == '0' ? STR("false") : STR("true"));
                text = str_from(text, 1);
            }
        } else if (str_starts(text, STR("<unnamed>"))) {
            buf_add(out, STR("(anonymous namespace)"));
            text = str_from(text, 9);
        } else if (is_word(text.ptr[0])) {
            text = add_word(text, out);
        } else if (str_starts(text, STR("&(")) && !str_starts(text, STR("&(anonymous"))) {
            text = add_function(text, out);
        } else {
            bool listed = out->len && out->ptr[out->len - 1] == ',';
            bool loose = text.ptr[0] == ' ' && !listed && (next == '>' || next == '*' || next == '&' || next == ' ');
            if (!loose)
                buf_char(out, text.ptr[0]);
            if (text.ptr[0] == ',' && next != ' ')
                buf_char(out, ' ');
            text = str_from(text, 1);
        }
    }
}

void label_shorten(struct str readable, struct buf *out)
{
    size_t begin = 0, parameters = 0;
    name_bounds(readable, &begin, &parameters);
    spell(str_sub(readable, begin, parameters), out);
}

/* ---- text ------------------------------------------------------------------------------------------------------- */

size_t text_width(struct str text)
{
    size_t width = 0;
    for (size_t at = 0; at < text.len; at++)
        width += ((unsigned char)text.ptr[at] & 0xc0) != 0x80;
    return width;
}

/* So many bytes of the head, "..." and the tail. */
static void elide_behind(struct str text, size_t width, size_t head, struct buf *out)
{
    if (text.len <= width) {
        buf_add(out, text);
        return;
    }
    size_t tail = text.len - (width - head - 3);
    while (head > 0 && ((unsigned char)text.ptr[head] & 0xc0) == 0x80)
        head--;
    while (tail < text.len && ((unsigned char)text.ptr[tail] & 0xc0) == 0x80)
        tail++;
    buf_add(out, str_sub(text, 0, head));
    buf_add(out, STR("..."));
    buf_add(out, str_from(text, tail));
}

void elide(struct str text, size_t width, struct buf *out)
{
    elide_behind(text, width, width * 3 / 5, out);
}

/* ---- labels ----------------------------------------------------------------------------------------------------- */

/* Length of "(ggml_type)" before a number; 0: there is none. */
static size_t cast_length(struct str text)
{
    size_t end = 1;
    while (text.ptr[0] == '(' && end < text.len && (is_word(text.ptr[end]) || text.ptr[end] == ':'))
        end++;
    if (text.ptr[0] != '(' || end + 1 >= text.len || text.ptr[end] != ')')
        return 0;
    char next = text.ptr[end + 1];
    return next == '-' || (next >= '0' && next <= '9') ? end + 1 : 0;
}

/* Where room is short, the type of an enumeration's number is the first to go. */
static void drop_casts(struct buf *label)
{
    struct buf shorter = {0};
    for (struct str rest = buf_str(label); rest.len;) {
        size_t bracket = str_find_char(rest, '(');
        buf_add(&shorter, str_sub(rest, 0, bracket));
        rest = str_from(rest, bracket);
        size_t cast = rest.len ? cast_length(rest) : 0;
        buf_add(&shorter, str_sub(rest, 0, !cast));
        rest = str_from(rest, cast ? cast : 1);
    }
    buf_free(label);
    *label = shorter;
}

/* The label before it is elided. */
static void make_whole(struct str mangled, struct buf *out)
{
    struct buf identity = {0}, readable = {0}, shorter = {0};
    name_identity(mangled, &identity);
    if (name_demangle(buf_str(&identity), &readable) || str_ends(mangled, STR(")"))) /* or was demangled in the log */
        label_shorten(buf_str(&readable), &shorter);
    else
        buf_add(&shorter, buf_str(&identity));
    safe_text(buf_str(&shorter), out);
    buf_free(&identity);
    buf_free(&readable);
    buf_free(&shorter);
}

enum {
    FIRST_DIGITS = 4,
    RAW_DIGITS = 12,
    CUT_WIDTH = LABEL_WIDTH - 1 - FIRST_DIGITS, /* of a label before its mark */
    LEAST_TAIL = 12,
};

/* Appends at most width bytes of a name; true when it is elided. Of a long one its own name says most: namespaces are
 * left out where they would be shown in its place, and it is shown whole where that leaves something for the end. What
 * is left out does not hang on the width: names that look the same at a width do so at each that is less. */
static bool elide_name(struct str name, size_t width, struct buf *out)
{
    if (name.len <= width) {
        buf_add(out, name);
        return false;
    }
    struct str own = alike_own_name(name);
    size_t head = width * 3 / 5, most = width - 3 - LEAST_TAIL;
    if (name.len > LABEL_WIDTH && own.ptr + own.len > name.ptr + CUT_WIDTH * 3 / 5)
        name = str_from(name, (size_t)(own.ptr - name.ptr));
    size_t end = (size_t)(own.ptr + own.len - name.ptr) + 1;
    if (head < end && end < name.len)
        head = end < most ? end : most;
    elide_behind(name, width, head, out);
    return name.len > width;
}

/* The same of a whole label. */
static bool cut_label(struct str whole, size_t width, struct buf *out)
{
    struct buf label = {0};
    buf_add(&label, whole);
    if (label.len > width)
        drop_casts(&label);
    bool elided = elide_name(buf_str(&label), width, out);
    buf_free(&label);
    return elided;
}

void label_make(struct str mangled, struct buf *out)
{
    struct buf whole = {0};
    make_whole(mangled, &whole);
    cut_label(buf_str(&whole), LABEL_WIDTH, out);
    buf_free(&whole);
}

void label_template(struct str mangled, struct buf *out)
{
    struct buf template = {0}, shorter = {0}, safe = {0};
    name_template(mangled, &template);
    if (str_starts(mangled, STR("_Z")) || str_ends(mangled, STR(")")))
        label_shorten(buf_str(&template), &shorter);
    else
        buf_add(&shorter, buf_str(&template));
    safe_text(buf_str(&shorter), &safe);
    elide_name(buf_str(&safe), LABEL_WIDTH, out);
    buf_free(&template);
    buf_free(&shorter);
    buf_free(&safe);
}

enum { MOST_ASKED = 128 }; /* names of a lead, before all of them are made */

/* What is known of a name that was looked at. */
struct label {
    struct str whole, cut; /* cut: as wide as before a mark */
    struct str final;      /* ptr NULL: not made yet */
    bool elided;           /* cut is */
};

/* A name among all: those whose leads have one hash hang in one chain, with others now and then. */
struct label_place {
    uint32_t lead, next; /* hash; the next name of the chain + 1 */
    uint32_t label;      /* into labels->labels + 1; 0: the name was not looked at */
};

struct label_chain {
    uint32_t first, asked; /* a name + 1 */
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
        struct buf whole = {0}, cut = {0};
        make_whole(labels->names->strings[name], &whole);
        bool elided = cut_label(buf_str(&whole), CUT_WIDTH, &cut);
        labels->labels = mem_reserve(labels->labels, &labels->cap, labels->count + 1, sizeof *labels->labels);
        labels->labels[labels->count++] =
            (struct label){.whole = keep(labels, &whole), .cut = keep(labels, &cut), .elided = elided};
        place->label = (uint32_t)labels->count;
    }
    return &labels->labels[place->label - 1];
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
    struct str cut, label, mangled;
    uint32_t name;
};

static int by_label(const void *left, const void *right)
{
    const struct like *a = left, *b = right;
    int order = str_cmp(a->cut, b->cut);
    order = order ? order : str_cmp(a->label, b->label);
    return order ? order : str_cmp(a->mangled, b->mangled);
}

/* The label with digits that no other one of the group has: of the identity where that tells them apart, else of the
 * name. */
static struct str marked(struct labels *labels, uint32_t name, struct intern *taken)
{
    struct buf label = {0}, identity = {0};
    struct str mangled = labels->names->strings[name];
    name_identity(mangled, &identity);
    uint64_t hash = str_hash(buf_str(&identity));
    int digits = FIRST_DIGITS;
    for (size_t known = taken->count; taken->count == known; digits += 4) {
        if (digits > 12)
            hash = digits > 16 ? hash + 1 : str_hash(mangled);
        int shown = digits < 16 ? digits : 16;
        buf_clear(&label);
        cut_label(look_at(labels, name)->whole, LABEL_WIDTH - 1 - (size_t)shown, &label);
        buf_fmt(&label, "~%0*llx", shown, (unsigned long long)(hash >> (64 - 4 * shown)));
        intern_add(taken, buf_str(&label));
    }
    buf_free(&identity);
    return keep(labels, &label);
}

/* A name that no demangler here knows is shown as it is, and its lead is not what is seen of it: a long one has a mark
 * whatever others there are. */
static bool is_raw(struct str label)
{
    return str_starts(label, STR("_Z")) && label.len == LABEL_WIDTH && label.ptr[LABEL_WIDTH - 1 - RAW_DIGITS] == '~';
}

static void make_raw(struct labels *labels, uint32_t name, struct buf *label)
{
    struct buf identity = {0};
    name_identity(labels->names->strings[name], &identity);
    buf_clear(label);
    cut_label(look_at(labels, name)->whole, LABEL_WIDTH - 1 - RAW_DIGITS, label);
    buf_fmt(label, "~%0*llx", RAW_DIGITS, (unsigned long long)(str_hash(buf_str(&identity)) >> (64 - 4 * RAW_DIGITS)));
    buf_free(&identity);
}

/* All names whose labels are the same up to a mark, in order: labels that only one has, and marked ones. */
static void make_group(struct labels *labels, const struct like *group, size_t count)
{
    struct intern taken = {0};
    for (size_t at = 0; at < count; at++) {
        bool shared = (at && str_eq(group[at].label, group[at - 1].label)) ||
                      (at + 1 < count && str_eq(group[at].label, group[at + 1].label)) ||
                      (str_find_char(group[at].label, '~') != STR_NONE && /* could be another one's with its mark */
                       !is_raw(group[at].label));
        look_at(labels, group[at].name)->final = shared ? marked(labels, group[at].name, &taken) : group[at].label;
    }
    intern_free(&taken);
}

struct gathered {
    struct like *items;
    size_t count, cap;
};

static void gather(struct labels *labels, uint32_t name, struct gathered *to)
{
    struct buf label = {0};
    const struct label *own = look_at(labels, name);
    if (cut_label(own->whole, LABEL_WIDTH, &label) && str_starts(own->whole, STR("_Z")))
        make_raw(labels, name, &label);
    to->items = mem_reserve(to->items, &to->cap, to->count + 1, sizeof *to->items);
    to->items[to->count++] = (struct like){own->cut, keep(labels, &label), labels->names->strings[name], name};
}

/* The names that may look like one, which is among them; all of the lead once many of it were asked for. */
static void gather_like(struct labels *labels, uint32_t name, struct gathered *to)
{
    struct alike alike;
    const struct label own = *look_at(labels, name);
    uint32_t lead = labels->places[name].lead;
    struct label_chain *chain = chain_of(labels, lead);
    bool all = ++chain->asked > MOST_ASKED;
    alike_set(&alike, labels->names->strings[name], own.cut, own.elided);
    for (uint32_t other = chain->first; other; other = labels->places[other - 1].next) {
        if (labels->places[other - 1].lead != lead || is_final(labels, other - 1) ||
            (!all && alike_differ(&alike, labels->names->strings[other - 1])))
            continue;
        if (all || str_eq(look_at(labels, other - 1)->cut, own.cut))
            gather(labels, other - 1, to);
    }
}

/* Labels for the groups that were gathered: none depends on what was asked for before. */
static void make_groups(struct labels *labels, uint32_t name)
{
    struct gathered like = {0};
    gather_like(labels, name, &like);
    qsort(like.items, like.count, sizeof *like.items, by_label);
    for (size_t start = 0, end = 0; start < like.count; start = end) {
        while (end < like.count && str_eq(like.items[end].cut, like.items[start].cut))
            end++;
        make_group(labels, like.items + start, end - start);
    }
    free(like.items);
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
        make_groups(labels, name);
    return look_at(labels, name)->final;
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
