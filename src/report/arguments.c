#include "report/arguments.h"

static bool is_separator(char c)
{
    return c == '<' || c == '>' || c == ',';
}

bool argument_next(struct str name, size_t *at, struct str *argument)
{
    size_t open = str_find_char(name, '<');
    if (*at == 0)
        *at = open == STR_NONE ? name.len : open + 1;
    while (*at < name.len && (is_separator(name.ptr[*at]) || name.ptr[*at] == ' '))
        ++*at;
    size_t end = *at;
    while (end < name.len && !is_separator(name.ptr[end]))
        end++;
    *argument = str_sub(name, *at, end);
    *at = end;
    return argument->len > 0;
}

size_t argument_count(struct str name)
{
    size_t count = 0, at = 0;
    struct str argument;
    while (argument_next(name, &at, &argument))
        count++;
    return count;
}

void argument_pattern(struct str name, const bool *differs, struct buf *out)
{
    size_t at = 0, number = 0, copied = 0;
    struct str argument;
    while (argument_next(name, &at, &argument)) {
        size_t begin = (size_t)(argument.ptr - name.ptr);
        if (differs && !differs[number++])
            continue;
        buf_add(out, str_sub(name, copied, begin));
        buf_char(out, '*');
        copied = begin + argument.len;
    }
    buf_add(out, str_from(name, copied));
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

enum { MOST_ARGUMENTS = 24 };

struct column {
    struct str first; /* its value in the first name */
    size_t width;
    bool number;
};

/* Measures the columns, and sets which arguments differ from those of the first name. */
static void measure(struct str name, struct column *columns, bool *differs)
{
    size_t at = 0;
    struct str argument;
    for (size_t number = 0; argument_next(name, &at, &argument); number++) {
        struct column *column = &columns[number];
        differs[number] |= !str_eq(argument, column->first);
        column->width = argument.len > column->width ? argument.len : column->width;
        column->number &= is_digit(argument.ptr[argument.len - 1]);
    }
}

static void add_cells(struct str name, const struct column *columns, const bool *differs, struct buf *out)
{
    size_t at = 0;
    struct str argument;
    for (size_t number = 0; argument_next(name, &at, &argument); number++) {
        size_t pad = columns[number].width - argument.len;
        if (!differs[number])
            continue;
        buf_add(out, out->len ? STR("  ") : STR(""));
        buf_pad(out, ' ', columns[number].number ? pad : 0);
        buf_add(out, argument);
        buf_pad(out, ' ', columns[number].number ? 0 : pad);
    }
}

static bool have_one_form(const struct str *names, size_t count)
{
    const size_t arguments = argument_count(names[0]);
    SCOPED(buf) form = {0}, other = {0};
    bool same = arguments > 0 && arguments <= MOST_ARGUMENTS;
    argument_pattern(names[0], NULL, &form);
    for (size_t at = 1; same && at < count; at++) {
        buf_clear(&other);
        argument_pattern(names[at], NULL, &other);
        same = str_eq(buf_str(&form), buf_str(&other));
    }
    return same;
}

bool argument_columns(const struct str *names, size_t count, struct arena *arena, struct str *cells,
                      struct buf *pattern)
{
    struct column columns[MOST_ARGUMENTS] = {{.width = 0}};
    bool differs[MOST_ARGUMENTS] = {false}, any = false;
    SCOPED(buf) text = {0};
    struct str argument;
    if (count < 2 || !have_one_form(names, count))
        return false;
    for (size_t at = 0, number = 0; argument_next(names[0], &at, &argument); number++)
        columns[number] = (struct column){.first = argument, .number = true};
    for (size_t at = 0; at < count; at++)
        measure(names[at], columns, differs);
    for (size_t at = 0; at < MOST_ARGUMENTS; at++)
        any |= differs[at];
    for (size_t at = 0; any && at < count; at++) {
        buf_clear(&text);
        add_cells(names[at], columns, differs, &text);
        cells[at] = arena_str(arena, buf_str(&text));
    }
    if (any)
        argument_pattern(names[0], differs, pattern);
    return any;
}
