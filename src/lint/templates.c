#include "lint/templates.h"

#include "base/thread.h"
#include "log/model.h"
#include "log/name.h"

#include <stdlib.h>

enum { MANY = 10000 }; /* names, from which on a thread is worth its start */

struct templates {
    const struct intern *names;
    struct intern table;
    uint32_t *of_name; /* number + 1, 0: not found yet */
    struct buf scratch;
    pthread_t thread;
    bool works; /* the thread was started and not waited for yet: all else is its own */
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

static void *find_all(void *context)
{
    struct templates *t = context;
    for (uint32_t name = 0; name < t->names->count; name++)
        find(t, name);
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

struct intern *templates_table(struct templates *t)
{
    wait_for(t);
    return &t->table;
}
