#include "config/profile_index.h"

#include "gpu/arch.h"
#include "log/name.h"

#include <stdlib.h>
#include <string.h>

/* The launches under one name of the profile: launches[first .. first + count), or of several spellings of it. */
struct named {
    uint32_t first, count;
    bool several; /* the profile has other names with this key: which one is meant is not known */
    bool met;     /* a kernel of the model has it */
};

struct profile_index {
    const struct profile *profile;
    const struct model *model;
    struct intern keys; /* of the profile's names */
    struct named *named;
    size_t named_cap;
    uint32_t *of_name; /* by name of the model: into named; NO_INDEX */
};

static void key_of_profile(struct str name, struct buf *key)
{
    struct buf readable = {0};
    bool mangled = str_starts(name, STR("_Z")) && name_demangle(name, &readable);
    buf_clear(key);
    profile_key(mangled ? buf_str(&readable) : name, key);
    buf_free(&readable);
}

static void add_named(struct profile_index *index, size_t first, size_t count)
{
    struct buf key = {0};
    size_t before = index->keys.count;
    key_of_profile(index->profile->launches[first].name, &key);
    uint32_t number = intern_add(&index->keys, buf_str(&key));
    index->named = mem_reserve(index->named, &index->named_cap, number + 1, sizeof *index->named);
    if (number < before)
        index->named[number].several = true;
    else
        index->named[number] = (struct named){.first = (uint32_t)first, .count = (uint32_t)count};
    buf_free(&key);
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

/* ---- whose they are --------------------------------------------------------------------------------------------- */

/* What a key names in the model: one identity, or several. */
struct owner {
    uint32_t identity;
    bool several;
};

struct owners {
    struct intern keys, identities;
    struct owner *items;
    size_t cap;
};

static void own(struct owners *owners, struct str key, uint32_t identity)
{
    size_t before = owners->keys.count;
    uint32_t number = intern_add(&owners->keys, key);
    owners->items = mem_reserve(owners->items, &owners->cap, number + 1, sizeof *owners->items);
    if (number >= before)
        owners->items[number] = (struct owner){identity, false};
    else
        owners->items[number].several |= owners->items[number].identity != identity;
}

static bool owns(const struct owners *owners, struct str key)
{
    uint32_t number = intern_find(&owners->keys, key);
    return number != INTERN_NONE && !owners->items[number].several;
}

static void owners_free(struct owners *owners)
{
    intern_free(&owners->keys);
    intern_free(&owners->identities);
    free(owners->items);
}

static void keys_of_kernel(const struct model *model, uint32_t name, struct buf *key, struct buf *shorter)
{
    struct buf readable = {0};
    name_demangle(intern_get(&model->names, name), &readable);
    buf_clear(key);
    buf_clear(shorter);
    profile_key(buf_str(&readable), key);
    profile_short_key(buf_str(&readable), shorter);
    buf_free(&readable);
}

/* Every name of a kernel under its keys. */
static void find_owners(const struct model *model, const bool *is_entry, struct owners *whole, struct owners *brief)
{
    struct buf key = {0}, shorter = {0}, identity = {0};
    for (uint32_t name = 0; name < model->names.count; name++) {
        if (!is_entry[name])
            continue;
        keys_of_kernel(model, name, &key, &shorter);
        buf_clear(&identity);
        name_identity(intern_get(&model->names, name), &identity);
        uint32_t number = intern_add(&whole->identities, buf_str(&identity));
        own(whole, buf_str(&key), number);
        own(brief, buf_str(&shorter), number);
    }
    buf_free(&key);
    buf_free(&shorter);
    buf_free(&identity);
}

static uint32_t find_named(struct profile_index *index, struct str key)
{
    uint32_t number = intern_find(&index->keys, key);
    if (number == INTERN_NONE || index->named[number].several)
        return NO_INDEX;
    return number;
}

static void give_names(struct profile_index *index, const bool *is_entry)
{
    struct owners whole = {0}, brief = {0};
    struct buf key = {0}, shorter = {0};
    find_owners(index->model, is_entry, &whole, &brief);
    for (uint32_t name = 0; name < index->model->names.count; name++) {
        if (!is_entry[name])
            continue;
        keys_of_kernel(index->model, name, &key, &shorter);
        uint32_t found = owns(&whole, buf_str(&key)) ? find_named(index, buf_str(&key)) : NO_INDEX;
        if (found == NO_INDEX && owns(&brief, buf_str(&shorter)))
            found = find_named(index, buf_str(&shorter));
        index->of_name[name] = found;
        if (found != NO_INDEX)
            index->named[found].met = true;
    }
    buf_free(&key);
    buf_free(&shorter);
    owners_free(&whole);
    owners_free(&brief);
}

struct profile_index *profile_index_new(const struct profile *profile, const struct model *model)
{
    struct profile_index *index = mem_alloc(sizeof *index);
    bool *is_entry = mem_alloc(model->names.count + 1);
    *index = (struct profile_index){.profile = profile, .model = model};
    index->of_name = mem_alloc((model->names.count + 1) * sizeof *index->of_name);
    memset(index->of_name, 0xFF, (model->names.count + 1) * sizeof *index->of_name);
    for (size_t at = 0; at < model->kernel_count; at++)
        if (model->kernels[at].kind == KERNEL_ENTRY && model->kernels[at].name != NO_INDEX)
            is_entry[model->kernels[at].name] = true;
    name_launches(index);
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

/* ---- asking ----------------------------------------------------------------------------------------------------- */

static bool runs(int32_t device, int32_t code)
{
    return device == 0 || (code > 0 && device / 10 == code / 10 && device % 10 >= code % 10);
}

size_t profile_index_launches(const struct profile_index *index, const struct kernel *kernel,
                              const struct profile_launch **launches, size_t most)
{
    uint32_t number = kernel->name == NO_INDEX ? NO_INDEX : index->of_name[kernel->name];
    size_t count = 0;
    if (number == NO_INDEX || kernel->kind != KERNEL_ENTRY)
        return 0;
    const struct named *named = &index->named[number];
    int32_t code = arch_number(kernel_arch(index->model, kernel)) / 10;
    for (uint32_t at = named->first; at < named->first + named->count; at++) {
        const struct profile_launch *launch = &index->profile->launches[at];
        if (!runs(launch->compute_capability, code))
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
    struct buf names = {0};
    size_t missing = 0;
    for (size_t number = 0; number < index->keys.count; number++) {
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
                     "%zu of %zu kernels in this profile are not in the log, or their name fits several there: %.*s%s",
                     missing, index->keys.count, STR_ARG(buf_str(&names)), missing > SHOWN ? ", ..." : "");
    buf_free(&names);
}
