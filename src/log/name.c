/*
 * The identity of a kernel is its name without the parts that differ in another checkout. These are five: the
 * identifier of an anonymous namespace, which contains a hash of the path of the file, the name of the file and a
 * symbol of it; the namespace `_INTERNAL_` of nvcc around static device functions, followed by the same; the prefix
 * `__nv_static_N__` with N bytes of the same kind, which -rdc adds to names with internal linkage; the number of a
 * clone (`$1`); and the namespace of CUB and Thrust, which contains their version and the architectures of the command
 * line. In addition, clang's -fgpu-rdc adds a suffix with a hash, and compilers of directives add the lines of the
 * source and an identifier of the file (log/directive_kernel.h).
 */
#include "log/name.h"

#include "log/directive_kernel.h"
#include "log/mangled.h"
#include "log/triton_name.h"

#include <ctype.h>

/* __nv_static_25__764a51a3_5_an_cu__Z2goPi__Z3stkPi: 25 bytes are between the prefix and the name itself. */
static struct str skip_static_prefix(struct str name)
{
    struct str rest = name;
    uint64_t length = 0;
    if (!str_take(&rest, STR("__nv_static_")) || !str_uint(&rest, &length) || !str_take(&rest, STR("__")) ||
        length >= rest.len)
        return name;
    return str_from(rest, (size_t)length);
}

/* "helper$1" without the number of the clone. */
static struct str skip_clone_suffix(struct str name)
{
    size_t end = name.len - str_span_end(name, is_digit);
    if (end > 1 && end < name.len && name.ptr[end - 1] == '$')
        return str_sub(name, 0, end - 1);
    return name;
}

/* Removes the suffix that clang -fgpu-rdc adds to names with internal linkage: _ZL2stPi__intern__bdad2a14ec29aef3. */
static struct str skip_intern_suffix(struct str name)
{
    static const struct str mark = STR_INIT("__intern__");
    size_t end = name.len;
    while (end > 0 && isxdigit((unsigned char)name.ptr[end - 1]))
        end--;
    bool found = end < name.len && str_ends(str_sub(name, 0, end), mark);
    return found ? str_sub(name, 0, end - mark.len) : name;
}

struct str name_proper(struct str name)
{
    return skip_intern_suffix(skip_clone_suffix(skip_static_prefix(name)));
}

/* The replacement of an identifier; the identifier itself if it does not change between checkouts. */
static struct str stable_identifier(struct str identifier)
{
    static const struct str libraries[] = {STR_INIT("CUB_"), STR_INIT("THRUST_")};
    if (str_starts(identifier, STR("_GLOBAL__N_")))
        return STR("_GLOBAL__N_1");
    if (str_starts(identifier, STR("_INTERNAL_")))
        return STR("_INTERNAL_");
    for (size_t at = 0; at < sizeof libraries / sizeof *libraries; at++) {
        struct str rest = identifier;
        uint64_t version = 0;
        if (str_take(&rest, libraries[at]) && str_uint(&rest, &version) && str_starts(rest, STR("_")))
            return at == 0 ? STR("CUB_NS") : STR("THRUST_NS");
    }
    return identifier;
}

struct rewrite {
    struct str name;
    struct buf *out;
    size_t copied; /* bytes of `name` that were copied so far */
};

static void rewrite_identifier(void *context, struct identifier found)
{
    struct rewrite *rewrite = context;
    struct str identifier = str_sub(rewrite->name, found.at, found.at + found.len);
    struct str replacement = stable_identifier(identifier);
    if (str_eq(identifier, replacement))
        return;
    buf_add(rewrite->out, str_sub(rewrite->name, rewrite->copied, found.digits));
    buf_int(rewrite->out, (int64_t)replacement.len);
    buf_add(rewrite->out, replacement);
    rewrite->copied = found.at + found.len;
}

static bool add_region(struct str name, struct buf *out)
{
    struct directive_kernel region;
    if (!directive_kernel_of(name, &region))
        return false;
    buf_add(out, region.lead);
    if (str_starts(region.function, STR("_Z")))
        name_identity(region.function, out);
    else
        buf_add(out, region.function);
    buf_add(out, region.mark);
    buf_add(out, region.suffix);
    return true;
}

void name_identity(struct str name, struct buf *out)
{
    name = name_proper(name);
    if (!str_starts(name, STR("_Z"))) {
        if (!add_region(name, out))
            buf_add(out, name);
        return;
    }
    size_t start = out->len;
    struct rewrite rewrite = {.name = name, .out = out};
    if (mangled_walk(name, rewrite_identifier, &rewrite)) {
        buf_add(out, str_from(name, rewrite.copied));
        return;
    }
    out->len = start; /* it cannot be parsed: keep it as printed, not partly rewritten */
    buf_add(out, name);
}

struct qualified {
    struct str name;
    struct buf *out;
    size_t start;
    size_t end; /* of the last component: its position in the name */
};

static void add_component(void *context, struct identifier found)
{
    struct qualified *q = context;
    if (!found.qualified)
        return;
    struct str identifier = stable_identifier(str_sub(q->name, found.at, found.at + found.len));
    if (str_eq(identifier, STR("_INTERNAL_"))) /* added by the compiler */
        return;
    q->end = found.at + found.len;
    if (q->out->len > q->start)
        buf_add(q->out, STR("::"));
    if (str_eq(identifier, STR("_GLOBAL__N_1")))
        buf_add(q->out, STR("(anonymous namespace)"));
    else
        buf_add(q->out, identifier);
}

/* Appends the name without template arguments and parameters; true if template arguments follow it. */
static bool add_template(struct str name, struct buf *out)
{
    struct str proper = name_proper(name);
    struct qualified q = {.name = proper, .out = out, .start = out->len};
    struct str kernel, members;
    if (triton_name_split(name, &kernel, &members)) {
        buf_add(out, kernel);
        return false;
    }
    if (mangled_walk_name(proper, add_component, &q) && out->len > q.start)
        return str_starts(str_from(proper, q.end), STR("I"));
    out->len = q.start;
    name_identity(name, out);
    return false;
}

void name_template(struct str name, struct buf *out)
{
    add_template(name, out);
}

bool name_pattern(struct str name, struct buf *out)
{
    static const struct str libraries[] = {STR_INIT("CUB_NS::"), STR_INIT("THRUST_NS::")};
    while (name.len) {
        size_t next = name.len, which = 0;
        for (size_t at = 0; at < sizeof libraries / sizeof *libraries; at++) {
            const size_t found = str_find(name, libraries[at]);
            if (found < next) {
                next = found;
                which = at;
            }
        }
        if (!regex_quote(str_sub(name, 0, next), out))
            return false;
        if (next < name.len)
            buf_add(out, which == 0 ? STR("CUB_\\w+::") : STR("THRUST_\\w+::"));
        name = str_from(name, next < name.len ? next + libraries[which].len : next);
    }
    return true;
}

void name_declared(struct str name, struct buf *out)
{
    if (add_template(name, out))
        buf_add(out, STR("<>"));
}

/* The position of the "(" that matches the last ")"; only the "const" of a member function may follow that. */
size_t name_parameters_at(struct str name)
{
    static const struct str constant = STR_INIT(" const");
    size_t depth = 0, end = name.len - (str_ends(name, constant) ? constant.len : 0);
    if (!str_ends(str_sub(name, 0, end), STR(")")))
        return name.len;
    for (size_t at = end; at-- > 0;) {
        if (name.ptr[at] == ')')
            depth++;
        else if (name.ptr[at] == '(' && --depth == 0)
            return at ? at : name.len;
    }
    return name.len;
}

static bool is_word(char c)
{
    return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '$';
}

/* True if the text ends with the keyword: "ns::operator", not "my_operator". */
static bool ends_with_operator(struct str text)
{
    static const struct str keyword = STR_INIT("operator");
    return str_ends(text, keyword) && (text.len == keyword.len || !is_word(text.ptr[text.len - keyword.len - 1]));
}

/* True if the character is part of an operator's name, after "operator". */
static bool in_operator(struct str readable, size_t at)
{
    static const struct str signs[] = {STR_INIT("<=>"), STR_INIT("->*"), STR_INIT("<<="), STR_INIT(">>="),
                                       STR_INIT("<<"),  STR_INIT(">>"),  STR_INIT("<="),  STR_INIT(">="),
                                       STR_INIT("->"),  STR_INIT("<"),   STR_INIT(">")};
    size_t start = at;
    while (start > 0 && at - start < 2 && !ends_with_operator(str_sub(readable, 0, start)))
        start--;
    if (!ends_with_operator(str_sub(readable, 0, start)))
        return false;
    return at < start + str_starts_any(str_from(readable, start), signs, sizeof signs / sizeof *signs);
}

int name_nesting(struct str readable, size_t at)
{
    switch (readable.ptr[at]) {
    case '(':
    case '[':
    case '{': return 1;
    case ')':
    case ']':
    case '}': return -1;
    case '<': return in_operator(readable, at) ? 0 : 1;
    case '>': return (at > 0 && readable.ptr[at - 1] == '-') || in_operator(readable, at) ? 0 : -1;
    default: return 0;
    }
}

size_t name_member(struct str list)
{
    int depth = 0;
    for (size_t at = 0; at < list.len; at++) {
        depth += name_nesting(list, at);
        if (depth < 0 || (depth == 0 && list.ptr[at] == ','))
            return at;
    }
    return list.len;
}

/* True for "const", "volatile &&" and similar qualifiers of an enclosing member function: "run() const::kernel". */
static bool begins_with_qualifiers(struct str text)
{
    static const struct str qualifiers[] = {STR_INIT("const"), STR_INIT("volatile"), STR_INIT("&&"), STR_INIT("&")};
    for (size_t at = 0; at < sizeof qualifiers / sizeof *qualifiers; at++) {
        if (!str_take(&text, qualifiers[at]))
            continue;
        if (str_starts(text, STR("::")))
            return true;
        if (!str_take(&text, STR(" ")))
            return false;
    }
    return false;
}

/* The position of the name after its return type: after the last blank outside of all brackets. */
static size_t return_type_end(struct str name)
{
    int depth = 0;
    size_t start = 0;
    for (size_t at = 0; at < name.len; at++) {
        depth += name_nesting(name, at);
        if (name.ptr[at] != ' ' || depth != 0)
            continue;
        if (ends_with_operator(str_sub(name, 0, at)) || (at && in_operator(name, at - 1)))
            break; /* "box::operator unsigned int", "operator<< <int>" */
        if (!begins_with_qualifiers(str_from(name, at + 1)))
            start = at + 1;
    }
    return start;
}

struct str name_alone(struct str readable)
{
    const struct str name = str_sub(readable, 0, name_parameters_at(readable));
    const size_t begin = return_type_end(name);
    return str_from(name, begin < name.len ? begin : 0);
}

enum regex_result name_match(struct regex *pattern, struct str readable, struct str *groups)
{
    const enum regex_result result = regex_match(pattern, readable, groups);
    return result == REGEX_NO && str_take(&readable, STR("void ")) ? regex_match(pattern, readable, groups) : result;
}

/* To add a function, add a word or a row. The function must be one that `nvcc -G -Xptxas=-v` prints and that the same
 * command with -rdc=true instead of -G does not print. A row is the beginning of a mangled name; the types of the
 * parameters may follow it. */
bool name_is_unoptimised(struct str name)
{
    static const struct str mangled[] = {
        STR_INIT("_ZSt5isnan"),  STR_INIT("_ZSt5isinf"),   STR_INIT("_ZSt4sqrt"),           STR_INIT("_ZN4dim3C"),
        STR_INIT("_ZN6__halfC"), STR_INIT("_ZN7__half2C"), STR_INIT("_ZN13__nv_bfloat16C"),
    };
    return str_is_one_of(name, "__isinff __isnanf fabs fabsf fmax fmaxf fmin fminf sqrt sqrtf") ||
           str_starts_any(name, mangled, sizeof mangled / sizeof *mangled);
}

static struct str longest_word(struct str pattern)
{
    struct str longest = {0};
    for (size_t at = 0, end; at < pattern.len; at = end + 1) {
        end = at + str_span(str_from(pattern, at), is_word);
        if (end - at > longest.len)
            longest = str_sub(pattern, at, end);
    }
    return longest;
}

struct str name_near(const struct str *names, size_t count, struct str pattern)
{
    enum { LEAST = 3 };
    const struct str word = longest_word(pattern);
    for (size_t at = 0; at < count && word.len >= LEAST; at++)
        if (str_find(names[at], word) != STR_NONE)
            return names[at];
    return (struct str){0};
}
