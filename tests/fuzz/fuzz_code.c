/*
 * libFuzzer: machine code, its line table and its attributes, each as any bytes, in an otherwise valid cubin. The spill
 * sums that ptxas states are those of the code itself, or numbers of the input. No crash; if places are reported, the
 * sums of their sites are those of all accesses, and exactly ptxas's; every place has a file of the line table and a
 * chain of calls that ends. Code that is reported to spill nothing has no local access outside ptxas's own subroutine.
 *
 * The input: a byte for the architecture, a byte of flags, 2 + 2 bytes of spilled stores and loads, three symbols
 * (start and size, 2 bytes each), the lengths of the attributes and the line table (2 bytes each), both, the code.
 */
#include "fuzz.h"
#include "log/binary_check.h"
#include "log/local_memory.h"
#include "log/reader.h"
#include "nvcc/cubin.h"

#include <elf.h>
#include <string.h>

enum {
    SECTION_NONE,
    SECTION_TEXT,
    SECTION_INFO,
    SECTION_KERNEL_INFO,
    SECTION_LINE,
    SECTION_STRINGS,
    SECTION_RELOCATIONS,
    SECTION_SYMBOLS,
    SECTION_SYMBOL_NAMES,
    SECTION_NAMES,
    SECTION_COUNT,
};
enum { FLAG_OWN_SUMS = 1, FLAG_OLD_ABI = 2 };

static const char section_names[] =
    "\0.text._Z1kv\0.nv.info\0.nv.info._Z1kv\0.debug_line\0.debug_str\0.rela.debug_line\0"
    ".symtab\0.strtab\0.shstrtab";
static const char symbol_names[] = "\0_Z1kv\0$_Z1kv$_Z1fv\0$__internal_0_$rcp";
static const char inlined_names[] = "_Z5innerv\0_Z5outerv";

/* Takes a number from the input; after its end all bytes are 0. */
static uint32_t take(struct str *input, size_t bytes)
{
    uint32_t value = 0;
    for (size_t at = 0; at < bytes && at < input->len; at++)
        value |= (uint32_t)(unsigned char)input->ptr[at] << 8 * at;
    *input = str_from(*input, bytes);
    return value;
}

static struct str take_part(struct str *input, size_t bytes)
{
    struct str part = str_sub(*input, 0, bytes);
    *input = str_from(*input, bytes);
    return part;
}

struct image {
    struct buf bytes;
    Elf64_Shdr sections[SECTION_COUNT];
    Elf64_Sym subroutine; /* ptxas's own */
    struct str code;      /* part of the input */
};

static void add_section(struct image *image, int section, uint32_t type, struct str bytes)
{
    const char *name = section_names;
    for (int before = 0; before < section; before++)
        name += strlen(name) + 1;
    while (image->bytes.len % 16)
        buf_char(&image->bytes, 0);
    image->sections[section] = (Elf64_Shdr){.sh_name = (uint32_t)(name - section_names),
                                            .sh_type = type,
                                            .sh_offset = image->bytes.len,
                                            .sh_size = bytes.len,
                                            .sh_addralign = 1};
    buf_add(&image->bytes, bytes);
}

static void add_symbols(struct image *image, struct str *input)
{
    static const uint32_t names[] = {0, 1, 7, 20};
    Elf64_Sym symbols[4] = {{0}};
    for (int at = 1; at < 4; at++)
        symbols[at] = (Elf64_Sym){.st_name = names[at],
                                  .st_info = ELF64_ST_INFO(STB_GLOBAL, STT_FUNC),
                                  .st_other = at == 1 ? 0x10 : 0,
                                  .st_shndx = SECTION_TEXT,
                                  .st_value = take(input, 2),
                                  .st_size = take(input, 2)};
    image->subroutine = symbols[3];
    add_section(image, SECTION_SYMBOLS, SHT_SYMTAB, (struct str){(const char *)symbols, sizeof symbols});
    image->sections[SECTION_SYMBOLS].sh_entsize = sizeof *symbols;
    image->sections[SECTION_SYMBOLS].sh_link = SECTION_SYMBOL_NAMES;
}

/* Adds a relocation to the kernel's section for every address that the line program sets. */
static void add_relocations(struct image *image, struct str lines)
{
    static const struct str set_address = STR_INIT("\0\x09\x02");
    struct buf list = {0};
    for (size_t at = 0; at + set_address.len <= lines.len; at++) {
        Elf64_Rela entry = {.r_offset = at + set_address.len, .r_info = ELF64_R_INFO(1, 2)};
        if (str_starts(str_from(lines, at), set_address))
            buf_add(&list, (struct str){(const char *)&entry, sizeof entry});
    }
    add_section(image, SECTION_RELOCATIONS, SHT_RELA, buf_str(&list));
    image->sections[SECTION_RELOCATIONS].sh_entsize = sizeof(Elf64_Rela);
    image->sections[SECTION_RELOCATIONS].sh_info = SECTION_LINE;
    image->sections[SECTION_RELOCATIONS].sh_link = SECTION_SYMBOLS;
    buf_free(&list);
}

static void add_header(struct image *image, uint32_t sm, bool old)
{
    Elf64_Ehdr header = {.e_type = ET_EXEC,
                         .e_machine = 190,
                         .e_version = 1,
                         .e_flags = old ? sm : sm << 8,
                         .e_ehsize = sizeof header,
                         .e_shentsize = sizeof(Elf64_Shdr),
                         .e_shnum = SECTION_COUNT,
                         .e_shstrndx = SECTION_NAMES};
    memcpy(header.e_ident, ELFMAG, SELFMAG);
    header.e_ident[EI_CLASS] = ELFCLASS64;
    header.e_ident[EI_DATA] = ELFDATA2LSB;
    header.e_ident[EI_VERSION] = EV_CURRENT;
    header.e_ident[EI_ABIVERSION] = old ? 7 : 8;
    while (image->bytes.len % 16)
        buf_char(&image->bytes, 0);
    header.e_shoff = image->bytes.len;
    buf_add(&image->bytes, (struct str){(const char *)image->sections, sizeof image->sections});
    memcpy(image->bytes.ptr, &header, sizeof header);
}

static void make_cubin(struct image *image, uint32_t sm, uint32_t flags, struct str input)
{
    static const char registers[] =
        "\x04\x2f\x08\0\x01\0\0\0\x20\0\0\0\x04\x11\x08\0\x01\0\0\0\x40\0\0"; /* of symbol 1 */
    memset(buf_room(&image->bytes, sizeof(Elf64_Ehdr)), 0, sizeof(Elf64_Ehdr));
    image->bytes.len = sizeof(Elf64_Ehdr);
    add_symbols(image, &input);
    const size_t info_bytes = take(&input, 2), line_bytes = take(&input, 2);
    const struct str info = take_part(&input, info_bytes), lines = take_part(&input, line_bytes);
    add_section(image, SECTION_INFO, SHT_LOPROC, (struct str){registers, sizeof registers});
    add_section(image, SECTION_KERNEL_INFO, SHT_LOPROC, info);
    image->sections[SECTION_KERNEL_INFO].sh_info = SECTION_TEXT;
    add_section(image, SECTION_LINE, SHT_PROGBITS, lines);
    add_section(image, SECTION_STRINGS, SHT_PROGBITS, (struct str){inlined_names, sizeof inlined_names});
    add_relocations(image, lines);
    add_section(image, SECTION_SYMBOL_NAMES, SHT_STRTAB, (struct str){symbol_names, sizeof symbol_names});
    add_section(image, SECTION_NAMES, SHT_STRTAB, (struct str){section_names, sizeof section_names});
    image->code = input;
    add_section(image, SECTION_TEXT, SHT_PROGBITS, input);
    add_header(image, sm, flags & FLAG_OLD_ABI);
}

/* ---- properties -------------------------------------------------------------------------------------------------- */

static void check_place(const struct model *model, uint32_t number)
{
    for (size_t calls = 0; number != NO_INDEX; calls++) {
        struct code_place place = code_place_get(model, number);
        fuzz_check(calls < 64, "a chain of calls without an end");
        fuzz_check(place.file < model->strings.count, "a place without a file");
        number = place.caller;
    }
}

static void check_sites(const struct model *model, const struct kernel *stated)
{
    const struct kernel_code *code = kernel_code(model, stated);
    const struct rare_metrics *rare = kernel_rare(model, stated);
    int64_t sums[2][2] = {{0}}, in_loops = 0;
    for (uint32_t at = 0; at < code->spills.count + code->arrays.count; at++) {
        const bool array = at >= code->spills.count;
        const struct code_site *site =
            &model->code.sites[array ? code->arrays.first + at - code->spills.count : code->spills.first + at];
        sums[array][0] += site->store_bytes;
        sums[array][1] += site->load_bytes;
        in_loops += !array && site->depth ? site->store_bytes + site->load_bytes : 0;
        check_place(model, site->place);
    }
    if (code->spills.count) {
        fuzz_check(sums[0][0] == stated->spill_store_bytes && sums[0][1] == stated->spill_load_bytes,
                   "places of spills that are not ptxas's");
        fuzz_check(in_loops == rare->spill_bytes_in_loops, "bytes in loops that are not those of the places");
    }
    if (code->arrays.count)
        fuzz_check(sums[1][0] + stated->spill_store_bytes == rare->local_store_bytes &&
                       sums[1][1] + stated->spill_load_bytes == rare->local_load_bytes,
                   "places of arrays that are not the rest");
}

static bool is_local_access(uint64_t word, uint32_t sm)
{
    const uint64_t opcode = sm < 70 ? word >> 48 & 0xfff8 : word & 0x1ff;
    return sm < 70 ? opcode == 0xef40 || opcode == 0xef50 : opcode == 0x183 || opcode == 0x187;
}

static void check_no_access(const struct image *image, uint32_t sm)
{
    const Elf64_Sym *subroutine = &image->subroutine;
    const size_t step = sm < 70 ? 8 : 16;
    for (size_t at = 0; at + step <= image->code.len; at += step) {
        struct str rest = str_from(image->code, at);
        const uint64_t word = take(&rest, 4) | (uint64_t)take(&rest, 4) << 32;
        const bool inside = at >= subroutine->st_value && at < subroutine->st_value + subroutine->st_size;
        fuzz_check(inside || (sm < 70 && at % 32 == 0) || !is_local_access(word, sm),
                   "code with a local access at %zu is said to spill nothing", at);
    }
}

/* Adds ptxas's record of the kernel; the binary's record is number 0. */
static void state(struct model *model, uint32_t flags, uint32_t stores, uint32_t loads)
{
    struct kernel *stated = model_add_kernel(model), *binary = &model->kernels[0];
    const struct rare_metrics *rare = kernel_rare(model, binary);
    const bool own = flags & FLAG_OWN_SUMS;
    *stated = *binary;
    stated->flags = KERNEL_USED_LINE;
    stated->producer = PRODUCER_PTXAS;
    stated->rare = NO_INDEX;
    stated->spill_store_bytes = own ? rare->local_store_bytes : (int32_t)stores;
    stated->spill_load_bytes = own ? rare->local_load_bytes : (int32_t)loads;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    static const uint8_t archs[] = {60, 61, 70, 75, 80, 86, 89, 90, 100, 103, 120, 121};
    struct str input = {(const char *)bytes, size};
    const uint32_t sm = archs[take(&input, 1) % sizeof archs], flags = take(&input, 1);
    const uint32_t stores = take(&input, 2), loads = take(&input, 2);
    struct image image = {0};
    struct model model = {0};
    make_cubin(&image, sm, flags, input);
    model_add_log(&model, (struct log_info){.path = intern_add(&model.strings, STR("fuzzed.cubin"))});
    const char *wrong = cubin_read(&model, buf_str(&image.bytes), 0, (struct str){NULL, 0});
    fuzz_check(!wrong, "a whole cubin is refused: %s", wrong);
    if (model.kernel_count == 1 && model.kernels[0].spill_store_bytes == 0)
        check_no_access(&image, sm);
    if (model.kernel_count == 1 && kernel_rare(&model, &model.kernels[0])->local_store_bytes != UNKNOWN) {
        state(&model, flags, stores, loads);
        model_link(&model);
        model_check_binaries(&model);
        check_sites(&model, &model.kernels[1]);
    }
    model_free(&model);
    buf_free(&image.bytes);
    return 0;
}
