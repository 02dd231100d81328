#include "nvcc/ptx.h"

#include "base/file.h"
#include "nvcc/cxx.h"

#include <stdlib.h>

enum { LONGEST_WORD = 1 << 20, MOST_KERNELS = 1 << 20, LARGEST_NUMBER = 1 << 30 };

enum { TOKEN_END = -1 };

struct kernel_at {
    struct bounds bounds; /* its file is not set */
    uint32_t file;
};

struct ptx {
    struct arena arena;
    struct cxx in;
    struct str token; /* the last token; of a string, the text between its quotes */
    struct kernel_at *kernels;
    size_t kernel_count, kernel_cap;
    struct intern files; /* file numbers of .file directives */
    struct str *paths;   /* path of each file, by number in `files` */
    size_t path_cap;
    struct str_list shared; /* names of dynamic shared memory, and of device functions that use it */
};

/* ---- tokens ----------------------------------------------------------------------------------------------------- */

static bool is_word(char c)
{
    return is_ascii_letter(c) || is_digit(c) || c == '_' || c == '$' || c == '%' || c == '-' || c == '@' || c == '.';
}

/* The kind of the next token that is no comment: enum cxx_kind, or TOKEN_END. A number is a word. */
static int next(struct ptx *ptx)
{
    struct cxx_token token;
    do
        if (!cxx_next(&ptx->in, &token))
            return TOKEN_END;
    while (token.kind == CXX_COMMENT);
    const bool is_number = token.kind == CXX_LITERAL && is_digit(token.text.ptr[0]);
    const bool is_string = token.kind == CXX_LITERAL && !is_number;
    ptx->token = is_string ? str_sub(token.text, 1, token.text.len - 1) : token.text;
    return is_number ? CXX_WORD : token.kind;
}

static bool read_number(struct str word, uint32_t *number)
{
    uint64_t value = 0;
    bool hex = str_starts(word, STR("0x")) || str_starts(word, STR("0X"));
    struct str rest = str_from(word, hex ? 2 : 0);
    if (!(hex ? str_hex(&rest, &value) : str_uint(&rest, &value)) || value > LARGEST_NUMBER ||
        !(rest.len == 0 || str_eq(rest, STR("U"))))
        return false;
    *number = (uint32_t)value;
    return true;
}

/* Reads the next token if it is a number; any other token stays the next one. */
static bool next_number(struct ptx *ptx, uint32_t *number)
{
    size_t before = ptx->in.at;
    bool is_number = next(ptx) == CXX_WORD && read_number(ptx->token, number);
    if (!is_number)
        ptx->in.at = before;
    return is_number;
}

/* ---- names in the code ------------------------------------------------------------------------------------------ */

static void add_shared(struct ptx *ptx, struct str name)
{
    enum { MOST_SHARED = 64 }; /* every later body is searched for each of them */
    if (name.len && ptx->shared.count < MOST_SHARED)
        str_list_add(&ptx->shared, name);
}

/* Reads what follows .extern: `.shared .align 16 .b8 NAME[];` declares dynamic shared memory. */
static void read_extern(struct ptx *ptx)
{
    bool is_shared = false;
    struct str name = {0}, before = {0}, last = {0};
    while (next(ptx) != TOKEN_END && !str_eq(ptx->token, STR(";"))) {
        is_shared |= str_eq(ptx->token, STR(".shared"));
        if (str_eq(ptx->token, STR("[")))
            name = last;
        before = last;
        last = ptx->token;
    }
    if (is_shared && str_eq(before, STR("[")) && str_eq(last, STR("]")))
        add_shared(ptx, name);
}

/* The body contains the name as a word of its code, not of a comment. With `opcode`, modifiers follow the name
 * directly. */
static bool names(struct str body, struct str name, bool opcode)
{
    for (size_t at = 0, found; (found = str_find(str_from(body, at), name)) != STR_NONE; at += found + 1) {
        size_t begin = at + found, end = begin + name.len;
        if (begin == 0 || end == body.len || is_word(body.ptr[begin - 1]) || is_word(body.ptr[end]) != opcode)
            continue;
        struct str before = str_sub(body, 0, begin);
        size_t line = str_rfind(before, STR("\n"));
        if (str_find(str_from(before, line == STR_NONE ? 0 : line), STR("//")) == STR_NONE)
            return true;
    }
    return false;
}

/* ---- kernels and device functions ------------------------------------------------------------------------------- */

/* Reads from .entry or .func to the opening brace of the body. False if there is no body or no name. */
static bool read_head(struct ptx *ptx, struct kernel_at *kernel)
{
    uint32_t *numbers = NULL, number;
    size_t most = 0, count = 0, parentheses = 0;
    *kernel = (struct kernel_at){0};
    for (int token; (token = next(ptx)) != TOKEN_END;) {
        char mark = token == CXX_MARK ? ptx->token.ptr[0] : '\0';
        if (mark == '{' || mark == ';')
            return mark == '{' && kernel->bounds.name.len > 0;
        parentheses += mark == '(';
        parentheses -= mark == ')' && parentheses > 0;
        if (token != CXX_WORD)
            continue;
        if (str_eq(ptx->token, STR(".entry")) || str_eq(ptx->token, STR(".func"))) {
            *kernel = (struct kernel_at){0};
            parentheses = 0;
            numbers = NULL;
        } else if (!kernel->bounds.name.ptr && parentheses == 0 && ptx->token.ptr[0] != '.') {
            kernel->bounds.name = ptx->token.len <= LONGEST_WORD ? ptx->token : STR("");
        } else if (numbers && read_number(ptx->token, &number)) {
            for (size_t at = count++; at < most; at++) /* a dimension that is left out is 1 */
                numbers[at] = at + 1 == count ? number : 1;
        } else if (ptx->token.ptr[0] == '.' && parentheses == 0) {
            numbers = bounds_numbers(&kernel->bounds, str_from(ptx->token, 1), &most);
            if (numbers)
                memset(numbers, 0, most * sizeof *numbers);
            count = 0;
        } else {
            numbers = NULL;
        }
    }
    return false;
}

/* .loc FILE LINE COLUMN; a comma after it means that the code is inlined. */
static void read_loc(struct ptx *ptx, struct kernel_at *kernel)
{
    uint32_t place[3];
    for (size_t at = 0; at < 3; at++)
        if (!next_number(ptx, &place[at]))
            return;
    const size_t behind = ptx->in.at;
    bool inlined = next(ptx) == CXX_MARK && ptx->token.ptr[0] == ',';
    ptx->in.at = behind;
    if (inlined || place[1] == 0)
        return;
    kernel->file = place[0];
    kernel->bounds.line = place[1];
}

/* Reads up to and including the closing brace; kernel: NULL for other code. Code is most of a module, and only its
 * braces, comments, strings and first .loc matter. False if the closing brace is missing. */
static bool read_body(struct ptx *ptx, struct kernel_at *kernel)
{
    for (unsigned depth = 1; depth > 0;) {
        bool wants_loc = kernel && !kernel->bounds.line;
        for (; ptx->in.at < ptx->in.text.len; ptx->in.at++) {
            char c = ptx->in.text.ptr[ptx->in.at];
            if (c == '{' || c == '}' || c == '/' || c == '"' ||
                (wants_loc && c == '.' && !is_word(ptx->in.text.ptr[ptx->in.at - 1])))
                break;
        }
        int token = next(ptx);
        if (token == TOKEN_END)
            return false;
        if (token == CXX_WORD && wants_loc && str_eq(ptx->token, STR(".loc")))
            read_loc(ptx, kernel);
        depth += token == CXX_MARK && ptx->token.ptr[0] == '{';
        depth -= token == CXX_MARK && ptx->token.ptr[0] == '}';
    }
    return true;
}

/* ---- files ------------------------------------------------------------------------------------------------------ */

/* Replaces the escapes "\\", "\"", and "\303" for bytes that are not ASCII. */
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
    return arena_take(arena, &plain);
}

/* .file NUMBER "PATH" */
static void read_file_name(struct ptx *ptx)
{
    uint32_t number;
    size_t before = ptx->in.at;
    if (!next_number(ptx, &number))
        return;
    if (next(ptx) != CXX_LITERAL) {
        ptx->in.at = before;
    } else if (ptx->token.len <= LONGEST_WORD && ptx->files.count < MOST_KERNELS) {
        const uint32_t file = intern_add(&ptx->files, (struct str){(const char *)&number, sizeof number});
        *MEM_AT(ptx->paths, ptx->path_cap, file) = unescape(&ptx->arena, ptx->token);
    }
}

/* ---- the whole module ------------------------------------------------------------------------------------------- */

/* Reads what follows .func or .entry. A device function precedes the kernels that call it. */
static void read_function(struct ptx *ptx, bool is_kernel)
{
    struct kernel_at function;
    if (!read_head(ptx, &function))
        return;
    size_t begin = ptx->in.at;
    if (!read_body(ptx, &function) || ptx->kernel_count == MOST_KERNELS)
        return;
    const struct str body = str_sub(ptx->in.text, begin, ptx->in.at);
    bool uses_shared = false;
    for (size_t at = 0; at < ptx->shared.count && !uses_shared; at++)
        uses_shared = names(body, ptx->shared.items[at], false);
    function.bounds.is_function = !is_kernel;
    function.bounds.extern_shared = is_kernel && uses_shared;
    /* ptxas ignores setmaxnreg in other kernels, because it does not know with how many registers they begin. */
    const bool states_registers = function.bounds.maxntid[0] || function.bounds.reqntid[0] || function.bounds.maxnreg;
    function.bounds.setmaxnreg = is_kernel && states_registers && names(body, STR("setmaxnreg"), true);
    if (!is_kernel && uses_shared)
        add_shared(ptx, function.bounds.name);
    *MEM_ADD(ptx->kernels, ptx->kernel_count, ptx->kernel_cap) = function;
}

struct str ptx_read(struct str text, struct str arch, void (*take)(void *context, const struct bounds *function),
                    void *context)
{
    struct ptx ptx = {.in = cxx_of(text, is_word)};
    for (int token; (token = next(&ptx)) != TOKEN_END;) {
        if (token == CXX_MARK && ptx.token.ptr[0] == '{')
            read_body(&ptx, NULL);
        else if (token != CXX_WORD)
            continue;
        else if (str_eq(ptx.token, STR(".file")))
            read_file_name(&ptx);
        else if (str_eq(ptx.token, STR(".target")) && !arch.len)
            arch = next(&ptx) == CXX_WORD ? ptx.token : arch;
        else if (str_eq(ptx.token, STR(".extern")))
            read_extern(&ptx);
        else if (str_eq(ptx.token, STR(".func")) || str_eq(ptx.token, STR(".entry")))
            read_function(&ptx, str_eq(ptx.token, STR(".entry")));
    }
    for (size_t at = 0; at < ptx.kernel_count; at++) {
        struct bounds bounds = ptx.kernels[at].bounds;
        const uint32_t number = ptx.kernels[at].file;
        const uint32_t file = intern_find(&ptx.files, (struct str){(const char *)&number, sizeof number});
        bounds.arch = arch;
        if (bounds.line && file != INTERN_NONE)
            bounds.file = ptx.paths[file];
        else
            bounds.line = 0;
        take(context, &bounds);
    }
    free(ptx.kernels);
    intern_free(&ptx.files);
    free(ptx.paths);
    free(ptx.shared.items);
    arena_free(&ptx.arena);
    return arch;
}

/* ---- a file ------------------------------------------------------------------------------------------------------ */

struct ptx_reader {
    struct bounds_table *table;
    struct model *model;
};

bool ptx_file_is(struct str path)
{
    return str_ends(path, STR(".ptx"));
}

static void note_kernel_bounds(void *context, const struct bounds *kernel)
{
    const struct ptx_reader *reading = context;
    bounds_note(reading->table, reading->model, kernel);
}

bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags)
{
    SCOPED(buf) text = {0};
    if (!file_read(path, INPUT_ANY, LARGEST_PTX, &text, diags))
        return false;
    const struct str arch = ptx_read(buf_str(&text), STR(""), note_kernel_bounds, &(struct ptx_reader){table, model});
    return str_starts(arch, STR("sm_")) ||
           diag_error(diags, (struct place){.path = path},
                      "no PTX: its first lines hold no .target with an architecture, as in `.target sm_90`");
}
