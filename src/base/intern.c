#include "base/intern.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

/* The slot of the string, or the free slot for it. */
static struct intern_slot *slot_of(const struct intern *table, struct str s, uint32_t hash)
{
    size_t mask = table->slot_count - 1, at = hash & mask;
    for (; table->slots[at].number; at = (at + 1) & mask)
        if (table->slots[at].hash == hash && str_eq(table->strings[table->slots[at].number - 1], s))
            break;
    return &table->slots[at];
}

/* Doubles the number of slots before the table is more than two thirds full. */
static void grow_slots(struct intern *table)
{
    struct intern_slot *old = table->slots;
    size_t count = table->slot_count;
    if (count && table->count * 3 < count * 2)
        return;
    table->slot_count = count ? count * 2 : FIRST_SLOTS;
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

uint32_t intern_add(struct intern *table, struct str s)
{
    uint32_t hash = (uint32_t)str_hash(s);
    grow_slots(table);
    struct intern_slot *slot = slot_of(table, s, hash);
    if (slot->number)
        return slot->number - 1;
    *MEM_ADD(table->strings, table->count, table->cap) = arena_str(&table->arena, s);
    *slot = (struct intern_slot){.number = (uint32_t)table->count, .hash = hash};
    return slot->number - 1;
}

uint32_t intern_take(struct intern *table, struct buf *text)
{
    const uint32_t number = intern_add(table, buf_str(text));
    buf_free(text);
    return number;
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
    free(table->strings);
    free(table->slots);
    *table = (struct intern){0};
}
