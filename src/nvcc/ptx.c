/*
 * Two machines: one makes words, strings and marks of bytes, the other makes kernels of these. Code is most of a
 * module, and in it only braces, .loc, comments and strings matter: there the first machine runs from one such byte to
 * the next.
 */
#include "nvcc/ptx.h"

#include <stdlib.h>

enum { LONGEST_WORD = 1 << 20, MOST_KERNELS = 1 << 20, LARGEST_NUMBER = 1 << 30 };

enum lexing { IN_GAP, IN_WORD, BEHIND_SLASH, IN_LINE_COMMENT, IN_COMMENT, IN_COMMENT_STAR, IN_STRING, IN_ESCAPE };

/* What the next words mean. */
enum expecting {
    EXPECT_ANY,
    EXPECT_NAME,    /* .entry was read */
    EXPECT_HEAD,    /* parameters and declarations of a kernel, up to its brace */
    EXPECT_NUMBERS, /* of a directive in the head */
    EXPECT_BODY,    /* of a kernel; other braces are only counted */
    EXPECT_LOC,     /* .loc FILE LINE COLUMN */
    EXPECT_LOC_END, /* a comma here says that the code is inlined */
    EXPECT_FILE,    /* .file NUMBER "PATH" */
};

struct kernel_at {
    struct bounds bounds; /* without its file */
    uint32_t file;
};

struct file_at {
    uint32_t number;
    struct str path;
};

struct ptx {
    struct arena arena; /* names and paths */
    enum lexing lexing;
    bool behind_word; /* the byte before belongs to a word: a '.' here begins no directive */
    bool too_long;    /* the word or string at hand is longer than is kept */
    struct buf word;
    enum expecting expecting;
    unsigned depth, parentheses;
    bool in_kernel;
    struct kernel_at kernel; /* the one at hand */
    uint32_t *numbers;       /* where the numbers of a directive go */
    uint32_t ignored[3], place[3], file_number;
    unsigned number_count, number_most;
    struct kernel_at *kernels;
    size_t kernel_count, kernel_cap;
    struct file_at *files;
    size_t file_count, file_cap;
};

/* ---- kernels ---------------------------------------------------------------------------------------------------- */

static void begin_kernel(struct ptx *ptx)
{
    ptx->kernel = (struct kernel_at){0};
    ptx->expecting = EXPECT_NAME;
    ptx->parentheses = 0;
}

static void end_kernel(struct ptx *ptx)
{
    if (ptx->in_kernel && ptx->kernel_count < MOST_KERNELS) {
        *MEM_ADD(ptx->kernels, ptx->kernel_count, ptx->kernel_cap) = ptx->kernel;
    }
    ptx->in_kernel = false;
    ptx->expecting = EXPECT_ANY;
}

static void expect_numbers(struct ptx *ptx, enum expecting what, uint32_t *numbers, unsigned most)
{
    ptx->expecting = what;
    ptx->numbers = numbers;
    ptx->number_count = 0;
    ptx->number_most = most;
}

/* A directive between the parameters of a kernel and its body. */
static void take_directive(struct ptx *ptx, struct str word)
{
    struct bounds *bounds = &ptx->kernel.bounds;
    const struct {
        struct str word;
        uint32_t *numbers;
        unsigned most;
    } directives[] = {
        {STR(".maxntid"), bounds->maxntid, 3},
        {STR(".reqntid"), bounds->reqntid, 3},
        {STR(".reqnctapercluster"), bounds->reqnctapercluster, 3},
        {STR(".minnctapersm"), &bounds->minnctapersm, 1},
        {STR(".maxnreg"), &bounds->maxnreg, 1},
    };
    expect_numbers(ptx, EXPECT_NUMBERS, ptx->ignored, 3);
    for (size_t at = 0; at < sizeof directives / sizeof *directives; at++) {
        if (!str_eq(word, directives[at].word))
            continue;
        ptx->numbers = directives[at].numbers;
        ptx->number_most = directives[at].most;
        for (unsigned n = 0; n < ptx->number_most; n++)
            ptx->numbers[n] = 0;
    }
}

/* False: the word is no number that fits. */
static bool take_number(struct ptx *ptx, struct str word)
{
    uint64_t number = 0;
    struct str rest = word;
    bool hex = str_starts(word, STR("0x")) || str_starts(word, STR("0X"));
    if (hex)
        rest = str_from(word, 2);
    if (!(hex ? str_hex(&rest, &number) : str_uint(&rest, &number)) || number > LARGEST_NUMBER ||
        !(rest.len == 0 || str_eq(rest, STR("U"))))
        return false;
    if (ptx->number_count < ptx->number_most) {
        /* A size that is left out is 1. */
        for (unsigned n = ptx->number_count; n < ptx->number_most && ptx->number_most == 3; n++)
            ptx->numbers[n] = n == ptx->number_count ? (uint32_t)number : 1;
        if (ptx->number_most < 3)
            ptx->numbers[ptx->number_count] = (uint32_t)number;
        ptx->number_count++;
    }
    return true;
}

static void take_loc(struct ptx *ptx)
{
    if (ptx->place[1] && !ptx->kernel.bounds.line) {
        ptx->kernel.file = ptx->place[0];
        ptx->kernel.bounds.line = ptx->place[1];
    }
    ptx->expecting = EXPECT_BODY;
}

static void take_word(struct ptx *ptx, struct str word)
{
    switch (ptx->expecting) {
    case EXPECT_ANY:
        if (ptx->depth == 0 && str_eq(word, STR(".entry")))
            begin_kernel(ptx);
        else if (ptx->depth == 0 && str_eq(word, STR(".file")))
            expect_numbers(ptx, EXPECT_FILE, &ptx->file_number, 1);
        break;
    case EXPECT_NAME:
        ptx->kernel.bounds.name = ptx->too_long ? (struct str){"", 0} : arena_str(&ptx->arena, word);
        ptx->expecting = EXPECT_HEAD;
        break;
    case EXPECT_NUMBERS:
        if (take_number(ptx, word))
            break;
        ptx->expecting = EXPECT_HEAD;
        take_word(ptx, word);
        break;
    case EXPECT_HEAD:
        if (str_eq(word, STR(".entry")))
            begin_kernel(ptx);
        else if (word.ptr[0] == '.' && ptx->parentheses == 0)
            take_directive(ptx, word);
        break;
    case EXPECT_LOC_END:
        take_loc(ptx);
        take_word(ptx, word);
        break;
    case EXPECT_BODY:
        if (str_eq(word, STR(".loc")))
            expect_numbers(ptx, EXPECT_LOC, ptx->place, 3);
        break;
    case EXPECT_LOC:
        if (!take_number(ptx, word))
            ptx->expecting = EXPECT_BODY;
        else if (ptx->number_count == 3)
            ptx->expecting = EXPECT_LOC_END;
        break;
    case EXPECT_FILE:
        if (!take_number(ptx, word))
            ptx->expecting = EXPECT_ANY;
        break;
    }
}

static void open_brace(struct ptx *ptx)
{
    bool head = ptx->expecting == EXPECT_HEAD || ptx->expecting == EXPECT_NUMBERS;
    if (ptx->depth++ > 0)
        return;
    ptx->in_kernel = head && ptx->kernel.bounds.name.len > 0;
    ptx->expecting = ptx->in_kernel ? EXPECT_BODY : EXPECT_ANY;
}

static void close_brace(struct ptx *ptx)
{
    ptx->depth -= ptx->depth > 0;
    if (ptx->depth == 0)
        end_kernel(ptx);
}

static void take_mark(struct ptx *ptx, char mark)
{
    bool head = ptx->expecting == EXPECT_HEAD || ptx->expecting == EXPECT_NUMBERS;
    if (ptx->expecting == EXPECT_LOC_END && mark == ',')
        ptx->expecting = EXPECT_BODY;
    else if (ptx->expecting == EXPECT_LOC_END)
        take_loc(ptx);
    if (mark == '{')
        open_brace(ptx);
    else if (mark == '}')
        close_brace(ptx);
    else if (head && mark == '(')
        ptx->parentheses++;
    else if (head && mark == ')')
        ptx->parentheses -= ptx->parentheses > 0;
    else if (head && mark == ';') /* a declaration without a body */
        ptx->expecting = EXPECT_ANY;
}

/* "\\", "\"", and "\303" for bytes that are no ASCII. */
static struct str unescape(struct arena *arena, struct str text)
{
    struct buf plain = {0};
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        unsigned byte = 0, digits = 0;
        if (c == '\\' && at + 1 < text.len) {
            for (; digits < 3 && at + 1 < text.len && text.ptr[at + 1] >= '0' && text.ptr[at + 1] <= '7'; digits++)
                byte = byte * 8 + (unsigned)(text.ptr[++at] - '0');
            c = digits ? (char)byte : text.ptr[++at];
        }
        buf_char(&plain, c);
    }
    struct str copy = arena_str(arena, buf_str(&plain));
    buf_free(&plain);
    return copy;
}

static void take_string(struct ptx *ptx, struct str text)
{
    if (ptx->expecting != EXPECT_FILE)
        return;
    ptx->expecting = EXPECT_ANY;
    if (ptx->number_count == 0 || ptx->too_long || ptx->file_count >= MOST_KERNELS)
        return;
    *MEM_ADD(ptx->files, ptx->file_count, ptx->file_cap) =
        (struct file_at){ptx->file_number, unescape(&ptx->arena, text)};
}

/* ---- words ------------------------------------------------------------------------------------------------------ */

/* Those at which code is looked at. */
static bool is_stop(char c)
{
    return c == '{' || c == '}' || c == '/' || c == '"';
}

static bool is_word(char c)
{
    return (c >= 'a' && c <= 'z') || is_digit(c) || (c >= 'A' && c <= 'Z') || c == '_' || c == '$' || c == '%' ||
           c == '-' || c == '@' || c == '.';
}

static void keep(struct ptx *ptx, char c)
{
    if (ptx->word.len < LONGEST_WORD)
        buf_char(&ptx->word, c);
    else
        ptx->too_long = true;
}

static void begin(struct ptx *ptx, enum lexing lexing)
{
    ptx->lexing = lexing;
    ptx->too_long = false;
    buf_clear(&ptx->word);
}

/* Only braces, comments, strings and, where it is wanted, .loc can matter from here on. */
static bool is_code(const struct ptx *ptx)
{
    return ptx->depth > 0 && (ptx->expecting == EXPECT_BODY || ptx->expecting == EXPECT_ANY);
}

/* How many bytes of code at the front do not matter. */
static size_t skip_code(struct ptx *ptx, struct str bytes)
{
    bool wants_loc = ptx->expecting == EXPECT_BODY && ptx->kernel.bounds.line == 0;
    size_t at = 0;
    for (; at < bytes.len; at++) {
        char c = bytes.ptr[at];
        if (is_stop(c))
            break;
        if (c == '.' && wants_loc && !(at ? is_word(bytes.ptr[at - 1]) : ptx->behind_word))
            break;
    }
    if (at)
        ptx->behind_word = is_word(bytes.ptr[at - 1]);
    return at;
}

/* A byte outside of words, comments and strings. */
static void take_gap(struct ptx *ptx, char c)
{
    if (is_word(c)) {
        begin(ptx, IN_WORD);
        keep(ptx, c);
    } else if (c == '"') {
        begin(ptx, IN_STRING);
    } else if (c == '/') {
        ptx->lexing = BEHIND_SLASH;
    } else if (c != ' ' && c != '\t' && c != '\n' && c != '\r') {
        take_mark(ptx, c);
    }
}

static void take_byte(struct ptx *ptx, char c)
{
    ptx->behind_word = is_word(c);
    switch (ptx->lexing) {
    case IN_GAP: take_gap(ptx, c); break;
    case IN_WORD:
        if (is_word(c)) {
            keep(ptx, c);
            break;
        }
        ptx->lexing = IN_GAP;
        take_word(ptx, buf_str(&ptx->word));
        take_gap(ptx, c);
        break;
    case BEHIND_SLASH:
        ptx->lexing = c == '/' ? IN_LINE_COMMENT : c == '*' ? IN_COMMENT : IN_GAP;
        if (ptx->lexing == IN_GAP)
            take_gap(ptx, c);
        break;
    case IN_LINE_COMMENT: ptx->lexing = c == '\n' ? IN_GAP : IN_LINE_COMMENT; break;
    case IN_COMMENT: ptx->lexing = c == '*' ? IN_COMMENT_STAR : IN_COMMENT; break;
    case IN_COMMENT_STAR: ptx->lexing = c == '/' ? IN_GAP : c == '*' ? IN_COMMENT_STAR : IN_COMMENT; break;
    case IN_STRING:
        if (c == '"') {
            ptx->lexing = IN_GAP;
            take_string(ptx, buf_str(&ptx->word));
            break;
        }
        ptx->lexing = c == '\\' ? IN_ESCAPE : IN_STRING;
        keep(ptx, c);
        break;
    case IN_ESCAPE:
        ptx->lexing = IN_STRING;
        keep(ptx, c);
        break;
    }
}

/* ---- all of it -------------------------------------------------------------------------------------------------- */

struct ptx *ptx_new(void)
{
    return mem_alloc(sizeof(struct ptx));
}

void ptx_feed(struct ptx *ptx, struct str bytes)
{
    while (bytes.len) {
        if (ptx->lexing == IN_GAP && is_code(ptx)) {
            bytes = str_from(bytes, skip_code(ptx, bytes));
            if (!bytes.len)
                return;
        }
        take_byte(ptx, bytes.ptr[0]);
        bytes = str_from(bytes, 1);
    }
}

static int by_number(const void *left, const void *right)
{
    const struct file_at *a = left, *b = right;
    return number_cmp(a->number, b->number);
}

void ptx_kernels(const struct ptx *ptx, void (*take)(void *context, const struct bounds *kernel), void *context)
{
    if (ptx->file_count)
        qsort(ptx->files, ptx->file_count, sizeof *ptx->files, by_number);
    for (size_t at = 0; at < ptx->kernel_count; at++) {
        struct bounds bounds = ptx->kernels[at].bounds;
        const struct file_at wanted = {.number = ptx->kernels[at].file}, *file = NULL;
        if (ptx->file_count && bounds.line)
            file = bsearch(&wanted, ptx->files, ptx->file_count, sizeof *ptx->files, by_number);
        if (file)
            bounds.file = file->path;
        else
            bounds.line = 0;
        take(context, &bounds);
    }
}

void ptx_free(struct ptx *ptx)
{
    arena_free(&ptx->arena);
    buf_free(&ptx->word);
    free(ptx->kernels);
    free(ptx->files);
    free(ptx);
}
