#include "nvcc/sieve.h"

#include "log/mark.h"

/*
 * How the lines begin that our options add (-Xptxas=-v, -Xnvlink=-v, the remarks of cicc, our own in front of ptxas);
 * '#' is a number. What these tools also say without being asked (advisories, errors) has no row. To add one: the text
 * from the beginning of the line to where it is unique.
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

/* Whether text begins with the opening; maybe, when it ends before that is known. */
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
        if (text.ptr[at] < '0' || text.ptr[at] > '9')
            return MATCH_NO;
        while (at < text.len && text.ptr[at] >= '0' && text.ptr[at] <= '9')
            at++;
    }
    return MATCH_YES;
}

static bool is_wanted(const struct sieve *sieve, const struct opening *opening)
{
    if (sieve->level == PASS_ALL)
        return false;
    if (opening->kind == WARNING)
        return sieve->level == PASS_NONE;
    if (opening->kind == REMARK)
        return sieve->remarks;
    bool asked = (opening->from == FROM_PTXAS && sieve->ptxas) || (opening->from == FROM_NVLINK && sieve->nvlink);
    if (asked && sieve->level != PASS_NONE)
        return false;
    return opening->kind != BEHIND_FUNCTION || sieve->properties;
}

/* Looks at the beginning of the line that is held. */
static void decide(struct sieve *sieve)
{
    struct str text = {sieve->held, sieve->held_bytes};
    sieve->line = LINE_PASSES;
    for (size_t at = 0; at < sizeof openings / sizeof *openings; at++) {
        enum match found = is_wanted(sieve, &openings[at]) ? match(openings[at].text, text) : MATCH_NO;
        if (found == MATCH_MAYBE && text.len < SIEVE_HELD_BYTES)
            sieve->line = LINE_UNDECIDED;
        if (found == MATCH_YES) {
            sieve->line = LINE_SWALLOWED;
            sieve->is_properties = openings[at].kind == NAMES_FUNCTION;
            sieve->is_remark = openings[at].kind == REMARK;
            return;
        }
    }
}

/* The line ended before its opening did. */
static void end_early(struct sieve *sieve)
{
    sieve->is_gap = sieve->held_bytes == 0 && sieve->empty_lines > 0;
    sieve->line = sieve->is_gap ? LINE_SWALLOWED : LINE_PASSES;
}

/* Takes bytes into the opening, up to the end of the line; returns how many: none of a line that passes. It is looked
 * at once for all of them. */
static size_t hold(struct sieve *sieve, struct str bytes)
{
    struct str opening = str_sub(bytes, 0, SIEVE_HELD_BYTES - sieve->held_bytes);
    size_t end = str_find_char(opening, '\n'), at = end == STR_NONE ? opening.len : end;
    size_t before = sieve->held_bytes;
    memcpy(sieve->held + sieve->held_bytes, bytes.ptr, at);
    sieve->held_bytes += at;
    if (at)
        decide(sieve);
    if (at < bytes.len && sieve->line == LINE_UNDECIDED)
        end_early(sieve);
    if (sieve->line != LINE_PASSES)
        return at;
    sieve->held_bytes = before;
    return 0;
}

static bool release(struct sieve *sieve, bool (*pass)(void *, struct str), void *context)
{
    struct str held = {sieve->held, sieve->held_bytes};
    sieve->held_bytes = 0;
    return held.len == 0 || sieve->line == LINE_SWALLOWED || pass(context, held);
}

/* The lines from here on that pass whole, as one piece: most compilers say much that is not looked for. */
static size_t passing(struct sieve *sieve, struct str bytes)
{
    size_t end = str_find_char(bytes, '\n');
    if (sieve->level != PASS_ALL)
        return end == STR_NONE ? bytes.len : end + 1;
    end = str_rfind(bytes, STR("\n"));
    return end == STR_NONE ? bytes.len : end + 1;
}

/* What passes of a line, or of its end: a mark of ours stands behind what another writer did not end. */
static struct str without_mark(const struct sieve *sieve, struct str line)
{
    struct str key;
    bool begins = false;
    bool whole = sieve->level != PASS_ALL && str_ends(line, STR("\n"));
    return str_sub(line, 0, whole ? mark_find(str_sub(line, 0, line.len - 1), &key, &begins) : STR_NONE);
}

bool sieve_feed(struct sieve *sieve, struct str bytes, bool (*pass)(void *, struct str), void *context)
{
    bool ok = true;
    while (bytes.len && ok) {
        if (sieve->line == LINE_UNDECIDED) {
            bytes = str_from(bytes, hold(sieve, bytes));
            if (sieve->line == LINE_UNDECIDED)
                return true;
            ok = release(sieve, pass, context);
        }
        size_t length = passing(sieve, bytes);
        struct str piece = str_sub(bytes, 0, length);
        struct str passes = without_mark(sieve, piece);
        if (ok && passes.len && sieve->line == LINE_PASSES)
            ok = pass(context, passes);
        bytes = str_from(bytes, length);
        if (piece.len && piece.ptr[piece.len - 1] == '\n') {
            sieve->line = LINE_UNDECIDED;
            sieve->properties = sieve->is_properties;
            sieve->empty_lines = sieve->is_remark ? EMPTY_LINES_OF_REMARK : sieve->is_gap ? sieve->empty_lines - 1 : 0;
            sieve->is_properties = sieve->is_remark = sieve->is_gap = false;
        }
    }
    return ok;
}

bool sieve_begin_line(struct sieve *sieve)
{
    if (sieve->line != LINE_PASSES)
        return false;
    sieve->line = LINE_UNDECIDED;
    sieve->properties = false;
    sieve->empty_lines = 0;
    return true;
}

bool sieve_finish(struct sieve *sieve, bool (*pass)(void *, struct str), void *context)
{
    if (sieve->line == LINE_UNDECIDED)
        sieve->line = LINE_PASSES;
    return release(sieve, pass, context);
}
