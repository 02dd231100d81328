#include "base/intern.h"

#include <stdlib.h>

enum { FIRST_SLOTS = 256 };

static size_t slot_of(const struct intern *table, struct str s, uint32_t hash)
{
    size_t mask = table->slot_count - 1;
    size_t at = hash & mask;
    while (table->slots[at]) {
        uint32_t number = table->slots[at] - 1;
        if (table->hashes[number] == hash && str_eq(table->strings[number], s))
            break;
        at = (at + 1) & mask;
    }
    return at;
}

/* Doubles the slots before the table is two thirds full. */
static void grow_slots(struct intern *table)
{
    if (table->slot_count && table->count * 3 < table->slot_count * 2)
        return;
    table->slot_count = table->slot_count ? table->slot_count * 2 : FIRST_SLOTS;
    free(table->slots);
    table->slots = mem_alloc(table->slot_count * sizeof *table->slots);
    size_t mask = table->slot_count - 1;
    for (size_t number = 0; number < table->count; number++) {
        size_t at = table->hashes[number] & mask;
        while (table->slots[at])
            at = (at + 1) & mask;
        table->slots[at] = (uint32_t)number + 1;
    }
}

static void grow_strings(struct intern *table)
{
    size_t cap = table->cap;
    table->strings = mem_reserve(table->strings, &cap, table->count + 1, sizeof *table->strings);
    table->hashes = mem_reserve(table->hashes, &table->cap, table->count + 1, sizeof *table->hashes);
}

uint32_t intern_add(struct intern *table, struct str s)
{
    return intern_add_hashed(table, s, str_hash(s));
}

uint32_t intern_add_hashed(struct intern *table, struct str s, uint64_t long_hash)
{
    uint32_t hash = (uint32_t)long_hash;
    grow_slots(table);
    size_t at = slot_of(table, s, hash);
    if (table->slots[at])
        return table->slots[at] - 1;
    grow_strings(table);
    table->strings[table->count] = arena_str(&table->arena, s);
    table->hashes[table->count] = hash;
    table->slots[at] = (uint32_t)++table->count;
    return (uint32_t)table->count - 1;
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
    size_t at = slot_of(table, s, (uint32_t)str_hash(s));
    return table->slots[at] ? table->slots[at] - 1 : INTERN_NONE;
}

struct str intern_get(const struct intern *table, uint32_t number)
{
    return number < table->count ? table->strings[number] : (struct str){"", 0};
}

void intern_free(struct intern *table)
{
    arena_free(&table->arena);
    free(table->strings);
    free(table->hashes);
    free(table->slots);
    *table = (struct intern){0};
}
