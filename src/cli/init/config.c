#include "cli/init/init.h"

#include "cli/yaml_text.h"
#include "log/name.h"

#include <stdlib.h>

enum { WHAT_COLUMN = 46, MOST_TEMPLATES = 200 };

static bool is_key(const struct decode_key *key, const char *name)
{
    return str_eq(str_of(key->name), str_of(name));
}

/* ---- samples of settings ---------------------------------------------------------------------------------------- */

/* Appends "#     threads: 128    # block size". If `lead` is empty, the explanation is on a line of its own. */
static void add_sample(const char *lead, const struct decode_key *key, struct buf *out)
{
    size_t start = out->len;
    if (!*lead)
        buf_fmt(out, "## %s\n", key->what);
    buf_fmt(out, "# %s%s:%s%s", lead, key->name, key->sample ? " " : "", key->sample ? key->sample : "");
    if (*lead) {
        size_t used = out->len - start;
        buf_pad(out, ' ', used + 2 < WHAT_COLUMN ? WHAT_COLUMN - used : 2);
        buf_fmt(out, "# %s", key->what);
    }
    buf_char(out, '\n');
}

/* lead, again: the indentation of the first line and of the others. `without`: a key that is not allowed here, or
 * NULL. */
static void add_exception_sample(const char *lead, const char *again, const char *without, struct buf *out)
{
    for (size_t at = 0; at < exception_key_count; at++) {
        if (without && is_key(&exception_keys[at], without))
            continue;
        add_sample(lead, &exception_keys[at], out);
        lead = again;
    }
}

static void add_rules(const struct ruleset *rules, struct buf *out)
{
    EACH(const struct rule, rule, rules->rules, rules->count) {
        buf_fmt(out, "#   ## %.*s\n#   %.*s:\n#     severity: %s\n", STR_ARG(rule->title), STR_ARG(rule->id),
                severity_names[rule->severity]);
        if (rule->scope.param_count == 0)
            continue;
        buf_add(out, STR("#     params: {"));
        for (size_t p = 0; p < rule->scope.param_count; p++) {
            buf_fmt(out, "%s%.*s: ", p ? ", " : "", STR_ARG(rule->scope.params[p].name));
            yaml_value(&rule->scope.params[p].value, out);
        }
        buf_add(out, STR("}\n"));
    }
}

/* ---- settings from the logs ------------------------------------------------------------------------------------- */

/* Appends the architectures of the records, sorted and without duplicates. Returns false if there are none. */
static bool add_archs(const struct session *session, const struct decode_key *key, struct buf *out)
{
    const struct model *model = &session->model;
    SCOPED(intern) names = {0};
    SCOPED(buf) list = {0};
    for (size_t at = 0; at < model->kernel_count; at++)
        if (kernel_arch(model, &model->kernels[at]).len)
            intern_add(&names, kernel_arch(model, &model->kernels[at]));
    struct str *archs = archs_in_order(&names);
    const size_t count = names.count;
    yaml_list(archs, count, &list);
    buf_char(&list, '\0');
    if (count)
        add_sample("", &(struct decode_key){.name = key->name, .sample = list.ptr, .what = key->what}, out);
    free(archs);
    return count > 0;
}

/* Appends an entry with "^ns::kernel[<(]" for the name of a template, or with a pattern of the whole name. */
static void add_kernel(const struct model *model, const struct kernel *kernel, struct str template, struct buf *out)
{
    enum { MOST_THREADS = 1024 };
    SCOPED(buf) readable = {0}, pattern = {0};
    int threads = kernel_rare(model, kernel)->bound_threads;
    bool whole = !name_demangle(kernel_name(model, kernel), &readable);
    if (yaml_pattern("^", template, whole ? "$" : "[<(]", &pattern))
        buf_fmt(out, "#   - match: %.*s\n#     threads: %d\n", STR_ARG(buf_str(&pattern)),
                threads && threads <= MOST_THREADS ? threads : 256);
}

/* Appends one entry per template, in the order of the log. */
static void add_kernels(const struct session *session, struct buf *out)
{
    const struct model *model = &session->model;
    SCOPED(intern) seen = {0};
    SCOPED(buf) template = {0};
    for (size_t at = 0; at < model->kernel_count; at++) {
        size_t before = seen.count;
        buf_clear(&template);
        name_template(kernel_name(model, &model->kernels[at]), &template);
        if (model->kernels[at].kind != KERNEL_ENTRY || intern_add(&seen, buf_str(&template)) < before)
            continue;
        if (before == 0)
            buf_add(out, STR("#   ## those of the log, one entry for a template; what their launch code uses is known\n"
                             "#   ## there: put it in the place of the numbers\n"));
        if (before < MOST_TEMPLATES)
            add_kernel(model, &model->kernels[at], buf_str(&template), out);
    }
    if (seen.count > MOST_TEMPLATES)
        buf_fmt(out, "#   ## and %zu more template%s\n", seen.count - MOST_TEMPLATES,
                PLURAL(seen.count - MOST_TEMPLATES));
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static void add_setting(const struct session *session, const struct decode_key *key, struct str baseline,
                        struct buf *out)
{
    if (is_key(key, "baseline") && baseline.len) {
        buf_fmt(out, "## %s\nbaseline: ", key->what);
        yaml_scalar(baseline, out);
        buf_char(out, '\n');
        return;
    }
    if (!(is_key(key, "archs") && add_archs(session, key, out)))
        add_sample("", key, out);
    if (is_key(key, "rules"))
        add_rules(&session->rules, out);
    if (is_key(key, "allow"))
        add_exception_sample("  - ", "    ", NULL, out);
    if (is_key(key, "kernels")) {
        for (size_t at = 0; at < kernel_override_key_count; at++)
            add_sample(at ? "    " : "  - ", &kernel_override_keys[at], out);
        add_exception_sample("      - ", "        ", "kernel", out); /* `allow` is the last key */
        add_kernels(session, out);
    }
}

void init_config(const struct session *session, struct str baseline, struct buf *out)
{
    buf_add(out, STR("## The settings of warplint for this project. Every setting is here as an\n"
                     "## example: remove the `# ` in front of a line to use it. `warplint config show`\n"
                     "## prints the settings in use and where they come from, `warplint explain RULE`\n"
                     "## what a rule means.\n"));
    for (size_t at = 0; at < config_key_count; at++) {
        buf_char(out, '\n');
        add_setting(session, &config_keys[at], baseline, out);
    }
}
