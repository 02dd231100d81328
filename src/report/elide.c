#include "report/elide.h"

#include "log/spelling.h"
#include "report/base_name.h"

enum {
    DOTS = 3,        /* "..." */
    PATH_DOTS = 5,   /* "...::" */
    LEAST_TAIL = 12, /* shortest tail of an elided name */
    SHOWN_PATH = 30, /* namespaces are omitted if the own name ends after this column */
    LONG_WORD = 16,  /* only the part that differs is shown of longer words */
};

/* Appends the UTF-8 characters that are completely in the range. */
static void add_characters(struct str text, size_t start, size_t end, struct buf *out)
{
    while (start < end && utf8_continues(text.ptr[start]))
        start++;
    buf_add(out, str_from(utf8_front(text, end), start));
}

/* Appends `head` bytes, "..." and the tail. Dots next to "..." are omitted: the text may already be elided. */
static void elide_behind(struct str text, size_t width, size_t head, struct buf *out)
{
    if (text.len <= width) {
        buf_add(out, text);
        return;
    }
    size_t tail = text.len - (width - head - DOTS);
    while (head > 0 && text.ptr[head - 1] == '.')
        head--;
    while (tail < text.len && text.ptr[tail] == '.')
        tail++;
    add_characters(text, 0, head, out);
    buf_add(out, STR("..."));
    add_characters(text, tail, text.len, out);
}

void elide(struct str text, size_t width, struct buf *out)
{
    elide_behind(text, width, width * 3 / 5, out);
}

/* The position of the own name, including the "<" that follows it. */
static void own_part(struct str name, size_t *start, size_t *end)
{
    struct str own = base_name_of_label(name);
    *start = own.len ? (size_t)(own.ptr - name.ptr) : 0;
    *end = own.len ? *start + own.len : 0;
    *end += own.len && *end < name.len;
}

static bool shows_path(size_t own_end)
{
    return own_end <= SHOWN_PATH + 1;
}

void elide_name(struct str name, size_t width, struct buf *out)
{
    if (name.len <= width) {
        buf_add(out, name);
        return;
    }
    size_t start = 0, end = 0, head = width * 3 / 5, most = width - DOTS - LEAST_TAIL;
    own_part(name, &start, &end);
    if (!shows_path(end)) {
        name = str_from(name, start);
        end -= start;
    }
    if (name.len + PATH_DOTS <= width) {
        buf_fmt(out, "...::%.*s", STR_ARG(name));
        return;
    }
    if (head < end && end < name.len)
        head = end < most ? end : most;
    elide_behind(name, name.len <= width ? name.len - 1 : width, head, out);
}

/* ---- distinguishing tokens -------------------------------------------------------------------------------------- */

static void add_token(struct distinct_name *name, struct token_start token)
{
    size_t place = name->count;
    if (token.at >= name->name.len)
        return;
    while (place > 0 && name->tokens[place - 1].at > token.at)
        place--;
    if (place > 0 && name->tokens[place - 1].at == token.at) {
        name->tokens[place - 1].others += token.others;
    } else if (name->count < MOST_TOKENS) {
        memmove(name->tokens + place + 1, name->tokens + place, (name->count - place) * sizeof *name->tokens);
        name->tokens[place] = token;
        name->count++;
    }
}

/* The positions where a name begins to differ from the names on one side of it, in ascending order. */
struct side {
    struct token_start tokens[MOST_TOKENS / 2];
    size_t count;
};

static void add_differences(struct side *side, struct str before, struct distinct_name *name)
{
    struct token_start token = {(uint32_t)str_common(before, name->name), 1};
    while (side->count > 0 && side->tokens[side->count - 1].at >= token.at)
        token.others += side->tokens[--side->count].others;
    if (side->count < MOST_TOKENS / 2)
        side->tokens[side->count++] = token;
    else
        side->tokens[side->count - 1].others += token.others;
    for (size_t at = 0; at < side->count; at++)
        add_token(name, side->tokens[at]);
}

void find_tokens(struct distinct_name *names, size_t count)
{
    struct side before = {.count = 0}, behind = {.count = 0};
    for (size_t at = 1; at < count; at++)
        add_differences(&before, names[at - 1].name, &names[at]);
    for (size_t at = count; at-- > 1;)
        add_differences(&behind, names[at].name, &names[at - 1]);
}

struct span {
    size_t start, end;
    double says; /* factor by which this word reduces the number of names that are equal so far */
};

/* The word in which a name begins to differ; if the difference begins after a word, that word and the next one. */
static struct span word_at(struct str name, size_t at)
{
    static const struct str sign = STR_INIT("unsigned ");
    struct span word = {at, at, 1};
    while (word.start > 0 && is_word(name.ptr[word.start - 1]))
        word.start--;
    if (at - word.start > LONG_WORD)
        word.start = at - LONG_WORD / 2;
    else if (str_ends(str_sub(name, 0, word.start), sign))
        word.start -= sign.len;
    while (word.end < name.len && !is_word(name.ptr[word.end]) && word.end < at + LONG_WORD / 2)
        word.end++;
    while (word.end < name.len && is_word(name.ptr[word.end]) && word.end < at + LONG_WORD)
        word.end++;
    return word;
}

/* The shown parts of a name, in order; one of the spans is the own name. */
struct shown {
    struct str name;
    struct span spans[MOST_TOKENS + 1];
    size_t count, own; /* own: index of the span of the own name; NO_SPAN until it is added */
    size_t own_start;  /* without the path */
};
#define NO_SPAN ((size_t)-1)

static void add_span(struct shown *shown, struct span span)
{
    struct span *last = shown->count ? &shown->spans[shown->count - 1] : NULL;
    bool joins = last && shown->count - 1 != shown->own && span.start <= last->end + DOTS;
    if (!joins) {
        shown->spans[shown->count++] = span;
        return;
    }
    last->end = span.end > last->end ? span.end : last->end;
    last->says *= span.says;
}

/* Adds the own name up to the next distinguishing word, but not less than the bytes that distinguish base names. */
static void add_own(struct shown *shown, struct span own, size_t next)
{
    size_t least = shown->own_start + BASE_NAME_BYTES;
    if (next < own.end)
        own.end = next > least ? next : least < own.end ? least : own.end;
    shown->own = shown->count;
    shown->spans[shown->count++] = own;
}

static void choose_spans(const struct distinct_name *distinct, struct shown *shown)
{
    struct span own = {0, 0, 1};
    double like = 1; /* number of names that are equal so far; 1 at the end */
    *shown = (struct shown){.name = distinct->name, .own = NO_SPAN};
    own_part(distinct->name, &shown->own_start, &own.end);
    bool path = shows_path(own.end) && distinct->tokens[0].at >= shown->own_start;
    own.start = path ? 0 : shown->own_start;
    for (size_t at = 0; at < distinct->count; at++)
        like += distinct->tokens[at].others;
    for (size_t at = 0; at < distinct->count; at++) {
        struct span word = word_at(distinct->name, distinct->tokens[at].at);
        word.says = like / (like - distinct->tokens[at].others);
        like -= distinct->tokens[at].others;
        if (distinct->tokens[at].at < shown->own_start) {
            word.end = word.end < shown->own_start ? word.end : shown->own_start;
        } else {
            if (shown->own == NO_SPAN)
                add_own(shown, own, word.start);
            size_t behind = shown->spans[shown->own].end;
            word.start = word.start > behind ? word.start : behind;
            word.end = word.end > behind ? word.end : behind;
        }
        if (word.end > word.start)
            add_span(shown, word);
    }
    if (shown->own == NO_SPAN)
        add_own(shown, own, own.end);
}

/* The bytes omitted between a span and the next one, or the end of the name. */
static size_t gap_behind(const struct shown *shown, size_t at)
{
    size_t next = at + 1 < shown->count ? shown->spans[at + 1].start : shown->name.len;
    return next > shown->spans[at].end ? next - shown->spans[at].end : 0;
}

static bool is_headless(const struct shown *shown)
{
    return shown->own != 0 && shown->spans[0].start > 0;
}

static size_t shown_width(const struct shown *shown)
{
    size_t width = is_headless(shown) ? DOTS : 0;
    for (size_t at = 0; at < shown->count; at++) {
        size_t gap = gap_behind(shown, at);
        width += shown->spans[at].end - shown->spans[at].start + (gap < DOTS ? gap : DOTS);
    }
    return width;
}

static void cut_span(struct shown *shown, size_t at, size_t least, size_t width)
{
    struct span *span = &shown->spans[at];
    size_t length = span->end - span->start;
    for (size_t is = shown_width(shown); is > width && length > least; is = shown_width(shown)) {
        size_t most = length - least, over = is - width;
        span->end -= over < most ? over : most;
        length = span->end - span->start;
    }
}

/* Cuts the own name: first its path, then all after the bytes of a base name. */
static void cut_own(struct shown *shown, size_t width)
{
    if (shown_width(shown) > width)
        shown->spans[shown->own].start = shown->own_start;
    cut_span(shown, shown->own, BASE_NAME_BYTES, width);
}

static void grow_span(struct shown *shown, size_t at, size_t width)
{
    struct span *span = &shown->spans[at];
    while (gap_behind(shown, at) > 0 && shown_width(shown) <= width)
        span->end++;
    span->end -= shown_width(shown) > width;
}

/* Drops the word that reduces the number of equal names least. */
static void drop_span(struct shown *shown)
{
    size_t gone = shown->own == 0 ? 1 : 0;
    for (size_t at = 0; at < shown->count; at++)
        if (at != shown->own && shown->spans[at].says <= shown->spans[gone].says)
            gone = at;
    memmove(shown->spans + gone, shown->spans + gone + 1, (shown->count - gone - 1) * sizeof *shown->spans);
    shown->count--;
    shown->own -= gone < shown->own;
}

/* True if the width is exceeded by at most a quarter of the last word. */
static bool fits_cut(const struct shown *shown, size_t width)
{
    const struct span *last = &shown->spans[shown->count - 1];
    return shown_width(shown) <= width + (last->end - last->start) / 4;
}

static void fit_width(struct shown *shown, size_t width)
{
    enum { OWN_AND_ONE = 2 };
    size_t own_end = shown->spans[shown->own].end;
    cut_own(shown, width);
    while (!fits_cut(shown, width) && shown->count > OWN_AND_ONE) {
        drop_span(shown);
        shown->spans[shown->own].end = own_end;
        cut_own(shown, width);
    }
    for (size_t at = shown->count; at-- > 0;)
        if (at != shown->own)
            cut_span(shown, at, 1, width);
    grow_span(shown, shown->count - 1, width);
    for (size_t at = 0; at + 1 < shown->count; at++)
        grow_span(shown, at, width);
}

bool elide_distinct(const struct distinct_name *distinct, size_t width, struct buf *out)
{
    struct shown shown;
    if (distinct->name.len <= width || distinct->count == 0) {
        elide_name(distinct->name, width, out);
        return true;
    }
    choose_spans(distinct, &shown);
    fit_width(&shown, width);
    if (shown.own == 0 && shown_width(&shown) + shown.spans[0].start == distinct->name.len) { /* all but a path */
        elide_name(distinct->name, width, out);
        return true;
    }
    buf_add(out, is_headless(&shown) ? STR("...") : STR(""));
    for (size_t at = 0; at < shown.count; at++) {
        size_t gap = gap_behind(&shown, at), behind = gap <= DOTS ? gap : 0;
        add_characters(shown.name, shown.spans[at].start, shown.spans[at].end + behind, out);
        buf_add(out, gap <= DOTS ? STR("") : STR("..."));
    }
    return shown.own == 0;
}
