#include "log/usage_text.h"

/* The number after the word, if the word is at the front of the text or after a blank; UNKNOWN if there is none. */
static int32_t number_behind(struct str text, struct str word)
{
    uint64_t number = 0;
    size_t at = str_find(text, word);
    if (at == STR_NONE || (at > 0 && text.ptr[at - 1] != ' '))
        return UNKNOWN;
    text = str_from(text, at + word.len);
    return str_uint(&text, &number) && number <= INT32_MAX ? (int32_t)number : UNKNOWN;
}

static void set(struct buf *into, struct str text)
{
    buf_clear(into);
    buf_add(into, text);
}

/* ---- cuobjdump -res-usage ---------------------------------------------------------------------------------------- */

static void take_banks(struct str text, struct metrics *metrics)
{
    const struct str word = STR("CONSTANT[");
    for (size_t at = str_find(text, word); at != STR_NONE; at = str_find(text, word)) {
        uint64_t bank = 0, bytes = 0;
        text = str_from(text, at + word.len);
        if (!str_uint(&text, &bank) || !str_take(&text, STR("]:")) || !str_uint(&text, &bytes) || bank > UINT16_MAX ||
            bytes > INT32_MAX || metrics->bank_count == MAX_BANKS)
            return;
        metrics->banks[metrics->bank_count++] = (struct bank){(uint32_t)bank, (int32_t)bytes};
    }
}

/* From sm_90 on, the shared memory section of the code includes the memory that the system reserves in each block.
 * Returns UNKNOWN if the bytes may include that memory but the architecture is unknown: cuobjdump states none for a
 * cubin. */
static int32_t without_reserve(int32_t bytes, struct str arch)
{
    enum { RESERVE_BYTES = 1024, FIRST_WITH_RESERVE = 90 };
    int number = arch_digits(arch);
    if (bytes < RESERVE_BYTES)
        return bytes;
    if (number == 0)
        return UNKNOWN;
    return number >= FIRST_WITH_RESERVE ? bytes - RESERVE_BYTES : bytes;
}

/* True for a device function: cuobjdump lists them for relocatable code. They have no parameters in constant memory.
 * That is tested only below sm_90, where ptxas prints cmem[0] for every kernel; from sm_90 on, cuobjdump states 0
 * registers for device functions. */
static bool is_device_function(const struct metrics *metrics, struct str arch)
{
    enum { FIRST_WITHOUT_CMEM = 90 };
    const int number = arch_digits(arch);
    bool parameters =
        number == 0 || number >= FIRST_WITHOUT_CMEM || bank_bytes(metrics->banks, metrics->bank_count, 0) != UNKNOWN;
    return metrics->registers == 0 || !parameters;
}

/* REG:32 STACK:208 SHARED:0 LOCAL:0 CONSTANT[0]:920 TEXTURE:0 SURFACE:0 SAMPLER:0 */
static bool take_resources(struct usage_text *text, struct str line, struct usage *usage)
{
    struct metrics *metrics = &usage->metrics;
    metrics->registers = number_behind(line, STR("REG:"));
    metrics->stack_bytes = number_behind(line, STR("STACK:"));
    metrics->smem_bytes = number_behind(line, STR("SHARED:"));
    metrics->lmem_bytes = number_behind(line, STR("LOCAL:"));
    metrics->textures = number_behind(line, STR("TEXTURE:"));
    metrics->surfaces = number_behind(line, STR("SURFACE:"));
    metrics->samplers = number_behind(line, STR("SAMPLER:"));
    if (metrics->registers == UNKNOWN || metrics->stack_bytes == UNKNOWN || metrics->smem_bytes == UNKNOWN)
        return false;
    usage->producer = PRODUCER_CUOBJDUMP;
    usage->name = buf_str(&text->function);
    usage->arch = buf_str(&text->arch);
    metrics->smem_bytes = without_reserve(metrics->smem_bytes, usage->arch);
    metrics->flags = metrics->smem_bytes == UNKNOWN ? 0 : KERNEL_USED_LINE;
    take_banks(line, metrics);
    if (is_device_function(metrics, usage->arch)) { /* cuobjdump states STACK:0 for it, whatever its frame is */
        usage->kind = KERNEL_FUNCTION;
        metrics->stack_bytes = UNKNOWN;
        metrics->registers = metrics->registers ? metrics->registers : UNKNOWN;
        metrics->flags = 0;
    }
    return true;
}

static enum usage_line read_cuobjdump(struct usage_text *text, struct str line, struct usage *usage)
{
    const struct str arch = STR("arch = sm_"), function = STR("Function ");
    if (str_starts(line, arch)) {
        set(&text->arch, str_from(line, arch.len - 3));
        text->mixed = false;
        return USAGE_CONTEXT;
    }
    if (str_eq(line, STR("Fatbin elf code:")) || str_eq(line, STR("Fatbin ptx code:"))) {
        buf_clear(&text->arch);
        return USAGE_CONTEXT;
    }
    if (str_starts(line, function) && str_ends(line, STR(":")) && line.len > function.len + 1) {
        text->mixed |= text->function.len > 0;
        set(&text->function, str_sub(line, function.len, line.len - 1));
        return USAGE_CONTEXT;
    }
    bool taken =
        text->function.len && !text->mixed && str_starts(line, STR("REG:")) && take_resources(text, line, usage);
    return taken ? USAGE_KERNEL : USAGE_NONE;
}

/* ---- Inductor's benchmark ---------------------------------------------------------------------------------------- */

/* Python's logger writes "V1124 10:11:12.123000 4242 torch/_inductor/file.py:1021] [0/0] " before the message. Removes
 * that head and returns the thread, which is the word before the path; empty if there is no such head. */
static struct str take_logger_head(struct str *message)
{
    size_t end = str_rfind(*message, STR("] "));
    if (end == STR_NONE)
        return (struct str){"", 0};
    struct str head = str_sub(*message, 0, end), thread = {"", 0}, word;
    *message = str_from(*message, end + 2);
    for (struct str rest = head; rest.len && str_split(&rest, ' ', &word);) {
        if (str_find_char(word, '/') != STR_NONE)
            break;
        thread = word;
    }
    return thread;
}

/* Reads "Benchmark all input configs for NAME, get:", which names the kernel of the following lines. */
static bool take_family(struct usage_text *text, struct str message, struct str thread)
{
    const struct str before = STR("Benchmark all input configs"), behind = STR(", get:");
    if (!str_starts(message, before))
        return false;
    struct str rest = str_from(message, before.len);
    bool named = str_starts(rest, STR(" for ")) && str_ends(rest, behind);
    set(&text->family, named ? str_sub(rest, 5, rest.len - behind.len) : STR(""));
    set(&text->thread, thread);
    return true;
}

/* True for keys with values, "BLOCK_M: 32, num_warps: 2, num_stages: 1"; the rest of a torn line lacks some of them. */
static bool is_configuration(struct str text)
{
    bool warps = false;
    struct str pair;
    while (text.len) {
        size_t end = str_find(text, STR(", "));
        pair = end == STR_NONE ? text : str_sub(text, 0, end);
        text = end == STR_NONE ? (struct str){"", 0} : str_from(text, end + 2);
        size_t colon = str_find(pair, STR(": "));
        bool dots = str_eq(pair, STR("...")); /* in a shortened sample */
        bool key =
            colon != STR_NONE && colon > 0 && is_ascii_letter(pair.ptr[0]) && str_find_char(pair, ' ') == colon + 1;
        if (!key && !dots)
            return false;
        warps |= str_starts(pair, STR("num_warps: "));
    }
    return warps;
}

/* Reads "BLOCK_M: 32, num_warps: 2, num_stages: 1: 1.332928, nreg 255, nspill 366, #shared-mem 28672". nspill counts
 * words of 4 bytes of local memory, arrays included, so only 0 is a fact about spills. Logs of several threads are
 * mixed: a line belongs to the list that its own thread began. */
static enum usage_line read_inductor(struct usage_text *text, struct str line, struct usage *usage, struct buf *name)
{
    enum { WORD_BYTES = 4, WARP = 32, MOST_WARPS = 32 };
    if (str_find(line, STR(", nreg ")) == STR_NONE && str_find(line, STR("Benchmark all input")) == STR_NONE)
        return USAGE_NONE;
    struct str thread = take_logger_head(&line);
    if (take_family(text, line, thread))
        return USAGE_CONTEXT;
    str_take(&line, STR("COORDESC: "));
    size_t numbers = str_rfind(line, STR(", nreg "));
    struct str configuration = str_sub(line, 0, numbers == STR_NONE ? 0 : numbers);
    configuration = str_sub(configuration, 0, str_rfind(configuration, STR(": ")));
    bool owned = str_eq(thread, buf_str(&text->thread)) && (text->family.len || !thread.len);
    if (!owned || !is_configuration(configuration) || str_find(line, STR(", #shared-mem ")) == STR_NONE)
        return USAGE_NONE;
    int32_t words = number_behind(str_from(line, numbers), STR("nspill "));
    int32_t warps = number_behind(configuration, STR("num_warps: "));
    usage->metrics.registers = number_behind(str_from(line, numbers), STR("nreg "));
    if (usage->metrics.registers == UNKNOWN || words == UNKNOWN || words > INT32_MAX / WORD_BYTES)
        return USAGE_NONE;
    usage->producer = PRODUCER_INDUCTOR;
    usage->metrics.lmem_bytes = words * WORD_BYTES;
    usage->metrics.stack_bytes = usage->metrics.spill_store_bytes = usage->metrics.spill_load_bytes =
        words == 0 ? 0 : UNKNOWN;
    usage->dynamic_smem_bytes = number_behind(str_from(line, numbers), STR("#shared-mem "));
    usage->threads = warps > 0 && warps <= MOST_WARPS ? warps * WARP : 0;
    buf_clear(name);
    buf_fmt(name, text->family.len ? "%.*s [%.*s]" : "%.*s%.*s", STR_ARG(buf_str(&text->family)),
            STR_ARG(configuration));
    usage->name = buf_str(name);
    return USAGE_KERNEL;
}

/* ------------------------------------------------------------------------------------------------------------------ */

enum usage_line usage_text_read(struct usage_text *text, struct str line, struct usage *usage, struct buf *scratch)
{
    *usage = (struct usage){.metrics = no_metrics, .dynamic_smem_bytes = UNKNOWN};
    line = str_trim(line);
    enum usage_line read = read_cuobjdump(text, line, usage);
    if (read == USAGE_NONE)
        read = read_inductor(text, line, usage, scratch);
    if (read == USAGE_KERNEL && usage->producer == PRODUCER_CUOBJDUMP) {
        set(scratch, usage->name); /* text->function will contain the next name */
        usage->name = buf_str(scratch);
        buf_clear(&text->function);
    }
    return read;
}

void usage_text_free(struct usage_text *text)
{
    buf_free(&text->arch);
    buf_free(&text->function);
    buf_free(&text->family);
    buf_free(&text->thread);
}
