#include "config/profile.h"

#include "base/buf.h"
#include "log/name.h"

static bool is_word(char c)
{
    return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '$';
}

static const struct str unnamed[] = {STR_INIT("(anonymous namespace)"), STR_INIT("<unnamed>"), STR_INIT("{anonymous}")};

/* The length of an anonymous namespace's spelling at the front; 0: there is none. */
static size_t unnamed_length(struct str text)
{
    for (size_t at = 0; at < sizeof unnamed / sizeof *unnamed; at++)
        if (str_starts(text, unnamed[at]))
            return unnamed[at].len;
    return 0;
}

/* nvprof puts a number behind the name, GCC's demangler a clone: "k(int) [204]", "k(int) [clone .1]". */
static struct str without_tail(struct str name)
{
    name = str_trim(name);
    size_t open = str_rfind(name, STR(" ["));
    bool tail = open != STR_NONE && open > 0 && str_ends(name, STR("]")) &&
                (is_digit(name.ptr[open + 2]) || str_starts(str_from(name, open + 2), STR("clone")));
    return tail ? str_trim(str_sub(name, 0, open)) : name;
}

/* The qualified name with its template arguments: no return type before it and no parameters behind it. */
static struct str function_of(struct str name)
{
    int depth = 0;
    size_t start = 0;
    name = without_tail(name);
    for (size_t at = 0; at < name.len; at++) {
        char c = name.ptr[at];
        size_t skip = depth == 0 ? unnamed_length(str_from(name, at)) : 0;
        if (skip)
            at += skip - 1;
        else if (c == '(' && depth == 0)
            return str_sub(name, start, at);
        else if (c == ' ' && depth == 0)
            start = at + 1;
        else
            depth += name_nesting(name, at);
    }
    return str_from(name, start);
}

/* The length of a cast of a literal at the front, as in (int)4, (bool)1 and (ns::kind)2; 0: there is none. */
static size_t cast_length(struct str text)
{
    if (!str_starts(text, STR("(")))
        return 0;
    size_t end = str_find_char(text, ')');
    if (end == STR_NONE || end + 1 >= text.len || (!is_digit(text.ptr[end + 1]) && text.ptr[end + 1] != '-'))
        return 0;
    for (size_t at = 1; at < end; at++)
        if (!is_word(text.ptr[at]) && text.ptr[at] != ':' && text.ptr[at] != ' ')
            return 0;
    return end + 1;
}

static void add_word(struct str word, struct buf *out)
{
    const size_t digits = str_span(word, is_digit);
    if (str_eq(word, STR("const")))
        return;
    if (str_eq(word, STR("true")) || str_eq(word, STR("false")))
        buf_char(out, word.ptr[0] == 't' ? '1' : '0');
    else
        buf_add(out, digits ? str_sub(word, 0, digits) : word);
}

static void add_key(struct str name, struct buf *out);

/* The address of a function as a template argument: "&(f(int))" of one demangler is "&f" of the other. Its length at
 * the front; 0: there is none. */
static size_t add_address(struct str rest, struct buf *out)
{
    size_t end = 2;
    int depth = 1;
    if (!str_starts(rest, STR("&(")))
        return 0;
    for (; end < rest.len && depth; end++)
        depth += rest.ptr[end] == '(' ? 1 : rest.ptr[end] == ')' ? -1 : 0;
    if (depth)
        return 0;
    buf_char(out, '&');
    add_key(function_of(str_sub(rest, 2, end - 1)), out);
    return end;
}

static size_t add_piece(struct str rest, struct buf *out)
{
    size_t skip = unnamed_length(rest);
    if (skip) {
        buf_add(out, STR("(anon)"));
        return skip;
    }
    if ((skip = cast_length(rest)) > 0 || (skip = add_address(rest, out)) > 0)
        return skip;
    const size_t length = str_span(rest, is_word);
    if (length)
        add_word(str_sub(rest, 0, length), out);
    else if (rest.ptr[0] != ' ')
        buf_char(out, rest.ptr[0]);
    return length ? length : 1;
}

static void add_key(struct str name, struct buf *out)
{
    while (name.len)
        name = str_from(name, add_piece(name, out));
}

void profile_key(struct str name, struct buf *out)
{
    add_key(function_of(name), out);
}

void profile_short_key(struct str name, struct buf *out)
{
    struct str function = function_of(name);
    size_t start = 0, at = 0;
    for (; at < function.len; at++) {
        size_t skip = unnamed_length(str_from(function, at));
        if (skip)
            at += skip - 1;
        else if (function.ptr[at] == '<')
            break;
        else if (function.ptr[at] == ':')
            start = at + 1;
    }
    add_key(str_sub(function, start, at), out);
}
