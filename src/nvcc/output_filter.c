#include "nvcc/output_filter.h"

#include "log/mark.h"

/*
 * Openings of the lines that our options add (-Xptxas=-v, -Xnvlink=-v, the remarks of cicc, our own lines before
 * ptxas's); '#' is a number. Messages that these tools also print without being asked (advisories, errors) have no row.
 * To add a row: the text from the beginning of the line up to the point where it is unique.
 */
static const struct opening {
    struct str text;
    enum { ANYWHERE, NAMES_FUNCTION, BEHIND_FUNCTION, WARNING, REMARK } kind;
    enum { FROM_PTXAS, FROM_NVLINK, FROM_CICC, FROM_US } from;
} openings[] = {
    {STR_INIT("ptxas info    : # bytes "), ANYWHERE, FROM_PTXAS},
    {STR_INIT("ptxas info    : Compile time = "), ANYWHERE, FROM_PTXAS},
    {STR_INIT("ptxas info    : Compiling entry function "), ANYWHERE, FROM_PTXAS},
    {STR_INIT("ptxas info    : Function properties for "), NAMES_FUNCTION, FROM_PTXAS},
    {STR_INIT("ptxas info    : Overriding global maxrregcount "), ANYWHERE, FROM_PTXAS},
    {STR_INIT("ptxas info    : Overriding maximum register limit "), ANYWHERE, FROM_PTXAS},
    {STR_INIT("ptxas info    : Used # registers"), ANYWHERE, FROM_PTXAS},
    {STR_INIT("    # bytes stack frame, "), BEHIND_FUNCTION, FROM_PTXAS},
    {STR_INIT("nvlink info    : # bytes "), ANYWHERE, FROM_NVLINK},
    {STR_INIT("nvlink info    : Function properties for "), ANYWHERE, FROM_NVLINK},
    {STR_INIT("nvlink info    : used # registers"), ANYWHERE, FROM_NVLINK},
    {STR_INIT("warplint info    : "), ANYWHERE, FROM_US},
    {STR_INIT("remark: "), REMARK, FROM_CICC},
    {STR_INIT("ptxas warning : "), WARNING, FROM_PTXAS},
    {STR_INIT("nvlink warning : "), WARNING, FROM_NVLINK},
};

enum match { MATCH_NO, MATCH_MAYBE, MATCH_YES };

/* Whether the text begins with the opening; MATCH_MAYBE if the text ends before that is decided. */
static enum match match(struct str opening, struct str text)
{
    size_t at = 0;
    for (size_t o = 0; o < opening.len; o++) {
        if (at == text.len)
            return MATCH_MAYBE;
        if (opening.ptr[o] != '#') {
            if (text.ptr[at++] != opening.ptr[o])
                return MATCH_NO;
            continue;
        }
        size_t digits = str_span(str_from(text, at), is_digit);
        if (digits == 0)
            return MATCH_NO;
        at += digits;
    }
    return MATCH_YES;
}

static bool is_wanted(const struct output_filter *output_filter, const struct opening *opening)
{
    if (output_filter->level == PASS_ALL)
        return false;
    if (opening->kind == WARNING)
        return output_filter->level == PASS_NONE;
    if (opening->kind == REMARK)
        return output_filter->remarks;
    bool asked = (opening->from == FROM_PTXAS && output_filter->ptxas) ||
                 (opening->from == FROM_NVLINK && output_filter->nvlink);
    if (asked && output_filter->level != PASS_NONE)
        return false;
    return opening->kind != BEHIND_FUNCTION || output_filter->properties;
}

/* Decides from the held beginning of the line. */
static void set_line_state(struct output_filter *output_filter)
{
    struct str text = {output_filter->held, output_filter->held_bytes};
    output_filter->line = LINE_PASSES;
    for (size_t at = 0; at < sizeof openings / sizeof *openings; at++) {
        enum match found = is_wanted(output_filter, &openings[at]) ? match(openings[at].text, text) : MATCH_NO;
        if (found == MATCH_MAYBE && text.len < OUTPUT_FILTER_HELD_BYTES)
            output_filter->line = LINE_UNDECIDED;
        if (found == MATCH_YES) {
            output_filter->line = LINE_SWALLOWED;
            output_filter->is_properties = openings[at].kind == NAMES_FUNCTION;
            output_filter->is_remark = openings[at].kind == REMARK;
            return;
        }
    }
}

/* Takes bytes of the current line into `held`, at most to the end of the line, and decides once for all of them.
 * Returns the number of bytes taken: 0 if the line passes. */
static size_t hold(struct output_filter *output_filter, struct str bytes)
{
    struct str opening = str_sub(bytes, 0, OUTPUT_FILTER_HELD_BYTES - output_filter->held_bytes);
    size_t end = str_find_char(opening, '\n'), at = end == STR_NONE ? opening.len : end;
    size_t before = output_filter->held_bytes;
    memcpy(output_filter->held + output_filter->held_bytes, bytes.ptr, at);
    output_filter->held_bytes += at;
    if (at)
        set_line_state(output_filter);
    if (at < bytes.len && output_filter->line == LINE_UNDECIDED) { /* the line ends before its opening does */
        output_filter->is_gap = output_filter->held_bytes == 0 && output_filter->empty_lines > 0;
        output_filter->line = output_filter->is_gap ? LINE_SWALLOWED : LINE_PASSES;
    }
    if (output_filter->line != LINE_PASSES)
        return at;
    output_filter->held_bytes = before;
    return 0;
}

/* The held bytes, as far as they pass. */
static struct str take_held(struct output_filter *output_filter)
{
    struct str held = {output_filter->held, output_filter->line == LINE_SWALLOWED ? 0 : output_filter->held_bytes};
    output_filter->held_bytes = 0;
    return held;
}

/* The part of a line, or of the end of a line, that passes: one of our marks may follow a line that another writer did
 * not end. */
static struct str without_mark(const struct output_filter *output_filter, struct str line)
{
    struct str key;
    bool begins = false;
    bool whole = output_filter->level != PASS_ALL && str_ends(line, STR("\n"));
    return str_sub(line, 0, whole ? mark_find(str_sub(line, 0, line.len - 1), &key, &begins) : STR_NONE);
}

struct str output_filter_take(struct output_filter *output_filter, struct str *bytes)
{
    if (output_filter->line == LINE_UNDECIDED) {
        *bytes = str_from(*bytes, hold(output_filter, *bytes));
        struct str held = output_filter->line == LINE_UNDECIDED ? STR("") : take_held(output_filter);
        if (held.len || bytes->len == 0)
            return held;
    }
    size_t end = str_find_char(*bytes, '\n');
    struct str piece = str_sub(*bytes, 0, end == STR_NONE ? bytes->len : end + 1);
    struct str passes = output_filter->line == LINE_PASSES ? without_mark(output_filter, piece) : STR("");
    *bytes = str_from(*bytes, piece.len);
    if (end != STR_NONE) {
        output_filter->line = LINE_UNDECIDED;
        output_filter->properties = output_filter->is_properties;
        output_filter->empty_lines = output_filter->is_remark ? EMPTY_LINES_OF_REMARK
                                     : output_filter->is_gap  ? output_filter->empty_lines - 1
                                                              : 0;
        output_filter->is_properties = output_filter->is_remark = output_filter->is_gap = false;
    }
    return passes;
}

bool output_filter_begin_line(struct output_filter *output_filter)
{
    if (output_filter->line != LINE_PASSES)
        return false;
    output_filter->line = LINE_UNDECIDED;
    output_filter->properties = false;
    output_filter->empty_lines = 0;
    return true;
}

struct str output_filter_rest(struct output_filter *output_filter)
{
    if (output_filter->line == LINE_UNDECIDED)
        output_filter->line = LINE_PASSES;
    return take_held(output_filter);
}
