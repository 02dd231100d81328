#include "report/label.h"

#include "log/name.h"

#include <stdlib.h>

/* Where the parameter list begins: the "(" that matches the last ")"; the length of the name when it ends otherwise. */
static size_t parameters_at(struct str name)
{
    size_t depth = 0;
    if (!str_ends(name, STR(")")))
        return name.len;
    for (size_t at = name.len; at-- > 0;) {
        if (name.ptr[at] == ')')
            depth++;
        else if (name.ptr[at] == '(' && --depth == 0)
            return at ? at : name.len;
    }
    return name.len;
}

/* Where the name begins behind its return type: after the last blank outside of all brackets. */
static size_t return_type_end(struct str name)
{
    int depth = 0;
    size_t start = 0;
    for (size_t at = 0; at < name.len; at++) {
        char c = name.ptr[at];
        if (c == '<' || c == '(' || c == '[' || c == '{')
            depth++;
        else if (c == '>' || c == ')' || c == ']' || c == '}')
            depth--;
        else if (c == ' ' && depth == 0)
            start = at + 1;
    }
    return start;
}

void label_shorten(struct str readable, struct buf *out)
{
    struct str name = str_sub(readable, 0, parameters_at(readable));
    size_t start = return_type_end(name);
    buf_add(out, str_from(name, start < name.len ? start : 0));
}

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

/* Head and tail with "..." between them; never inside a UTF-8 character. */
static void elide(struct str text, size_t width, struct buf *out)
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

static void make_label(struct str mangled, size_t width, struct buf *out)
{
    struct buf readable = {0}, shorter = {0}, safe = {0};
    if (name_demangle(mangled, &readable))
        label_shorten(buf_str(&readable), &shorter);
    else
        buf_add(&shorter, mangled);
    safe_text(buf_str(&shorter), &safe);
    elide(buf_str(&safe), width, out);
    buf_free(&readable);
    buf_free(&shorter);
    buf_free(&safe);
}

/* Gives the label to the key unless another key has it. */
static bool take(struct labels *labels, struct str label, uint32_t key)
{
    uint32_t number = intern_add(&labels->taken, label);
    size_t before = labels->owner_cap;
    labels->owner = mem_reserve(labels->owner, &labels->owner_cap, number + 1, sizeof *labels->owner);
    for (; before < labels->owner_cap; before++)
        labels->owner[before] = INTERN_NONE;
    if (labels->owner[number] != INTERN_NONE && labels->owner[number] != key)
        return false;
    labels->owner[number] = key;
    return true;
}

static struct str new_label(struct labels *labels, struct str mangled, uint32_t key)
{
    struct buf label = {0}, identity = {0};
    size_t width = labels->width ? labels->width : LABEL_WIDTH;
    make_label(mangled, width, &label);
    name_identity(mangled, &identity);
    uint64_t hash = str_hash(buf_str(&identity));
    for (int digits = 4; !take(labels, buf_str(&label), key); digits = digits < 16 ? digits + 4 : digits) {
        buf_clear(&label);
        make_label(mangled, width > (size_t)digits + 8 ? width - 1 - (size_t)digits : 8, &label);
        buf_fmt(&label, "~%0*llx", digits, (unsigned long long)(digits < 16 ? hash >> (64 - 4 * digits) : hash++));
    }
    struct str kept = arena_str(&labels->arena, buf_str(&label));
    buf_free(&label);
    buf_free(&identity);
    return kept;
}

struct str label_of(struct labels *labels, struct str mangled)
{
    size_t known = labels->keys.count;
    uint32_t key = intern_add(&labels->keys, mangled);
    if (key < known)
        return labels->labels[key];
    labels->labels = mem_reserve(labels->labels, &labels->cap, key + 1, sizeof *labels->labels);
    labels->labels[key] = new_label(labels, mangled, key);
    return labels->labels[key];
}

void labels_free(struct labels *labels)
{
    arena_free(&labels->arena);
    intern_free(&labels->keys);
    intern_free(&labels->taken);
    free(labels->labels);
    free(labels->owner);
    *labels = (struct labels){0};
}
