/*
 * The model: several tools run, each writes its own messages in a fixed order (Compiling, properties, Used), and the
 * stream is some merge of them. Every message belongs to exactly one tool. So a Used line belongs to one open entry
 * whose properties were seen before it; with one such entry that is certain. With several the line becomes a claim on
 * all of them. As soon as a set of entries has as many claims as members, all its claims belong to all its members:
 * then each member's possible owners are those of some perfect matching, and where all of them say the same the record
 * has it; else the record is ambiguous. Nothing else is ever concluded: not from order, not from likely numbers.
 *
 * Three facts narrow the candidates, each a property of the tools: properties come before Used (where the log has
 * properties); CUDA 12.4 and later (known by "used N barriers") print cmem[0] for every target below sm_90 and for
 * none from there; a cumulative stack is at least the entry's own frame.
 *
 * A Used line that was lost leaves an entry open for ever. At the end of the log, or when the slots run out, claims
 * that stand directly behind their own entry's messages are then taken at their word, if all of them do. If not, the
 * log is crowded: from there on every record is ambiguous, and properties are only told apart into those that some
 * entry waits for and those of device functions.
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

/* For the number of each bit of the mask, the lowest first; the mask is evaluated once. */
#define EACH_BIT(number, mask)                                                                                         \
    for (uint64_t rest_ = (mask), number; rest_ && (number = lowest(rest_), true); rest_ &= rest_ - 1)

static bool is_one_bit(uint64_t mask)
{
    return mask && !(mask & (mask - 1));
}

#define IS_STATED(name, ...)   || metrics->name != UNKNOWN
#define GIVE_METRIC(name, ...) rare->name = metrics->name;
/* What few lines state; of a record that has more than one it is the last one's. */
static void give_rare(struct model *model, struct kernel *kernel, const struct metrics *metrics)
{
    bool stated = false METRICS(NO_METRIC, IS_STATED, NO_METRIC, NO_METRIC);
    if (!stated && kernel->rare == NO_INDEX)
        return;
    struct rare_metrics *rare = kernel_rare_own(model, kernel);
    int32_t cap = rare->register_cap; /* other messages state it */
    METRICS(NO_METRIC, GIVE_METRIC, NO_METRIC, NO_METRIC)
    rare->register_cap = cap;
}

void give_used(struct model *model, uint32_t number, const struct metrics *metrics)
{
    struct kernel *kernel = &model->kernels[number];
    kernel->registers = metrics->registers;
    kernel->barriers = metrics->barriers;
    kernel->cumulative_stack_bytes = metrics->cumulative_stack_bytes;
    if (metrics->stack_bytes != UNKNOWN)
        kernel->stack_bytes = metrics->stack_bytes;
    kernel->smem_bytes = metrics->smem_bytes;
    give_rare(model, kernel, metrics);
    kernel->flags |= metrics->flags & KERNEL_USED_LINE;
    if (metrics->bank_count)
        kernel_set_banks(model, kernel, metrics->banks, metrics->bank_count);
}

void give_properties(struct kernel *kernel, const struct metrics *metrics)
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

/* Finds a slot for the claim that was not visited; owner, by slot: the claim that has it, -1 none. */
static bool augment(const struct candidate_list *list, int8_t *owner, size_t candidate, uint64_t *visited)
{
    uint64_t slots = 0;
    while ((slots = list->items[candidate].candidates & ~*visited)) {
        size_t slot = lowest(slots);
        *visited |= 1ull << slot;
        if (owner[slot] < 0 || augment(list, owner, (size_t)owner[slot], visited)) {
            owner[slot] = (int8_t)candidate;
            return true;
        }
    }
    return false;
}

/* Is there a way to give every claim an entry of its own, with this claim on this slot? */
static bool can_own(const struct candidate_list *list, uint64_t members, size_t candidate, size_t slot)
{
    int8_t owner[MAX_OPEN];
    memset(owner, -1, sizeof owner);
    EACH_BIT(other, members & ~(1ull << candidate)) {
        uint64_t visited = 1ull << slot;
        if (!augment(list, owner, other, &visited))
            return false;
    }
    return true;
}

/* The one claim that stands for all claims the slot can own, when they all say the same; -1 when they differ. */
static int agreed_claim(const struct candidate_list *list, uint64_t members, size_t slot)
{
    int agreed = -1;
    EACH_BIT(candidate, members) {
        if (!(list->items[candidate].candidates >> slot & 1) || !can_own(list, members, candidate, slot))
            continue;
        if (agreed >= 0 && !same_metrics(&list->items[agreed].metrics, &list->items[candidate].metrics))
            return -1;
        agreed = (int)candidate;
    }
    return agreed;
}

/* ---- sets of claims --------------------------------------------------------------------------------------------- */

/* Claims whose candidates all lie within the slots. */
static uint64_t candidates_within(const struct candidate_list *list, uint64_t slots)
{
    uint64_t members = 0;
    for (size_t candidate = 0; candidate < list->count; candidate++)
        if (!(list->items[candidate].candidates & ~slots))
            members |= 1ull << candidate;
    return members;
}

/* All slots that hang together with these through shared claims. */
static uint64_t connected(const struct candidate_list *list, uint64_t slots)
{
    for (bool grew = true; grew;) {
        grew = false;
        for (size_t candidate = 0; candidate < list->count; candidate++) {
            uint64_t more = list->items[candidate].candidates;
            if ((more & slots) && (more & ~slots)) {
                slots |= more;
                grew = true;
            }
        }
    }
    return slots;
}

/* Removes the claims, and the slots from the candidates of the others. */
static void remove_claims(struct candidate_list *list, uint64_t members, uint64_t slots)
{
    size_t kept = 0;
    for (size_t candidate = 0; candidate < list->count; candidate++) {
        if (members >> candidate & 1)
            continue;
        list->items[candidate].candidates &= ~slots;
        if (kept != candidate)
            list->items[kept] = list->items[candidate];
        kept++;
    }
    list->count = kept;
}

static void add_claim(struct attribution *at, struct candidate_list *list, const struct metrics *metrics,
                      uint64_t slots)
{
    /* There are never more claims than open entries: equal numbers are settled at once. */
    list->items[list->count++] = (struct candidate){.candidates = slots, .number = at->message, .metrics = *metrics};
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

/* The entries of the slots have had their properties, but which is whose cannot be known. */
static void lose_properties(struct attribution *at, uint64_t slots)
{
    EACH_BIT(slot, slots) {
        at->open[slot].lost_properties = true;
        kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
    }
}

/* The same of all that are not decided. */
static void lose_claimed_properties(struct attribution *at)
{
    uint64_t claimed = 0;
    for (size_t number = 0; number < at->properties.count; number++)
        claimed |= at->properties.items[number].candidates;
    lose_properties(at, claimed & at->open_mask);
    at->properties.count = 0;
}

static void settle_properties(struct attribution *at, uint64_t slots, uint64_t members)
{
    EACH_BIT(slot, slots) {
        int candidate = agreed_claim(&at->properties, members, slot);
        if (candidate < 0) {
            lose_properties(at, 1ull << slot);
        } else {
            give_properties(kernel_of(at, slot), &at->properties.items[candidate].metrics);
            at->open[slot].named = at->properties.items[candidate].number;
        }
    }
    remove_claims(&at->properties, members, slots);
}

/* An entry of the name was given up: what comes of that name is an entry's, and no device function's. */
static bool *given_up(struct attribution *at, uint32_t name)
{
    return MEM_AT(at->given_up, at->given_up_cap, name);
}

/* What a Used line gave is taken back, and the time behind it. */
static void take_used(struct model *model, struct kernel *kernel)
{
    kernel->compile_us = INT64_MIN;
    kernel->registers = kernel->barriers = kernel->cumulative_stack_bytes = kernel->smem_bytes = UNKNOWN;
    give_rare(model, kernel, &no_metrics);
    kernel->bank_count = 0;
    kernel->flags = (uint8_t)((kernel->flags & ~KERNEL_USED_LINE) | KERNEL_AMBIGUOUS);
}

/* The first properties message of the log. From CUDA 12.4 on it precedes the Used line of its entry, so an entry that
 * got a Used line before has lost lines, or got the line of another one: the records before `end`. */
static void see_properties(struct attribution *at)
{
    for (size_t k = at->first_kernel; k < at->model->kernel_count && !at->seen_properties; k++) {
        struct kernel *kernel = &at->model->kernels[k];
        if (kernel->producer == PRODUCER_PTXAS && kernel->barriers != UNKNOWN)
            take_used(at->model, kernel);
    }
    at->seen_properties = true;
}

/* Properties come before the Used line: an entry of the name that got one and had none before got another's. */
static bool take_late_properties(struct attribution *at, uint32_t name, const struct metrics *metrics)
{
    const uint32_t bare = name < at->bare_cap ? at->bare[name] : 0;
    if (!bare)
        return false;
    take_used(at->model, &at->model->kernels[bare - 1]);
    give_properties(&at->model->kernels[bare - 1], metrics);
    at->bare[name] = 0;
    at->interleaved = true;
    return true;
}

bool attribute_properties(struct attribution *at, uint32_t name, const struct metrics *metrics)
{
    bool absorbed = false;
    see_properties(at);
    if (at->torn) /* not even the name is sure */
        return false;
    if (at->too_many_open)
        return !*given_up(at, name);
    uint64_t slots = unnamed_slots(at, name, &absorbed);
    if (slots == 0 && (absorbed || take_late_properties(at, name, metrics)))
        return false;
    if (slots == 0) { /* of a device function, or of an entry whose Compiling message was lost */
        at->last_device_function = at->message;
        at->since_function = NO_INDEX;
        return true;
    }
    at->last_named = at->message;
    if (is_one_bit(slots) && !absorbed && at->properties.count == 0) {
        struct open_entry *entry = &at->open[lowest(slots)];
        give_properties(&at->model->kernels[entry->kernel], metrics);
        entry->named = at->message;
        return false;
    }
    at->interleaved = true;
    EACH_BIT(slot, slots)
        at->open[slot].maybe_named = true;
    if (absorbed) { /* it may belong to one whose own properties were lost */
        lose_properties(at, slots);
        return false;
    }
    add_claim(at, &at->properties, metrics, slots);
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
    give_properties(&at->model->kernels[entry->kernel], metrics);
    entry->named = at->last_named = at->message;
    *MEM_ADD(at->nameless, at->nameless_count, at->nameless_cap) = entry->kernel;
    return true;
}

void attribute_take_back(struct attribution *at)
{
    for (size_t n = 0; n < at->nameless_count; n++) {
        struct kernel *kernel = &at->model->kernels[at->nameless[n]];
        give_properties(kernel, &no_metrics);
        kernel->flags |= KERNEL_AMBIGUOUS;
    }
}

/* ---- Used lines ------------------------------------------------------------------------------------------------- */

/* From CUDA 12.4 on a tool's properties come before its Used line. */
static bool is_in_order(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    return metrics->barriers == UNKNOWN || !at->seen_properties || entry->named || entry->maybe_named ||
           entry->lost_properties;
}

/* A line that was read whole, of CUDA 12.4 or later, for a target that is known. */
static bool shows_bank_rule(int arch, const struct metrics *metrics)
{
    return metrics->barriers != UNKNOWN && (metrics->flags & KERNEL_USED_LINE) && arch;
}

static bool keeps_bank_rule(int arch, const struct metrics *metrics)
{
    const bool has_bank0 = bank_bytes(metrics->banks, metrics->bank_count, 0) != UNKNOWN;
    return !shows_bank_rule(arch, metrics) || has_bank0 == (arch < 90);
}

/* Among several open entries: does a property of the tools forbid that this Used line is that entry's? */
static bool is_possible(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    const struct kernel *kernel = &at->model->kernels[entry->kernel];
    int arch = arch_digits(model_string(at->model, kernel->arch));
    if (!at->bank_rules[arch >= 90].broken && !keeps_bank_rule(arch, metrics))
        return false;
    return metrics->cumulative_stack_bytes == UNKNOWN || kernel->stack_bytes == UNKNOWN ||
           metrics->cumulative_stack_bytes >= kernel->stack_bytes;
}

/* The entry leaves; when its properties are still claimed, that whole set can no longer be told apart. */
static void close_entry(struct attribution *at, size_t slot)
{
    uint64_t bit = 1ull << slot;
    if (at->properties.count && !at->open[slot].named) {
        uint64_t slots = connected(&at->properties, bit);
        uint64_t members = candidates_within(&at->properties, slots);
        if (members) {
            lose_properties(at, slots);
            remove_claims(&at->properties, members, slots);
        }
    }
    at->open_mask &= ~bit;
    if (at->open_mask)
        return;
    at->beside_count = 0;
    if (!at->interleaved)
        at->mixed_from = (uint32_t)at->model->kernel_count;
}

/* The Compiling and properties messages of the entry stand directly before this message. */
static bool is_adjacent(const struct open_entry *entry, uint64_t number)
{
    uint64_t before = entry->named ? entry->named : entry->opened;
    return before + 1 == number && (!entry->named || entry->opened + 1 == entry->named);
}

/* The Used line is the entry's, as far as is known now. */
static void give(struct attribution *at, size_t slot, const struct metrics *metrics)
{
    const struct open_entry *entry = &at->open[slot];
    if (entry->kernel < at->since_function)
        at->since_function = entry->kernel;
    if (!entry->named && at->seen_properties)
        *MEM_AT(at->bare, at->bare_cap, at->model->kernels[entry->kernel].name) = entry->kernel + 1;
    if (!is_one_bit(at->open_mask))
        *MEM_ADD(at->beside, at->beside_count, at->beside_cap) =
            (struct given_beside){entry->kernel, at->message, is_adjacent(entry, at->message)};
    give_used(at->model, entry->kernel, metrics);
}

/* Another entry was announced between this one and its Used line, or had its properties between: that is two tools
 * writing. */
static void note_interleaving(struct attribution *at, size_t slot)
{
    const struct open_entry *entry = &at->open[slot];
    if (at->last_opened > entry->opened || (entry->named && at->last_named > entry->named))
        at->interleaved = true;
}

/* With more claims than entries a line came from an entry that was never announced: no claim is agreed then. */
static uint32_t settle_used(struct attribution *at, uint64_t slots, uint64_t members)
{
    uint32_t last = NO_INDEX;
    if (popcount(slots) > 1 || popcount(members) > popcount(slots))
        at->interleaved = true;
    EACH_BIT(slot, slots) {
        int number = agreed_claim(&at->used, members, slot);
        note_interleaving(at, slot);
        if (number < 0 || at->open[slot].doubtful) {
            kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
        } else {
            last = at->open[slot].kernel;
            give(at, slot, &at->used.items[number].metrics);
        }
    }
    remove_claims(&at->used, members, slots);
    EACH_BIT(slot, slots)
        close_entry(at, slot);
    return is_one_bit(slots) ? last : NO_INDEX;
}

/* Decides every set of entries that has as many claims as members: the claims of one line, and all that hang together.
 */
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

/* Between the entry and a Used line another entry was announced that could not be read; or the properties of a device
 * function stand there, or those of another entry while it has none of its own. From CUDA 12.4 on one tool does not
 * write so: either another one wrote them, or lines are missing and the Used line is that of an entry which was never
 * announced. Where several tools write, a line that was understood whole is compared with what is open instead. */
static bool is_doubtful(const struct attribution *at, const struct open_entry *entry, const struct metrics *metrics)
{
    bool others = at->last_device_function > entry->opened || (!entry->named && at->last_named > entry->opened);
    bool compared = at->interleaved && (metrics->flags & KERNEL_USED_LINE);
    return at->lost_entry > entry->opened || (at->seen_barriers && others && !compared);
}

/* A toolkit that prints constant banks otherwise makes the rule useless for the rest of the log. False: lines of
 * such architectures kept it before, so this one is not whole, or another's. */
static bool learn_bank_rule(struct attribution *at, uint32_t arch_string, const struct metrics *metrics)
{
    int arch = arch_digits(model_string(at->model, arch_string));
    struct bank_rule *rule = &at->bank_rules[arch >= 90];
    const bool keeps = keeps_bank_rule(arch, metrics);
    rule->kept |= keeps && shows_bank_rule(arch, metrics);
    rule->broken |= !keeps && !rule->kept;
    return keeps || rule->broken;
}

void attribute_take_back_from(struct attribution *at, uint32_t first)
{
    at->interleaved = true;
    for (uint32_t k = first; k < at->model->kernel_count; k++) {
        struct kernel *kernel = &at->model->kernels[k];
        if (kernel->producer != PRODUCER_PTXAS)
            continue;
        take_used(at->model, kernel);
        give_properties(kernel, &no_metrics);
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
            take_used(at->model, kernel);
    }
    EACH_BIT(slot, at->open_mask)
        at->open[slot].doubtful |= at->open[slot].kernel >= first;
    at->since_function = NO_INDEX;
    if (at->interleaved)
        at->mixed_from = (uint32_t)at->model->kernel_count; /* nothing before is to be taken back again */
}

/* One entry is open and nothing is claimed: the line is its own, unless that is doubtful, or the
 * line breaks the rule of constant banks. */
static uint32_t give_to_only(struct attribution *at, size_t slot, const struct metrics *metrics)
{
    uint32_t kernel = at->open[slot].kernel;
    if (at->open[slot].doubtful || !learn_bank_rule(at, at->model->kernels[kernel].arch, metrics)) {
        kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
        close_entry(at, slot);
        return NO_INDEX;
    }
    note_interleaving(at, slot);
    give(at, slot, metrics);
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
    add_claim(at, &at->used, metrics, possible ? possible : in_order);
    return settle_sets(at);
}

/* ---- entries and the end ---------------------------------------------------------------------------------------- */

/* The slot whose Compiling and properties messages stand directly before the claim; -1: none. */
static int adjacent_slot(const struct attribution *at, const struct candidate *candidate)
{
    EACH_BIT(slot, candidate->candidates)
        if (is_adjacent(&at->open[slot], candidate->number))
            return (int)slot;
    return -1;
}

/* Each line that may be an open entry's stands directly behind the messages of its own, as one tool writes them that
 * has lost a line before. */
static bool all_adjacent(const struct attribution *at)
{
    for (size_t number = 0; number < at->used.count; number++)
        if (adjacent_slot(at, &at->used.items[number]) < 0)
            return false;
    for (size_t number = 0; number < at->beside_count; number++)
        if (!at->beside[number].adjacent)
            return false;
    return !at->interleaved;
}

/* What was given while an entry was open that never got its own line. */
static void take_back_beside(struct attribution *at)
{
    uint64_t opened = UINT64_MAX;
    EACH_BIT(slot, at->open_mask)
        opened = at->open[slot].opened < opened ? at->open[slot].opened : opened;
    for (size_t number = 0; number < at->beside_count; number++)
        if (at->beside[number].number > opened)
            take_used(at->model, &at->model->kernels[at->beside[number].kernel]);
}

uint64_t attribution_finish(struct attribution *at)
{
    enum { IN_A_ROW = 8 };
    uint64_t last = 0;
    /* Two tools that write by turns look the same for a while, unless the output of each is its own. */
    const bool enough = at->buffered || at->used.count + at->beside_count >= IN_A_ROW;
    const bool adjacent = all_adjacent(at), trusted = adjacent && enough;
    if (!trusted)
        take_back_beside(at);
    at->beside_count = 0;
    EACH(const struct candidate, candidate, at->used.items, at->used.count) {
        if (trusted) {
            struct open_entry *entry = &at->open[adjacent_slot(at, candidate)];
            if (!entry->doubtful)
                give_used(at->model, entry->kernel, &candidate->metrics);
            entry->opened = 0;
            continue;
        }
        at->interleaved |= !adjacent;
        EACH_BIT(slot, candidate->candidates)
            kernel_of(at, slot)->flags |= KERNEL_AMBIGUOUS;
    }
    lose_claimed_properties(at);
    EACH_BIT(slot, at->open_mask)
        last = at->open[slot].opened > last ? at->open[slot].opened : last;
    at->used.count = 0;
    at->open_mask = 0;
    return last;
}

/* Lines of what is open may still come, and are not believed. */
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
    at->seen_barriers = false; /* another toolkit may write */
    free(at->bare);
    at->bare = NULL;
    at->bare_cap = 0;
    memset(at->bank_rules, 0, sizeof at->bank_rules);
    return last;
}

void attribute_leave(struct attribution *at)
{
    give_up_open(at);
    at->awaited -= at->used.count < at->awaited ? at->used.count : at->awaited;
    at->interleaved = true;
    attribution_finish(at);
}

void attribute_crowd(struct attribution *at)
{
    if (!at->too_many_open)
        attribute_leave(at);
    at->too_many_open = true;
}

void attribute_entry(struct attribution *at, uint32_t kernel)
{
    at->seen_entry = true;
    if (at->open_mask == UINT64_MAX && all_adjacent(at)) /* one lost line may have taken all slots */
        attribution_finish(at);
    else if (at->open_mask == UINT64_MAX)
        attribute_crowd(at);
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

bool attribution_is_mixed(const struct attribution *at)
{
    return at->interleaved || popcount(at->open_mask) > 1;
}

bool attribution_is_idle(const struct attribution *at)
{
    return !at->open_mask && !at->torn && !at->too_many_open && !at->used.count && !at->properties.count;
}

void attribute_torn(struct attribution *at)
{
    attribute_gap(at);
    at->torn = true;
    at->used.count = 0;
    at->open_mask = 0;
}

void attribute_gap(struct attribution *at)
{
    const bool several = popcount(at->open_mask) > 1;
    EACH_BIT(slot, at->open_mask) {
        struct kernel *kernel = kernel_of(at, slot);
        kernel->flags |= KERNEL_AMBIGUOUS;
        if (several) /* a stack line that was lost may have let another one take its place */
            give_properties(kernel, &no_metrics);
        at->open[slot].doubtful = true;
    }
    lose_claimed_properties(at);
}

void attribution_free(struct attribution *at)
{
    free(at->given_up);
    free(at->nameless);
    free(at->beside);
    free(at->bare);
}
