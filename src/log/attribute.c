/*
 * Several tools run. Each writes its own messages in a fixed order (Compiling, properties, Used), and the log is a
 * merge of them. Each message is of exactly one tool, so a Used line belongs to one open entry whose properties came
 * before it. If there is one such entry, that is certain. If there are several, the line is undecided, and all of them
 * are its candidates. When a set of open entries has as many undecided lines as members, each member owns one of the
 * lines. The lines that a member may own are those of all perfect matchings. If all of them state the same metrics, the
 * record gets these metrics; otherwise it is ambiguous. Nothing else is concluded: not from the order, not from
 * plausible numbers.
 *
 * Three properties of the tools reduce the candidates: properties come before Used (if the log has properties); CUDA
 * 12.4 and later (recognised by "used N barriers") print cmem[0] for every target below sm_90 and for no newer one; a
 * cumulative stack is at least the entry's own frame.
 *
 * An entry whose Used line was lost stays open. At the end of the log, or when there are no free slots, each undecided
 * line is given to the entry whose messages it directly follows, provided that every undecided line follows an entry in
 * this way. Otherwise too many entries are open: from then on every record is ambiguous, and properties are only
 * divided into those that some entry waits for and those of device functions.
 */
#include "log/attribute.h"

#include <stdlib.h>
#include <string.h>

void attribution_init(struct attribution *at, struct model *model)
{
    const uint32_t first = (uint32_t)model->kernel_count;
    *at = (struct attribution){.model = model, .first_kernel = first, .mixed_from = first, .since_function = NO_INDEX};
}

static struct kernel *kernel_of(struct attribution *at, size_t slot)
{
    return &at->model->kernels[at->open[slot].kernel];
}

static int popcount(uint64_t mask)
{
    return __builtin_popcountll(mask);
}

static size_t lowest(uint64_t mask)
{
    return (size_t)__builtin_ctzll(mask);
}

/* Loops over the numbers of the bits that are set in the mask, the lowest first; the mask is evaluated once. */
#define EACH_BIT(number, mask)                                                                                         \
    for (uint64_t rest_ = (mask), number; rest_ && (number = lowest(rest_), true); rest_ &= rest_ - 1)

static bool is_one_bit(uint64_t mask)
{
    return mask && !(mask & (mask - 1));
}

#define IS_STATED(name, ...)   || metrics->name != UNKNOWN
#define GIVE_METRIC(name, ...) rare->name = metrics->name;
/* Gives a record the metrics that few lines state; a later line replaces those of an earlier one. */
static void set_rare_metrics(struct model *model, struct kernel *kernel, const struct metrics *metrics)
{
    bool stated = false METRICS(NO_METRIC, IS_STATED, NO_METRIC, NO_METRIC);
    if (!stated && kernel->rare == NO_INDEX)
        return;
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    int32_t cap = rare->register_cap; /* other messages state the cap, so it is kept */
    METRICS(NO_METRIC, GIVE_METRIC, NO_METRIC, NO_METRIC)
    rare->register_cap = cap;
}

void kernel_set_used_line(struct model *model, uint32_t number, const struct metrics *metrics)
{
    struct kernel *kernel = &model->kernels[number];
    kernel->registers = metrics->registers;
    kernel->barriers = metrics->barriers;
    kernel->cumulative_stack_bytes = metrics->cumulative_stack_bytes;
    if (metrics->stack_bytes != UNKNOWN)
        kernel->stack_bytes = metrics->stack_bytes;
    kernel->smem_bytes = metrics->smem_bytes;
    set_rare_metrics(model, kernel, metrics);
    kernel->flags |= metrics->flags & KERNEL_USED_LINE;
    if (metrics->bank_count)
        kernel_set_banks(model, kernel, metrics->banks, metrics->bank_count);
}

void kernel_set_properties(struct kernel *kernel, const struct metrics *metrics)
{
    kernel->stack_bytes = metrics->stack_bytes;
    kernel->spill_store_bytes = metrics->spill_store_bytes;
    kernel->spill_load_bytes = metrics->spill_load_bytes;
}

#define SAME_METRIC(name, ...) &&a->name == b->name
static bool same_metrics(const struct metrics *a, const struct metrics *b)
{
    return a->flags == b->flags && a->bank_count == b->bank_count &&
           memcmp(a->banks, b->banks, a->bank_count * sizeof *a->banks) ==
               0 METRICS(SAME_METRIC, SAME_METRIC, NO_METRIC, NO_METRIC);
}

/* ---- matchings -------------------------------------------------------------------------------------------------- */

/* Finds a slot for the line among those that were not visited (augmenting path). owner, by slot: its line; -1: none. */
static bool augment(const struct undecided_list *list, int8_t *owner, size_t line, uint64_t *visited)
{
    uint64_t slots = 0;
    while ((slots = list->items[line].candidates & ~*visited)) {
        size_t slot = lowest(slots);
        *visited |= 1ull << slot;
        if (owner[slot] < 0 || augment(list, owner, (size_t)owner[slot], visited)) {
            owner[slot] = (int8_t)line;
            return true;
        }
    }
    return false;
}

/* True if every line can have an entry of its own when this line has this slot. */
static bool can_own(const struct undecided_list *list, uint64_t members, size_t line, size_t slot)
{
    int8_t owner[MAX_OPEN];
    memset(owner, -1, sizeof owner);
    EACH_BIT(other, members & ~(1ull << line)) {
        uint64_t visited = 1ull << slot;
        if (!augment(list, owner, other, &visited))
            return false;
    }
    return true;
}

/* One of the lines that the slot may own if all of them have equal metrics; -1 if they differ. */
static int agreed_line(const struct undecided_list *list, uint64_t members, size_t slot)
{
    int agreed = -1;
    EACH_BIT(line, members) {
        if (!(list->items[line].candidates >> slot & 1) || !can_own(list, members, line, slot))
            continue;
        if (agreed >= 0 && !same_metrics(&list->items[agreed].metrics, &list->items[line].metrics))
            return -1;
        agreed = (int)line;
    }
    return agreed;
}

/* ---- undecided lines ------------------------------------------------------------------------------------------- */

/* The lines whose candidates are all among the slots. */
static uint64_t candidates_within(const struct undecided_list *list, uint64_t slots)
{
    uint64_t members = 0;
    for (size_t line = 0; line < list->count; line++)
        if (!(list->items[line].candidates & ~slots))
            members |= 1ull << line;
    return members;
}

/* These slots and all slots that are connected with them by lines with common candidates. */
static uint64_t connected(const struct undecided_list *list, uint64_t slots)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t line = 0; line < list->count; line++) {
            uint64_t more = list->items[line].candidates;
            if ((more & slots) && (more & ~slots)) {
                slots |= more;
                grew = true;
            }
        }
    }
    return slots;
}

/* Removes the lines from the list, and the slots from the candidates of the other lines. */
static void remove_lines(struct undecided_list *list, uint64_t members, uint64_t slots)
{
    size_t kept = 0;
    for (size_t line = 0; line < list->count; line++) {
        if (members >> line & 1)
            continue;
        list->items[line].candidates &= ~slots;
        if (kept != line)
            list->items[kept] = list->items[line];
        kept++;
    }
    list->count = kept;
}

static void add_undecided(struct attribution *at, struct undecided_list *list, const struct metrics *metrics,
                          uint64_t slots)
{
    /* There are never more lines than open entries, because equal counts are decided at once. */
    list->items[list->count++] = (struct undecided){.candidates = slots, .number = at->message, .metrics = *metrics};
}

/* ---- properties ------------------------------------------------------------------------------------------------- */

static uint64_t unnamed_slots(const struct attribution *at, uint32_t name, bool *absorbed)
{
    uint64_t slots = 0;
    EACH_BIT(slot, at->open_mask) {
        const struct open_entry *entry = &at->open[slot];
        if (at->model->kernels[entry->kernel].name != name || entry->named)
            continue;
        if (entry->lost_properties)
            *absorbed = true;
        else
            slots |= 1ull << slot;
    }
    return slots;
}

/* Marks the entries of the slots: their properties came, but it is unknown which belong to which entry. */
static void lose_properties(struct attribution *at, uint64_t slots)
{
    EACH_BIT(slot, slots) {
        at->open[slot].lost_properties = true;
        kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
    }
}

/* Does the same for the candidates of all undecided stack lines. */
static void lose_undecided_properties(struct attribution *at)
{
    uint64_t undecided = 0;
    for (size_t number = 0; number < at->properties.count; number++)
        undecided |= at->properties.items[number].candidates;
    lose_properties(at, undecided & at->open_mask);
    at->properties.count = 0;
}

static void settle_properties(struct attribution *at, uint64_t slots, uint64_t members)
{
    EACH_BIT(slot, slots) {
        int line = agreed_line(&at->properties, members, slot);
        if (line < 0) {
            lose_properties(at, 1ull << slot);
        } else {
            kernel_set_properties(kernel_of(at, slot), &at->properties.items[line].metrics);
            at->open[slot].named = at->properties.items[line].number;
        }
    }
    remove_lines(&at->properties, members, slots);
}

/* By name: true if an entry was given up; later messages with that name are of an entry, not of a device function. */
static bool *given_up(struct attribution *at, uint32_t name)
{
    return MEM_AT(at->given_up, at->given_up_cap, name);
}

/* Removes the metrics of a Used line from the record, and the compile time that followed it. */
static void clear_used_line(struct model *model, struct kernel *kernel)
{
    kernel->compile_us = INT64_MIN;
    kernel->registers = kernel->barriers = kernel->cumulative_stack_bytes = kernel->smem_bytes = UNKNOWN;
    set_rare_metrics(model, kernel, &no_metrics);
    kernel->bank_count = 0;
    kernel->flags = (uint8_t)((kernel->flags & ~KERNEL_USED_LINE) | KERNEL_AMBIGUOUS);
}

/* Handles the first properties message of the log. From CUDA 12.4 on properties precede the Used line of their entry.
 * So the records that got a Used line before this message have lost lines, or got the line of another entry. */
static void check_first_properties(struct attribution *at)
{
    for (size_t k = at->first_kernel; k < at->model->kernel_count && !at->seen_properties; k++) {
        struct kernel *kernel = &at->model->kernels[k];
        if (kernel->producer == PRODUCER_PTXAS && kernel->barriers != UNKNOWN)
            clear_used_line(at->model, kernel);
    }
    at->seen_properties = true;
}

/* Properties come before the Used line. So if an entry with this name got a Used line without properties, that line was
 * another entry's. */
static bool assign_late_properties(struct attribution *at, uint32_t name, const struct metrics *metrics)
{
    const uint32_t bare = name < at->without_properties_cap ? at->without_properties[name] : 0;
    if (!bare)
        return false;
    clear_used_line(at->model, &at->model->kernels[bare - 1]);
    kernel_set_properties(&at->model->kernels[bare - 1], metrics);
    at->without_properties[name] = 0;
    at->interleaved = true;
    return true;
}

bool attribute_properties(struct attribution *at, uint32_t name, const struct metrics *metrics)
{
    bool absorbed = false;
    check_first_properties(at);
    if (at->torn) /* not even the name is reliable */
        return false;
    if (at->too_many_open)
        return !*given_up(at, name);
    uint64_t slots = unnamed_slots(at, name, &absorbed);
    if (slots == 0 && (absorbed || assign_late_properties(at, name, metrics)))
        return false;
    if (slots == 0) { /* a device function, or an entry whose Compiling message was lost */
        at->last_device_function = at->message;
        at->since_function = NO_INDEX;
        return true;
    }
    at->last_named = at->message;
    if (is_one_bit(slots) && !absorbed && at->properties.count == 0) {
        struct open_entry *entry = &at->open[lowest(slots)];
        kernel_set_properties(&at->model->kernels[entry->kernel], metrics);
        entry->named = at->message;
        return false;
    }
    at->interleaved = true;
    EACH_BIT(slot, slots)
        at->open[slot].maybe_named = true;
    if (absorbed) { /* it may belong to an entry whose own properties were lost */
        lose_properties(at, slots);
        return false;
    }
    add_undecided(at, &at->properties, metrics, slots);
    slots = connected(&at->properties, slots);
    uint64_t members = candidates_within(&at->properties, slots);
    if (popcount(members) == popcount(slots))
        settle_properties(at, slots, members);
    return false;
}

bool attribute_stack(struct attribution *at, const struct metrics *metrics)
{
    if (!at->seen_properties || !is_one_bit(at->open_mask) || at->interleaved || at->used.count || at->properties.count)
        return false;
    struct open_entry *entry = &at->open[lowest(at->open_mask)];
    if (entry->named || entry->maybe_named || entry->opened != at->message)
        return false;
    kernel_set_properties(&at->model->kernels[entry->kernel], metrics);
    entry->named = at->last_named = at->message;
    *MEM_ADD(at->stack_only, at->stack_only_count, at->stack_only_cap) = entry->kernel;
    return true;
}

void attribution_clear_stack_only(struct attribution *at)
{
    for (size_t n = 0; n < at->stack_only_count; n++) {
        struct kernel *kernel = &at->model->kernels[at->stack_only[n]];
        kernel_set_properties(kernel, &no_metrics);
        kernel->flags |= KERNEL_AMBIGUOUS;
    }
}

/* ---- Used lines ------------------------------------------------------------------------------------------------- */

/* False if the entry has no properties yet: from CUDA 12.4 on they come before the Used line. */
static bool is_in_order(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    return metrics->barriers == UNKNOWN || !at->seen_properties || entry->named || entry->maybe_named ||
           entry->lost_properties;
}

/* True for a completely read line of CUDA 12.4 or later for a known target: the rule of constant banks applies. */
static bool shows_bank_rule(int arch, const struct metrics *metrics)
{
    return metrics->barriers != UNKNOWN && (metrics->flags & KERNEL_USED_LINE) && arch;
}

static bool keeps_bank_rule(int arch, const struct metrics *metrics)
{
    const bool has_bank0 = bank_bytes(metrics->banks, metrics->bank_count, 0) != UNKNOWN;
    return !shows_bank_rule(arch, metrics) || has_bank0 == (arch < 90);
}

/* False if a property of the tools excludes that this Used line belongs to the entry. */
static bool is_possible(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    const struct kernel *kernel = &at->model->kernels[entry->kernel];
    int arch = arch_digits(model_string(at->model, kernel->arch));
    if (!at->bank_rules[arch >= 90].broken && !keeps_bank_rule(arch, metrics))
        return false;
    return metrics->cumulative_stack_bytes == UNKNOWN || kernel->stack_bytes == UNKNOWN ||
           metrics->cumulative_stack_bytes >= kernel->stack_bytes;
}

/* Closes an entry. If its properties are undecided, all entries of that set lose theirs. */
static void close_entry(struct attribution *at, size_t slot)
{
    uint64_t bit = 1ull << slot;
    if (at->properties.count && !at->open[slot].named) {
        uint64_t slots = connected(&at->properties, bit);
        uint64_t members = candidates_within(&at->properties, slots);
        if (members) {
            lose_properties(at, slots);
            remove_lines(&at->properties, members, slots);
        }
    }
    at->open_mask &= ~bit;
    if (at->open_mask)
        return;
    at->concurrent_count = 0;
    if (!at->interleaved)
        at->mixed_from = (uint32_t)at->model->kernel_count;
}

/* True if the Compiling and properties messages of the entry directly precede this message. */
static bool is_adjacent(const struct open_entry *entry, uint64_t number)
{
    uint64_t before = entry->named ? entry->named : entry->opened;
    return before + 1 == number && (!entry->named || entry->opened + 1 == entry->named);
}

/* Gives the Used line to the entry. */
static void assign_used_line(struct attribution *at, size_t slot, const struct metrics *metrics)
{
    const struct open_entry *entry = &at->open[slot];
    if (entry->kernel < at->since_function)
        at->since_function = entry->kernel;
    if (!entry->named && at->seen_properties)
        *MEM_AT(at->without_properties, at->without_properties_cap, at->model->kernels[entry->kernel].name) =
            entry->kernel + 1;
    if (!is_one_bit(at->open_mask))
        *MEM_ADD(at->concurrent, at->concurrent_count, at->concurrent_cap) =
            (struct concurrent_used_line){entry->kernel, at->message, is_adjacent(entry, at->message)};
    kernel_set_used_line(at->model, entry->kernel, metrics);
}

/* Notes that two tools were writing if another entry had its Compiling or properties message between this entry and its
 * Used line. */
static void note_interleaving(struct attribution *at, size_t slot)
{
    const struct open_entry *entry = &at->open[slot];
    if (at->last_opened > entry->opened || (entry->named && at->last_named > entry->named))
        at->interleaved = true;
}

/* Decides the lines of a set. If the set has more lines than entries, one line is of an entry without a Compiling
 * message; then no line is given to an entry. */
static uint32_t settle_used(struct attribution *at, uint64_t slots, uint64_t members)
{
    uint32_t last = NO_INDEX;
    if (popcount(slots) > 1 || popcount(members) > popcount(slots))
        at->interleaved = true;
    EACH_BIT(slot, slots) {
        int number = agreed_line(&at->used, members, slot);
        note_interleaving(at, slot);
        if (number < 0 || at->open[slot].doubtful) {
            kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
        } else {
            last = at->open[slot].kernel;
            assign_used_line(at, slot, &at->used.items[number].metrics);
        }
    }
    remove_lines(&at->used, members, slots);
    EACH_BIT(slot, slots)
        close_entry(at, slot);
    return is_one_bit(slots) ? last : NO_INDEX;
}

/* Decides every set of entries that has as many undecided lines as members. The sets that are tried are the candidates
 * of one line, and these with all connected ones. */
static uint32_t settle_sets(struct attribution *at)
{
    for (size_t number = 0; number < at->used.count; number++) {
        uint64_t own = at->used.items[number].candidates;
        const uint64_t sets[] = {own, connected(&at->used, own)};
        for (size_t set = 0; set < 2; set++) {
            uint64_t members = candidates_within(&at->used, sets[set]);
            if (popcount(members) < popcount(sets[set]))
                continue;
            bool all = popcount(members) == (int)at->used.count;
            uint32_t kernel = settle_used(at, sets[set], members);
            return all ? kernel : settle_sets(at);
        }
    }
    return NO_INDEX;
}

/* True if one of these is between the entry and a Used line: a Compiling message that could not be read, properties of
 * a device function, or properties of another entry while this one has none. From CUDA 12.4 on one tool does not print
 * that: another tool did, or lines are missing and the Used line is of an entry without a Compiling message. If several
 * tools are known to write, a completely read line is compared with the open entries instead. */
static bool is_doubtful(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    bool others = at->last_device_function > entry->opened || (!entry->named && at->last_named > entry->opened);
    bool compared = at->interleaved && (metrics->flags & KERNEL_USED_LINE);
    return at->lost_entry > entry->opened || (at->seen_barriers && others && !compared);
}

/* Compares a line with the rule of constant banks. If it breaks the rule and no earlier line of such architectures
 * followed it, this toolkit does not follow it, and the rule is not used for the rest of the log. If an earlier line
 * followed it, returns false: this line is not whole, or another entry's. */
static bool learn_bank_rule(struct attribution *at, uint32_t arch_string, const struct metrics *metrics)
{
    int arch = arch_digits(model_string(at->model, arch_string));
    struct bank_rule *rule = &at->bank_rules[arch >= 90];
    const bool keeps = keeps_bank_rule(arch, metrics);
    rule->kept |= keeps && shows_bank_rule(arch, metrics);
    rule->broken |= !keeps && !rule->kept;
    return keeps || rule->broken;
}

void attribution_clear_from(struct attribution *at, uint32_t first)
{
    at->interleaved = true;
    for (uint32_t k = first; k < at->model->kernel_count; k++) {
        struct kernel *kernel = &at->model->kernels[k];
        if (kernel->producer != PRODUCER_PTXAS)
            continue;
        clear_used_line(at->model, kernel);
        kernel_set_properties(kernel, &no_metrics);
    }
}

void attribute_unowned(struct attribution *at)
{
    uint32_t first = at->last_device_function ? at->since_function : NO_INDEX;
    at->unowned = at->message;
    first = at->interleaved && at->mixed_from < first ? at->mixed_from : first;
    for (size_t k = first; k < at->model->kernel_count; k++) {
        struct kernel *kernel = &at->model->kernels[k];
        if (kernel->producer == PRODUCER_PTXAS && kernel->kind == KERNEL_ENTRY)
            clear_used_line(at->model, kernel);
    }
    EACH_BIT(slot, at->open_mask)
        at->open[slot].doubtful |= at->open[slot].kernel >= first;
    at->since_function = NO_INDEX;
    if (at->interleaved)
        at->mixed_from = (uint32_t)at->model->kernel_count; /* earlier records are not taken back again */
}

/* Gives the line to the only open entry, unless that entry is doubtful or the line breaks the rule of constant banks.
 * No line may be undecided. */
static uint32_t give_to_only(struct attribution *at, size_t slot, const struct metrics *metrics)
{
    uint32_t kernel = at->open[slot].kernel;
    if (at->open[slot].doubtful || !learn_bank_rule(at, at->model->kernels[kernel].arch, metrics)) {
        kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
        close_entry(at, slot);
        return NO_INDEX;
    }
    note_interleaving(at, slot);
    assign_used_line(at, slot, metrics);
    close_entry(at, slot);
    return kernel;
}

uint32_t attribute_used(struct attribution *at, const struct metrics *metrics)
{
    uint64_t in_order = 0, possible = 0;
    EACH_BIT(slot, at->open_mask) {
        struct open_entry *entry = &at->open[slot];
        if (!is_in_order(at, entry, metrics))
            continue;
        in_order |= 1ull << slot;
        entry->doubtful |= is_doubtful(at, entry, metrics);
    }
    if (at->torn || at->too_many_open)
        return NO_INDEX;
    if (in_order == 0) {
        if (at->open_mask)
            attribute_unowned(at);
        return NO_INDEX;
    }
    if (is_one_bit(in_order) && at->used.count == 0)
        return give_to_only(at, lowest(in_order), metrics);
    EACH_BIT(slot, in_order)
        if (is_possible(at, &at->open[slot], metrics))
            possible |= 1ull << slot;
    add_undecided(at, &at->used, metrics, possible ? possible : in_order);
    return settle_sets(at);
}

/* ---- entries and the end ---------------------------------------------------------------------------------------- */

/* The slot whose Compiling and properties messages directly precede the line; -1: none. */
static int adjacent_slot(const struct attribution *at, const struct undecided *line)
{
    EACH_BIT(slot, line->candidates)
        if (is_adjacent(&at->open[slot], line->number))
            return (int)slot;
    return -1;
}

/* True if each undecided line directly follows the messages of one of its candidates, as in the output of one tool that
 * lost an earlier line. */
static bool all_adjacent(const struct attribution *at)
{
    for (size_t number = 0; number < at->used.count; number++)
        if (adjacent_slot(at, &at->used.items[number]) < 0)
            return false;
    for (size_t number = 0; number < at->concurrent_count; number++)
        if (!at->concurrent[number].adjacent)
            return false;
    return !at->interleaved;
}

/* Removes the metrics that records got while another entry was open that never got its own line. */
static void clear_concurrent(struct attribution *at)
{
    uint64_t opened = UINT64_MAX;
    EACH_BIT(slot, at->open_mask)
        opened = at->open[slot].opened < opened ? at->open[slot].opened : opened;
    for (size_t number = 0; number < at->concurrent_count; number++)
        if (at->concurrent[number].number > opened)
            clear_used_line(at->model, &at->model->kernels[at->concurrent[number].kernel]);
}

uint64_t attribution_finish(struct attribution *at)
{
    enum { IN_A_ROW = 8 };
    uint64_t last = 0;
    /* The lines of two tools that write alternately may look the same for a while, unless the output of each is written
     * at once. */
    const bool enough = at->buffered || at->used.count + at->concurrent_count >= IN_A_ROW;
    const bool adjacent = all_adjacent(at), trusted = adjacent && enough;
    if (!trusted)
        clear_concurrent(at);
    at->concurrent_count = 0;
    EACH(const struct undecided, line, at->used.items, at->used.count) {
        if (trusted) {
            struct open_entry *entry = &at->open[adjacent_slot(at, line)];
            if (!entry->doubtful)
                kernel_set_used_line(at->model, entry->kernel, &line->metrics);
            entry->opened = 0;
            continue;
        }
        at->interleaved |= !adjacent;
        EACH_BIT(slot, line->candidates)
            kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
    }
    lose_undecided_properties(at);
    EACH_BIT(slot, at->open_mask)
        last = at->open[slot].opened > last ? at->open[slot].opened : last;
    at->used.count = 0;
    at->open_mask = 0;
    return last;
}

/* Gives up the open entries: their lines may still come, and will be ignored. */
static void give_up_open(struct attribution *at)
{
    EACH_BIT(slot, at->open_mask) {
        struct kernel *kernel = kernel_of(at, slot);
        kernel->flags |= KERNEL_AMBIGUOUS;
        *given_up(at, kernel->name) = true;
        at->open[slot].doubtful = true;
        at->awaited++;
    }
}

uint64_t attribution_end_writer(struct attribution *at)
{
    give_up_open(at);
    uint64_t last = attribution_finish(at);
    at->first_kernel = at->mixed_from = (uint32_t)at->model->kernel_count;
    at->last_device_function = at->lost_entry = at->awaited = 0;
    at->torn = at->too_many_open = false;
    at->seen_barriers = false; /* the next writer may be another toolkit */
    free(at->without_properties);
    at->without_properties = NULL;
    at->without_properties_cap = 0;
    memset(at->bank_rules, 0, sizeof at->bank_rules);
    return last;
}

void attribution_note_next_writer(struct attribution *at)
{
    give_up_open(at);
    at->awaited -= at->used.count < at->awaited ? at->used.count : at->awaited;
    at->interleaved = true;
    attribution_finish(at);
}

void attribution_note_too_many(struct attribution *at)
{
    if (!at->too_many_open)
        attribution_note_next_writer(at);
    at->too_many_open = true;
}

void attribute_entry(struct attribution *at, uint32_t kernel)
{
    at->seen_entry = true;
    if (at->open_mask == UINT64_MAX && all_adjacent(at)) /* one lost line may have filled all slots */
        attribution_finish(at);
    else if (at->open_mask == UINT64_MAX)
        attribution_note_too_many(at);
    if (at->torn || at->too_many_open) {
        at->model->kernels[kernel].flags |= KERNEL_AMBIGUOUS;
        at->awaited++;
        if (at->too_many_open)
            *given_up(at, at->model->kernels[kernel].name) = true;
        return;
    }
    size_t slot = lowest(~at->open_mask);
    at->open[slot] = (struct open_entry){.kernel = kernel, .opened = at->message};
    at->last_opened = at->message;
    at->open_mask |= 1ull << slot;
}

uint32_t attribution_first_open(const struct attribution *at)
{
    uint32_t first = (uint32_t)at->model->kernel_count;
    EACH_BIT(slot, at->open_mask) {
        uint32_t kernel = at->open[slot].kernel;
        first = kernel < first ? kernel : first;
    }
    return first;
}

bool attribution_has_open(const struct attribution *at, uint32_t first)
{
    EACH_BIT(slot, at->open_mask)
        if (at->open[slot].kernel >= first)
            return true;
    return false;
}

bool attribution_is_mixed(const struct attribution *at)
{
    return at->interleaved || popcount(at->open_mask) > 1;
}

bool attribution_is_idle(const struct attribution *at)
{
    return !at->open_mask && !at->torn && !at->too_many_open && !at->used.count && !at->properties.count;
}

void attribution_note_torn(struct attribution *at)
{
    attribution_note_gap(at);
    at->torn = true;
    at->used.count = 0;
    at->open_mask = 0;
}

void attribution_note_gap(struct attribution *at)
{
    const bool several = popcount(at->open_mask) > 1;
    EACH_BIT(slot, at->open_mask) {
        struct kernel *kernel = kernel_of(at, slot);
        kernel->flags |= KERNEL_AMBIGUOUS;
        if (several) /* if a stack line was lost, that of another entry may be in its place */
            kernel_set_properties(kernel, &no_metrics);
        at->open[slot].doubtful = true;
    }
    lose_undecided_properties(at);
}

void attribution_free(struct attribution *at)
{
    free(at->given_up);
    free(at->stack_only);
    free(at->concurrent);
    free(at->without_properties);
}
