#include "report/label.h"

#include "log/name.h"

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
    for (size_t at = 0; at < sizeof types / sizeof *types; at++) {
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

/* Beyond ASCII: the control characters U+0080 to U+009F, what turns the direction of the text or ends its line, the
 * byte order mark, and what XML cannot hold. */
static bool is_hidden(const unsigned char *c, size_t length)
{
    unsigned code = length == 2 ? (c[0] & 0x1fU) << 6 | (c[1] & 0x3fU) : 0;
    if (length == 3)
        code = (c[0] & 0xfU) << 12 | (c[1] & 0x3fU) << 6 | (c[2] & 0x3fU);
    return (code >= 0x80 && code < 0xa0) || code == 0x61c || code == 0x200e || code == 0x200f ||
           (code >= 0x2028 && code <= 0x202e) || (code >= 0x2066 && code <= 0x2069) || code == 0xfeff ||
           code == 0xfffe || code == 0xffff;
}

void safe_text(struct str text, struct buf *out)
{
    while (text.len) {
        unsigned char c = (unsigned char)text.ptr[0];
        size_t length = utf8_length(text);
        if (length == 0 || c < 0x20 || c == 0x7f || is_hidden((const unsigned char *)text.ptr, length)) {
            buf_fmt(out, "\\x%02x", c);
            length = 1;
        } else {
            buf_add(out, str_sub(text, 0, length));
        }
        text = str_from(text, length);
    }
}

size_t text_width(struct str text)
{
    size_t width = 0;
    for (size_t at = 0; at < text.len; at++)
        width += ((unsigned char)text.ptr[at] & 0xc0) != 0x80;
    return width;
}

void elide(struct str text, size_t width, struct buf *out)
{
    if (text.len <= width) {
        buf_add(out, text);
        return;
    }
    size_t head = width * 3 / 5, tail = text.len - (width - head - 3);
    while (head > 0 && ((unsigned char)text.ptr[head] & 0xc0) == 0x80)
        head--;
    while (tail < text.len && ((unsigned char)text.ptr[tail] & 0xc0) == 0x80)
        tail++;
    buf_add(out, str_sub(text, 0, head));
    buf_add(out, STR("..."));
    buf_add(out, str_from(text, tail));
}

/* ---- labels ----------------------------------------------------------------------------------------------------- */

/* Length of "(ggml_type)" before a number; 0: there is none. */
static size_t cast_length(struct str text)
{
    size_t end = str_find_char(text, ')');
    if (text.ptr[0] != '(' || end == STR_NONE || end + 1 >= text.len)
        return 0;
    for (size_t at = 1; at < end; at++)
        if (!is_word(text.ptr[at]) && text.ptr[at] != ':')
            return 0;
    char next = text.ptr[end + 1];
    return next == '-' || (next >= '0' && next <= '9') ? end + 1 : 0;
}

/* Where room is short, the type of an enumeration's number is the first to go. */
static void drop_casts(struct buf *label)
{
    struct buf shorter = {0};
    for (struct str rest = buf_str(label); rest.len;) {
        size_t cast = cast_length(rest);
        if (!cast)
            buf_char(&shorter, rest.ptr[0]);
        rest = str_from(rest, cast ? cast : 1);
    }
    buf_free(label);
    *label = shorter;
}

static void make_label(struct str mangled, size_t width, struct buf *out)
{
    struct buf identity = {0}, readable = {0}, shorter = {0}, safe = {0};
    name_identity(mangled, &identity);
    if (name_demangle(buf_str(&identity), &readable) || str_ends(mangled, STR(")"))) /* or was demangled in the log */
        label_shorten(buf_str(&readable), &shorter);
    else
        buf_add(&shorter, buf_str(&identity));
    safe_text(buf_str(&shorter), &safe);
    if (safe.len > width)
        drop_casts(&safe);
    elide(buf_str(&safe), width, out);
    buf_free(&identity);
    buf_free(&readable);
    buf_free(&shorter);
    buf_free(&safe);
}

void label_make(struct str mangled, struct buf *out)
{
    make_label(mangled, LABEL_WIDTH, out);
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
    elide(buf_str(&safe), LABEL_WIDTH, out);
    buf_free(&template);
    buf_free(&shorter);
    buf_free(&safe);
}

/* Names whose labels may be equal: those of one template, and all whose template is so long that it is elided. */
static uint32_t class_of(struct labels *labels, struct str mangled, struct buf *scratch)
{
    enum { SURELY_SHOWN = LABEL_WIDTH / 2 };
    buf_clear(scratch);
    name_template(mangled, scratch);
    return intern_add(&labels->classes, scratch->len <= SURELY_SHOWN ? buf_str(scratch) : (struct str){"", 0});
}

static void make_index(struct labels *labels)
{
    struct buf scratch = {0};
    size_t count = labels->names->count;
    labels->labels = mem_alloc((count + 1) * sizeof *labels->labels);
    labels->next = mem_alloc((count + 1) * sizeof *labels->next);
    labels->class_of = mem_alloc((count + 1) * sizeof *labels->class_of);
    for (uint32_t name = 0; name < count; name++)
        labels->class_of[name] = class_of(labels, labels->names->strings[name], &scratch);
    labels->first = mem_alloc((labels->classes.count + 1) * sizeof *labels->first);
    for (size_t at = 0; at < labels->classes.count; at++)
        labels->first[at] = INTERN_NONE;
    for (uint32_t name = 0; name < count; name++) {
        labels->next[name] = labels->first[labels->class_of[name]];
        labels->first[labels->class_of[name]] = name;
    }
    buf_free(&scratch);
}

void labels_init(struct labels *labels, const struct intern *names)
{
    *labels = (struct labels){.names = names};
}

struct alike {
    struct str label, mangled;
    uint32_t name;
};

static int by_label(const void *left, const void *right)
{
    const struct alike *a = left, *b = right;
    int order = str_cmp(a->label, b->label);
    return order ? order : str_cmp(a->mangled, b->mangled);
}

/* Gives the label away; false when another name has it. */
static bool take(struct labels *labels, struct str label)
{
    size_t known = labels->taken.count;
    return intern_add(&labels->taken, label) >= known;
}

/* The label with digits that no other name has: of the identity where that tells them apart, else of the name. */
static struct str marked(struct labels *labels, struct str mangled)
{
    struct buf label = {0}, identity = {0};
    name_identity(mangled, &identity);
    uint64_t hash = str_hash(buf_str(&identity));
    int digits = 4;
    for (bool taken = false; !taken; taken = take(labels, buf_str(&label))) {
        if (digits > 12)
            hash = digits > 16 ? hash + 1 : str_hash(mangled);
        int shown = digits < 16 ? digits : 16;
        buf_clear(&label);
        make_label(mangled, LABEL_WIDTH - 1 - (size_t)shown, &label);
        buf_fmt(&label, "~%0*llx", shown, (unsigned long long)(hash >> (64 - 4 * shown)));
        digits += 4;
    }
    struct str kept = arena_str(&labels->arena, buf_str(&label));
    buf_free(&label);
    buf_free(&identity);
    return kept;
}

static struct alike *gather(struct labels *labels, uint32_t class, size_t *count)
{
    size_t cap = 0;
    struct alike *all = NULL;
    struct buf label = {0};
    *count = 0;
    for (uint32_t name = labels->first[class]; name != INTERN_NONE; name = labels->next[name]) {
        all = mem_reserve(all, &cap, *count + 1, sizeof *all);
        buf_clear(&label);
        make_label(labels->names->strings[name], LABEL_WIDTH, &label);
        all[(*count)++] =
            (struct alike){arena_str(&labels->arena, buf_str(&label)), labels->names->strings[name], name};
    }
    buf_free(&label);
    return all;
}

/* Labels for a class: first those that are alone with theirs, then the others, so that the order of asking is nothing.
 */
static void make_class(struct labels *labels, uint32_t class)
{
    size_t count = 0;
    struct alike *all = gather(labels, class, &count);
    qsort(all, count, sizeof *all, by_label);
    for (int round = 0; round < 2; round++) {
        for (size_t at = 0; at < count; at++) {
            bool shared = (at && str_eq(all[at].label, all[at - 1].label)) ||
                          (at + 1 < count && str_eq(all[at].label, all[at + 1].label));
            if (shared != (round == 1))
                continue;
            bool plain = !shared && take(labels, all[at].label);
            labels->labels[all[at].name] = plain ? all[at].label : marked(labels, all[at].mangled);
        }
    }
    free(all);
}

struct str label_of(struct labels *labels, struct str mangled)
{
    uint32_t name = intern_find(labels->names, mangled);
    if (name == INTERN_NONE)
        return (struct str){"", 0};
    if (!labels->labels)
        make_index(labels);
    if (!labels->labels[name].ptr)
        make_class(labels, labels->class_of[name]);
    return labels->labels[name];
}

void labels_free(struct labels *labels)
{
    arena_free(&labels->arena);
    intern_free(&labels->classes);
    intern_free(&labels->taken);
    free(labels->labels);
    free(labels->next);
    free(labels->class_of);
    free(labels->first);
    *labels = (struct labels){0};
}
