#include "nvcc/cubin_code.h"

#include "base/buf.h"
#include "log/local_memory.h"
#include "nvcc/line_table.h"
#include "nvcc/region.h"

#include <stdlib.h>

/* A function symbol. A function is inside its caller's code if a kernel calls it from one place only. */
struct span {
    uint32_t section;
    uint64_t start, end; /* bytes in the section */
    struct str name;
};

struct cubin_code {
    struct elf_file *elf;
    uint32_t sm;
    bool known; /* the instructions of this architecture and ABI can be decoded */
    struct line_table *lines;
    struct span *spans; /* by section and start; with the same start, the longer one first */
    size_t span_count, span_cap;
    struct sass_code code; /* of the section that is being read */
};

/* ---- functions --------------------------------------------------------------------------------------------------- */

static int by_start(const void *a, const void *b)
{
    const struct span *left = a, *right = b;
    int order = numbers_cmp((const int64_t[]){left->section, (int64_t)left->start, (int64_t)right->end},
                            (const int64_t[]){right->section, (int64_t)right->start, (int64_t)left->end}, 3);
    return order ? order : str_cmp(left->name, right->name);
}

static void find_spans(struct cubin_code *code)
{
    struct elf_symbol symbol;
    for (size_t at = 0; elf_symbol(code->elf, at, &symbol); at++) {
        if (symbol.type != ELF_SYMBOL_FUNCTION || symbol.section == 0 || symbol.value > UINT32_MAX ||
            symbol.size > UINT32_MAX)
            continue;
        *MEM_ADD(code->spans, code->span_count, code->span_cap) =
            (struct span){symbol.section, symbol.value, symbol.value + symbol.size, symbol.name};
    }
    mem_sort(code->spans, code->span_count, sizeof *code->spans, by_start);
}

/* The functions of one section. */
struct functions {
    const struct span *items;
    size_t count;
};

static struct functions functions_of(const struct cubin_code *code, uint32_t section)
{
    size_t from = 0, to = 0;
    MEM_FIND(from, code->span_count, code->spans[from].section < section);
    MEM_FIND(to, code->span_count, code->spans[to].section <= section);
    return to > from ? (struct functions){&code->spans[from], to - from} : (struct functions){NULL, 0};
}

/* An instruction belongs to the function that starts last among those that contain it. `stack` has the indices of the
 * functions that contain the current address; the instructions come in address order. */
struct open_functions {
    struct functions all;
    uint32_t *stack;
    size_t depth, next;
};

static const struct span *function_at(struct open_functions *open, uint64_t at)
{
    for (; open->next < open->all.count && open->all.items[open->next].start <= at; open->next++)
        open->stack[open->depth++] = (uint32_t)open->next;
    while (open->depth && open->all.items[open->stack[open->depth - 1]].end <= at)
        open->depth--;
    return open->depth ? &open->all.items[open->stack[open->depth - 1]] : NULL;
}

/* ---- loops ------------------------------------------------------------------------------------------------------- */

static int by_branch(const void *a, const void *b)
{
    const struct flow_edge *left = a, *right = b;
    return number_cmp(left->branch, right->branch);
}

static bool begins_function(struct functions functions, uint64_t at)
{
    size_t number = 0;
    MEM_FIND(number, functions.count, functions.items[number].start < at);
    return number < functions.count && functions.items[number].start == at;
}

/* For sm_80 and sm_86 ptxas also writes a conditional branch as a call without a return address (`@P0 CALL.REL.NOINC`)
 * over an unconditional branch. A subroutine begins at a symbol, so a call to any other address is a branch. */
static void find_branches(struct cubin_code *code, struct functions functions)
{
    enum { LONG_INSTRUCTION = 16 };
    if (sass_instruction_bytes(code->sm) != LONG_INSTRUCTION)
        return;
    EACH(struct sass_instruction, instruction, code->code.items, code->code.count)
        if (instruction->kind == SASS_CALL && instruction->target != SASS_NO_TARGET &&
            !begins_function(functions, instruction->target))
            instruction->kind = SASS_BRANCH;
}

/* Writes the number of loops around each instruction of code->code into depth (code->code.count numbers). */
static enum unlocated loop_depths(const struct cubin_code *code, struct str bytes, struct functions functions,
                                  const struct flow_edges *indirect, uint16_t *depth)
{
    struct flow_input input = {.code = &code->code,
                               .code_bytes = (uint32_t)bytes.len,
                               .instruction_bytes = sass_instruction_bytes(code->sm),
                               .entry_count = functions.count,
                               .indirect = *indirect};
    SCOPED(arena) arena = {0};
    uint32_t *entries = arena_alloc(&arena, (functions.count + 1) * sizeof *entries);
    mem_sort(indirect->items, indirect->count, sizeof *indirect->items, by_branch);
    for (size_t at = 0; at < functions.count; at++)
        entries[at] = (uint32_t)functions.items[at].start;
    input.entries = entries;
    return flow_loop_depths(&input, depth);
}

/* ---- places ------------------------------------------------------------------------------------------------------ */

static uint32_t file_number(struct model *model, const struct line_place *place)
{
    if (!place->folder.len)
        return intern_add(&model->strings, place->file);
    struct buf path = {0};
    buf_fmt(&path, "%.*s/%.*s", STR_ARG(place->folder), STR_ARG(place->file));
    return intern_take(&model->strings, &path);
}

static uint32_t place_of(const struct cubin_code *code, struct model *model, uint32_t section, uint32_t at)
{
    enum { MOST_INLINED = 32 };
    struct line_place places[MOST_INLINED];
    size_t count = line_table_find(code->lines, section, at, places, MOST_INLINED);
    uint32_t place = NO_INDEX;
    while (count-- > 0) {
        const struct line_place *line = &places[count];
        place = code_place_add(
            model, (struct code_place){
                       .file = file_number(model, line),
                       .line = line->line,
                       .function = line->function.len ? intern_add(&model->names, line->function) : NO_INDEX,
                       .caller = place,
                   });
    }
    return place;
}

/* ---- a function -------------------------------------------------------------------------------------------------- */

struct cubin_code *cubin_code_open(struct elf_file *cubin, uint32_t sm, uint32_t abi_version)
{
    struct cubin_code *code = mem_alloc(sizeof *code);
    code->elf = cubin;
    code->sm = sm;
    code->known = sass_is_known(sm) && (abi_version == ELF_ABI_CUDA_12 || abi_version == ELF_ABI_CUDA_13);
    code->lines = line_table_read(cubin);
    find_spans(code);
    return code;
}

void cubin_code_close(struct cubin_code *code)
{
    line_table_free(code->lines);
    free(code->spans);
    free(code->code.items);
    free(code);
}

static enum local_base base_of(const struct sass_instruction *instruction)
{
    enum { ALLOCA_REGISTER = 2 };
    if (instruction->uniform_base)
        return LOCAL_POINTER;
    switch (instruction->base) {
    case SASS_STACK_REGISTER: return LOCAL_FRAME;
    case ALLOCA_REGISTER: return LOCAL_ALLOCA;
    default: return LOCAL_POINTER;
    }
}

/* The accesses of one function of the section. */
struct owned {
    struct local_access *accesses;
    size_t count, cap;
};

/* Returns false if an access is outside all functions. */
static bool take_accesses(const struct cubin_code *code, struct model *model, struct functions functions,
                          const uint16_t *depth, struct owned *owned, struct arena *arena)
{
    bool all_owned = true;
    struct open_functions open = {functions, arena_alloc(arena, (functions.count + 1) * sizeof *open.stack), 0, 0};
    for (size_t at = 0; at < code->code.count; at++) {
        const struct sass_instruction *instruction = &code->code.items[at];
        const struct span *owner = function_at(&open, instruction->at);
        if (!sass_is_local_access(instruction))
            continue;
        if (!owner) {
            all_owned = false;
            continue;
        }
        struct owned *list = &owned[owner - functions.items];
        *MEM_ADD(list->accesses, list->count, list->cap) = (struct local_access){
            .offset = instruction->offset,
            .place = place_of(code, model, owner->section, instruction->at),
            .depth = depth[at],
            .width = instruction->width,
            .base = (uint8_t)base_of(instruction),
            .is_store = instruction->kind == SASS_LOCAL_STORE,
        };
    }
    return all_owned;
}

/* Adds the accesses to the kernel and to the functions in its section. $_Z6kernelPf$_Z1fi is the symbol of _Z1fi in the
 * section of a kernel. */
static void give_accesses(const struct cubin_code *code, struct model *model, struct kernel *kernel,
                          struct functions functions, const struct owned *owned, uint64_t text)
{
    size_t all = 0;
    for (size_t at = 0; at < functions.count; at++) {
        const struct function_accesses accesses = {owned[at].accesses, owned[at].count, text,
                                                   line_table_is_broken(code->lines)};
        const struct str name = functions.items[at].name;
        const bool internal = str_starts(name, STR("$__internal_"));
        all += internal ? 0 : owned[at].count;
        if (str_eq(name, intern_get(&model->names, kernel->name)))
            kernel_set_accesses(model, kernel, accesses);
        else if (str_starts(name, STR("$")) && !internal)
            nested_add_accesses(model, intern_add(&model->names, str_from(name, str_rfind(name, STR("$")) + 1)),
                                kernel->arch_inferred, accesses);
    }
    if (all == 0 && kernel_rare(model, kernel)->local_store_bytes == 0) /* a value that is not stored is not spilled */
        kernel->spill_store_bytes = kernel->spill_load_bytes = 0;
}

/* Decodes the section and adds its accesses to the records. Returns LOCATED, or why the code cannot be read. */
static enum unlocated read_code(struct cubin_code *code, struct model *model, struct kernel *kernel,
                                struct functions functions, struct str bytes, const struct flow_edges *indirect)
{
    code->code.count = 0;
    sass_decode(&code->code, bytes, code->sm);
    find_branches(code, functions);
    SCOPED(arena) arena = {0};
    uint16_t *depth = arena_alloc(&arena, (code->code.count + 1) * sizeof *depth);
    struct owned *owned = arena_alloc(&arena, (functions.count + 1) * sizeof *owned);
    enum unlocated unread = loop_depths(code, bytes, functions, indirect, depth);
    if (unread == LOCATED && !take_accesses(code, model, functions, depth, owned, &arena))
        unread = UNLOCATED_BROKEN;
    if (unread == LOCATED)
        give_accesses(code, model, kernel, functions, owned, str_hash(bytes));
    for (size_t at = 0; at < functions.count; at++)
        free(owned[at].accesses);
    return unread;
}

/* In whole-program code the attribute FRAME_SIZE is the stack of the kernel with all functions that it calls, which
 * follow the kernel in its section. ptxas prints the frame of the kernel alone. */
static void set_own_frame(const struct cubin_code *code, struct kernel *kernel, struct functions functions,
                          struct str bytes)
{
    uint64_t end = bytes.len;
    EACH(const struct span, function, functions.items, functions.count)
        if (str_starts(function->name, STR("$")) && !str_starts(function->name, STR("$__internal_")))
            end = function->start < end ? function->start : end;
    if (end == bytes.len || kernel->flags & KERNEL_RELOCATABLE || kernel->stack_bytes <= 0)
        return;
    const int32_t frame =
        code->known ? sass_traits_of(str_sub(bytes, 0, (size_t)end), code->sm).frame_bytes : SASS_NO_FRAME;
    kernel->stack_bytes = frame >= 0 && frame <= kernel->stack_bytes ? frame : UNKNOWN;
}

void cubin_code_read(struct cubin_code *code, struct model *model, struct kernel *kernel, uint32_t section,
                     const struct flow_edges *indirect)
{
    const struct str bytes = elf_section_bytes(code->elf, section);
    const struct functions functions = functions_of(code, section);
    enum unlocated unread = UNLOCATED_FORMAT;
    set_own_frame(code, kernel, functions, bytes);
    if (code->known)
        unread = bytes.len && bytes.len <= INT32_MAX ? read_code(code, model, kernel, functions, bytes, indirect)
                                                     : UNLOCATED_BROKEN;
    if (unread != LOCATED)
        kernel_set_unread_code(model, kernel, unread);
}
