#include "config/launch_resolver.h"

#include "log/name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* An entry whose pattern matches a name. */
struct name_match {
    uint32_t entry;
    const struct str *groups; /* of the match */
};

/* The matches of one name, in the order of the entries. */
struct name_matches {
    uint32_t first, count;
    bool asked;
};

/* The use of one entry. */
struct entry_state {
    uint8_t *source_results; /* two for each string, for the path as it is and as seen from here: 1 + enum regex_result,
                                0: not matched yet; or NULL */
    bool unsourced;          /* it has a `source`, and a kernel whose name matches has an unknown source */
    bool seen;               /* the name and source of some kernel match; set by launch_resolver_report */
    bool failed;
};

struct launch_resolver {
    struct launch_sources sources;
    const struct model *model;
    struct arena arena;            /* groups of matches */
    struct profile_index *profile; /* NULL: not made yet, or no profile */
    struct name_matches *names;    /* by number of the name; NULL: not made yet */
    struct name_match *matches;
    size_t match_count, match_cap;
    struct str *scratch;                 /* room for the groups of any entry */
    struct entry_state *states;          /* by entry */
    struct intern known;                 /* launch configurations as bytes, by their number */
    struct launch_config *launch_config; /* by number */
    size_t fact_cap;
    uint32_t of_others; /* the number of the launch configuration of kernels without an entry */
    struct buf name;    /* readable, of the last match */
    struct diags diags;
};

void launch_resolver_free(struct launch_resolver *launches)
{
    if (!launches)
        return;
    for (size_t at = 0; at < launches->sources.entry_count; at++)
        free(launches->states[at].source_results);
    profile_index_free(launches->profile);
    free(launches->states);
    free(launches->scratch);
    free(launches->names);
    free(launches->matches);
    free(launches->launch_config);
    intern_free(&launches->known);
    buf_free(&launches->name);
    arena_free(&launches->arena);
    diags_free(&launches->diags);
    free(launches);
}

/* ---- entries that match a kernel ---- */

/* True for the first failure of each entry: one error is enough. */
static bool first_failure(struct launch_resolver *launches, uint32_t entry)
{
    bool first = !launches->states[entry].failed;
    launches->states[entry].failed = true;
    return first;
}

static bool is_match(struct launch_resolver *launches, uint32_t entry, enum regex_result result, struct place place)
{
    if (result == REGEX_LIMIT && first_failure(launches, entry))
        diag_error(&launches->diags, place,
                   "matching this pattern takes too many steps, write it without nested repetition");
    return result == REGEX_YES;
}

static void add_match(struct launch_resolver *launches, uint32_t entry, const struct str *groups, size_t count)
{
    struct str *copies = arena_alloc(&launches->arena, count * sizeof *copies);
    for (size_t at = 0; at < count; at++)
        copies[at] = arena_str(&launches->arena, groups[at]);
    *MEM_ADD(launches->matches, launches->match_count, launches->match_cap) = (struct name_match){entry, copies};
}

static void set_name(struct launch_resolver *launches, uint32_t name)
{
    buf_clear(&launches->name);
    name_demangle(intern_get(&launches->model->names, name), &launches->name);
}

static void match_name(struct launch_resolver *launches, uint32_t name, struct name_matches *matches)
{
    const struct launch_sources *sources = &launches->sources;
    set_name(launches, name);
    matches->asked = true;
    matches->first = (uint32_t)launches->match_count;
    for (uint32_t at = 0; at < sources->entry_count; at++) {
        const struct kernel_override *entry = &sources->entries[at];
        enum regex_result result = kernel_override_match(entry, buf_str(&launches->name), launches->scratch);
        if (is_match(launches, at, result, entry->match_place))
            add_match(launches, at, launches->scratch, entry->scope.capture_count);
    }
    matches->count = (uint32_t)launches->match_count - matches->first;
}

static const struct name_matches *matches_of(struct launch_resolver *launches, uint32_t name)
{
    static const struct name_matches none = {0};
    if (name == NO_INDEX || launches->sources.entry_count == 0)
        return &none;
    if (!launches->names)
        launches->names = mem_alloc((launches->model->names.count + 1) * sizeof *launches->names);
    struct name_matches *matches = &launches->names[name];
    if (!matches->asked)
        match_name(launches, name, matches);
    return matches;
}

/* Matches the path as it is, and as it is in the checkout, which does not depend on the working directories of the
 * compiler and of this process. */
static enum regex_result match_source(const struct launch_resolver *launches, uint32_t number, struct str path,
                                      uint16_t log)
{
    const struct kernel_override *entry = &launches->sources.entries[number];
    enum regex_result result = kernel_override_match_source(entry, path);
    if (result != REGEX_NO || path.len == 0 || path.ptr[0] == '/')
        return result;
    SCOPED(buf) whole = {0};
    checkout_path_of_log(launches->model, log, path, launches->sources.checkout, &whole);
    return kernel_override_match_source(entry, buf_str(&whole));
}

static bool source_fits(struct launch_resolver *launches, uint32_t number, uint32_t source, uint16_t log)
{
    const struct model *model = launches->model;
    const struct kernel_override *entry = &launches->sources.entries[number];
    if (!entry->source)
        return true;
    if (source == NO_INDEX)
        return false;
    struct str path = model_string(model, source);
    const bool here = model->logs[log].from_here;
    if (!here && log_working_directory(model, &model->logs[log]).len)
        return is_match(launches, number, match_source(launches, number, path, log), entry->source_place);
    uint8_t **results = &launches->states[number].source_results;
    if (!*results)
        *results = mem_alloc(2 * model->strings.count);
    uint8_t *result = &(*results)[2 * (size_t)source + here];
    if (!*result)
        *result =
            (uint8_t)((here ? match_source(launches, number, path, log) : kernel_override_match_source(entry, path)) +
                      1);
    return is_match(launches, number, (enum regex_result)(*result - 1), entry->source_place);
}

/* True if the entry, whose pattern matches the name, also selects the architecture and the source. */
static bool is_about(struct launch_resolver *launches, uint32_t number, uint32_t arch, uint32_t source, uint16_t log)
{
    const struct kernel_override *entry = &launches->sources.entries[number];
    return arch_list_has(&entry->archs.names, model_string(launches->model, arch)) &&
           source_fits(launches, number, source, log);
}

bool launch_resolver_match(struct launch_resolver *launches, uint32_t entry, uint32_t name, uint32_t arch,
                           uint32_t source, uint16_t log)
{
    const struct name_matches *matches = matches_of(launches, name);
    for (uint32_t at = 0; at < matches->count; at++)
        if (launches->matches[matches->first + at].entry == entry)
            return is_about(launches, entry, arch, source, log);
    return false;
}

bool launch_resolver_entry_seen(const struct launch_resolver *launches, uint32_t entry)
{
    return launches->states[entry].seen;
}

bool launch_resolver_entry_only_allows(const struct launch_resolver *launches, uint32_t entry)
{
    return launches->sources.entries[entry].only_allows;
}

/* ---- launch configurations ---- */

static void apply_value(struct launch_resolver *launches, const struct name_match *match,
                        const struct override_value *given, const struct kernel *kernel,
                        struct launch_config *launch_config)
{
    const struct arch_value_case *chosen = arch_value_for(given->value, kernel_arch(launches->model, kernel));
    if (!chosen || launches->states[match->entry].failed)
        return;
    double number = 0;
    if (arch_value_number(given->value, chosen, match->groups, &number)) {
        launch_config_set(launch_config, given->fact, number, THREADS_CONFIG);
    } else if (first_failure(launches, match->entry)) {
        set_name(launches, kernel->name);
        arch_value_explain(given->value, chosen, match->groups, buf_str(&launches->name), &launches->diags);
    }
}

static void apply_entry(struct launch_resolver *launches, const struct name_match *match, const struct kernel *kernel,
                        struct launch_config *launch_config)
{
    const struct kernel_override *entry = &launches->sources.entries[match->entry];
    if (!is_about(launches, match->entry, kernel->arch_inferred, kernel->source, kernel->log))
        return;
    for (size_t at = 0; at < entry->value_count; at++)
        apply_value(launches, match, &entry->values[at], kernel, launch_config);
    if (entry->exact_bounds && launch_config->threads_from == THREADS_BOUND)
        launch_config->threads_from = THREADS_CONFIG;
}

/* True if the kernel declares the block size of every launch. */
static bool requires_block(const struct rare_metrics *rare)
{
    return rare->bound_from == BOUND_REQUIRED || rare->bound_from == BOUND_TRITON;
}

bool launch_config_is_past_bound(const struct launch_config *given, const struct rare_metrics *rare)
{
    return !requires_block(rare) && given->threads > 0 && given->threads_from == THREADS_CLI &&
           rare->bound_threads > 0 && given->threads > rare->bound_threads;
}

/* Options have precedence. A launch bound is not a block size, so an option replaces it; but a block size for all
 * kernels does not apply to a kernel whose launch bound is below it. */
static void apply_given(const struct launch_config *given, const struct rare_metrics *rare,
                        struct launch_config *launch_config)
{
    struct launch_config own = *launch_config;
    for (int at = 0; at < LAUNCH_COUNT; at++) {
        double number = launch_config_get(given, &launch_facts[at]);
        if (!isnan(number))
            launch_config_set(launch_config, &launch_facts[at], number, given->threads_from);
    }
    bool is_taken_over = given->threads_from == THREADS_BOUND && own.threads > 0;
    if (is_taken_over || launch_config_is_past_bound(given, rare)) {
        launch_config->threads = own.threads;
        launch_config->threads_from = own.threads_from;
    }
}

static void apply_sms(const struct launch_resolver *launches, const struct kernel *kernel,
                      struct launch_config *launch_config)
{
    const struct arch_value *sms = launches->sources.sms;
    const struct arch_value_case *chosen = sms ? arch_value_for(sms, kernel_arch(launches->model, kernel)) : NULL;
    double number = 0;
    if (chosen && arch_value_number(sms, chosen, NULL, &number))
        launch_config->sms = (int32_t)number;
}

static uint32_t number_of(struct launch_resolver *launches, const struct launch_config *launch_config)
{
    double key[LAUNCH_COUNT + 1];
    for (int at = 0; at < LAUNCH_COUNT; at++)
        key[at] = launch_facts[at].get(launch_config);
    key[LAUNCH_COUNT] = launch_config->threads_from;
    size_t before = launches->known.count;
    uint32_t number = intern_add(&launches->known, (struct str){(const char *)key, sizeof key});
    if (launches->known.count > before)
        *MEM_AT(launches->launch_config, launches->fact_cap, number) = *launch_config;
    return number;
}

/* Declarations of the kernel are used for what is still unknown, except a required block size, which is that of every
 * launch. Launch bounds above the limit of all GPUs are ignored. */
static void apply_declared(const struct rare_metrics *rare, struct launch_config *launch_config)
{
    enum { MOST_THREADS = 1024 };
    bool triton = rare->bound_from == BOUND_TRITON, required = requires_block(rare);
    if (rare->dynamic_smem_bytes != UNKNOWN && launch_config->dynamic_smem_bytes < 0)
        launch_config->dynamic_smem_bytes = rare->dynamic_smem_bytes;
    if (!rare->bound_threads ||
        (launch_config->threads > 0 && launch_config->threads_from != THREADS_BOUND && !required))
        return;
    launch_config->threads = required || rare->bound_threads < MOST_THREADS ? rare->bound_threads : MOST_THREADS;
    launch_config->threads_from = triton ? THREADS_TRITON : required ? THREADS_REQUIRED : THREADS_BOUND;
}

/* If the record states its block size, its whole launch is used: options and configuration of now do not belong to it.
 */
static void apply_recorded(const struct rare_metrics *rare, struct launch_config *launch_config)
{
    const int32_t smem_bytes = rare->launch_dynamic_smem_bytes;
    launch_config->threads = rare->launch_threads;
    launch_config->threads_from = THREADS_CONFIG;
    launch_config->dynamic_smem_bytes = smem_bytes == UNKNOWN ? -1 : smem_bytes;
    launch_config->carveout = rare->launch_carveout_percent < 0 ? -1 : (float)rare->launch_carveout_percent / 100;
}

struct launch_resolver *launch_resolver_new(const struct launch_sources *sources, const struct model *model)
{
    struct launch_resolver *launches = mem_alloc(sizeof *launches);
    launches->sources = *sources;
    launches->model = model;
    launches->states = mem_alloc((sources->entry_count + 1) * sizeof *launches->states);
    size_t most = 0;
    EACH(const struct kernel_override, entry, sources->entries, sources->entry_count)
        most = entry->scope.capture_count > most ? entry->scope.capture_count : most;
    launches->scratch = mem_alloc((most + 1) * sizeof *launches->scratch);
    static const struct rare_metrics none;
    struct launch_config launch_config = launch_config_none();
    apply_given(&sources->given, &none, &launch_config);
    launches->of_others = number_of(launches, &launch_config);
    return launches;
}

static struct profile_index *profile_of(struct launch_resolver *launches)
{
    if (!launches->profile && launches->sources.profile)
        launches->profile = profile_index_new(launches->sources.profile, launches->model);
    return launches->profile;
}

size_t launch_resolver_seen(struct launch_resolver *launches, const struct kernel *kernel,
                            const struct profile_launch **seen, size_t most)
{
    const struct profile_index *index = profile_of(launches);
    return index ? profile_index_launches(index, kernel, seen, most) : 0;
}

static void apply_launch(const struct profile_launch *launch, struct launch_config *launch_config)
{
    launch_config->threads = (int32_t)launch->threads;
    launch_config->threads_from = THREADS_PROFILE;
    if (launch->dynamic_smem_bytes >= 0)
        launch_config->dynamic_smem_bytes = launch->dynamic_smem_bytes;
    if (launch->grid > 0)
        launch_config->grid = launch->grid;
    launch_config->profile_registers = (int32_t)launch->registers;
}

/* Values of the profiled device are used only if the record is for its architecture, not for an older one. */
static void apply_device(const struct profile_launch *launch, struct str arch, struct launch_config *launch_config)
{
    if (launch->compute_capability && launch->compute_capability != arch_number(arch))
        return;
    if (launch->sms > 0)
        launch_config->sms = launch->sms;
    launch_config->achieved_occupancy = launch->achieved_occupancy;
}

/* The achieved occupancy of the profile does not belong to a launch that options or the configuration changed. */
static void forget_achieved(const struct profile_launch *launch, struct launch_config *launch_config)
{
    bool same = launch_config->threads == launch->threads && launch_config->grid == launch->grid &&
                launch_config->dynamic_smem_bytes == launch->dynamic_smem_bytes;
    if (!same)
        launch_config->achieved_occupancy = -1;
}

/* The launch configuration of a record without its own: of options, profile and configuration, then of declarations. */
static struct launch_config make_launch_config(struct launch_resolver *launches, const struct kernel *kernel,
                                               const struct profile_launch *launch)
{
    const struct name_matches *matches = matches_of(launches, kernel->name);
    const struct rare_metrics *rare = kernel_rare(launches->model, kernel);
    struct launch_config launch_config = launch_config_none();
    apply_given(&launches->sources.given, rare, &launch_config);
    apply_declared(rare, &launch_config);
    apply_sms(launches, kernel, &launch_config);
    for (uint32_t at = 0; at < matches->count; at++)
        apply_entry(launches, &launches->matches[matches->first + at], kernel, &launch_config);
    if (launch) {
        apply_launch(launch, &launch_config);
        apply_device(launch, kernel_arch(launches->model, kernel), &launch_config);
    }
    apply_given(&launches->sources.given, rare, &launch_config);
    return launch_config;
}

bool launch_resolver_overrules(struct launch_resolver *launches, const struct kernel *kernel)
{
    const struct rare_metrics *rare = kernel_rare(launches->model, kernel);
    if (!requires_block(rare))
        return false;
    const struct launch_config given = make_launch_config(launches, kernel, NULL);
    return (given.threads_from == THREADS_CLI || given.threads_from == THREADS_CONFIG) &&
           given.threads != rare->bound_threads;
}

uint32_t launch_resolver_number_of(struct launch_resolver *launches, const struct kernel *kernel,
                                   const struct profile_launch *launch)
{
    const struct name_matches *matches = matches_of(launches, kernel->name);
    const struct rare_metrics *rare = kernel_rare(launches->model, kernel);
    if (matches->count == 0 && !launches->sources.sms && !rare->bound_threads && !rare->launch_threads && !launch)
        return launches->of_others;
    struct launch_config launch_config = make_launch_config(launches, kernel, launch);
    if (rare->launch_threads)
        apply_recorded(rare, &launch_config);
    if (requires_block(rare))
        apply_declared(rare, &launch_config);
    if (launch)
        forget_achieved(launch, &launch_config);
    return number_of(launches, &launch_config);
}

uint32_t launch_resolver_number(struct launch_resolver *launches, const struct kernel *kernel)
{
    const struct profile_launch *launch = NULL;
    launch_resolver_seen(launches, kernel, &launch, 1);
    return launch_resolver_number_of(launches, kernel, launch);
}

const struct launch_config *launch_resolver_config(const struct launch_resolver *launches, uint32_t number)
{
    return &launches->launch_config[number];
}

bool launch_resolver_check(const struct launch_resolver *launches, struct diags *diags)
{
    diags_append(diags, &launches->diags);
    return launches->diags.count == 0;
}

/* Marks the entries that match a name and a source, whatever the architecture. */
static void see_name(struct launch_resolver *launches, uint32_t name, uint32_t source, uint16_t log, bool is_kernel)
{
    const struct name_matches *matches = matches_of(launches, name);
    for (uint32_t match = matches->first; match < matches->first + matches->count; match++) {
        uint32_t entry = launches->matches[match].entry;
        struct entry_state *state = &launches->states[entry];
        state->seen = state->seen || source_fits(launches, entry, source, log);
        state->unsourced |= is_kernel && source == NO_INDEX;
    }
}

static void see_entries(struct launch_resolver *launches)
{
    const struct model *model = launches->model;
    EACH(const struct kernel, kernel, model->kernels, model->kernel_count)
        see_name(launches, kernel->name, kernel->source, kernel->log, true);
    EACH(const struct event, event, model->events, model->event_count)
        see_name(launches, event->name, NO_INDEX, event->log, false);
}

void launch_resolver_add_near(const struct launch_resolver *launches, uint32_t number, struct buf *out)
{
    enum { MOST = 100 };
    const struct kernel_override *entry = &launches->sources.entries[number];
    const struct intern *names = &launches->model->names;
    struct str near = entry->match ? name_near(names->strings, names->count, entry->match_text) : (struct str){0};
    SCOPED(buf) readable = {0};
    name_demangle(near, &readable);
    if (readable.len && name_match(entry->match, buf_str(&readable), NULL) == REGEX_NO)
        buf_fmt(out, "; the pattern is matched with names such as '%.*s%s'",
                (int)(readable.len < MOST ? readable.len : MOST), readable.ptr, readable.len > MOST ? "..." : "");
}

size_t launch_resolver_report(struct launch_resolver *launches, bool whole, bool exceptions, struct diags *diags)
{
    const struct profile_index *index = profile_of(launches);
    size_t unmet = 0;
    if (launches->sources.entry_count)
        see_entries(launches);
    for (size_t at = 0; whole && at < launches->sources.entry_count; at++) {
        const struct kernel_override *entry = &launches->sources.entries[at];
        const struct entry_state *state = &launches->states[at];
        if (state->seen || state->failed || (entry->only_allows && !exceptions))
            continue;
        unmet++;
        SCOPED(buf) near = {0};
        launch_resolver_add_near(launches, (uint32_t)at, &near);
        if (entry->only_allows)
            diag_warning(diags, entry->place, "this exception is for kernels that are not in the input%.*s",
                         STR_ARG(buf_str(&near)));
        else if (state->unsourced)
            diag_warning(
                diags, entry->place,
                "this entry names a source, and the input does not state the sources of its kernels, so it has "
                "no effect: keep the commands in the log (make V=1, ninja -v), or build with `warplint "
                "wrap`");
        else
            diag_warning(diags, entry->place,
                         "this entry is for kernels that are not in the input, so it has no effect%.*s",
                         STR_ARG(near.len       ? buf_str(&near)
                                 : entry->match ? STR(": was a kernel renamed?")
                                                : STR(": `source` is a pattern of whole paths in the repository, like "
                                                      "src/**/*.cu")));
    }
    if (index)
        profile_index_report(index, diags);
    return unmet;
}
