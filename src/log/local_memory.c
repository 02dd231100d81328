#include "log/local_memory.h"

#include "log/command.h"

#include <stddef.h>
#include <stdlib.h>

void code_table_free(struct code_table *table)
{
    intern_free(&table->places);
    free(table->functions);
    free(table->accesses);
    free(table->sites);
    free(table->kernels);
}

const struct kernel_code *kernel_code(const struct model *model, const struct kernel *kernel)
{
    static const struct kernel_code none = {.unread = UNLOCATED_NO_CODE};
    uint32_t code = kernel_rare(model, kernel)->code;
    return code == NO_INDEX ? &none : &model->code.kernels[code];
}

uint32_t kernel_code_add(struct model *model, const struct kernel_code *code)
{
    struct code_table *table = &model->code;
    *MEM_ADD(table->kernels, table->kernel_count, table->kernel_cap) = *code;
    return (uint32_t)table->kernel_count - 1;
}

void code_site_add(struct model *model, const struct code_site *site)
{
    struct code_table *table = &model->code;
    *MEM_ADD(table->sites, table->site_count, table->site_cap) = *site;
}

int code_site_order(const struct code_site *left, const struct code_site *right)
{
    const int64_t left_bytes = (int64_t)left->store_bytes + left->load_bytes;
    const int64_t right_bytes = (int64_t)right->store_bytes + right->load_bytes;
    return numbers_cmp((const int64_t[]){right->depth, right_bytes}, (const int64_t[]){left->depth, left_bytes}, 2);
}

enum { PLACE_KEY_BYTES = offsetof(struct code_place, function) };

uint32_t code_place_add(struct model *model, struct code_place place)
{
    struct code_table *table = &model->code;
    const size_t before = table->places.count;
    uint32_t number = intern_add(&table->places, (struct str){(const char *)&place, PLACE_KEY_BYTES});
    if (number == before)
        *MEM_AT(table->functions, table->function_cap, number) = place.function;
    return number;
}

struct code_place code_place_get(const struct model *model, uint32_t place)
{
    struct str key = intern_get(&model->code.places, place);
    struct code_place copy = {.function = model->code.functions[place]};
    if (key.len == PLACE_KEY_BYTES)
        memcpy(&copy, key.ptr, PLACE_KEY_BYTES);
    return copy;
}

void code_place_set_file(struct model *model, uint32_t place, uint32_t file)
{
    struct str key = intern_get(&model->code.places, place);
    if (key.len == PLACE_KEY_BYTES)
        memcpy((char *)(uintptr_t)key.ptr + offsetof(struct code_place, file), &file, sizeof file);
}

uint32_t code_place_shown(const struct model *model, uint32_t place)
{
    for (uint32_t at = place; at != NO_INDEX;) {
        const struct code_place found = code_place_get(model, at);
        if (!source_is_library(model_string(model, found.file)))
            return at;
        at = found.caller;
    }
    return place;
}

/* ---- accesses ---------------------------------------------------------------------------------------------------- */

/* Compares by base, then by offset (the highest first), then by the other members. 0 if all members are equal. */
static int by_offset(const void *a, const void *b)
{
    const struct local_access *left = a, *right = b;
    return numbers_cmp(
        (const int64_t[]){left->base, right->offset, left->place, left->depth, left->width, left->is_store},
        (const int64_t[]){right->base, left->offset, right->place, right->depth, right->width, right->is_store}, 6);
}

static uint32_t add_accesses(struct model *model, uint32_t name, uint32_t arch, struct function_accesses accesses)
{
    struct code_table *table = &model->code;
    const size_t count = accesses.count;
    struct kernel_code code = {.name = name,
                               .arch = arch,
                               .lines_broken = accesses.lines_broken,
                               .first_access = (uint32_t)table->access_count,
                               .access_count = (uint32_t)count,
                               .text = accesses.text};
    table->accesses =
        mem_reserve(table->accesses, &table->access_cap, table->access_count + count + 1, sizeof *table->accesses);
    for (size_t at = 0; at < count; at++)
        table->accesses[table->access_count++] = accesses.items[at];
    mem_sort(&table->accesses[code.first_access], count, sizeof *table->accesses, by_offset);
    return kernel_code_add(model, &code);
}

void kernel_set_accesses(struct model *model, struct kernel *kernel, struct function_accesses accesses)
{
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    rare->local_store_bytes = rare->local_load_bytes = 0;
    for (size_t at = 0; at < accesses.count; at++)
        *(accesses.items[at].is_store ? &rare->local_store_bytes : &rare->local_load_bytes) += accesses.items[at].width;
    rare->code = add_accesses(model, kernel->name, kernel->arch_inferred, accesses);
}

void kernel_set_unread_code(struct model *model, struct kernel *kernel, enum unlocated why)
{
    kernel_rare_own(model, kernel)->code = kernel_code_add(model, &(struct kernel_code){.unread = why});
}

void nested_add_accesses(struct model *model, uint32_t name, uint32_t arch, struct function_accesses accesses)
{
    const uint32_t code = add_accesses(model, name, arch, accesses);
    model->code.kernels[code].is_nested = true;
}

/* ---- which accesses are spills ---------------------------------------------------------------------------------- */

/* The spills among the accesses of one base: those with indices from `from` to before `end`. */
struct spills {
    size_t from, end;
    int32_t lowest; /* the lowest offset */
};

/* Finds the accesses, from the highest offset of this base down, that add up to both numbers. False if there are
 * none. */
static bool find_spills(const struct local_access *accesses, size_t count, enum local_base base,
                        const struct kernel *stated, struct spills *spills)
{
    int64_t stores = 0, loads = 0;
    size_t at = 0;
    while (at < count && accesses[at].base != base)
        at++;
    spills->from = at;
    while (at < count && accesses[at].base == base) {
        const int32_t offset = accesses[at].offset;
        for (; at < count && accesses[at].base == base && accesses[at].offset == offset; at++)
            *(accesses[at].is_store ? &stores : &loads) += accesses[at].width;
        spills->end = at;
        spills->lowest = offset;
        if (stores == stated->spill_store_bytes && loads == stated->spill_load_bytes)
            return true;
    }
    return false;
}

/* ---- sites ------------------------------------------------------------------------------------------------------- */

static int by_place(const void *a, const void *b)
{
    const struct local_access *left = a, *right = b;
    return numbers_cmp((const int64_t[]){left->depth, left->place}, (const int64_t[]){right->depth, right->place}, 2);
}

static int worst_first(const void *a, const void *b)
{
    const struct code_site *left = a, *right = b;
    const int order = code_site_order(left, right);
    return order ? order : number_cmp(left->place, right->place);
}

/* Adds the sites of these sorted accesses; no sites if none of the accesses has a place. */
static struct code_sites add_sites(struct model *model, struct local_access *accesses, size_t count)
{
    struct code_table *table = &model->code;
    const size_t first = table->site_count;
    bool placed = false;
    mem_sort(accesses, count, sizeof *accesses, by_place);
    for (size_t at = 0; at < count; at++) {
        placed |= accesses[at].place != NO_INDEX;
        if (at == 0 || by_place(&accesses[at], &accesses[at - 1]) != 0)
            code_site_add(model, &(struct code_site){.place = accesses[at].place, .depth = accesses[at].depth});
        struct code_site *site = &table->sites[table->site_count - 1];
        *(accesses[at].is_store ? &site->stores : &site->loads) += 1;
        *(accesses[at].is_store ? &site->store_bytes : &site->load_bytes) += accesses[at].width;
    }
    if (!placed)
        table->site_count = first;
    else
        mem_sort(&table->sites[first], table->site_count - first, sizeof *table->sites, worst_first);
    return (struct code_sites){(uint32_t)first, (uint32_t)(table->site_count - first), placed || count == 0};
}

/* A site, and the source line that reports show for it. */
struct site_key {
    struct code_place shown, outermost;
    struct code_site site;
};

/* Compares by loop depth and shown line, then the worst site first. */
static int by_shown_line(const void *a, const void *b)
{
    const struct site_key *left = a, *right = b;
    int order = numbers_cmp((const int64_t[]){left->site.depth, left->shown.file, left->shown.line},
                            (const int64_t[]){right->site.depth, right->shown.file, right->shown.line}, 3);
    return order ? order : worst_first(&left->site, &right->site);
}

static bool same_line(struct code_place a, struct code_place b)
{
    return a.file == b.file && a.line == b.line;
}

static struct site_key site_key_of(const struct model *model, const struct code_site *site)
{
    const struct code_place none = {.file = NO_INDEX, .caller = NO_INDEX};
    struct site_key key = {none, none, *site};
    if (site->place == NO_INDEX)
        return key;
    key.shown = key.outermost = code_place_get(model, code_place_shown(model, site->place));
    while (key.outermost.caller != NO_INDEX)
        key.outermost = code_place_get(model, key.outermost.caller);
    return key;
}

size_t code_sites_by_line(const struct model *model, const struct code_site *sites, size_t count,
                          struct code_site *lines)
{
    struct site_key *keys = mem_alloc((count + 1) * sizeof *keys);
    size_t made = 0;
    for (size_t at = 0; at < count; at++)
        keys[at] = site_key_of(model, &sites[at]);
    mem_sort(keys, count, sizeof *keys, by_shown_line);
    for (size_t at = 0; at < count; at++) {
        const struct code_site *site = &keys[at].site;
        if (at == 0 || site->depth != keys[at - 1].site.depth || !same_line(keys[at].shown, keys[at - 1].shown)) {
            lines[made++] = *site;
            continue;
        }
        struct code_site *line = &lines[made - 1];
        line->stores += site->stores;
        line->loads += site->loads;
        line->store_bytes += site->store_bytes;
        line->load_bytes += site->load_bytes;
        line->several_calls |= !same_line(keys[at].outermost, keys[at - 1].outermost);
    }
    mem_sort(lines, made, sizeof *lines, worst_first);
    free(keys);
    return made;
}

/* ---- a record ---------------------------------------------------------------------------------------------------- */

static bool spills_known(const struct kernel *kernel)
{
    return kernel->spill_store_bytes >= 0 && kernel->spill_load_bytes >= 0; /* UNKNOWN is below 0 */
}

/* True for a function without a frame of its own, which spills into the frame of the kernel: its offsets are those of
 * that frame. */
static bool spills_into_caller(const struct kernel *stated)
{
    return stated->kind == KERNEL_FUNCTION && stated->stack_bytes == 0;
}

/* Finds the spills among these accesses, which are sorted by offset. False if no offset fits the numbers of ptxas, or
 * if the accesses below that offset would be larger than the stack frame. */
static bool find_fitting_spills(const struct local_access *accesses, size_t count, const struct kernel *stated,
                                struct spills *spills)
{
    *spills = (struct spills){0, 0, stated->stack_bytes};
    if (stated->spill_store_bytes == 0 && stated->spill_load_bytes == 0)
        return true;
    return (find_spills(accesses, count, LOCAL_FRAME, stated, spills) ||
            find_spills(accesses, count, LOCAL_ALLOCA, stated, spills)) &&
           (stated->stack_bytes == UNKNOWN || spills_into_caller(stated) || spills->lowest <= stated->stack_bytes);
}

const struct kernel *kernel_next_callee(const struct model *model, const struct kernel *kernel,
                                        const struct kernel *last)
{
    const struct kernel *end = model->kernels + model->kernel_count;
    const uint32_t copy_of = kernel_rare(model, kernel)->copy_of;
    if (last == kernel && copy_of != NO_INDEX)
        last = &model->kernels[copy_of];
    if (kernel->kind != KERNEL_ENTRY || kernel->producer != PRODUCER_PTXAS || kernel->stack_bytes <= 0 ||
        model->logs[kernel->log].interleaved)
        return NULL;
    for (const struct kernel *at = last + 1; at < end && at->kind == KERNEL_FUNCTION && at->log == kernel->log &&
                                             at->arch_inferred == kernel->arch_inferred;
         at++)
        if (at->stack_bytes == 0 && spills_known(at) && (at->spill_store_bytes > 0 || at->spill_load_bytes > 0))
            return at;
    return NULL;
}

struct callee_spills kernel_callee_spills(const struct model *model, const struct kernel *kernel)
{
    struct callee_spills spills = {0, 0};
    for (const struct kernel *callee = kernel; (callee = kernel_next_callee(model, kernel, callee));) {
        spills.store_bytes += callee->spill_store_bytes;
        spills.load_bytes += callee->spill_load_bytes;
    }
    return spills;
}

/* Stores the sites of the code in the record, if the code fits the numbers of the record. */
static void store_sites(struct model *model, struct kernel *stated, struct kernel_code code)
{
    const size_t count = code.access_count;
    struct local_access *accesses = mem_alloc((count + 1) * sizeof *accesses);
    struct spills spills;
    memcpy(accesses, &model->code.accesses[code.first_access], count * sizeof *accesses);
    if (find_fitting_spills(accesses, count, stated, &spills)) {
        const size_t spill_count = spills.end - spills.from;
        struct rare_metrics *rare = kernel_rare_own(model, stated);
        rare->spill_bytes_in_loops = rare->spill_depth = 0;
        EACH(const struct local_access, spill, accesses + spills.from, spill_count) {
            rare->spill_bytes_in_loops += spill->depth > 0 ? spill->width : 0;
            rare->spill_depth = spill->depth > rare->spill_depth ? spill->depth : rare->spill_depth;
        }
        if (spills_into_caller(stated))
            rare->array_bytes = count == spill_count ? 0 : UNKNOWN;
        else
            rare->array_bytes = spills.lowest > 0 || spills.lowest == UNKNOWN ? spills.lowest : 0;
        code.is_nested = false;
        code.spills = add_sites(model, accesses + spills.from, spill_count);
        memmove(accesses + spills.from, accesses + spills.end, (count - spills.end) * sizeof *accesses);
        code.arrays = add_sites(model, accesses, count - spill_count);
        rare->code = kernel_code_add(model, &code);
    }
    free(accesses);
}

void local_memory_locate(struct model *model, struct kernel *stated, const struct kernel *binary)
{
    const struct rare_metrics code = *kernel_rare(model, binary);
    const enum unlocated unread = kernel_code(model, binary)->unread;
    if (unread == UNLOCATED_NO_CODE || !spills_known(stated) || kernel_rare(model, stated)->spill_depth != UNKNOWN)
        return;
    if (unread != LOCATED) {
        kernel_set_unread_code(model, stated, unread);
        return;
    }
    struct rare_metrics *rare = kernel_rare_own(model, stated);
    rare->local_store_bytes = code.local_store_bytes;
    rare->local_load_bytes = code.local_load_bytes;
    store_sites(model, stated, model->code.kernels[code.code]);
}

bool local_memory_state(struct model *model, struct kernel *binary, int32_t store_bytes, int32_t load_bytes)
{
    binary->spill_store_bytes = store_bytes;
    binary->spill_load_bytes = load_bytes;
    local_memory_locate(model, binary, binary);
    if (kernel_rare(model, binary)->spill_depth == UNKNOWN) {
        binary->spill_store_bytes = binary->spill_load_bytes = UNKNOWN;
        return false;
    }
    kernel_rare_own(model, binary)->spills_from = SPILLS_PTXAS;
    return true;
}

/* ---- functions within a kernel's section ------------------------------------------------------------------------- */

static int by_name(const void *a, const void *b)
{
    const struct kernel_code *left = a, *right = b;
    return numbers_cmp((const int64_t[]){left->name, left->arch, left->first_access},
                       (const int64_t[]){right->name, right->arch, right->first_access}, 3);
}

/* The functions in the sections of their callers, sorted by name; the caller frees the array. */
static struct kernel_code *nested_functions(const struct model *model, size_t *count)
{
    struct kernel_code *nested = mem_alloc((model->code.kernel_count + 1) * sizeof *nested);
    *count = 0;
    EACH(const struct kernel_code, code, model->code.kernels, model->code.kernel_count)
        if (code->is_nested)
            nested[(*count)++] = *code;
    mem_sort(nested, *count, sizeof *nested, by_name);
    return nested;
}

static bool is_same_code(const struct code_table *table, const struct kernel_code *a, const struct kernel_code *b)
{
    if (a->access_count != b->access_count)
        return false;
    for (uint32_t at = 0; at < a->access_count; at++)
        if (by_offset(&table->accesses[a->first_access + at], &table->accesses[b->first_access + at]) != 0)
            return false;
    return true;
}

/* Returns the function with the record's name whose code fits the numbers of the record. Each kernel that calls the
 * function has a copy of it; all copies that fit must be equal. Else returns NULL and sets *why. */
static const struct kernel_code *nested_of(const struct model *model, const struct kernel_code *nested, size_t count,
                                           const struct kernel *stated, enum unlocated *why)
{
    const struct code_table *table = &model->code;
    const struct kernel_code *found = NULL;
    const struct kernel_code key = {.name = stated->name, .arch = stated->arch_inferred};
    size_t at = 0;
    *why = UNLOCATED_NO_CODE;
    MEM_FIND(at, count, by_name(&nested[at], &key) < 0);
    for (; at < count && nested[at].name == key.name && nested[at].arch == key.arch; at++) {
        const struct kernel_code *code = &nested[at];
        struct spills spills;
        *why = UNLOCATED_SUMS;
        if (!find_fitting_spills(&table->accesses[code->first_access], code->access_count, stated, &spills))
            continue;
        if (found && !is_same_code(table, code, found)) {
            *why = UNLOCATED_COPIES;
            return NULL;
        }
        found = code;
    }
    return found;
}

void local_memory_locate_nested(struct model *model)
{
    size_t count;
    struct kernel_code *nested = nested_functions(model, &count);
    EACH(struct kernel, stated, model->kernels, model->kernel_count) {
        if (stated->kind != KERNEL_FUNCTION || stated->producer != PRODUCER_PTXAS || !spills_known(stated) ||
            kernel_rare(model, stated)->spill_depth != UNKNOWN)
            continue;
        enum unlocated why;
        const struct kernel_code *code = nested_of(model, nested, count, stated, &why);
        if (code)
            store_sites(model, stated, *code);
        else if (why != UNLOCATED_NO_CODE)
            kernel_set_unread_code(model, stated, why);
    }
    free(nested);
}

/* ---- lines of a second compile ----------------------------------------------------------------------------------- */

bool local_memory_lacks_lines(const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const struct kernel_code *code = kernel_code(model, kernel);
    return rare->code != NO_INDEX && rare->spill_depth != UNKNOWN && !(code->spills.known && code->arrays.known);
}

/* The code of a second compile that is equal to the record's code byte for byte; NULL: none, or several. */
static const struct kernel_code *same_code(const struct model *model, const struct kernel *kernel, size_t first_code,
                                           size_t end_code)
{
    const uint64_t text = kernel_code(model, kernel)->text;
    const struct kernel_code *found = NULL;
    size_t count = 0;
    for (size_t at = first_code; at < end_code; at++) {
        const struct kernel_code *code = &model->code.kernels[at];
        if (code->name != kernel->name || code->arch != kernel->arch_inferred || code->unread != LOCATED ||
            code->text != text)
            continue;
        found = code;
        count++;
    }
    return count == 1 ? found : NULL;
}

void local_memory_add_lines(struct model *model, size_t first_kernel, size_t first_code)
{
    const size_t end_code = model->code.kernel_count; /* the loop adds copies of these */
    EACH(struct kernel, kernel, model->kernels, first_kernel) {
        if (!local_memory_lacks_lines(model, kernel))
            continue;
        const struct kernel_code *code = same_code(model, kernel, first_code, end_code);
        if (code)
            store_sites(model, kernel, *code);
    }
}

/* ---- why there are no places ------------------------------------------------------------------------------------- */

enum unlocated local_memory_unlocated(const struct model *model, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(model, kernel);
    const struct kernel_code *code = kernel_code(model, kernel);
    const bool spills = kernel->spill_store_bytes > 0 || kernel->spill_load_bytes > 0;
    if (code->unread != LOCATED && code->unread != UNLOCATED_NO_CODE)
        return code->unread;
    if (!spills_known(kernel))
        return kernel->producer == PRODUCER_BINARY ? UNLOCATED_NO_NUMBERS : LOCATED;
    if (rare->spill_depth != UNKNOWN) {
        if ((!spills || code->spills.known) && (rare->array_bytes <= 0 || code->arrays.known))
            return LOCATED;
        return code->lines_broken ? UNLOCATED_BAD_LINES : UNLOCATED_NO_LINES;
    }
    if (!spills && (kernel->stack_bytes == 0 || rare->local_store_bytes == 0))
        return LOCATED;
    if (rare->local_store_bytes != UNKNOWN)
        return UNLOCATED_SUMS;
    if (kernel->kind == KERNEL_FUNCTION && kernel->arch_inferred == NO_INDEX)
        return UNLOCATED_NO_ARCH;
    return kernel->flags & KERNEL_DIFFERS ? UNLOCATED_OTHER_BUILD : UNLOCATED_NO_CODE;
}
