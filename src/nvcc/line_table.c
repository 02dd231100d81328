#include "nvcc/line_table.h"

#include "base/mem.h"
#include "nvcc/region.h"

#include <stdlib.h>

/* One row of the table, in the order in which the line program creates the rows. */
struct row {
    uint64_t offset;  /* in its section */
    uint32_t section; /* 0: none */
    uint32_t file;    /* index into files */
    uint32_t line;
    uint32_t call;     /* row within the sequence of the call that inlined this code, from 1; 0: not inlined */
    uint32_t function; /* offset in .debug_str */
    uint32_t sequence; /* index of the sequence's first row */
    bool end;          /* the sequence ends before this offset */
};

struct source_file {
    struct str folder, name;
};

struct line_table {
    struct row *rows;
    size_t row_count, row_cap;
    struct source_file *files;
    size_t file_count, file_cap;
    const struct row **order; /* the rows by section and offset */
    struct str names;
    bool broken;
};

/* ---- reading numbers: after the end, numbers are 0 and `wrong` is set ------------------------------------------- */

struct cursor {
    struct str left;
    bool wrong;
};

/* Returns fewer bytes if fewer are left. */
static struct str take_bytes(struct cursor *cursor, uint64_t count)
{
    struct str bytes = str_sub(cursor->left, 0, count);
    cursor->wrong |= bytes.len < count;
    cursor->left = str_from(cursor->left, count);
    return bytes;
}

static uint64_t take_number(struct cursor *cursor, size_t count)
{
    struct str bytes = take_bytes(cursor, count);
    return bytes.len == count ? little_endian(bytes.ptr, count) : 0;
}

static uint64_t take_leb(struct cursor *cursor, bool with_sign)
{
    uint64_t value = 0;
    for (unsigned shift = 0;; shift += 7) {
        uint64_t byte = take_number(cursor, 1);
        if (shift < 64)
            value |= (byte & 127) << shift;
        if (byte < 128)
            return with_sign && byte & 64 && shift + 7 < 64 ? value | ~(uint64_t)0 << (shift + 7) : value;
    }
}

static struct str take_string(struct cursor *cursor)
{
    struct str text = str_sub(cursor->left, 0, str_find_char(cursor->left, '\0'));
    take_bytes(cursor, (uint64_t)text.len + 1);
    return text;
}

/* ---- a line program ---------------------------------------------------------------------------------------------- */

struct relocated {
    uint64_t at; /* offset in .debug_line */
    uint32_t section;
    uint64_t value;
};

struct program {
    struct line_table *table;
    struct cursor in;
    const char *section_start;
    const struct relocated *relocated;
    size_t relocated_count;
    size_t first_file; /* index in table->files of this program's first file */
    uint64_t step, opcode_base, line_range;
    int64_t line_base;
    const char *operands; /* number of operands of each standard opcode, from opcode 1 on */
    struct row state;
    uint32_t sequence;
};

enum standard {
    LINE_COPY = 1,
    LINE_ADVANCE_PC,
    LINE_ADVANCE_LINE,
    LINE_SET_FILE,
    LINE_SET_COLUMN,
    LINE_NEGATE,
    LINE_BASIC_BLOCK,
    LINE_CONST_ADD_PC,
    LINE_FIXED_ADVANCE_PC,
};
enum extended { LINE_END_SEQUENCE = 1, LINE_SET_ADDRESS = 2, LINE_INLINED_CALL = 0x90, LINE_FUNCTION = 0x91 };

static void add_row(struct program *program, bool end)
{
    struct line_table *table = program->table;
    if (table->row_count >= UINT32_MAX - 1)
        return;
    struct row *row = MEM_ADD(table->rows, table->row_count, table->row_cap);
    *row = program->state;
    row->sequence = program->sequence;
    row->end = end;
}

static void begin_sequence(struct program *program)
{
    program->state = (struct row){.line = 1, .file = (uint32_t)program->first_file};
    program->sequence = (uint32_t)program->table->row_count;
}

static int by_place(const void *a, const void *b)
{
    const struct relocated *left = a, *right = b;
    return number_cmp((int64_t)left->at, (int64_t)right->at);
}

static void set_address(struct program *program)
{
    struct relocated key = {.at = (uint64_t)(program->in.left.ptr - program->section_start)};
    const struct relocated *found = NULL;
    if (program->relocated_count)
        found = bsearch(&key, program->relocated, program->relocated_count, sizeof key, by_place);
    program->state.offset = take_number(&program->in, 8) + (found ? found->value : 0);
    program->state.section = found ? found->section : 0;
}

static void run_extended(struct program *program)
{
    struct cursor *in = &program->in;
    struct str operation = take_bytes(in, take_leb(in, false)), behind = in->left;
    in->wrong |= operation.len == 0;
    in->left = operation;
    switch (take_number(in, 1)) {
    case LINE_END_SEQUENCE:
        add_row(program, true);
        begin_sequence(program);
        break;
    case LINE_SET_ADDRESS: set_address(program); break;
    case LINE_INLINED_CALL:
        program->state.call = (uint32_t)take_leb(in, false);
        program->state.function = (uint32_t)take_leb(in, false);
        break;
    case LINE_FUNCTION:
        program->state.call = 0;
        program->state.function = (uint32_t)take_leb(in, false);
        break;
    default: break;
    }
    in->left = behind;
}

static void run_standard(struct program *program, uint64_t opcode)
{
    uint64_t file;
    switch (opcode) {
    case LINE_COPY: add_row(program, false); break;
    case LINE_ADVANCE_PC: program->state.offset += take_leb(&program->in, false) * program->step; break;
    case LINE_ADVANCE_LINE: program->state.line += (uint32_t)take_leb(&program->in, true); break;
    case LINE_SET_FILE:
        file = take_leb(&program->in, false);
        program->state.file = file && file <= program->table->file_count - program->first_file
                                  ? (uint32_t)(program->first_file + file - 1)
                                  : UINT32_MAX;
        break;
    case LINE_CONST_ADD_PC:
        program->state.offset += (255 - program->opcode_base) / program->line_range * program->step;
        break;
    case LINE_FIXED_ADVANCE_PC: program->state.offset += take_number(&program->in, 2); break;
    default:
        for (int operand = program->operands[opcode - 1]; operand > 0; operand--)
            take_leb(&program->in, false);
        break;
    }
}

static void run(struct program *program)
{
    struct cursor *in = &program->in;
    begin_sequence(program);
    while (in->left.len && !in->wrong) {
        uint64_t opcode = take_number(in, 1);
        if (opcode >= program->opcode_base) {
            uint64_t adjusted = opcode - program->opcode_base;
            program->state.offset += adjusted / program->line_range * program->step;
            program->state.line += (uint32_t)(program->line_base + (int64_t)(adjusted % program->line_range));
            add_row(program, false);
        } else if (opcode == 0) {
            run_extended(program);
        } else {
            run_standard(program, opcode);
        }
    }
}

/* Reads the folders and files at the start of a program. Folder 0 is the folder in which the compiler ran. */
static void read_files(struct program *program)
{
    struct line_table *table = program->table;
    SCOPED(str_list) folders = {0};
    for (struct str folder; !program->in.wrong && (folder = take_string(&program->in)).len;)
        str_list_add(&folders, folder);
    for (struct str name; !program->in.wrong && (name = take_string(&program->in)).len;) {
        uint64_t folder = take_leb(&program->in, false);
        take_leb(&program->in, false); /* time */
        take_leb(&program->in, false); /* bytes */
        bool has_folder = name.ptr[0] != '/' && folder > 0 && folder <= folders.count;
        *MEM_ADD(table->files, table->file_count, table->file_cap) =
            (struct source_file){has_folder ? folders.items[folder - 1] : (struct str){NULL, 0}, name};
    }
}

/* Reads one unit: its header, its files, its program. Returns false if the unit cannot be read. */
static bool read_unit(struct program *program)
{
    enum { VERSION = 2 };
    struct cursor *in = &program->in;
    const uint64_t version = take_number(in, 2), header_bytes = take_number(in, 4);
    const struct str header = take_bytes(in, header_bytes), code = in->left;
    in->left = header;
    program->step = take_number(in, 1);
    take_number(in, 1); /* is_stmt */
    program->line_base = (int8_t)take_number(in, 1);
    program->line_range = take_number(in, 1);
    program->opcode_base = take_number(in, 1);
    program->operands = take_bytes(in, program->opcode_base - 1).ptr;
    if (in->wrong || version != VERSION || program->line_range == 0)
        return false;
    program->first_file = program->table->file_count;
    read_files(program);
    if (in->wrong)
        return false;
    in->left = code;
    const size_t rows = program->table->row_count;
    run(program);
    if (in->wrong) /* a part of a table would look like all of it */
        program->table->row_count = rows;
    return !in->wrong;
}

/* ---- the table --------------------------------------------------------------------------------------------------- */

static struct relocated *relocations_of(struct elf_file *cubin, size_t changed, size_t *count)
{
    struct relocated *list = NULL;
    size_t cap = 0;
    struct elf_section section;
    for (size_t at = 0; elf_next_section(cubin, &at, &section);) {
        struct elf_relocation relocation;
        struct elf_symbol symbol;
        for (size_t k = 0; section.info == changed && elf_relocation(cubin, at, k, &relocation); k++)
            if (elf_symbol(cubin, relocation.symbol, &symbol))
                *MEM_ADD(list, *count, cap) =
                    (struct relocated){relocation.offset, symbol.section, symbol.value + (uint64_t)relocation.addend};
    }
    mem_sort(list, *count, sizeof *list, by_place);
    return list;
}

/* By section and offset. If a sequence ends at the offset at which another begins, the end comes first. */
static int by_offset(const void *a, const void *b)
{
    const struct row *left = *(const struct row *const *)a, *right = *(const struct row *const *)b;
    return numbers_cmp((const int64_t[]){left->section, (int64_t)left->offset, right->end, left - right},
                       (const int64_t[]){right->section, (int64_t)right->offset, left->end, 0}, 4);
}

struct line_table *line_table_read(struct elf_file *cubin)
{
    struct line_table *table = mem_alloc(sizeof *table);
    const size_t lines = elf_find_section(cubin, STR(".debug_line"));
    const struct str bytes = elf_section_bytes(cubin, lines);
    table->names = elf_section_bytes(cubin, elf_find_section(cubin, STR(".debug_str")));
    if (bytes.len) {
        struct cursor units = {.left = bytes};
        struct program program = {.table = table, .section_start = bytes.ptr};
        struct relocated *relocated = relocations_of(cubin, lines, &program.relocated_count);
        program.relocated = relocated;
        while (units.left.len && !units.wrong) {
            const uint64_t unit_bytes = take_number(&units, 4);
            program.in = (struct cursor){.left = take_bytes(&units, unit_bytes)};
            table->broken |= units.wrong || !read_unit(&program);
        }
        free(relocated);
    }
    table->order = mem_alloc((table->row_count + 1) * sizeof *table->order);
    for (size_t row = 0; row < table->row_count; row++)
        table->order[row] = &table->rows[row];
    mem_sort(table->order, table->row_count, sizeof *table->order, by_offset);
    return table;
}

bool line_table_is_broken(const struct line_table *table)
{
    return table->broken;
}

void line_table_free(struct line_table *table)
{
    free(table->rows);
    free(table->files);
    free(table->order);
    free(table);
}

/* The last row of the section at or before the offset; NULL if there is none, or if a sequence ended before the
 * offset. */
static const struct row *row_at(const struct line_table *table, uint32_t section, uint64_t offset)
{
    const struct row *const *order = table->order;
    size_t next = 0;
    MEM_FIND(next, table->row_count,
             order[next]->section < section || (order[next]->section == section && order[next]->offset <= offset));
    const struct row *row = next ? order[next - 1] : NULL;
    return row && row->section == section && !row->end ? row : NULL;
}

static struct str name_at(const struct line_table *table, uint32_t offset)
{
    struct str rest = str_from(table->names, offset);
    size_t end = str_find_char(rest, '\0');
    return end == STR_NONE ? (struct str){NULL, 0} : str_sub(rest, 0, end);
}

/* The row of the call that inlined this row's code; NULL if there is none. The call's row must precede this row, else
 * the table is invalid. */
static const struct row *call_of(const struct line_table *table, const struct row *row)
{
    const size_t call = (size_t)row->sequence + row->call - 1;
    return row->call && call < (size_t)(row - table->rows) ? &table->rows[call] : NULL;
}

size_t line_table_find(const struct line_table *table, uint32_t section, uint64_t offset, struct line_place *places,
                       size_t most)
{
    size_t count = 0;
    const struct row *row = section ? row_at(table, section, offset) : NULL;
    for (; row && count < most; row = call_of(table, row)) {
        if (row->file >= table->file_count || row->line == 0)
            return 0;
        const struct source_file *file = &table->files[row->file];
        places[count++] = (struct line_place){file->folder, file->name, row->line,
                                              row->call ? name_at(table, row->function) : (struct str){NULL, 0}};
    }
    return count;
}
