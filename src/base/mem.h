/*
 * mem: memory allocation that never returns NULL, so no caller checks for it. When memory runs out the handler is
 * called, which must not return (the default one prints one sentence and exits with status 3).
 *
 * An arena owns everything allocated from it; single objects are never freed. Pointers stay valid until arena_free.
 */
#pragma once

#include "base/str.h"

#include <stdarg.h>

struct arena_block;
struct arena {
    struct arena_block *block; /* the newest block; NULL when empty. A zeroed struct is an empty arena. */
};

void *arena_alloc(struct arena *arena, size_t bytes);      /* zeroed, aligned for any type */
struct str arena_str(struct arena *arena, struct str s);   /* a copy with a NUL after its last byte */
const char *arena_cstr(struct arena *arena, struct str s); /* the same as a C string */
struct str arena_fmt(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str arena_vfmt(struct arena *arena, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
void arena_free(struct arena *arena); /* frees all memory and leaves the arena empty */

void *mem_alloc(size_t bytes); /* zeroed; release with free */

/* Declares a local struct that its own _free function releases at every exit from the block: `SCOPED(buf) text = {0};`.
 * Do not use it for a value that the function returns or hands over. */
#define SCOPED(name) __attribute__((cleanup(name##_free))) struct name

/*
 * Room for at least `need` items of `item_bytes` in a growing array: returns the array, moved or not, and updates *cap
 * (items). array may be NULL with *cap 0.
 */
void *mem_reserve(void *array, size_t *cap, size_t need, size_t item_bytes);

/* Adds one item to a growing array and gives its address; the item is not zeroed. array, count and cap are evaluated
 * several times. */
#define MEM_ADD(array, count, cap)                                                                                     \
    ((array) = mem_reserve(array, &(cap), (count) + 1, sizeof *(array)), &(array)[(count)++])

/* Iterates over the `count` items of an array, by address: `EACH(const struct rule, rule, rules->rules, rules->count)`.
 * The array must not move or grow in the loop. */
#define EACH(type, item, array, count)                                                                                 \
    for (type *item = (array), *item##_end = item ? item + (count) : NULL; item != item##_end; item++)

/* Binary search: sets `at`, a size_t, to the index of the first of `count` ordered items for which `before`, an
 * expression of `at`, is false; to `count` if there is none. */
#define MEM_FIND(at, count, before)                                                                                    \
    for (size_t low_ = 0, high_ = (count); (at) = low_ + (high_ - low_) / 2, low_ < high_;)                            \
        if (before)                                                                                                    \
            low_ = (at) + 1;                                                                                           \
        else                                                                                                           \
            high_ = (at)

/* qsort that accepts NULL if count is 0. */
void mem_sort(void *items, size_t count, size_t item_bytes, int (*compare)(const void *, const void *));

/* A growing array of texts, from malloc; the texts themselves belong to others. */
struct str_list {
    struct str *items;
    size_t count, cap;
};
void str_list_add(struct str_list *list, struct str item);
bool str_list_has(const struct str_list *list, struct str item);
void str_list_free(struct str_list *list); /* leaves the list empty */

/* The address of item `at` of an array that grows to contain it; new items are zeroed. array and cap are evaluated
 * several times. */
void *mem_reserve_zeroed(void *array, size_t *cap, size_t need, size_t item_bytes);
#define MEM_AT(array, cap, at)                                                                                         \
    ((array) = mem_reserve_zeroed(array, &(cap), (size_t)(at) + 1, sizeof *(array)), &(array)[at])

/* Sets the function that is called when memory runs out, NULL: the default. It must not return. */
void mem_on_exhausted(void (*handler)(void));

/* Calls the handler; for libraries that report that they got no memory. */
_Noreturn void mem_exhausted(void);

/* Sets a function that is called before the handler; it must not allocate memory. The program has only one. */
void mem_before_end(void (*work)(void));
