#include "nvcc/cubin.h"

#include "log/bounds.h"
#include "nvcc/cubin_code.h"
#include "nvcc/elf.h"
#include "nvcc/region.h"
#include "nvcc/sass.h"

#include <stdlib.h>

enum {
    OTHER_ENTRY = 0x10, /* st_other of a __global__ function */
    SYSTEM_SMEM = 1024, /* shared memory that the system reserves for each block; from sm_90 on the section of linked
                           code includes it, the log does not */
};

/* The attributes of .nv.info and .nv.info.<function> that are read. */
enum attribute {
    ATTR_MAX_THREADS = 0x05, /* x, y, z: __launch_bounds__ */
    ATTR_REQUIRED_THREADS = 0x10,
    ATTR_FRAME_SIZE = 0x11,     /* symbol, bytes */
    ATTR_MIN_STACK_SIZE = 0x12, /* symbol, bytes: cumulative */
    ATTR_MAX_REGISTERS = 0x1b,  /* the register cap of the compile */
    ATTR_REGISTERS = 0x2f,      /* symbol, count */
    ATTR_INDIRECT_TARGETS = 0x34,
    ATTR_CLUSTER = 0x3d,
    ATTR_RESERVED_SMEM = 0x41, /* the code uses system-reserved shared memory; set for all kernels of sm_110 */
    ATTR_BARRIERS = 0x4c,
};

struct function {
    struct str name;
    struct kernel record; /* as far as known; shared memory includes the part that the system reserves */
    bool reserved_smem;   /* it has ATTR_RESERVED_SMEM */
    bool names_extern;    /* relocatable code that names dynamic shared memory */
    int32_t cmem0, cap;
    struct bounds bounds;
    struct flow_edges indirect;
};

struct cubin {
    struct elf_file *elf;
    struct elf_header header;
    struct function *functions; /* by section index of their code; without a name: no function */
    size_t section_count;
    uint32_t sm;
    struct buf arch;
    bool debug;     /* compiled with -G or without optimisation */
    bool by_linker; /* made by nvlink, which notes this from CUDA 13 on */
};

static uint32_t word(struct str bytes, size_t at)
{
    return bytes.len >= at + 4 ? (uint32_t)little_endian(bytes.ptr + at, 4) : 0;
}

static struct function *function_at(struct cubin *cubin, uint32_t section)
{
    if (section >= cubin->section_count || !cubin->functions[section].name.len)
        return NULL;
    return &cubin->functions[section];
}

static int32_t size_of(uint64_t bytes)
{
    return bytes <= INT32_MAX ? (int32_t)bytes : UNKNOWN;
}

/* ---- reading the cubin ------------------------------------------------------------------------------------------ */

/* False for a function that is called from one place only: its code is in its caller's section, under a name like
 * $caller$callee. */
static bool has_own_section(const struct elf_symbol *symbol)
{
    return symbol->type == ELF_SYMBOL_FUNCTION && symbol->name.len && symbol->name.ptr[0] != '$';
}

static void find_functions(struct cubin *cubin)
{
    struct elf_symbol symbol;
    for (size_t at = 0; elf_symbol(cubin->elf, at, &symbol); at++) {
        if (!has_own_section(&symbol) || symbol.section == 0 || symbol.section >= cubin->section_count)
            continue;
        struct function *function = &cubin->functions[symbol.section];
        *function = (struct function){.name = symbol.name, .record = no_kernel, .cmem0 = UNKNOWN};
        function->record.kind = symbol.other & OTHER_ENTRY ? KERNEL_ENTRY : KERNEL_FUNCTION;
        if (cubin->header.abi_version >= ELF_ABI_CUDA_13)
            function->record.barriers = 0;
    }
}

static void take_triple(uint32_t into[3], struct str value)
{
    for (size_t at = 0; at < 3; at++)
        into[at] = word(value, 4 * at);
}

/* For each indirect branch: its address, 4 bytes that are not needed, a count, and that many targets. */
static void take_targets(struct flow_edges *edges, struct str value)
{
    for (size_t at = 0; at + 12 <= value.len;) {
        const uint32_t branch = word(value, at), targets = word(value, at + 8);
        at += 12;
        for (uint32_t k = 0; k < targets && at + 4 <= value.len; k++, at += 4)
            *MEM_ADD(edges->items, edges->count, edges->cap) = (struct flow_edge){branch, word(value, at)};
    }
}

static void take_own(struct function *function, uint8_t attribute, struct str value)
{
    switch (attribute) {
    case ATTR_MAX_THREADS: take_triple(function->bounds.maxntid, value); break;
    case ATTR_REQUIRED_THREADS: take_triple(function->bounds.reqntid, value); break;
    case ATTR_CLUSTER: take_triple(function->bounds.reqnctapercluster, value); break;
    case ATTR_MAX_REGISTERS: function->cap = (unsigned char)value.ptr[0]; break;
    case ATTR_RESERVED_SMEM: function->reserved_smem = true; break;
    case ATTR_INDIRECT_TARGETS: take_targets(&function->indirect, value); break;
    case ATTR_BARRIERS: function->record.barriers = (unsigned char)value.ptr[0]; break;
    default: break;
    }
}

static void take_of_symbol(struct cubin *cubin, uint8_t attribute, struct str value)
{
    struct elf_symbol symbol;
    if (value.len < 8 || !elf_symbol(cubin->elf, word(value, 0), &symbol) || !has_own_section(&symbol))
        return;
    struct function *function = function_at(cubin, symbol.section);
    if (!function)
        return;
    int32_t number = size_of(word(value, 4));
    if (attribute == ATTR_REGISTERS)
        function->record.registers = number;
    else if (attribute == ATTR_FRAME_SIZE)
        function->record.stack_bytes = number;
    else if (attribute == ATTR_MIN_STACK_SIZE)
        function->record.cumulative_stack_bytes = number;
}

/* u8 format, u8 attribute, then two bytes: the value itself, or (format 4) the length of the value that follows. */
static void read_attributes(struct cubin *cubin, struct str bytes, struct function *own)
{
    enum { SIZED = 4 };
    while (bytes.len >= 4) {
        uint8_t format = (uint8_t)bytes.ptr[0], attribute = (uint8_t)bytes.ptr[1];
        size_t length = format == SIZED ? word(bytes, 0) >> 16 : 0;
        struct str value = format == SIZED ? str_sub(bytes, 4, 4 + length) : str_sub(bytes, 2, 4);
        if (value.len < length && attribute != ATTR_INDIRECT_TARGETS)
            return;
        if (own && value.len)
            take_own(own, attribute, value);
        else if (!own)
            take_of_symbol(cubin, attribute, value);
        bytes = str_from(bytes, 4 + length);
    }
}

/* Relocatable code refers to dynamic shared memory by a symbol that has no section and no size. */
static bool names_extern_shared(struct cubin *cubin, size_t relocations)
{
    enum { SYMBOL_SHARED = 13 };
    struct elf_relocation relocation;
    struct elf_symbol symbol;
    for (size_t at = 0; elf_relocation(cubin->elf, relocations, at, &relocation); at++)
        if (elf_symbol(cubin->elf, relocation.symbol, &symbol) && symbol.type == SYMBOL_SHARED && symbol.section == 0 &&
            symbol.size == 0)
            return true;
    return false;
}

/* Before sm_90 the header of the code section states the registers too; for hand-written code only this header does. If
 * an attribute states them as well, both are equal. Before CUDA 13 the flags of the section contain the barriers. */
static void read_code_section(struct cubin *cubin, struct function *function, const struct elf_section *section)
{
    const int32_t registers = (int32_t)(section->info >> 24);
    if (function->record.registers == UNKNOWN && registers > 0)
        function->record.registers = registers;
    if (cubin->header.abi_version < ELF_ABI_CUDA_13)
        function->record.barriers = (int32_t)(section->flags >> 20 & 0x7f);
}

static void read_section(struct cubin *cubin, size_t index, const struct elf_section *section)
{
    struct function *code_of = function_at(cubin, (uint32_t)index);
    if (code_of)
        read_code_section(cubin, code_of, section);
    struct function *function = function_at(cubin, section->info);
    if (str_eq(section->name, STR(".nv.info")))
        read_attributes(cubin, elf_section_bytes(cubin->elf, index), NULL);
    else if (function && str_starts(section->name, STR(".nv.info.")))
        read_attributes(cubin, elf_section_bytes(cubin->elf, index), function);
    else if (function && str_starts(section->name, STR(".nv.shared.")))
        function->record.smem_bytes = size_of(section->size);
    else if (function && str_starts(section->name, STR(".nv.constant0.")))
        function->cmem0 = size_of(section->size);
    else if (function &&
             (str_starts(section->name, STR(".rel.text.")) || str_starts(section->name, STR(".rela.text."))))
        function->names_extern |= names_extern_shared(cubin, index);
}

static struct str note_of(struct elf_file *elf)
{
    return elf_section_bytes(elf, elf_find_section(elf, STR(".note.nv.tkinfo")));
}

void cubin_note(struct str image, struct buf *note)
{
    struct elf_file *elf = elf_of_memory(image);
    if (!elf)
        return;
    buf_add(note, note_of(elf));
    elf_close(elf);
}

/* ptxas notes its options: "... -arch sm_90a -m 64". Only this note states that a cubin is for sm_90a. */
static struct str noted_arch(struct str note)
{
    size_t at = str_rfind(note, STR("-arch sm_"));
    if (at == STR_NONE)
        return (struct str){NULL, 0};
    struct str arch = str_from(note, at + 6);
    arch = str_sub(arch, 0, str_find_char(arch, ' '));
    return str_sub(arch, 0, str_find_char(arch, '\0'));
}

/* ptxas notes "-g" for nvcc -G, "-O 0" and "-Ofc max". Linked code has a note for each object, and the notes do not
 * state which code belongs to which object: for linked code, debug is unknown. */
static void read_note(struct cubin *cubin, struct str given)
{
    struct str note = note_of(cubin->elf);
    cubin->by_linker = str_find(note, STR("\0nvlink")) != STR_NONE;
    bool unoptimised = str_find(note, STR("-O 0 ")) != STR_NONE || str_find(note, STR("-Ofc max ")) != STR_NONE;
    cubin->debug = !cubin->by_linker && (str_find(note, STR(" -g ")) != STR_NONE || unoptimised);
    cubin->sm =
        cubin->header.abi_version >= ELF_ABI_CUDA_13 ? cubin->header.flags >> 8 & 0xff : cubin->header.flags & 0xff;
    buf_fmt(&cubin->arch, "sm_%u", cubin->sm);
    struct str noted = given.len ? given : noted_arch(note);
    struct str plain = buf_str(&cubin->arch);
    if (str_starts(noted, plain) && noted.len <= plain.len + 1)
        buf_add(&cubin->arch, str_from(noted, plain.len));
}

/* ---- records ---------------------------------------------------------------------------------------------------- */

static int32_t own_smem(const struct cubin *cubin, const struct function *function)
{
    int32_t bytes = function->record.smem_bytes == UNKNOWN ? 0 : function->record.smem_bytes;
    bool reserve = cubin->sm >= 90 && cubin->header.type != ELF_TYPE_RELOCATABLE;
    return reserve && bytes >= SYSTEM_SMEM ? bytes - SYSTEM_SMEM : bytes;
}

/*
 * Linked code of a kernel that uses dynamic shared memory has a section .nv.shared; nvlink includes the functions that
 * the kernel calls, also through pointers. ptxas creates the section for all kernels of a module that declares dynamic
 * shared memory. There a kernel uses dynamic shared memory if it accesses shared memory and has none of its own. With
 * static arrays the use is unknown: sections, symbols, attributes and relocations are the same with and without dynamic
 * shared memory; the alignment of the section is 16 with it, but also with arrays of that alignment.
 */
static enum dynamic_smem dynamic_smem_of(const struct cubin *cubin, const struct function *function,
                                         struct sass_traits traits)
{
    if (cubin->header.type == ELF_TYPE_RELOCATABLE)
        return function->names_extern ? DYNAMIC_SMEM_USED : DYNAMIC_SMEM_UNKNOWN;
    if (function->record.smem_bytes == UNKNOWN)
        return DYNAMIC_SMEM_NONE;
    /* Accesses to the memory that the system reserves are not enough; kernels with tcgen05 access both. */
    const bool accesses_own = traits.accesses_shared && (!function->reserved_smem || traits.uses_shared_base);
    return accesses_own && own_smem(cubin, function) == 0 ? DYNAMIC_SMEM_USED : DYNAMIC_SMEM_UNKNOWN;
}

/* Every kernel has a cap in its attributes; 255 means that no cap is set. */
static void set_bounds(struct model *model, struct kernel *kernel, const struct function *function, bool sets_registers)
{
    enum { NO_CAP = 255 };
    struct bounds bounds = function->bounds;
    bounds.setmaxnreg = sets_registers;
    bounds_apply(model, kernel, &bounds);
    if (function->cap <= 0 || function->cap >= NO_CAP)
        return;
    enum cap_from from = CAP_UNKNOWN;
    if (sets_registers)
        from = CAP_SETMAXNREG;
    else if (kernel_rare(model, kernel)->bound_from == BOUND_LAUNCH_BOUNDS)
        from = CAP_LAUNCH_BOUNDS;
    kernel_set_cap(model, kernel, function->cap, from);
}

static struct kernel *add_record(struct model *model, const struct cubin *cubin, const struct function *function,
                                 struct sass_traits traits, uint16_t log)
{
    struct kernel *kernel = model_add_kernel(model);
    *kernel = function->record;
    model->has_binaries = true;
    kernel->name = intern_add(&model->names, function->name);
    kernel->arch = kernel->arch_inferred = intern_add(&model->strings, buf_str(&cubin->arch));
    kernel->log = log;
    kernel->producer = PRODUCER_BINARY;
    kernel->flags = KERNEL_USED_LINE | (cubin->header.type == ELF_TYPE_RELOCATABLE ? KERNEL_RELOCATABLE : 0) |
                    (cubin->debug ? KERNEL_DEBUG : 0);
    kernel->smem_bytes = own_smem(cubin, function);
    set_bounds(model, kernel, function, traits.sets_registers);
    if (function->cmem0 != UNKNOWN)
        kernel_set_banks(model, kernel, &(struct bank){0, function->cmem0}, 1);
    return kernel;
}

static void add_records(struct model *model, const struct cubin *cubin, uint16_t log)
{
    struct cubin_code *code = cubin_code_open(cubin->elf, cubin->sm, cubin->header.abi_version);
    for (size_t at = 0; at < cubin->section_count; at++) {
        const struct function *function = &cubin->functions[at];
        if (!function->name.len || (function->record.registers == UNKNOWN && function->record.kind != KERNEL_ENTRY))
            continue;
        const struct str code_bytes = elf_section_bytes(cubin->elf, at);
        const struct sass_traits traits = sass_traits_of(code_bytes, cubin->sm);
        struct kernel *kernel = add_record(model, cubin, function, traits, log);
        struct rare_metrics *rare = kernel_rare_own(model, kernel);
        rare->code_bytes = code_bytes.ptr ? size_of(code_bytes.len) : UNKNOWN;
        if (kernel->kind == KERNEL_ENTRY)
            rare->dynamic_smem = (uint8_t)dynamic_smem_of(cubin, function, traits);
        rare->object_registers = cubin->by_linker ? NO_OBJECT_NVLINK : NO_OBJECT;
        cubin_code_read(code, model, kernel, (uint32_t)at, &function->indirect);
    }
    cubin_code_close(code);
}

const char *cubin_read(struct model *model, struct str image, uint16_t log, struct str arch)
{
    struct cubin cubin = {.elf = elf_of_memory(image)};
    if (!cubin.elf)
        return "no ELF file where a cubin should be";
    const char *wrong = NULL;
    struct elf_section section;
    if (!elf_header(cubin.elf, &cubin.header) || cubin.header.machine != ELF_MACHINE_CUDA) {
        wrong = "an ELF file that is no cubin";
    } else if (elf_is_cut(cubin.elf)) {
        wrong = "it is cut short: its headers state bytes beyond its end";
    } else {
        cubin.section_count = elf_section_count(cubin.elf);
        cubin.functions = mem_alloc((cubin.section_count + 1) * sizeof *cubin.functions);
        read_note(&cubin, arch);
        find_functions(&cubin);
        for (size_t at = 0; elf_next_section(cubin.elf, &at, &section);)
            read_section(&cubin, at, &section);
        add_records(model, &cubin, log);
    }
    for (size_t at = 0; at < cubin.section_count; at++)
        free(cubin.functions[at].indirect.items);
    free(cubin.functions);
    buf_free(&cubin.arch);
    elf_close(cubin.elf);
    return wrong;
}
