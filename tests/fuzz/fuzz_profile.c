/*
 * Any bytes as a profiler's table. A refusal has a message with a place in the text. Every launch in the result has a
 * name from the text, a block, a line and a count; the counts add up to the number of launches; the order is the
 * documented one; reading twice gives the same result.
 */
#include "config/profile.h"
#include "fuzz.h"

/* The text without quotes, because fields may have them or not. */
static void add_unquoted(struct str text, struct buf *out)
{
    for (size_t at = 0; at < text.len; at++)
        if (text.ptr[at] != '"')
            buf_char(out, text.ptr[at]);
}

static bool is_from(struct str name, struct str unquoted)
{
    struct buf own = {0};
    add_unquoted(name, &own);
    bool found = str_find(unquoted, buf_str(&own)) != STR_NONE;
    buf_free(&own);
    return found;
}

static void check_launch(const struct profile_launch *launch, struct str unquoted)
{
    fuzz_check(launch->name.len && is_from(launch->name, unquoted), "a name that nobody gave: %.*s",
               STR_ARG(launch->name));
    fuzz_check(launch->threads > 0 && launch->grid >= 0 && launch->registers >= 0 && launch->count > 0 &&
                   launch->dynamic_smem_bytes >= -1 && launch->compute_capability >= 0,
               "a launch that cannot be: %lld threads, %lld blocks, %lld registers, %lld B, %d, %llu times",
               (long long)launch->threads, (long long)launch->grid, (long long)launch->registers,
               (long long)launch->dynamic_smem_bytes, launch->compute_capability, (unsigned long long)launch->count);
    float achieved = launch->achieved_occupancy;
    fuzz_check(achieved == -1 || (achieved >= 0 && achieved <= 1), "an achieved occupancy of %g", (double)achieved);
    fuzz_check(launch->line > 0, "no line");
}

static void check_profile(const struct profile *profile, struct str text)
{
    struct buf unquoted = {0}, key = {0};
    uint64_t count = 0;
    size_t lines = 1;
    add_unquoted(text, &unquoted);
    for (size_t at = 0; at < text.len; at++)
        lines += text.ptr[at] == '\n';
    for (size_t at = 0; at < profile->count; at++) {
        const struct profile_launch *launch = &profile->launches[at];
        check_launch(launch, buf_str(&unquoted));
        int order = at ? str_cmp(launch[-1].name, launch->name) : -1;
        fuzz_check(order < 0 || (order == 0 && launch[-1].count >= launch->count), "out of order");
        fuzz_check(launch->line <= lines, "line %zu of %zu", launch->line, lines);
        count += launch->count;
        profile_key(launch->name, &key);
        profile_short_key(launch->name, &key);
    }
    fuzz_check(count == profile->seen, "the counts do not add up");
    buf_free(&unquoted);
    buf_free(&key);
}

static bool read_profile(struct profile *profile, const char *path, struct str text)
{
    struct diags diags = {0};
    bool ok = profile_read(profile, str_of(path), &diags);
    fuzz_check(ok == (diags.errors == 0), "refused without a word, or taken with one");
    fuzz_check_places(&diags, text);
    diags_free(&diags);
    return ok;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct str text = {(const char *)bytes, size};
    struct profile profile = {0}, again = {0};
    const char *path = fuzz_file(text);
    if (read_profile(&profile, path, text)) {
        check_profile(&profile, text);
        fuzz_check(read_profile(&again, path, text), "refused the second time");
        fuzz_check(again.count == profile.count && again.seen == profile.seen, "another table the second time");
    }
    profile_free(&profile);
    profile_free(&again);
    return 0;
}
