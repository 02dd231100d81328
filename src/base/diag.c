#include "base/diag.h"

#include "base/escape.h"

#include <stdlib.h>

const struct place nowhere = {0};

const char *const severity_names[] = {"off", "note", "warning", "error"};

bool severity_parse(struct str word, enum severity *severity)
{
    for (size_t at = 0; at < sizeof severity_names / sizeof *severity_names; at++)
        if (str_eq(word, str_of(severity_names[at]))) {
            *severity = (enum severity)at;
            return true;
        }
    return false;
}

enum { MOST_ERRORS = 1000 };

bool diag_add(struct diags *list, enum severity severity, struct place place, const char *fmt, ...)
{
    va_list args;
    if (!list)
        return false;
    list->errors += severity == SEVERITY_ERROR;
    if (severity == SEVERITY_ERROR && list->errors > MOST_ERRORS + 1)
        return false;
    if (severity == SEVERITY_ERROR && list->errors > MOST_ERRORS)
        fmt = "too many errors, the others are not shown";
    va_start(args, fmt);
    struct str message = arena_vfmt(&list->arena, fmt, args);
    va_end(args);
    place.path = arena_str(&list->arena, place.path);
    /* Errors in the same line share one copy of its text: a line can have a megabyte and an error at each word. */
    const struct str before = list->count ? list->items[list->count - 1].place.source : (struct str){0};
    place.source = str_eq(before, place.source) ? before : arena_str(&list->arena, place.source);
    *MEM_ADD(list->items, list->count, list->cap) = (struct diag){severity, place, message};
    return false;
}

bool diags_full(const struct diags *list)
{
    return list && list->errors > MOST_ERRORS;
}

void diags_append(struct diags *list, const struct diags *other)
{
    EACH(const struct diag, diag, other->items, other->count)
        diag_add(list, diag->severity, diag->place, "%.*s", STR_ARG(diag->message));
}

void diags_add_unread(struct diags *list, struct diags *unread, struct str path, struct place asked_at,
                      const char *help)
{
    EACH(const struct diag, diag, unread->items, unread->count) {
        if (asked_at.path.len)
            diag_error(list, asked_at, "'%.*s' %.*s%s", STR_ARG(path), STR_ARG(diag->message), help);
        else
            diag_error(list, diag->place, "%.*s%s", STR_ARG(diag->message), help);
    }
    diags_free(unread);
}

/* Where item `at` belongs among the sorted items before it: before the first item of its file with a later place; else
 * after the last item of its file; else where it is. */
static size_t place_among(const struct diags *list, size_t from, size_t at)
{
    const struct place *place = &list->items[at].place;
    size_t to = at;
    for (size_t before = from; before < at; before++) {
        const struct place *other = &list->items[before].place;
        if (!str_eq(other->path, place->path))
            continue;
        if (other->line > place->line || (other->line == place->line && other->column > place->column))
            return before;
        to = before + 1;
    }
    return to;
}

void diags_sort(struct diags *list, size_t from)
{
    for (size_t at = from; at < list->count; at++) {
        const size_t to = place_among(list, from, at);
        const struct diag moved = list->items[at];
        memmove(&list->items[to + 1], &list->items[to], (at - to) * sizeof moved);
        list->items[to] = moved;
    }
}

/* Escapes text that may come from a file or a log. */
static void add_safe(struct buf *out, struct str text)
{
    escape_keeping(text, "\t", out);
}

enum { MOST_BEFORE = 80, MOST_BEHIND = 60, MOST_SOURCE = 200 };

/* The part of a long line around the column. *column becomes the column in that part; *before and *behind: text was cut
 * off there. */
static struct str window(const struct place *place, size_t *column, bool *before, bool *behind)
{
    struct str line = place->source;
    size_t from = 0, to = line.len;
    *column = place->column;
    if (line.len > MOST_SOURCE) {
        from = place->column > MOST_BEFORE ? place->column - MOST_BEFORE : 0;
        to = place->column + MOST_BEHIND < line.len ? place->column + MOST_BEHIND : line.len;
        while (from + 1 < place->column && utf8_continues(line.ptr[from]))
            from++;
        while (to < line.len && utf8_continues(line.ptr[to]))
            to++;
    }
    *before = from > 0;
    *behind = to < line.len;
    *column -= from;
    return str_sub(line, from, to);
}

/* Renders the line with a caret under the column. Tabs are kept, so that the terminal aligns the caret with the
 * text. */
static void render_caret(const struct place *place, struct buf *out)
{
    if (place->source.len == 0 || place->column == 0 || place->column > place->source.len + 1)
        return;
    size_t column = 0;
    bool before = false, behind = false;
    struct str shown = window(place, &column, &before, &behind);
    buf_add(out, before ? STR("    ...") : STR("    "));
    add_safe(out, shown);
    buf_add(out, behind ? STR("...\n    ") : STR("\n    "));
    buf_add(out, before ? STR("   ") : STR(""));
    SCOPED(buf) left = {0};
    add_safe(&left, str_sub(shown, 0, column - 1));
    for (size_t at = 0; at < left.len; at++)
        if (!utf8_continues(left.ptr[at]))
            buf_char(out, left.ptr[at] == '\t' ? '\t' : ' ');
    buf_char(out, '^');
    size_t room = shown.len + 1 - column;
    size_t width = place->width < room ? place->width : room;
    buf_pad(out, '~', width > 1 ? width - 1 : 0);
    buf_char(out, '\n');
}

static void render(const struct diag *diag, struct buf *out)
{
    const struct place *place = &diag->place;
    const struct str path = str_eq(place->path, STR("-")) ? STR("<stdin>") : place->path;
    add_safe(out, path.len ? path : STR("warplint"));
    if (place->line)
        buf_fmt(out, ":%zu", place->line);
    if (place->line && place->column)
        buf_fmt(out, ":%zu", place->column);
    buf_fmt(out, ": %s: ", severity_names[diag->severity]);
    add_safe(out, diag->message);
    buf_char(out, '\n');
    render_caret(place, out);
}

void diags_render(const struct diags *list, struct buf *out)
{
    EACH(const struct diag, diag, list->items, list->count)
        render(diag, out);
}

void diags_free(struct diags *list)
{
    arena_free(&list->arena);
    free(list->items);
    *list = (struct diags){0};
}

enum { LONGEST_WORD = 64 };

static size_t distance(struct str a, struct str b)
{
    size_t row[LONGEST_WORD + 1];
    if (a.len > LONGEST_WORD || b.len > LONGEST_WORD)
        return SIZE_MAX;
    for (size_t x = 0; x <= b.len; x++)
        row[x] = x;
    for (size_t y = 1; y <= a.len; y++) {
        size_t diagonal = row[0];
        row[0] = y;
        for (size_t x = 1; x <= b.len; x++) {
            size_t changed = diagonal + (a.ptr[y - 1] != b.ptr[x - 1]);
            diagonal = row[x];
            const size_t longer = (row[x] < row[x - 1] ? row[x] : row[x - 1]) + 1;
            row[x] = longer < changed ? longer : changed;
        }
    }
    return row[b.len];
}

const char *nearest_word(struct str word, const char *const *first, size_t row_bytes, size_t count)
{
    const char *best = NULL;
    size_t best_distance = word.len > 3 ? word.len / 3 + 1 : 1;
    for (size_t at = 0; at < count; at++) {
        const char *name = *(const char *const *)(const void *)((const char *)first + at * row_bytes);
        if (!name)
            continue;
        size_t d = distance(word, str_of(name));
        bool other = d > 1 && word.len && word.ptr[0] != name[0]; /* few mistype the first letter and one more */
        if (d <= best_distance && !other && (!best || d < best_distance)) {
            best = name;
            best_distance = d;
        }
    }
    return best;
}
