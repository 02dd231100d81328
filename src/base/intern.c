#include "base/intern.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256, AHEAD = 4096 };

/* Where the string is, or the free slot where it belongs. */
static struct intern_slot *slot_of(const struct intern *table, struct str s, uint32_t hash)
{
    size_t mask = table->slot_count - 1, at = hash & mask;
    for (; table->slots[at].number; at = (at + 1) & mask)
        if (table->slots[at].hash == hash && str_eq(table->strings[table->slots[at].number - 1], s))
            break;
    return &table->slots[at];
}

/* Writes what the table has into as many slots, all of them anew. */
static void set_slots(struct intern *table, size_t slot_count)
{
    struct intern_slot *old = table->slots;
    size_t count = table->slot_count;
    table->slot_count = slot_count;
    table->slots = mem_alloc(table->slot_count * sizeof *table->slots);
    for (size_t from = 0; from < count; from++) {
        size_t mask = table->slot_count - 1, at = old[from].hash & mask;
        while (old[from].number && table->slots[at].number)
            at = (at + 1) & mask;
        if (old[from].number)
            table->slots[at] = old[from];
    }
    free(old);
}

/* Doubles the slots before the table is two thirds full. */
static inline void grow_slots(struct intern *table)
{
    if (!table->slot_count || table->count * 3 >= table->slot_count * 2)
        set_slots(table, table->slot_count ? table->slot_count * 2 : FIRST_SLOTS);
}

void intern_expect(struct intern *table, size_t count)
{
    size_t slot_count = table->slot_count ? table->slot_count : FIRST_SLOTS;
    while (count * 3 >= slot_count * 2)
        slot_count *= 2;
    if (slot_count != table->slot_count)
        set_slots(table, slot_count);
}

uint32_t intern_add(struct intern *table, struct str s)
{
    return intern_add_hashed(table, s, str_hash(s));
}

uint32_t intern_add_hashed(struct intern *table, struct str s, uint64_t long_hash)
{
    uint32_t hash = (uint32_t)long_hash;
    grow_slots(table);
    struct intern_slot *slot = slot_of(table, s, hash);
    if (slot->number)
        return slot->number - 1;
    table->strings = mem_extend(table->strings, &table->cap, table->count + 1, sizeof *table->strings);
    if (table->count % AHEAD == 0)
        mem_ahead(table->strings, table->cap, table->count, AHEAD, sizeof *table->strings);
    table->strings[table->count] = arena_str(&table->arena, s);
    *slot = (struct intern_slot){.number = (uint32_t)++table->count, .hash = hash};
    return slot->number - 1;
}

void intern_prefetch(const struct intern *table, uint64_t hash)
{
    if (table->slot_count)
        __builtin_prefetch(&table->slots[(uint32_t)hash & (table->slot_count - 1)]);
}

uint32_t intern_find(const struct intern *table, struct str s)
{
    if (table->count == 0)
        return INTERN_NONE;
    const struct intern_slot *slot = slot_of(table, s, (uint32_t)str_hash(s));
    return slot->number ? slot->number - 1 : INTERN_NONE;
}

struct str intern_get(const struct intern *table, uint32_t number)
{
    return number < table->count ? table->strings[number] : (struct str){"", 0};
}

void intern_free(struct intern *table)
{
    arena_free(&table->arena);
    mem_release(table->strings, table->cap, sizeof *table->strings);
    free(table->slots);
    *table = (struct intern){0};
}
