#include "lint/templates.h"

#include "base/thread.h"
#include "log/model.h"
#include "log/name.h"

#include <stdlib.h>

enum {
    MANY = 10000,  /* names, from which on a thread is worth its start */
    AT_A_TIME = 16 /* names */
};

struct templates {
    const struct intern *names;
    struct intern table;
    uint32_t *of_name; /* number + 1, 0: not found yet */
    struct buf scratch;
    pthread_t thread;
    bool works; /* the thread was started and not waited for yet: all else is its own */
    bool all;   /* of every name it is known */
};

static uint32_t find(struct templates *t, uint32_t name)
{
    if (!t->of_name[name]) {
        buf_clear(&t->scratch);
        name_template(intern_get(t->names, name), &t->scratch);
        t->of_name[name] = intern_add(&t->table, buf_str(&t->scratch)) + 1;
    }
    return t->of_name[name] - 1;
}

/* Some names at a time, so that the processor need not wait for the table for each of them. */
static void find_some(struct templates *t, uint32_t first, uint32_t count)
{
    size_t ends[AT_A_TIME];
    uint64_t hashes[AT_A_TIME];
    buf_clear(&t->scratch);
    for (uint32_t at = 0; at < count; at++) {
        size_t start = t->scratch.len;
        name_template(intern_get(t->names, first + at), &t->scratch);
        ends[at] = t->scratch.len;
        hashes[at] = str_hash(str_from(buf_str(&t->scratch), start));
        intern_prefetch(&t->table, hashes[at]);
    }
    for (uint32_t at = 0; at < count; at++) {
        struct str text = str_sub(buf_str(&t->scratch), at ? ends[at - 1] : 0, ends[at]);
        t->of_name[first + at] = intern_add_hashed(&t->table, text, hashes[at]) + 1;
    }
}

static void *find_all(void *context)
{
    struct templates *t = context;
    intern_expect(&t->table, t->names->count);
    for (uint32_t name = 0; name < t->names->count; name += AT_A_TIME) {
        size_t left = t->names->count - name;
        find_some(t, name, left < AT_A_TIME ? (uint32_t)left : AT_A_TIME);
    }
    t->all = true;
    return NULL;
}

struct templates *templates_new(const struct intern *names, unsigned threads)
{
    struct templates *t = mem_alloc(sizeof *t);
    t->names = names;
    t->of_name = mem_alloc((names->count + 1) * sizeof *t->of_name);
    t->works = names->count >= MANY && threads_to_use(threads) > 1 && thread_start(&t->thread, find_all, t);
    return t;
}

static void wait_for(struct templates *t)
{
    if (t->works)
        pthread_join(t->thread, NULL);
    t->works = false;
}

void templates_free(struct templates *t)
{
    if (!t)
        return;
    wait_for(t);
    free(t->of_name);
    intern_free(&t->table);
    buf_free(&t->scratch);
    free(t);
}

uint32_t template_of(struct templates *t, uint32_t name)
{
    wait_for(t);
    return name == NO_INDEX ? NO_INDEX : find(t, name);
}

void templates_find_all(struct templates *t)
{
    wait_for(t);
    if (!t->all)
        find_all(t);
}

struct intern *templates_table(struct templates *t)
{
    wait_for(t);
    return &t->table;
}
