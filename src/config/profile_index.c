#include "config/profile_index.h"

#include "gpu/arch.h"
#include "log/name.h"

#include <stdlib.h>

/* The two keys of a kernel's name: whole, and without template arguments. */
enum { KEY_WHOLE, KEY_SHORT, KEYS };

/* The kernels that have a key. */
struct named {
    uint32_t first, count; /* in the profile: launches[first .. first + count); count 0: none */
    bool several;          /* several names of the profile have this key, so it is ambiguous */
    bool met;              /* the launches belong to a kernel of the model */
    uint32_t
        owner[KEYS]; /* in the model, for each kind of key: the number of an identity, from 1, or SEVERAL; 0: none */
};
#define SEVERAL UINT32_MAX

struct profile_index {
    const struct profile *profile;
    const struct model *model;
    struct intern keys;   /* of the names of the profile, then of those of the model */
    size_t profile_count; /* keys of the profile */
    struct named *named;  /* by key */
    size_t named_cap;
    uint32_t *of_name; /* by name of the model: the key of its launches; NO_INDEX: none */
};

static struct named *name_key(struct profile_index *index, struct str key, uint32_t *number)
{
    *number = intern_add(&index->keys, key);
    return MEM_AT(index->named, index->named_cap, *number);
}

static void key_of_profile(struct str name, struct buf *key)
{
    SCOPED(buf) readable = {0};
    bool mangled = str_starts(name, STR("_Z")) && name_demangle(name, &readable);
    buf_clear(key);
    profile_key(mangled ? buf_str(&readable) : name, key);
}

static void add_named(struct profile_index *index, size_t first, size_t count)
{
    SCOPED(buf) key = {0};
    uint32_t number;
    key_of_profile(index->profile->launches[first].name, &key);
    struct named *named = name_key(index, buf_str(&key), &number);
    if (named->count) {
        named->several = true;
        return;
    }
    named->first = (uint32_t)first;
    named->count = (uint32_t)count;
}

static void name_launches(struct profile_index *index)
{
    const struct profile *profile = index->profile;
    for (size_t first = 0, end; first < profile->count; first = end) {
        end = first + 1;
        while (end < profile->count && str_eq(profile->launches[end].name, profile->launches[first].name))
            end++;
        add_named(index, first, end - first);
    }
}

/* ---- launches of each kernel ------------------------------------------------------------------------------------ */

/* Makes the keys of a kernel's name, and its identity their owner. */
static void own_keys(struct profile_index *index, uint32_t name, uint32_t identity, uint32_t keys[KEYS])
{
    SCOPED(buf) readable = {0}, key = {0};
    name_demangle(intern_get(&index->model->names, name), &readable);
    for (int which = 0; which < KEYS; which++) {
        buf_clear(&key);
        (which == KEY_WHOLE ? profile_key : profile_short_key)(buf_str(&readable), &key);
        uint32_t *owner = &name_key(index, buf_str(&key), &keys[which])->owner[which];
        *owner = *owner == 0 || *owner == identity ? identity : SEVERAL;
    }
}

/* The key with launches: the whole key, else the short one. */
static uint32_t find_launches(struct profile_index *index, const uint32_t keys[KEYS])
{
    for (int which = 0; which < KEYS; which++) {
        struct named *named = &index->named[keys[which]];
        if (named->owner[which] == SEVERAL || named->count == 0 || named->several)
            continue;
        named->met = true;
        return keys[which];
    }
    return NO_INDEX;
}

static void give_names(struct profile_index *index, const bool *is_entry)
{
    const struct intern *names = &index->model->names;
    SCOPED(intern) identities = {0};
    SCOPED(buf) identity = {0};
    uint32_t(*keys)[KEYS] = mem_alloc((names->count + 1) * sizeof *keys);
    for (uint32_t name = 0; name < names->count; name++) {
        if (!is_entry[name])
            continue;
        buf_clear(&identity);
        name_identity(intern_get(names, name), &identity);
        own_keys(index, name, intern_add(&identities, buf_str(&identity)) + 1, keys[name]);
    }
    for (uint32_t name = 0; name < names->count; name++)
        index->of_name[name] = is_entry[name] ? find_launches(index, keys[name]) : NO_INDEX;
    free(keys);
}

struct profile_index *profile_index_new(const struct profile *profile, const struct model *model)
{
    struct profile_index *index = mem_alloc(sizeof *index);
    bool *is_entry = mem_alloc(model->names.count + 1);
    *index = (struct profile_index){.profile = profile, .model = model};
    index->of_name = mem_alloc((model->names.count + 1) * sizeof *index->of_name);
    for (size_t at = 0; at < model->kernel_count; at++)
        if (model->kernels[at].kind == KERNEL_ENTRY)
            is_entry[model->kernels[at].name] = true;
    name_launches(index);
    index->profile_count = index->keys.count;
    give_names(index, is_entry);
    free(is_entry);
    return index;
}

void profile_index_free(struct profile_index *index)
{
    if (!index)
        return;
    intern_free(&index->keys);
    free(index->named);
    free(index->of_name);
    free(index);
}

/* ---- queries ---------------------------------------------------------------------------------------------------- */

static bool can_run_code(int32_t device, int32_t code)
{
    return device == 0 || (code > 0 && device / 10 == code / 10 && device % 10 >= code % 10);
}

size_t profile_index_launches(const struct profile_index *index, const struct kernel *kernel,
                              const struct profile_launch **launches, size_t most)
{
    uint32_t number = index->of_name[kernel->name];
    size_t count = 0;
    if (number == NO_INDEX || kernel->kind != KERNEL_ENTRY)
        return 0;
    const struct named *named = &index->named[number];
    int32_t code = arch_number(kernel_arch(index->model, kernel));
    for (uint32_t at = named->first; at < named->first + named->count; at++) {
        const struct profile_launch *launch = &index->profile->launches[at];
        if (!can_run_code(launch->compute_capability, code))
            continue;
        if (count < most)
            launches[count] = launch;
        count++;
    }
    return count;
}

void profile_index_report(const struct profile_index *index, struct diags *diags)
{
    enum { SHOWN = 3, LONGEST = 80 };
    SCOPED(buf) names = {0};
    size_t missing = 0;
    for (size_t number = 0; number < index->profile_count; number++) {
        if (index->named[number].met)
            continue;
        struct str name = index->profile->launches[index->named[number].first].name;
        if (missing < SHOWN)
            buf_fmt(&names, "%s%.*s%s", missing ? ", " : "", STR_ARG(str_sub(name, 0, LONGEST)),
                    name.len > LONGEST ? "..." : "");
        missing++;
    }
    if (missing)
        diag_warning(diags, (struct place){.path = index->profile->path},
                     "%zu of %zu kernels in the profile are not in the log, or their name fits several there: %.*s%s",
                     missing, index->profile_count, STR_ARG(buf_str(&names)), missing > SHOWN ? ", ..." : "");
}
