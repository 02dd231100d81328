#include "report/changes.h"

#include "baseline/successors.h"
#include "gpu/arch.h"
#include "log/name.h"
#include "log/spelling.h"
#include "report/arguments.h"
#include "report/elide.h"
#include "report/markup.h"

#include <stdlib.h>
#include <string.h>

const char *const change_titles[CHANGE_SECTIONS] = {
    "worse",
    "new and worse than what they may replace",
    "changed",
    "better",
    "new with findings",
    "gone",
    "new, warps and spills at least as good as what they may replace",
    "new with notes at most",
    "gone, new ones may replace them",
};
const char *const change_words[CHANGE_SECTIONS] = {"worse", "new", "changed", "better", "new",
                                                   "gone",  "new", "new",     "gone"};

/* ---- rows ------------------------------------------------------------------------------------------------------- */

struct gathering {
    struct changes *changes;
    const struct report *report;
    const struct comparison *comparison;
    uint8_t *severity; /* by item of the head */
    struct str *rule;  /* by item of the head: the rule of its worst finding */
    size_t cap;
    bool changed[MEASURE_COUNT]; /* by measure: some row shows a change of it */
    struct intern kernels;       /* keys: identity, architecture, side, and one of its sources or ANY_SOURCE */
    uint32_t *sources;           /* by index of a key with ANY_SOURCE: number of sources */
};

enum { ANY_SOURCE = UINT32_MAX - 1 };

/* The index in `kernels` of the key with this source, or with ANY_SOURCE. */
static uint32_t number_of(struct gathering *g, const struct kernel_metrics *entry, bool of_head, uint32_t source)
{
    const uint32_t key[] = {entry->id, entry->arch, of_head, source};
    return intern_add(&g->kernels, (struct str){(const char *)key, sizeof key});
}

static void count_sources(struct gathering *g, const struct kernel_metrics_set *set, bool of_head)
{
    for (size_t at = 0; at < set->count; at++) {
        const struct kernel_metrics *entry = &set->items[at];
        if (entry->deselected || (!of_head && !g->comparison->in_play[at]))
            continue;
        uint32_t kernel = number_of(g, entry, of_head, ANY_SOURCE);
        size_t known = g->kernels.count;
        bool is_new = number_of(g, entry, of_head, entry->source) == known;
        g->sources[kernel] += is_new;
    }
}

static void note_findings(struct gathering *g)
{
    const struct linter *linter = g->report->linter;
    g->severity = arena_alloc(&g->changes->arena, g->comparison->head->count + 1);
    g->rule = arena_alloc(&g->changes->arena, (g->comparison->head->count + 1) * sizeof *g->rule);
    EACH(const struct finding, finding, linter->findings, linter->finding_count) {
        const struct pair *pair = NULL;
        const struct rule *rule = &linter->rules->rules[finding->rule];
        bool says_worse = finding->severity >= SEVERITY_WARNING || rule->asks_baseline;
        if (finding->kernel != NO_INDEX && finding_counts(finding) && says_worse)
            pair = compare_of_kernel(g->comparison, finding->kernel);
        if (!pair || finding->severity <= g->severity[pair->head])
            continue;
        g->severity[pair->head] = finding->severity;
        g->rule[pair->head] = rule->id;
    }
}

/* Returns CHANGE_SECTIONS if the kernel did not change. */
static enum change_section section_of(const struct gathering *g, const struct pair *pair,
                                      const struct kernel_metrics *base, const struct kernel_metrics *head)
{
    bool matters = head && g->severity[pair->head] >= SEVERITY_WARNING;
    if (pair->state == COMPARE_GONE)
        return family_is_sure(g->comparison, pair) ? CHANGES_REPLACED : CHANGES_GONE;
    if (pair->state == COMPARE_NEW && base)
        return matters || successors_loss(g->comparison, base, head).worse ? CHANGES_SUCCESSORS : CHANGES_AS_GOOD;
    if (pair->state == COMPARE_NEW)
        return matters ? CHANGES_NEW : CHANGES_MINOR;
    if (matters || pair->state == COMPARE_WORSE)
        return CHANGES_WORSE;
    return pair->state == COMPARE_IMPROVED  ? CHANGES_BETTER
           : pair->state == COMPARE_CHANGED ? CHANGES_OTHER
                                            : CHANGE_SECTIONS;
}

static struct str escape(struct gathering *g, struct str text)
{
    struct buf safe = {0};
    escape_text(text, &safe);
    return arena_take(&g->changes->arena, &safe);
}

static struct str spell_escaped(struct gathering *g, struct str id)
{
    SCOPED(buf) name = {0};
    spell_kernel(id, &name);
    return escape(g, buf_str(&name));
}

static struct str mark_of(struct gathering *g, const struct pair *pair, enum change_section section)
{
    struct arena *arena = &g->changes->arena;
    const bool replaces = section == CHANGES_SUCCESSORS || section == CHANGES_AS_GOOD;
    const struct family *family = replaces ? &g->comparison->families[pair->family] : NULL;
    const char *judged = section == CHANGES_SUCCESSORS && family->new_count > 1 ? "; the best new one is judged" : "";
    if (family && family->gone_count == 1) {
        const struct kernel_metrics_set *base = g->comparison->base;
        struct str name = spell_escaped(g, intern_get(base->strings, base->items[family->gone[0]].id));
        return arena_fmt(arena, "may replace %.*s%s", STR_ARG(name), judged);
    }
    if (family)
        return arena_fmt(arena, "may replace %zu that are gone%s", family->gone_count, judged);
    if (!pair->renamed)
        return STR("");
    return delta_keeps_name(g->comparison, pair) ? STR("parameters changed") : STR("lambda renumbered");
}

static void add_row(struct gathering *g, const struct pair *pair)
{
    struct changes *changes = g->changes;
    const struct comparison *c = g->comparison;
    const struct delta_pair of = delta_pair(c, pair);
    const struct kernel_metrics *head = of.head, *base = family_base(c, pair);
    enum change_section section = of.entry->deselected ? CHANGE_SECTIONS : section_of(g, pair, base, head);
    if (section >= CHANGES_AS_GOOD && section < CHANGE_SECTIONS && !g->report->all) {
        changes->only_counted[section - CHANGES_AS_GOOD]++;
        return;
    }
    if (section == CHANGE_SECTIONS)
        return;
    const uint32_t kernel = number_of(g, of.entry, head != NULL, ANY_SOURCE);
    struct change_row *row = MEM_ADD(changes->rows, changes->count, g->cap);
    *row = (struct change_row){.section = (uint8_t)section,
                               .severity = head ? g->severity[pair->head] : SEVERITY_OFF,
                               .has_base = base != NULL,
                               .has_head = head != NULL,
                               .kernel = head ? head->kernel : NO_INDEX,
                               .id = of.id,
                               .mark = mark_of(g, pair, section),
                               .rule = head ? g->rule[pair->head] : STR(""),
                               .archs = of.arch,
                               .source = of.source,
                               .one_source = true,
                               .sources = 1,
                               .all_sources = g->sources[kernel]};
    compare_values(c, base, head, row->was, row->is);
    int32_t grown[MEASURE_COUNT];
    for (int at = 0; at < MEASURE_COUNT; at++) {
        const int32_t was = row->was[at], is = row->is[at], one = base ? was : is;
        const bool both = was != UNKNOWN && is != UNKNOWN;
        const bool has_some = at != MEASURE_BARRIERS && one > 0; /* barriers cost little */
        grown[at] = !base || !head ? one : both ? is - was : UNKNOWN;
        g->changed[at] |= base && head ? was != UNKNOWN && was != is : has_some;
    }
    delta_costs(grown, section == CHANGES_BETTER, row->costs);
}

/* ---- order ------------------------------------------------------------------------------------------------------ */

/* Compares all but architecture and source: rows that are equal become one. */
static int by_change(const struct change_row *a, const struct change_row *b)
{
    int order = number_cmp(a->section, b->section);
    if (!order)
        order = str_cmp(a->id, b->id);
    if (!order)
        order = str_cmp(a->mark, b->mark);
    if (!order)
        order = number_cmp(a->severity, b->severity);
    if (!order)
        order = str_cmp(a->rule, b->rule);
    if (!order)
        order = memcmp(a->was, b->was, sizeof a->was);
    if (!order)
        order = memcmp(a->is, b->is, sizeof a->is);
    return order;
}

static int by_kernel(const void *left, const void *right)
{
    const struct change_row *a = left, *b = right;
    int order = by_change(a, b);
    if (!order)
        order = arch_order(a->archs, b->archs);
    return order ? order : str_cmp(a->source, b->source);
}

/* Merges rows that differ only in architecture or source. */
static void fold_architectures(struct gathering *g)
{
    struct changes *changes = g->changes;
    struct str last_arch = STR(""), last_source = STR("");
    size_t kept = 0;
    mem_sort(changes->rows, changes->count, sizeof *changes->rows, by_kernel);
    for (size_t at = 0; at < changes->count; at++) {
        struct change_row *row = &changes->rows[at], *last = kept ? &changes->rows[kept - 1] : NULL;
        struct str arch = row->archs.len ? row->archs : STR("-");
        struct buf archs = {0};
        bool same = last && by_change(last, row) == 0;
        bool same_arch = same && str_eq(arch, last_arch), same_source = same_arch && str_eq(row->source, last_source);
        last_arch = arch;
        last_source = row->source;
        if (same) {
            last->one_source &= str_eq(row->source, last->source);
            last->sources += !same_source;
            last->all_sources += same_arch ? 0 : row->all_sources;
        }
        if (same_arch)
            continue;
        if (same)
            buf_fmt(&archs, "%.*s ", STR_ARG(last->archs));
        else
            changes->rows[kept++] = *row;
        escape_text(arch, &archs);
        changes->rows[kept - 1].archs = arena_take(&changes->arena, &archs);
    }
    changes->count = kept;
}

/* Kernels of one name in several sources are static: a row without all these sources names its source. */
static void name_sources(struct gathering *g)
{
    EACH(struct change_row, row, g->changes->rows, g->changes->count) {
        if (row->sources >= row->all_sources || row->mark.len || !row->source.len)
            continue;
        struct buf mark = {0};
        text_fmt(&mark, "in %.*s%s", STR_ARG(row->source), row->one_source ? "" : " and others");
        row->mark = arena_take(&g->changes->arena, &mark);
    }
}

/* Before groups have numbers, all rows have group 0. */
static int by_weight(const void *left, const void *right)
{
    const struct change_row *a = left, *b = right;
    int order = number_cmp(a->section, b->section);
    if (!order)
        order = number_cmp(a->group, b->group);
    if (!order)
        order = number_cmp(b->severity, a->severity);
    if (!order)
        order = numbers_cmp(b->costs, a->costs, DELTA_COSTS);
    if (!order)
        order = str_cmp(a->name, b->name);
    return order ? order : arch_order(a->archs, b->archs);
}

/* ---- overloads -------------------------------------------------------------------------------------------------- */

/* The parameter list of a kernel; it distinguishes overloads. */
static struct str parameters_of(struct gathering *g, struct str id)
{
    SCOPED(buf) readable = {0};
    name_demangle(id, &readable);
    return escape(g, str_from(buf_str(&readable), name_parameters_at(buf_str(&readable))));
}

/* Adds the parameters to the name of a kernel that is not a template and has overloads, shown or not. */
static void name_overloads(struct gathering *g)
{
    SCOPED(delta) delta = {0};
    SCOPED(intern) templates = {0};
    delta_make_names(&delta, g->report);
    uint32_t *kernels = arena_alloc(&g->changes->arena, (delta.names.count + 1) * sizeof *kernels); /* by template */
    for (uint32_t at = 0; at < delta.names.count; at++) {
        struct buf template = {0};
        name_template(intern_get(&delta.names, at), &template);
        kernels[intern_take(&templates, &template)]++;
    }
    EACH(struct change_row, row, g->changes->rows, g->changes->count) {
        SCOPED(buf) template = {0};
        name_template(row->id, &template);
        const uint32_t number = intern_find(&templates, buf_str(&template));
        if (str_find_char(row->name, '<') != STR_NONE || number == INTERN_NONE || kernels[number] == 1)
            continue;
        struct str parameters = parameters_of(g, row->id);
        row->name = arena_fmt(&g->changes->arena, "%.*s%.*s", STR_ARG(row->name), STR_ARG(parameters));
    }
}

/* ---- groups ----------------------------------------------------------------------------------------------------- */

/* True if one of the first `kept` arguments has the same differences. */
static bool repeats(const struct change_row *rows, size_t count, size_t kept, size_t argument)
{
    for (size_t before = 0; before < kept; before++) {
        bool same = true;
        for (size_t at = 0; same && at < count; at++)
            same = str_eq(rows[at].arguments[argument], rows[at].arguments[before]);
        if (same)
            return true;
    }
    return false;
}

/* For rows of one form: keeps the arguments that differ between rows, without repetitions, and makes the template with
 * "*" in their place. */
static void keep_different(struct gathering *g, struct change_row *rows, size_t count, uint32_t group)
{
    struct changes *changes = g->changes;
    size_t arguments = argument_count(rows[0].name), kept = 0;
    bool *differs = arena_alloc(&changes->arena, arguments + 1);
    struct buf head = {0};
    for (size_t at = 0; at < count; at++)
        rows[at].arguments = argument_list(rows[at].name, arguments, &changes->arena);
    for (size_t at = 0; at < arguments; at++)
        for (size_t row = 1; row < count; row++)
            differs[at] |= !str_eq(rows[row].arguments[at], rows[0].arguments[at]);
    argument_pattern(rows[0].name, differs, &head);
    changes->heads[group] = arena_take(&changes->arena, &head);
    for (size_t at = 0; at < arguments; at++) {
        if (!differs[at] || repeats(rows, count, kept, at))
            continue;
        for (size_t row = 0; row < count; row++)
            rows[row].arguments[kept] = rows[row].arguments[at];
        kept++;
    }
    size_t *widths = arena_alloc(&changes->arena, (kept + 1) * sizeof *widths);
    for (size_t row = 0; row < count; row++) {
        if (kept == 0)
            rows[row].arguments[0] = parameters_of(g, rows[row].id);
        rows[row].argument_count = kept ? kept : 1;
        rows[row].widths = widths;
        for (size_t at = 0; at < rows[row].argument_count; at++) {
            const size_t width = str_width(rows[row].arguments[at]);
            widths[at] = width > widths[at] ? width : widths[at];
        }
    }
}

/* Makes a group for each template, number of its arguments and mark. Groups are in the order of their worst rows. A
 * group with rows in several sections has a head in each section. */
static void make_groups(struct gathering *g)
{
    struct changes *changes = g->changes;
    SCOPED(intern) groups = {0};
    uint32_t number = 0;
    for (size_t at = 0; at < changes->count; at++)
        changes->rows[at].name = spell_escaped(g, changes->rows[at].id);
    name_overloads(g);
    mem_sort(changes->rows, changes->count, sizeof *changes->rows, by_weight);
    EACH(struct change_row, row, changes->rows, changes->count) {
        struct buf key = {0};
        name_template(row->id, &key);
        buf_fmt(&key, " %zu %.*s", argument_count(row->name), STR_ARG(row->mark));
        row->group = intern_take(&groups, &key);
    }
    mem_sort(changes->rows, changes->count, sizeof *changes->rows, by_weight);
    changes->heads = arena_alloc(&changes->arena, (changes->count + 1) * sizeof *changes->heads);
    for (size_t from = 0, to = 0; from < changes->count; from = to, number++) {
        uint8_t section = changes->rows[from].section;
        uint32_t group = changes->rows[from].group;
        bool several = false;
        for (to = from; to < changes->count && changes->rows[to].section == section && changes->rows[to].group == group;
             to++)
            several |= !str_eq(changes->rows[to].id, changes->rows[from].id);
        if (several)
            keep_different(g, &changes->rows[from], to - from, number);
        for (size_t at = from; at < to; at++)
            changes->rows[at].group = number;
    }
}

struct changes changes_make(const struct report *report)
{
    struct changes changes = {.count = 0};
    struct gathering g = {.changes = &changes, .report = report, .comparison = report->comparison};
    note_findings(&g);
    const size_t entries = g.comparison->base->count + g.comparison->head->count;
    g.sources = arena_alloc(&changes.arena, (2 * entries + 1) * sizeof *g.sources);
    count_sources(&g, g.comparison->base, false);
    count_sources(&g, g.comparison->head, true);
    for (size_t at = 0; at < g.comparison->count; at++)
        add_row(&g, &g.comparison->pairs[at]);
    fold_architectures(&g);
    name_sources(&g);
    make_groups(&g);
    for (int at = 0; at < MEASURE_COUNT; at++)
        if (g.changed[at] && measure_table[at].head)
            changes.columns[changes.column_count++] = at;
    intern_free(&g.kernels);
    return changes;
}

void changes_free(struct changes *changes)
{
    arena_free(&changes->arena);
    free(changes->rows);
}

/* ---- text for people -------------------------------------------------------------------------------------------- */

static int64_t value_of(const int32_t *values, int measure)
{
    if (measure != CHANGES_SPILLS)
        return values[measure];
    bool known = values[MEASURE_SPILL_STORES] != UNKNOWN && values[MEASURE_SPILL_LOADS] != UNKNOWN;
    return known ? (int64_t)values[MEASURE_SPILL_STORES] + values[MEASURE_SPILL_LOADS] : UNKNOWN;
}

void changes_cell(const struct change_row *row, int measure, const char *arrow, struct buf *out)
{
    long long was = value_of(row->was, measure), is = value_of(row->is, measure);
    if (was == UNKNOWN && is == UNKNOWN)
        buf_char(out, '-');
    else if (was == is || !row->has_base || !row->has_head)
        buf_int(out, row->has_head ? is : was);
    else if (is == UNKNOWN)
        buf_fmt(out, "%lld%s-", was, arrow);
    else if (was == UNKNOWN)
        buf_fmt(out, "-%s%lld", arrow, is);
    else
        buf_fmt(out, "%lld%s%lld", was, arrow, is);
}

void changes_name(const struct changes *changes, const struct change_row *row, struct buf *out)
{
    enum { NAME_BYTES = 160 };
    if (changes->heads[row->group].len == 0)
        elide_name(row->name, NAME_BYTES, out);
    for (size_t at = 0; at < row->argument_count; at++)
        buf_fmt(out, "%s%.*s", at ? ", " : "", STR_ARG(row->arguments[at]));
}

const char *changes_severity(const struct change_row *row)
{
    return row->severity == SEVERITY_OFF ? "" : severity_names[row->severity];
}

bool changes_rest(const struct changes *changes, struct buf *out)
{
    const size_t start = out->len;
    for (int section = CHANGES_AS_GOOD; section < CHANGE_SECTIONS; section++) {
        size_t count = changes->only_counted[section - CHANGES_AS_GOOD];
        if (count)
            buf_fmt(out, "%s%zu %s", out->len > start ? "; " : "", count, change_titles[section]);
    }
    return out->len > start;
}

/* ---- Markdown --------------------------------------------------------------------------------------------------- */

void changes_markdown_head(const struct changes *changes, struct buf *out)
{
    buf_add(out, STR("| | kernel | arch |"));
    for (size_t at = 0; at < changes->column_count; at++)
        buf_fmt(out, " %s |", measure_table[changes->columns[at]].head);
    buf_add(out, STR("\n|---|---|---|"));
    for (size_t at = 0; at < changes->column_count; at++)
        buf_add(out, STR("---:|"));
    buf_char(out, '\n');
}

static void add_mark(const struct change_row *row, struct buf *out)
{
    if (row->mark.len)
        markdown_fmt(out, " (%.*s)", STR_ARG(row->mark));
}

static void add_head_row(const struct changes *changes, const struct change_row *row, struct buf *out)
{
    enum { HEAD_BYTES = 400 };
    SCOPED(buf) head = {0};
    elide_name(changes->heads[row->group], HEAD_BYTES, &head);
    markdown_fmt(out, "| | **%-.*s**", STR_ARG(buf_str(&head)));
    add_mark(row, out);
    buf_add(out, STR(" | |"));
    for (size_t at = 0; at < changes->column_count; at++)
        buf_add(out, STR(" |"));
    buf_char(out, '\n');
}

void changes_markdown_row(const struct changes *changes, size_t number, bool first, struct buf *out)
{
    const struct change_row *row = &changes->rows[number];
    const bool alone = changes->heads[row->group].len == 0;
    SCOPED(buf) name = {0};
    if (!alone && (first || row->group != row[-1].group))
        add_head_row(changes, row, out);
    const char *bold = row->section <= CHANGES_SUCCESSORS ? "**" : "";
    buf_fmt(out, "| %s%s%s%s%s", bold, change_words[row->section], bold, *changes_severity(row) ? ", " : "",
            changes_severity(row));
    changes_name(changes, row, &name);
    markdown_fmt(out, "%s%.*s | %-.*s", row->rule.len ? ": " : "", STR_ARG(row->rule), STR_ARG(buf_str(&name)));
    if (alone)
        add_mark(row, out);
    markdown_fmt(out, " | %.*s |", STR_ARG(row->archs));
    for (size_t at = 0; at < changes->column_count; at++) {
        buf_char(out, ' ');
        changes_cell(row, changes->columns[at], " → ", out);
        buf_add(out, STR(" |"));
    }
    buf_char(out, '\n');
}
