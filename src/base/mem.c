#include "base/mem.h"

#include "base/stream.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { FIRST_BLOCK = 4096, LARGEST_BLOCK = 1 << 20, ALIGN = _Alignof(max_align_t) };

struct arena_block {
    struct arena_block *older;
    size_t used, size;
    _Alignas(max_align_t) char bytes[];
};

static void end_of_memory(void)
{
    stream_print(STR("warplint: out of memory; nothing was judged\n"));
    _exit(3);
}

static void (*exhausted)(void) = end_of_memory;

void mem_on_exhausted(void (*handler)(void))
{
    exhausted = handler ? handler : end_of_memory;
}

static void (*before_end)(void);

void mem_before_end(void (*work)(void))
{
    before_end = work;
}

void mem_exhausted(void)
{
    if (before_end)
        before_end();
    exhausted();
    abort(); /* reached only if a handler returns, which is a bug */
}

static void *check(void *ptr)
{
    if (!ptr)
        mem_exhausted();
    return ptr;
}

void *mem_alloc(size_t bytes)
{
    return check(calloc(1, bytes ? bytes : 1));
}

void *mem_reserve(void *array, size_t *cap, size_t need, size_t item_bytes)
{
    if (need <= *cap)
        return array;
    size_t next = *cap < 8 ? 8 : *cap + *cap / 2;
    if (next < need)
        next = need;
    if (next > SIZE_MAX / item_bytes)
        mem_exhausted();
    array = check(realloc(array, next * item_bytes));
    *cap = next;
    return array;
}

void mem_sort(void *items, size_t count, size_t item_bytes, int (*compare)(const void *, const void *))
{
    if (count > 1)
        qsort(items, count, item_bytes, compare);
}

void str_list_add(struct str_list *list, struct str item)
{
    *MEM_ADD(list->items, list->count, list->cap) = item;
}

bool str_list_has(const struct str_list *list, struct str item)
{
    size_t at = 0;
    while (at < list->count && !str_eq(list->items[at], item))
        at++;
    return at < list->count;
}

void str_list_free(struct str_list *list)
{
    free(list->items);
    *list = (struct str_list){0};
}

void *mem_reserve_zeroed(void *array, size_t *cap, size_t need, size_t item_bytes)
{
    size_t before = *cap;
    char *items = mem_reserve(array, cap, need, item_bytes);
    if (*cap > before)
        memset(items + before * item_bytes, 0, (*cap - before) * item_bytes);
    return items;
}

/* ---- arenas ----------------------------------------------------------------------------------------------------- */

static struct arena_block *add_block(struct arena *arena, size_t bytes)
{
    size_t size = arena->block ? arena->block->size * 2 : FIRST_BLOCK;
    if (size > LARGEST_BLOCK)
        size = LARGEST_BLOCK;
    if (size < bytes)
        size = bytes;
    struct arena_block *block = check(malloc(sizeof *block + size));
    *block = (struct arena_block){.older = arena->block, .used = 0, .size = size};
    arena->block = block;
    return block;
}

static void *take(struct arena *arena, size_t bytes, size_t align)
{
    struct arena_block *block = arena->block;
    size_t start = block ? (block->used + align - 1) / align * align : 0;
    if (!block || start > block->size || block->size - start < bytes) {
        block = add_block(arena, bytes);
        start = 0;
    }
    block->used = start + bytes;
    return block->bytes + start;
}

void *arena_alloc(struct arena *arena, size_t bytes)
{
    return memset(take(arena, bytes, ALIGN), 0, bytes);
}

struct str arena_str(struct arena *arena, struct str s)
{
    char *copy = take(arena, s.len + 1, 1);
    if (s.len)
        memcpy(copy, s.ptr, s.len);
    copy[s.len] = '\0';
    return (struct str){copy, s.len};
}

const char *arena_cstr(struct arena *arena, struct str s)
{
    return arena_str(arena, s).ptr;
}

struct str arena_fmt(struct arena *arena, const char *fmt, ...)
{
    va_list args;
    va_start(args, fmt);
    struct str text = arena_vfmt(arena, fmt, args);
    va_end(args);
    return text;
}

struct str arena_vfmt(struct arena *arena, const char *fmt, va_list args)
{
    va_list again;
    va_copy(again, args);
    int length = vsnprintf(NULL, 0, fmt, args);
    if (length < 0)
        length = 0;
    char *text = take(arena, (size_t)length + 1, 1);
    text[0] = '\0';
    vsnprintf(text, (size_t)length + 1, fmt, again);
    va_end(again);
    return (struct str){text, (size_t)length};
}

void arena_free(struct arena *arena)
{
    while (arena->block) {
        struct arena_block *older = arena->block->older;
        free(arena->block);
        arena->block = older;
    }
}
