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

struct str *argument_list(struct str name, size_t count, struct arena *arena)
{
    struct str *list = arena_alloc(arena, (count + 1) * sizeof *list);
    size_t at = 0;
    for (size_t number = 0; number < count; number++)
        argument_next(name, &at, &list[number]);
    return list;
}

/* ---- columns ---------------------------------------------------------------------------------------------------- */

static bool have_one_form(const struct str *names, size_t count)
{
    SCOPED(buf) form = {0}, other = {0};
    bool same = true;
    argument_pattern(names[0], NULL, &form);
    for (size_t at = 1; same && at < count; at++) {
        buf_clear(&other);
        argument_pattern(names[at], NULL, &other);
        same = str_eq(buf_str(&form), buf_str(&other));
    }
    return same;
}

/* Numbers are aligned to the right. */
static void pad_column(struct str **lists, size_t count, size_t column, struct arena *arena)
{
    int width = 0;
    bool numbers = true;
    for (size_t at = 0; at < count; at++) {
        const struct str argument = lists[at][column];
        width = (int)argument.len > width ? (int)argument.len : width;
        numbers &= is_digit(argument.ptr[argument.len - 1]);
    }
    for (size_t at = 0; at < count; at++)
        lists[at][column] = arena_fmt(arena, "%*.*s", numbers ? width : -width, STR_ARG(lists[at][column]));
}

bool argument_columns(const struct str *names, size_t count, struct arena *arena, struct str *cells,
                      struct buf *pattern)
{
    if (count < 2 || !have_one_form(names, count))
        return false;
    const size_t columns = argument_count(names[0]);
    struct str **lists = arena_alloc(arena, count * sizeof *lists);
    bool *differs = arena_alloc(arena, columns + 1), any = false;
    for (size_t at = 0; at < count; at++)
        lists[at] = argument_list(names[at], columns, arena);
    for (size_t column = 0; column < columns; column++) {
        for (size_t at = 1; at < count; at++)
            differs[column] |= !str_eq(lists[at][column], lists[0][column]);
        if (differs[column])
            pad_column(lists, count, column, arena);
        any |= differs[column];
    }
    for (size_t at = 0; any && at < count; at++) {
        struct buf text = {0};
        for (size_t column = 0; column < columns; column++)
            if (differs[column])
                buf_fmt(&text, "%s%.*s", text.len ? "  " : "", STR_ARG(lists[at][column]));
        cells[at] = arena_take(arena, &text);
    }
    if (any)
        argument_pattern(names[0], differs, pattern);
    return any;
}
