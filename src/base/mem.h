/*
 * mem: memory that is there or the program ends. Nothing in the library checks for NULL: when memory runs out the
 * handler is called, which must not return (the default prints one sentence and exits with status 3).
 *
 * An arena owns everything allocated from it; single objects are never freed. Pointers stay valid until arena_free.
 */
#ifndef BASE_MEM_H
#define BASE_MEM_H

#include "base/str.h"

#include <stdarg.h>

struct arena_block;
struct arena {
    struct arena_block *block; /* the newest block; NULL when empty. A zeroed struct is an empty arena. */
};

void *arena_alloc(struct arena *arena, size_t bytes);      /* zeroed, aligned for any type */
struct str arena_str(struct arena *arena, struct str s);   /* a copy, NUL-terminated behind its length */
const char *arena_cstr(struct arena *arena, struct str s); /* the same as a C string */
struct str arena_fmt(struct arena *arena, const char *fmt, ...) __attribute__((format(printf, 2, 3)));
struct str arena_vfmt(struct arena *arena, const char *fmt, va_list args) __attribute__((format(printf, 2, 0)));
void arena_free(struct arena *arena); /* frees all of it and leaves it empty */

void *mem_alloc(size_t bytes); /* zeroed; release with free */

/* A local struct that its own _free ends on every way out of its block: `SCOPED(buf) text = {0};`. What a function
 * gives away must not be one. */
#define SCOPED(name) __attribute__((cleanup(name##_free))) struct name

/*
 * Room for at least `need` items of `item_bytes` in a growing array: returns the array, moved or not, and updates *cap
 * (items). array may be NULL with *cap 0.
 */
void *mem_reserve(void *array, size_t *cap, size_t need, size_t item_bytes);

/* One more item of a growing array, not zeroed, by its address; array, count and cap are evaluated several times. */
#define MEM_ADD(array, count, cap)                                                                                     \
    ((array) = mem_reserve(array, &(cap), (count) + 1, sizeof *(array)), &(array)[(count)++])

/* For each of `count` items of an array, by its address: `EACH(const struct rule, rule, rules->rules, rules->count)`.
 * The array neither moves nor grows in the loop. */
#define EACH(type, item, array, count)                                                                                 \
    for (type *item = (array), *item##_end = item ? item + (count) : NULL; item != item##_end; item++)

/* `at`, a size_t, becomes the number of the first of `count` ordered items for which `before`, an expression of `at`,
 * is false; `count` when there is none. */
#define MEM_FIND(at, count, before)                                                                                    \
    for (size_t low_ = 0, high_ = (count); (at) = low_ + (high_ - low_) / 2, low_ < high_;)                            \
        if (before)                                                                                                    \
            low_ = (at) + 1;                                                                                           \
        else                                                                                                           \
            high_ = (at)

/* qsort, also of no items without an array. */
void mem_sort(void *items, size_t count, size_t item_bytes, int (*compare)(const void *, const void *));

/* Texts in a growing array from malloc, which end where their owners do. */
struct str_list {
    struct str *items;
    size_t count, cap;
};
void str_list_add(struct str_list *list, struct str item);
bool str_list_has(const struct str_list *list, struct str item);
void str_list_free(struct str_list *list); /* and leaves it empty */

/* Item `at` of a growing array by its address, those that were not asked for yet zeroed; array and cap are evaluated
 * several times. */
void *mem_reserve_zeroed(void *array, size_t *cap, size_t need, size_t item_bytes);
#define MEM_AT(array, cap, at)                                                                                         \
    ((array) = mem_reserve_zeroed(array, &(cap), (size_t)(at) + 1, sizeof *(array)), &(array)[at])

/* Who is called when memory runs out, NULL for the default; it must not return. */
void mem_on_exhausted(void (*handler)(void));

/* Calls the handler, for libraries that say that they got no memory. */
_Noreturn void mem_exhausted(void);

/* What is done before the handler is called; it must not ask for memory. There is one for the whole program. */
void mem_before_end(void (*work)(void));

#endif
