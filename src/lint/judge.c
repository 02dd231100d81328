#include "lint/judge.h"

#include "lint/baseline.h"
#include "lint/config.h"
#include "lint/family.h"
#include "lint/launches.h"
#include "lint/tally.h"
#include "lint/templates.h"
#include "log/name.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum choice { NOT_ASKED, CHOSEN, LEFT_OUT };

/* A rule that waits for messages of one name. */
struct listener {
    uint32_t event; /* string number of the name */
    uint16_t rule;
};

/* A finding of a message that names a function, before loops are told once. */
struct cause {
    uint32_t event;  /* what it is of */
    uint32_t stands; /* the event of the finding that is told for it */
    uint32_t next;   /* of the same name, into causes; NO_INDEX: none */
    uint16_t rule;
};

struct judge_private {
    struct gates *gates;
    struct launches *launches;
    uint32_t other_facts;          /* while another launch than the record's is judged or shown; else NO_INDEX */
    struct exceptions *exceptions; /* NULL: there are none */
    struct acceptance *acceptance; /* what the baseline accepts of rules on messages and lines; NULL: there is none */
    bool report_drift;
    struct arena arena;      /* texts of matched lines */
    uint8_t *arch_choice;    /* enum choice, by string number */
    uint8_t *arch_known;     /* enum choice, by string number: it is in the table */
    uint8_t *name_choice;    /* enum choice, by name number */
    bool *name_seen;         /* a judged entry has this name */
    uint8_t *name_marks;     /* see struct subject */
    uint32_t *first_of_name; /* the first record of a name; NULL: not needed yet */
    uint32_t *next_of_name;  /* by record: the next one of the same name */
    struct listener *listeners;
    size_t listener_count, listener_cap;
    struct subject subject; /* of judging */
    struct subject shown;   /* of judge_subject and judge_record */
    struct buf scratch;
    struct cause *causes; /* empty where no rule on kernels is left to one on messages */
    size_t cause_count, cause_cap;
    uint32_t *cause_of_name;  /* the last of a name, into causes; NULL: there is none */
    size_t first_of_messages; /* findings of rules on messages begin there, in the order of the events */
    struct str *captures;     /* room for the named groups of every pattern */
    struct outcome *heard;    /* room for what every rule says of a record */
};

static void add_config(struct judge *judge, const struct config *config)
{
    struct launch_sources sources = {
        .given = judge->options.facts, .profile = judge->options.profile, .here = judge->options.here};
    if (config) {
        sources.entries = config->entries;
        sources.entry_count = config->entry_count;
        sources.sms = config->sms;
    }
    judge->private->launches = launches_new(&sources, judge->model);
    judge->private->other_facts = NO_INDEX;
    if (config && config->exception_count)
        judge->private->exceptions = exceptions_new(config->exceptions, config->exception_count, judge->rules,
                                                    judge->model, judge->options.today);
}

const char *baseline_state_name(enum baseline_state state)
{
    static const char *const names[] = {NULL, "new", "worse", "unchanged"};
    return names[state];
}

struct judge *judge_new(struct ruleset *rules, const struct model *model, const struct judge_options *options)
{
    struct judge *judge = mem_alloc(sizeof *judge);
    judge->rules = rules;
    judge->model = model;
    judge->options = *options;
    judge->not_judged = mem_alloc((rules->count + 1) * sizeof *judge->not_judged);
    judge->private = mem_alloc(sizeof *judge->private);
    judge->verdicts = mem_alloc(sizeof *judge->verdicts);
    add_config(judge, options->config);
    size_t captures = 0;
    for (size_t at = 0; at < rules->count; at++)
        captures = rules->rules[at].capture_count > captures ? rules->rules[at].capture_count : captures;
    judge->private->captures = mem_alloc((captures + 1) * sizeof *judge->private->captures);
    judge->private->heard = mem_alloc((rules->count + 1) * sizeof *judge->private->heard);
    return judge;
}

void judge_free(struct judge *judge)
{
    if (!judge)
        return;
    struct judge_private *own = judge->private;
    gates_free(own->gates);
    verdict_free(judge->verdicts);
    free(judge->verdicts);
    tally_free(judge->tally);
    templates_free(judge->templates);
    launches_free(own->launches);
    exceptions_free(own->exceptions);
    arena_free(&own->arena);
    free(own->arch_choice);
    free(own->arch_known);
    free(own->name_choice);
    free(own->name_seen);
    free(own->name_marks);
    free(own->first_of_name);
    free(own->next_of_name);
    free(own->listeners);
    subject_free(&own->subject);
    subject_free(&own->shown);
    buf_free(&own->scratch);
    free(own->causes);
    free(own->cause_of_name);
    free(own->captures);
    free(own->heard);
    free(own);
    free(judge->findings);
    free(judge->lines);
    free(judge->archs);
    free(judge->not_judged);
    free(judge);
}

/* ---- findings ---- */

/* The exception that covers a finding, or NO_INDEX. */
static uint32_t exception_for(struct judge *judge, const struct outcome *outcome, uint32_t kernel, uint32_t event)
{
    const struct model *model = judge->model;
    struct judge_private *own = judge->private;
    struct exception_query query = {
        .rule = outcome->rule, .worst = outcome->worst, .name = NO_INDEX, .arch = NO_INDEX, .source = NO_INDEX};
    if (!own->exceptions)
        return NO_INDEX;
    if (judge->rules->rules[outcome->rule].kind == RULE_EVENT) {
        query.name = model->events[event].name;
        query.arch = model->events[event].arch;
        query.log = model->events[event].log;
    }
    if (kernel != NO_INDEX) {
        query.name = model->kernels[kernel].name;
        query.arch = model->kernels[kernel].arch_inferred;
        query.source = model->kernels[kernel].source;
        query.log = model->kernels[kernel].log;
    }
    return exceptions_find(own->exceptions, own->launches, &query);
}

bool finding_counts(const struct finding *finding)
{
    return finding->exception == NO_INDEX && finding->baseline_state != BASELINE_UNCHANGED;
}

bool finding_fails(const struct judge *judge, const struct finding *finding)
{
    enum severity fail_on = judge->options.fail_on;
    return finding_counts(finding) && fail_on != SEVERITY_OFF && finding->severity >= fail_on;
}

static void count_finding(struct judge *judge, const struct finding *finding)
{
    struct judge_counts *counts = &judge->counts;
    counts->suppressed += finding->exception != NO_INDEX;
    counts->unchanged += finding->exception == NO_INDEX && finding->baseline_state == BASELINE_UNCHANGED;
    if (!finding_counts(finding))
        return;
    counts->by_severity[finding->severity]++;
    if (finding_fails(judge, finding))
        counts->failing++;
}

static struct finding make_finding(struct judge *judge, const struct outcome *outcome, uint32_t kernel, uint32_t event)
{
    return (struct finding){.kernel = kernel,
                            .event = event,
                            .worst = outcome->worst,
                            .rule = outcome->rule,
                            .severity = outcome->severity,
                            .which = outcome->which,
                            .facts = judge->private->other_facts,
                            .exception = exception_for(judge, outcome, kernel, event)};
}

struct finding judge_finding(struct judge *judge, const struct outcome *outcome, uint32_t kernel)
{
    return make_finding(judge, outcome, kernel, NO_INDEX);
}

static void add_finding(struct judge *judge, const struct outcome *outcome, uint32_t kernel, uint32_t event)
{
    if (outcome->severity == SEVERITY_OFF)
        return;
    judge->findings =
        mem_reserve(judge->findings, &judge->finding_cap, judge->finding_count + 1, sizeof *judge->findings);
    judge->findings[judge->finding_count++] = make_finding(judge, outcome, kernel, event);
}

/* What the rule says of the subject as it stands. */
static void judge_now(struct judge *judge, size_t rule, struct subject *subject, uint32_t kernel, uint32_t event)
{
    struct outcome outcome = rule_judge(&judge->rules->rules[rule], subject, NULL);
    outcome.rule = (uint16_t)rule;
    if (outcome.state == OUTCOME_FIRES)
        add_finding(judge, &outcome, kernel, event);
    else if (outcome.state == OUTCOME_UNKNOWN)
        judge->not_judged[rule].times++;
}

/* ---- which records ---- */

static bool arch_selected(struct judge *judge, uint32_t arch)
{
    struct judge_private *own = judge->private;
    if (judge->options.arch_count == 0)
        return true;
    if (arch == NO_INDEX)
        return false;
    if (!own->arch_choice)
        own->arch_choice = mem_alloc(judge->model->strings.count);
    if (own->arch_choice[arch] == NOT_ASKED)
        own->arch_choice[arch] =
            arch_list_has(judge->options.archs, judge->options.arch_count, model_string(judge->model, arch)) ? CHOSEN
                                                                                                             : LEFT_OUT;
    return own->arch_choice[arch] == CHOSEN;
}

static bool name_selected(struct judge *judge, uint32_t name)
{
    struct judge_private *own = judge->private;
    if (!judge->options.kernel)
        return true;
    if (name == NO_INDEX)
        return false;
    if (!own->name_choice)
        own->name_choice = mem_alloc(judge->model->names.count);
    if (own->name_choice[name] == NOT_ASKED) {
        buf_clear(&own->scratch);
        name_demangle(intern_get(&judge->model->names, name), &own->scratch);
        bool yes = regex_match(judge->options.kernel, buf_str(&own->scratch), NULL) == REGEX_YES;
        own->name_choice[name] = yes ? CHOSEN : LEFT_OUT;
    }
    return own->name_choice[name] == CHOSEN;
}

bool judge_selects(struct judge *judge, uint32_t kernel)
{
    const struct kernel *record = &judge->model->kernels[kernel];
    return !(record->flags & KERNEL_TOLD) && arch_selected(judge, record->arch_inferred) &&
           name_selected(judge, record->name);
}

/* The family that the record is shown for: one record for each. */
static const struct family *family_shown(const struct comparison *comparison, const struct pair *pair, uint32_t kernel)
{
    if (pair->family == NO_INDEX || comparison->head->items[pair->head].kernel != kernel)
        return NULL;
    const struct family *family = &comparison->families[pair->family];
    return family->shown_new == pair->head ? family : NULL;
}

static void set_base(struct judge *judge, struct subject *subject, uint32_t kernel)
{
    struct base_values *base = &subject->base;
    const struct comparison *comparison = judge->comparison;
    const struct pair *pair = comparison ? compare_of_kernel(comparison, kernel) : NULL;
    if (!pair)
        return;
    subject->family = family_shown(comparison, pair, kernel);
    if (pair->base == NO_INDEX)
        return;
    const struct measured *entry = &comparison->base->items[pair->base];
    const int32_t *values = entry->values, lost = pair->deltas[MEASURE_WARPS];
    *base = (struct base_values){.registers = values[MEASURE_REGISTERS],
                                 .spill_store_bytes = values[MEASURE_SPILL_STORES],
                                 .spill_load_bytes = values[MEASURE_SPILL_LOADS],
                                 .stack_bytes = values[MEASURE_STACK],
                                 .smem_bytes = values[MEASURE_SMEM],
                                 .barriers = values[MEASURE_BARRIERS],
                                 .warps = pair->base_warps,
                                 .max_warps = comparison->head->items[pair->head].max_warps,
                                 .warps_lost = lost == UNKNOWN ? UNKNOWN : -lost};
}

/* The facts of the launch that is being judged or shown. */
static const struct facts *facts_of(struct judge *judge, const struct kernel *record)
{
    struct judge_private *own = judge->private;
    uint32_t number = own->other_facts != NO_INDEX ? own->other_facts : launches_number(own->launches, record);
    return launches_facts(own->launches, number);
}

static void set_subject(struct judge *judge, struct subject *subject, uint32_t kernel, uint32_t event)
{
    const struct model *model = judge->model;
    const struct kernel *record = kernel == NO_INDEX ? NULL : &model->kernels[kernel];
    const struct facts *facts = &judge->options.facts;
    if (record)
        facts = facts_of(judge, record);
    subject_set(subject, model, record, facts);
    if (record)
        set_base(judge, subject, kernel);
    subject->event = event == NO_INDEX ? NULL : &model->events[event];
    subject->name_marks = judge->private->name_marks;
}

/* ---- kernels ---- */

/* One lookup an architecture, not one a record. */
static bool arch_is_known(struct judge *judge, uint32_t arch)
{
    uint8_t *known = judge->private->arch_known;
    if (arch == NO_INDEX)
        return false;
    if (known[arch] == NOT_ASKED) {
        judge->archs = mem_reserve(judge->archs, &judge->arch_cap, judge->arch_count + 1, sizeof *judge->archs);
        judge->archs[judge->arch_count++] = arch;
        known[arch] = arch_find(model_string(judge->model, arch)) ? CHOSEN : LEFT_OUT;
    }
    return known[arch] == CHOSEN;
}

/* Of the same record the other rule says all that this one does; nobody knows what one says that replaces another. */
static bool speaks_for(const struct judge *judge, uint16_t other, uint16_t number)
{
    const struct rule *rule = &judge->rules->rules[number], *speaker = &judge->rules->rules[other];
    return rule_is_left_to(rule, speaker->id) && (!rule->builtin || speaker->builtin);
}

static bool is_left(const struct judge *judge, const struct outcome *outcome, const struct outcome *all, size_t count)
{
    bool asks = outcome->state == OUTCOME_FIRES && judge->rules->rules[outcome->rule].left_to_count;
    for (size_t at = 0; asks && at < count; at++)
        if (all[at].state == OUTCOME_FIRES && all[at].severity >= outcome->severity &&
            speaks_for(judge, all[at].rule, outcome->rule))
            return true;
    return false;
}

/* Gives the verdict what the rules say. Where findings are counted and not listed, one that is left to another is no
 * finding; where they are listed, an exception may silence the other one. */
static void fill_verdict(struct judge *judge, uint32_t number, size_t count)
{
    const struct outcome *heard = judge->private->heard;
    bool open = false;
    for (size_t at = 0; at < count; at++)
        open |= heard[at].state == OUTCOME_OPEN;
    for (size_t at = 0; at < count; at++)
        if (open || !judge->tally || !is_left(judge, &heard[at], heard, count))
            verdict_add(judge->verdicts, number, heard[at]);
}

/* What the rules say of all records with the key of this one. */
static __attribute__((noinline)) uint32_t make_verdict(struct judge *judge, struct verdict_key key, uint32_t kernel,
                                                       uint32_t facts)
{
    struct judge_private *own = judge->private;
    uint32_t number = verdict_add_key(judge->verdicts, &judge->model->kernels[kernel], key);
    set_subject(judge, &own->subject, kernel, NO_INDEX);
    const struct gate_list *list = gates_of(own->gates, &own->subject, facts);
    judge->verdicts->details[number].sample = kernel;
    judge->verdicts->details[number].facts = facts;
    own->subject.view = VIEW_KEY;
    size_t heard = 0;
    for (size_t at = 0; at < list->count; at++) {
        struct outcome outcome = gate_judge(&list->gates[at], &own->subject);
        outcome.rule = list->gates[at].number;
        if (outcome.state != OUTCOME_NO)
            own->heard[heard++] = outcome;
    }
    own->subject.view = VIEW_WHOLE;
    fill_verdict(judge, number, heard);
    return number;
}

static bool same_outcomes(const struct verdict_table *table, const struct verdict_detail *a,
                          const struct verdict_detail *b)
{
    const struct outcome *left = &table->outcomes[a->first], *right = &table->outcomes[b->first];
    bool same = a->count == b->count;
    for (uint32_t at = 0; same && at < a->count; at++)
        same = outcome_rank(&left[at]) == outcome_rank(&right[at]) && left[at].state == right[at].state &&
               left[at].which == right[at].which && left[at].unstated == right[at].unstated;
    return same;
}

/* Of a verdict that is open, what the record makes of it: most often what another one made of it. */
static __attribute__((noinline)) uint32_t settle_verdict(struct judge *judge, uint32_t open, uint32_t kernel)
{
    struct verdict_table *table = judge->verdicts;
    uint32_t number = verdict_new(table);
    size_t heard = 0;
    table->details[number].sample = kernel;
    set_subject(judge, &judge->private->subject, kernel, NO_INDEX);
    for (uint32_t at = 0; at < table->details[open].count; at++) {
        struct outcome outcome = table->outcomes[table->details[open].first + at];
        if (outcome.state == OUTCOME_OPEN) {
            uint16_t rule = outcome.rule;
            outcome = rule_judge(&judge->rules->rules[rule], &judge->private->subject, NULL);
            outcome.rule = rule;
        }
        if (outcome.state != OUTCOME_NO)
            judge->private->heard[heard++] = outcome;
    }
    fill_verdict(judge, number, heard);
    uint32_t last = table->details[open].settled;
    if (last && same_outcomes(table, &table->details[last - 1], &table->details[number])) {
        table->outcome_count = table->details[number].first;
        table->count--;
        return last - 1;
    }
    table->details[open].settled = number + 1;
    return number;
}

static void apply_verdict(struct judge *judge, uint32_t number, uint32_t kernel)
{
    const struct verdict_detail *detail = &judge->verdicts->details[number];
    for (uint32_t at = 0; at < detail->count; at++) {
        const struct outcome *outcome = &judge->verdicts->outcomes[detail->first + at];
        if (outcome->state == OUTCOME_FIRES)
            add_finding(judge, outcome, kernel, NO_INDEX);
    }
}

/* The number of the record's verdict with these facts, which is not open. */
static uint32_t verdict_with(struct judge *judge, uint32_t at, uint32_t facts, bool counts)
{
    const struct kernel *kernel = &judge->model->kernels[at];
    struct verdict_table *table = judge->verdicts;
    uint32_t marks = kernel->name != NO_INDEX ? judge->private->name_marks[kernel->name] : 0;
    uint32_t kind = kernel->kind | (uint32_t)kernel->producer << 8 | (uint32_t)kernel->flags << 16 | marks << 24;
    struct verdict_key key = {(uint64_t)kind << 32 | facts, 0};
    if (kernel->extra != NO_INDEX)
        key.extra = verdict_extra(table, judge->model, kernel);
    uint32_t number = verdict_find(table, kernel, key);
    if (number == NO_INDEX)
        number = make_verdict(judge, key, at, facts);
    table->verdicts[number].times += counts;
    if (verdict_is_open(table, number)) {
        number = settle_verdict(judge, number, at);
        table->verdicts[number].times += counts;
    }
    return number;
}

static void judge_record_with(struct judge *judge, uint32_t at, uint32_t facts, bool counts)
{
    uint32_t number = verdict_with(judge, at, facts, counts);
    if (judge->verdicts->verdicts[number].rank)
        apply_verdict(judge, number, at);
}

uint32_t judge_verdict(struct judge *judge, uint32_t kernel)
{
    uint32_t facts = launches_number(judge->private->launches, &judge->model->kernels[kernel]);
    return verdict_with(judge, kernel, facts, false);
}

/* Of the launches that a profiler saw the one that reaches the fewest warps; the facts themselves when it is they. */
static uint32_t worst_facts(struct judge *judge, uint32_t at, uint32_t facts)
{
    enum { MOST = 256 };
    const struct profile_launch *seen[MOST];
    struct judge_private *own = judge->private;
    const struct kernel *kernel = &judge->model->kernels[at];
    size_t count = launches_seen(own->launches, kernel, seen, MOST);
    uint32_t worst = facts;
    int fewest = INT32_MAX; /* warps per SM */
    for (size_t launch = 0; launch < count && launch < MOST; launch++) {
        uint32_t number = launch ? launches_number_of(own->launches, kernel, seen[launch]) : facts;
        subject_set(&own->subject, judge->model, kernel, launches_facts(own->launches, number));
        const struct occupancy *occupancy = subject_occupancy(&own->subject);
        if (!occupancy || occupancy->warps >= fewest)
            continue;
        fewest = occupancy->warps;
        worst = number;
    }
    return worst;
}

/* Keeps of the findings from `end` on those of rules that have none in [begin, end). */
static void keep_new_rules(struct judge *judge, size_t begin, size_t end)
{
    size_t kept = end;
    for (size_t now = end; now < judge->finding_count; now++) {
        bool said = false;
        for (size_t before = begin; before < end; before++)
            said |= judge->findings[before].rule == judge->findings[now].rule;
        if (!said)
            judge->findings[kept++] = judge->findings[now];
    }
    judge->finding_count = kept;
}

/* What a rule says of the worst launch counts where it says nothing of the most frequent one. */
static void judge_worst_launch(struct judge *judge, uint32_t at, uint32_t facts)
{
    uint32_t worst = worst_facts(judge, at, facts);
    if (worst == facts)
        return;
    size_t end = judge->finding_count, begin = end;
    while (begin > 0 && judge->findings[begin - 1].kernel == at)
        begin--;
    judge->private->other_facts = worst;
    judge_record_with(judge, at, worst, false);
    judge->private->other_facts = NO_INDEX;
    keep_new_rules(judge, begin, end);
}

/* The record is one that is asked for, and no half of another. */
static bool is_judged(struct judge *judge, uint32_t at)
{
    bool all = judge->options.arch_count == 0 && !judge->options.kernel;
    return !subject_is_half(judge->model, &judge->model->kernels[at]) && (all || judge_selects(judge, at));
}

static void leave_out(struct judge *judge, uint32_t at)
{
    judge->counts.deselected += !subject_is_half(judge->model, &judge->model->kernels[at]);
}

static void see_name(struct judge *judge, const struct kernel *kernel)
{
    bool *seen = judge->private->name_seen;
    if (kernel->kind != KERNEL_ENTRY || kernel->name == NO_INDEX || seen[kernel->name])
        return;
    seen[kernel->name] = true;
    judge->counts.kernels++;
}

static void list_kernels(struct judge *judge)
{
    const struct model *model = judge->model;
    for (uint32_t at = 0; at < model->kernel_count; at++) {
        if (!is_judged(judge, at)) {
            leave_out(judge, at);
            continue;
        }
        uint32_t facts = launches_number(judge->private->launches, &model->kernels[at]);
        see_name(judge, &model->kernels[at]);
        judge_record_with(judge, at, facts, true);
        if (judge->options.profile)
            judge_worst_launch(judge, at, facts);
    }
}

/* Asks for a record that is soon judged: processors read ahead by themselves, but not beyond the end of a page. */
static inline void prefetch(const struct model *model, uint32_t at)
{
    enum { AHEAD = 24 };
    if (at + AHEAD < model->kernel_count)
        __builtin_prefetch(&model->kernels[at + AHEAD]);
}

static inline bool is_of_unit(const struct model *model, uint32_t at, uint32_t first)
{
    const struct kernel *kernels = model->kernels;
    return at < model->kernel_count && kernels[at].name == kernels[first].name &&
           kernels[at].source == kernels[first].source;
}

/* Tallies the records of one name and source that follow each other, as those of a kernel do that is compiled for
 * several architectures; where the next one begins. of_all: see launches_number_of_all. */
static uint32_t tally_run(struct judge *judge, uint32_t first, uint32_t of_all)
{
    const struct model *model = judge->model;
    const struct kernel *kernels = model->kernels;
    struct tally *tally = judge->tally;
    struct tally_unit *unit = tally_unit(tally, tally_name(model, first), kernels[first].source);
    uint32_t last = unit->last, worst = unit->worst, at = first;
    uint64_t rules = unit->rules, rank = tally_rank(unit, judge->verdicts);
    do {
        prefetch(model, at);
        bool plain = of_all != NO_INDEX && kernels[at].extra == NO_INDEX;
        uint32_t facts = plain ? of_all : launches_number(judge->private->launches, &kernels[at]);
        uint32_t number = verdict_with(judge, at, facts, true);
        const struct verdict *verdict = &judge->verdicts->verdicts[number];
        see_name(judge, &kernels[at]);
        tally->older[at] = last;
        last = ++at;
        rules |= verdict->rules;
        worst = verdict->rank > rank ? number : worst;
        rank = verdict->rank > rank ? verdict->rank : rank;
    } while (is_of_unit(model, at, first) && is_judged(judge, at));
    tally->spoken_of += rules && !unit->rules;
    unit->rules = rules;
    unit->last = last;
    unit->worst = worst;
    return at;
}

static void tally_kernels(struct judge *judge)
{
    uint32_t of_all = launches_number_of_all(judge->private->launches);
    for (uint32_t at = 0; at < judge->model->kernel_count;) {
        if (is_judged(judge, at))
            at = tally_run(judge, at, of_all);
        else
            leave_out(judge, at++);
    }
}

/* What is the same for all records of a verdict of metrics. */
static void count_records(struct judge *judge, const struct verdict_detail *detail, size_t times)
{
    struct judge_counts *counts = &judge->counts;
    const struct kernel *kernel = &judge->model->kernels[detail->sample];
    if (kernel->kind != KERNEL_ENTRY) {
        counts->functions += times;
        return;
    }
    bool ambiguous = kernel->flags & KERNEL_AMBIGUOUS;
    counts->entries += times;
    counts->ambiguous += ambiguous ? times : 0;
    counts->debug += kernel->flags & KERNEL_DEBUG ? times : 0;
    counts->unknown_arch += times && !arch_is_known(judge, kernel->arch_inferred) ? times : 0;
    counts->no_threads += launches_facts(judge->private->launches, detail->facts)->threads <= 0 ? times : 0;
    counts->barriers_assumed += kernel->registers != UNKNOWN && kernel->barriers == UNKNOWN ? times : 0;
}

static void count_not_judged(struct judge *judge, const struct verdict_detail *detail, const struct outcome *outcome,
                             size_t times)
{
    struct not_judged *counted = &judge->not_judged[outcome->rule];
    counted->times += times;
    if (!outcome->unstated || times == 0)
        return;
    if (!counted->unstated || detail->sample < counted->first)
        counted->first = detail->sample;
    counted->unstated |= outcome->unstated;
    counted->records += times;
    if (judge->model->kernels[detail->sample].flags & KERNEL_AMBIGUOUS)
        counted->ambiguous += times;
}

/* What was found with a verdict; where findings are listed they are counted one by one. */
static void count_outcomes(struct judge *judge, const struct verdict_detail *detail, size_t times)
{
    for (uint32_t at = 0; at < detail->count; at++) {
        const struct outcome *outcome = &judge->verdicts->outcomes[detail->first + at];
        if (outcome->state == OUTCOME_UNKNOWN)
            count_not_judged(judge, detail, outcome, times);
        if (outcome->state != OUTCOME_FIRES || !judge->tally)
            continue;
        enum severity fail_on = judge->options.fail_on;
        judge->unlisted_count += times;
        judge->counts.by_severity[outcome->severity] += times;
        if (fail_on != SEVERITY_OFF && outcome->severity >= fail_on)
            judge->counts.failing += times;
    }
}

enum unjudged judge_unjudged(const struct judge *judge, size_t rule)
{
    const struct not_judged *counted = &judge->not_judged[rule];
    enum severity fail_on = judge->options.fail_on;
    if (fail_on == SEVERITY_OFF || judge->rules->rules[rule].severity < fail_on || !counted->records)
        return UNJUDGED_NONE;
    return counted->records == judge->counts.entries - judge->counts.debug ? UNJUDGED_ALL : UNJUDGED_SOME;
}

enum unjudged judge_most_unjudged(const struct judge *judge)
{
    enum unjudged most = UNJUDGED_NONE;
    for (size_t rule = 0; rule < judge->rules->count; rule++)
        most = judge_unjudged(judge, rule) > most ? judge_unjudged(judge, rule) : most;
    return most;
}

static void count_verdicts(struct judge *judge)
{
    const struct verdict_table *table = judge->verdicts;
    for (uint32_t at = 0; at < table->count; at++) {
        const struct verdict_detail *detail = &table->details[at];
        bool of_key = detail->facts != NO_INDEX;
        if (of_key)
            count_records(judge, detail, table->verdicts[at].times);
        if (!verdict_is_open(table, at))
            count_outcomes(judge, detail, table->verdicts[at].times);
    }
}

/* ---- messages ---- */

static void find_listeners(struct judge *judge)
{
    struct judge_private *own = judge->private;
    for (size_t at = 0; at < judge->rules->count; at++) {
        const struct rule *rule = &judge->rules->rules[at];
        for (size_t name = 0; rule->kind == RULE_EVENT && rule_is_on(rule) && name < rule->event_count; name++) {
            uint32_t event = intern_find(&judge->model->strings, rule->events[name]);
            if (event == INTERN_NONE)
                continue;
            own->listeners =
                mem_reserve(own->listeners, &own->listener_cap, own->listener_count + 1, sizeof *own->listeners);
            own->listeners[own->listener_count++] = (struct listener){event, (uint16_t)at};
        }
    }
}

static void mark_names(struct judge *judge)
{
    const struct model *model = judge->model;
    judge->private->name_marks = mem_alloc(model->names.count);
    uint32_t unknown_stack = intern_find(&model->strings, STR("stack-unknown"));
    for (size_t at = 0; unknown_stack != INTERN_NONE && at < model->event_count; at++)
        if (model->events[at].id == unknown_stack && model->events[at].name != NO_INDEX)
            judge->private->name_marks[model->events[at].name] |= MARK_STACK_UNKNOWN;
}

static void index_names(struct judge *judge)
{
    const struct model *model = judge->model;
    struct judge_private *own = judge->private;
    own->first_of_name = mem_alloc(model->names.count * sizeof *own->first_of_name);
    own->next_of_name = mem_alloc(model->kernel_count * sizeof *own->next_of_name);
    memset(own->first_of_name, 0xFF, model->names.count * sizeof *own->first_of_name);
    for (size_t at = model->kernel_count; at-- > 0;) {
        if (model->kernels[at].name == NO_INDEX)
            continue;
        uint32_t *first = &own->first_of_name[model->kernels[at].name];
        own->next_of_name[at] = *first;
        *first = (uint32_t)at;
    }
}

/* Orders the records of one kernel: what spills more, has more stack, uses more registers is worse. */
static bool is_worse(const struct kernel *a, const struct kernel *b)
{
    int64_t spills_a = (int64_t)a->spill_store_bytes + a->spill_load_bytes;
    int64_t spills_b = (int64_t)b->spill_store_bytes + b->spill_load_bytes;
    if (spills_a != spills_b)
        return spills_a > spills_b;
    return a->stack_bytes != b->stack_bytes ? a->stack_bytes > b->stack_bytes : a->registers > b->registers;
}

/*
 * The record that a message about a function speaks of: of its architecture where it names one, else the worst of all,
 * so that a loop counts as harmless only when its kernel is clean everywhere; *sure when the architecture is. False:
 * the message is deselected.
 */
static bool find_record(struct judge *judge, const struct event *event, uint32_t *record, bool *sure)
{
    const struct model *model = judge->model;
    *record = NO_INDEX;
    *sure = true;
    if (event->arch != NO_INDEX && !arch_selected(judge, event->arch))
        return false;
    if (event->name == NO_INDEX)
        return true;
    if (!name_selected(judge, event->name))
        return false;
    if (!judge->private->first_of_name)
        index_names(judge);
    bool left_out = false;
    for (uint32_t at = judge->private->first_of_name[event->name]; at != NO_INDEX;
         at = judge->private->next_of_name[at]) {
        const struct kernel *kernel = &model->kernels[at];
        bool other_arch = event->arch != NO_INDEX && kernel->arch_inferred != event->arch;
        if (other_arch || kernel->log != event->log || subject_is_half(model, kernel))
            continue;
        if (!arch_selected(judge, kernel->arch_inferred)) {
            left_out = true;
            continue;
        }
        *sure = *record == NO_INDEX || event->arch != NO_INDEX;
        if (*record == NO_INDEX || is_worse(kernel, &model->kernels[*record]))
            *record = at;
    }
    return *record != NO_INDEX || !left_out;
}

bool judge_selects_event(struct judge *judge, uint32_t event)
{
    uint32_t record = NO_INDEX;
    bool sure = false;
    return find_record(judge, &judge->model->events[event], &record, &sure);
}

static void judge_event(struct judge *judge, uint32_t at)
{
    struct judge_private *own = judge->private;
    const struct event *event = &judge->model->events[at];
    uint32_t record = NO_INDEX;
    bool set = false, sure = false;
    for (size_t l = 0; l < own->listener_count; l++) {
        if (own->listeners[l].event != event->id)
            continue;
        if (!set && !find_record(judge, event, &record, &sure))
            return;
        if (!set)
            set_subject(judge, &own->subject, record, at);
        set = true;
        judge_now(judge, own->listeners[l].rule, &own->subject, sure ? record : NO_INDEX, at);
    }
}

/* ---- loops ---- */

/* The finding that stands for a loop so far. */
struct loop_place {
    uint32_t event;
    int severity; /* -1: an exception covers it */
    float worst;
};

static bool is_loop(const struct judge *judge, const struct finding *finding, const uint32_t unroll[2])
{
    if (judge->rules->rules[finding->rule].kind != RULE_EVENT)
        return false;
    const struct event *event = &judge->model->events[finding->event];
    return (event->id == unroll[0] || event->id == unroll[1]) && event->file != NO_INDEX;
}

static uint32_t place_number(struct intern *places, const struct event *event)
{
    const uint32_t place[3] = {event->file, event->line, event->column};
    return intern_add(places, (struct str){(const char *)place, sizeof place});
}

static void add_cause(struct judge *judge, const struct finding *finding, uint32_t stands)
{
    struct judge_private *own = judge->private;
    uint32_t name = judge->model->events[finding->event].name;
    if (name == NO_INDEX || finding->exception != NO_INDEX)
        return;
    if (!own->cause_of_name) {
        own->cause_of_name = mem_alloc(judge->model->names.count * sizeof *own->cause_of_name);
        memset(own->cause_of_name, 0xFF, judge->model->names.count * sizeof *own->cause_of_name);
    }
    own->causes = mem_reserve(own->causes, &own->cause_cap, own->cause_count + 1, sizeof *own->causes);
    own->causes[own->cause_count] = (struct cause){finding->event, stands, own->cause_of_name[name], finding->rule};
    own->cause_of_name[name] = (uint32_t)own->cause_count++;
}

/* Some message of the model is one of the rule's. */
static bool is_heard(const struct judge *judge, const struct rule *rule)
{
    for (size_t name = 0; name < rule->event_count; name++)
        if (intern_find(&judge->model->strings, rule->events[name]) != INTERN_NONE)
            return true;
    return false;
}

/* Some rule on kernels is left to one on messages, of which there are some. */
static bool wants_causes(const struct judge *judge)
{
    for (size_t at = 0; at < judge->rules->count; at++) {
        const struct rule *rule = &judge->rules->rules[at];
        for (size_t other = 0; rule_is_on(rule) && other < rule->left_to_count; other++) {
            const struct rule *speaker = ruleset_find(judge->rules, rule->left_to[other]);
            if (speaker && speaker->kind == RULE_EVENT && rule_is_on(speaker) && is_heard(judge, speaker))
                return true;
        }
    }
    return false;
}

/* A loop is found once, not once for every instantiation and every kernel that it is inlined into: the worst of them
 * stands for all. Findings before `first` are none of messages. */
static void judge_loops_once(struct judge *judge, size_t first)
{
    const struct intern *strings = &judge->model->strings;
    const uint32_t unroll[] = {intern_find(strings, STR("unroll")), intern_find(strings, STR("unroll-unclear"))};
    struct intern places = {0};
    struct loop_place *loops = mem_alloc((judge->finding_count - first + 1) * sizeof *loops);
    for (size_t at = first; at < judge->finding_count; at++) {
        const struct finding *finding = &judge->findings[at];
        if (!is_loop(judge, finding, unroll))
            continue;
        int severity = finding->exception == NO_INDEX ? finding->severity : -1;
        size_t before = places.count;
        struct loop_place *loop = &loops[place_number(&places, &judge->model->events[finding->event])];
        bool worse = severity > loop->severity || (severity == loop->severity && finding->worst > loop->worst);
        if (places.count > before || worse)
            *loop = (struct loop_place){finding->event, severity, finding->worst};
    }
    size_t kept = first;
    bool causes = wants_causes(judge);
    for (size_t at = first; at < judge->finding_count; at++) {
        const struct finding *finding = &judge->findings[at];
        uint32_t stands = finding->event;
        if (is_loop(judge, finding, unroll))
            stands = loops[place_number(&places, &judge->model->events[finding->event])].event;
        if (causes && judge->rules->rules[finding->rule].kind == RULE_EVENT)
            add_cause(judge, finding, stands);
        if (stands == finding->event)
            judge->findings[kept++] = *finding;
    }
    judge->finding_count = kept;
    intern_free(&places);
    free(loops);
}

/* ---- lines ---- */

static void add_line(struct judge *judge, const struct outcome *outcome, struct str line, uint16_t log, size_t number)
{
    struct judge_private *own = judge->private;
    const struct rule *rule = &judge->rules->rules[outcome->rule];
    buf_clear(&own->scratch);
    template_render(rule->cases[outcome->which].message, &own->subject, own->captures, &own->scratch);
    judge->lines = mem_reserve(judge->lines, &judge->line_cap, judge->line_count + 1, sizeof *judge->lines);
    judge->lines[judge->line_count] = (struct line_match){.message = arena_str(&own->arena, buf_str(&own->scratch)),
                                                          .text = arena_str(&own->arena, line),
                                                          .line = (uint32_t)number,
                                                          .log = log};
    add_finding(judge, outcome, NO_INDEX, (uint32_t)judge->line_count++);
}

void judge_line(struct judge *judge, struct str line, uint16_t log, size_t line_number)
{
    struct judge_private *own = judge->private;
    subject_set(&own->subject, judge->model, NULL, &judge->options.facts);
    for (size_t at = 0; at < judge->rules->count; at++) {
        struct rule *rule = &judge->rules->rules[at];
        if (rule->kind != RULE_PATTERN || !rule_is_on(rule) ||
            regex_match(rule->pattern, line, own->captures) != REGEX_YES)
            continue;
        struct outcome outcome = rule_judge(rule, &own->subject, own->captures);
        outcome.rule = (uint16_t)at;
        if (outcome.state == OUTCOME_FIRES)
            add_line(judge, &outcome, line, log, line_number);
    }
}

/* ---- the baseline ---- */

void judge_compare(struct judge *judge, const struct comparison *comparison, struct acceptance *acceptance,
                   bool report_drift)
{
    judge->comparison = comparison;
    judge->private->acceptance = acceptance;
    judge->private->report_drift = report_drift;
}

/* The record with the numbers of an entry of the baseline. */
static struct subject *subject_then(struct judge *judge, uint32_t kernel, const struct measured *then)
{
    struct subject *subject = &judge->private->subject;
    set_subject(judge, subject, kernel, NO_INDEX);
    subject->registers = then->values[MEASURE_REGISTERS];
    subject->spill_store_bytes = then->values[MEASURE_SPILL_STORES];
    subject->spill_load_bytes = then->values[MEASURE_SPILL_LOADS];
    subject->stack_bytes = then->values[MEASURE_STACK];
    subject->smem_bytes = then->values[MEASURE_SMEM];
    subject->barriers = then->values[MEASURE_BARRIERS];
    return subject;
}

static enum baseline_state state_then(struct judge *judge, const struct finding *finding, const struct measured *base)
{
    struct subject *subject = subject_then(judge, finding->kernel, base);
    struct outcome then = rule_judge(&judge->rules->rules[finding->rule], subject, NULL);
    if (then.state != OUTCOME_FIRES)
        return BASELINE_NEW;
    return then.worst >= finding->worst ? BASELINE_UNCHANGED : BASELINE_WORSE;
}

/* Of a kernel that took the place of others: what was said of one of them is known. */
static enum baseline_state state_of_successor(struct judge *judge, const struct finding *finding,
                                              const struct pair *pair)
{
    enum { MOST_ASKED = 1024 };
    const struct comparison *comparison = judge->comparison;
    const struct family *family = &comparison->families[pair->family];
    enum baseline_state state = BASELINE_NEW;
    size_t index = pair->member, asked = 0;
    for (size_t at = 0; at < family->gone_count && asked < MOST_ASKED && state != BASELINE_UNCHANGED; at++) {
        const struct measured *base = &comparison->base->items[family->gone[at]];
        if (!family_replaces(family, at, index) || base->debug != comparison->head->items[pair->head].debug)
            continue;
        enum baseline_state then = state_then(judge, finding, base);
        state = then == BASELINE_NEW ? state : then;
        asked++;
    }
    return state;
}

/* A kernel that did not get worse is as it was. Of one that did, what the rule looks at may be what it was before. */
static enum baseline_state state_of_kernel(struct judge *judge, const struct finding *finding)
{
    const struct pair *pair = compare_of_kernel(judge->comparison, finding->kernel);
    const struct rule *rule = &judge->rules->rules[finding->rule];
    if (!pair)
        return BASELINE_NEW;
    if (rule->asks_baseline && (pair->base != NO_INDEX || pair->family != NO_INDEX))
        return BASELINE_WORSE;
    if (pair->base == NO_INDEX)
        return pair->family == NO_INDEX ? BASELINE_NEW : state_of_successor(judge, finding, pair);
    if (pair->state != COMPARE_WORSE && !pair->partial)
        return BASELINE_UNCHANGED;
    if (judge->comparison->head->items[pair->head].debug)
        return BASELINE_NEW;
    return state_then(judge, finding, &judge->comparison->base->items[pair->base]);
}

/* The kernel that a message names is in the baseline, or took the place of one that is, and did not get worse. */
static bool is_as_it_was(struct judge *judge, const struct finding *finding)
{
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX)
        find_record(judge, &judge->model->events[finding->event], &kernel, &sure);
    const struct pair *pair = kernel == NO_INDEX ? NULL : compare_of_kernel(judge->comparison, kernel);
    return pair && pair->state != COMPARE_WORSE && (pair->base != NO_INDEX || pair->family != NO_INDEX);
}

static enum baseline_state state_of(struct judge *judge, const struct finding *finding)
{
    if (!judge->comparison)
        return BASELINE_NONE;
    if (judge->rules->rules[finding->rule].kind == RULE_KERNEL)
        return state_of_kernel(judge, finding);
    if (finding->exception != NO_INDEX || !judge->private->acceptance)
        return BASELINE_NEW;
    if (acceptance_take(judge->private->acceptance, judge, finding))
        return BASELINE_UNCHANGED;
    bool unknown = acceptance_is_blind(judge->private->acceptance, judge, finding) && is_as_it_was(judge, finding);
    judge->counts.unstated += unknown;
    return unknown ? BASELINE_UNCHANGED : BASELINE_NEW;
}

static uint16_t log_of(const struct judge *judge, const struct finding *finding)
{
    enum rule_kind kind = (enum rule_kind)judge->rules->rules[finding->rule].kind;
    if (kind == RULE_PATTERN)
        return judge->lines[finding->event].log;
    return kind == RULE_EVENT ? judge->model->events[finding->event].log : judge->model->kernels[finding->kernel].log;
}

static bool is_of_drift(const struct judge *judge, const struct finding *finding)
{
    const struct comparison *comparison = judge->comparison;
    uint16_t log = log_of(judge, finding);
    for (size_t at = 0; comparison && log < judge->model->log_count && at < comparison->column_count; at++)
        if (toolkit_order(comparison->columns[at].head, judge->model->logs[log].toolkit) == 0)
            return comparison->columns[at].drift;
    return false;
}

static bool says_it(const struct judge *judge, const struct finding *finding, const struct finding *other)
{
    return finding_counts(other) && other->severity >= finding->severity &&
           judge->rules->rules[other->rule].kind == RULE_KERNEL && speaks_for(judge, other->rule, finding->rule);
}

/* The finding of that rule and event counts, at this severity or above. */
static bool is_told(const struct judge *judge, const struct cause *cause, uint8_t severity)
{
    const struct finding *all = judge->findings;
    size_t from = judge->private->first_of_messages, to = judge->finding_count;
    while (from < to) {
        size_t middle = from + (to - from) / 2;
        if (all[middle].event < cause->stands)
            from = middle + 1;
        else
            to = middle;
    }
    for (; from < judge->finding_count && all[from].event == cause->stands; from++)
        if (all[from].rule == cause->rule && finding_counts(&all[from]) && all[from].severity >= severity)
            return true;
    return false;
}

/* A message about the function of the record says it: of its architecture, or of none. What it is told for stays a
 * finding on the same function, so nothing passes that the record alone would fail. */
static bool has_cause(const struct judge *judge, const struct finding *finding)
{
    const struct judge_private *own = judge->private;
    if (!own->cause_of_name || finding->kernel == NO_INDEX)
        return false;
    const struct kernel *kernel = &judge->model->kernels[finding->kernel];
    uint32_t at = kernel->name == NO_INDEX ? NO_INDEX : own->cause_of_name[kernel->name];
    for (; at != NO_INDEX; at = own->causes[at].next) {
        const struct cause *cause = &own->causes[at];
        const struct event *event = &judge->model->events[cause->event];
        bool fits = event->log == kernel->log && (event->arch == NO_INDEX || event->arch == kernel->arch_inferred);
        if (fits && speaks_for(judge, cause->rule, finding->rule) && is_told(judge, cause, finding->severity))
            return true;
    }
    return false;
}

/* The findings of a record stand side by side. */
static bool is_said(const struct judge *judge, size_t at)
{
    const struct finding *all = judge->findings, *finding = &all[at];
    if (judge->rules->rules[finding->rule].left_to_count == 0 || !finding_counts(finding))
        return false;
    for (size_t before = at; before-- > 0 && all[before].kernel == finding->kernel;)
        if (says_it(judge, finding, &all[before]))
            return true;
    for (size_t behind = at + 1; behind < judge->finding_count && all[behind].kernel == finding->kernel; behind++)
        if (says_it(judge, finding, &all[behind]))
            return true;
    return has_cause(judge, finding);
}

/* Takes out what another rule says better: one cause, one finding. */
static void leave_to_others(struct judge *judge)
{
    bool *said = mem_alloc((judge->finding_count + 1) * sizeof *said);
    size_t kept = 0;
    for (size_t at = 0; at < judge->finding_count; at++)
        said[at] = is_said(judge, at);
    for (size_t at = 0; at < judge->finding_count; at++)
        if (!said[at])
            judge->findings[kept++] = judge->findings[at];
    judge->finding_count = kept;
    free(said);
}

static void settle_findings(struct judge *judge)
{
    for (size_t at = 0; at < judge->finding_count; at++)
        judge->findings[at].baseline_state = (uint8_t)state_of(judge, &judge->findings[at]);
    leave_to_others(judge);
    for (size_t at = 0; at < judge->finding_count; at++) {
        struct finding *finding = &judge->findings[at];
        if (judge->private->report_drift && finding->severity > SEVERITY_NOTE && finding_counts(finding) &&
            is_of_drift(judge, finding)) {
            finding->severity = SEVERITY_NOTE;
            judge->counts.drifted++;
        }
        count_finding(judge, finding);
    }
    if (judge->private->acceptance && !judge->options.part)
        judge->counts.stale = acceptance_stale(judge->private->acceptance, judge->rules);
}

/* ---- all of it ---- */

static bool check_limits(const struct judge *judge, struct diags *diags)
{
    bool ok = true;
    for (size_t at = 0; at < judge->rules->count; at++) {
        const struct rule *rule = &judge->rules->rules[at];
        const struct regex *regex = rule_is_on(rule) ? rule_exploded(rule) : NULL;
        if (regex)
            ok = diag_error(diags, (struct place){.path = rule->path},
                            "rule %.*s: matching '%.*s' takes too many steps, write it without nested repetition",
                            STR_ARG(rule->id), STR_ARG(regex_pattern(regex)));
    }
    if (judge->options.kernel && regex_exploded(judge->options.kernel))
        ok = diag_error(diags, (struct place){0},
                        "--kernel: matching '%.*s' takes too many steps, write it without nested repetition",
                        STR_ARG(regex_pattern(judge->options.kernel)));
    return ok;
}

/* Those of the configuration were there before the first line. */
static void add_source_exceptions(struct judge *judge)
{
    struct judge_private *own = judge->private;
    if (judge->model->allow_count == 0)
        return;
    if (!own->exceptions)
        own->exceptions = exceptions_new(NULL, 0, judge->rules, judge->model, judge->options.today);
    exceptions_add_sources(own->exceptions);
}

/* Nothing is to be said of single findings, and a rule is a bit. */
static bool can_tally(const struct judge *judge)
{
    return judge->options.bounded && judge->rules->count <= TALLY_RULES && judge->finding_count == 0 &&
           !judge->comparison && !judge->private->exceptions && !judge->options.profile && !wants_causes(judge);
}

/* Warns of what the configuration says of kernels that are not there, and of exceptions that nobody needs. */
static void report_unmet(struct judge *judge, bool ok, struct diags *diags)
{
    struct judge_private *own = judge->private;
    bool part = judge->options.part;
    bool whole = !part && !judge->options.partial && !judge->counts.deselected && judge->counts.entries;
    bool judged = ok && judge->rules->count;
    judge->counts.unmet = launches_report(own->launches, whole, !judged, diags);
    if (judged && own->exceptions)
        judge->counts.unmet += exceptions_report(own->exceptions, own->launches, part, whole, diags);
}

bool judge_run(struct judge *judge, struct diags *diags)
{
    judge->templates = templates_new(&judge->model->names, judge->options.threads);
    judge->private->name_seen = mem_alloc(judge->model->names.count);
    judge->private->arch_known = mem_alloc(judge->model->strings.count);
    mark_names(judge);
    add_source_exceptions(judge);
    judge->private->gates = gates_new(judge->rules, judge->comparison != NULL);
    if (can_tally(judge))
        judge->tally = tally_new(judge->model);
    if (judge->tally)
        tally_kernels(judge);
    else
        list_kernels(judge);
    count_verdicts(judge);
    find_listeners(judge);
    judge->private->first_of_messages = judge->finding_count;
    for (uint32_t at = 0; judge->private->listener_count && at < judge->model->event_count; at++)
        judge_event(judge, at);
    judge_loops_once(judge, judge->private->first_of_messages);
    settle_findings(judge);
    bool ok = check_limits(judge, diags) && launches_check(judge->private->launches, diags);
    report_unmet(judge, ok, diags);
    return ok;
}

/* ---- showing ---- */

static bool is_line(const struct judge *judge, const struct finding *finding)
{
    return judge->rules->rules[finding->rule].kind == RULE_PATTERN;
}

struct subject *judge_subject(struct judge *judge, const struct finding *finding)
{
    judge->private->other_facts = finding->facts;
    uint32_t event = is_line(judge, finding) ? NO_INDEX : finding->event;
    uint32_t kernel = finding->kernel;
    bool sure = false;
    if (kernel == NO_INDEX && event != NO_INDEX)
        find_record(judge, &judge->model->events[event], &kernel, &sure);
    set_subject(judge, &judge->private->shown, kernel, event);
    judge->private->other_facts = NO_INDEX;
    return &judge->private->shown;
}

size_t judge_launches(struct judge *judge, uint32_t kernel, const struct profile_launch **seen, size_t most)
{
    return launches_seen(judge->private->launches, &judge->model->kernels[kernel], seen, most);
}

struct subject *judge_record(struct judge *judge, uint32_t kernel)
{
    set_subject(judge, &judge->private->shown, kernel, NO_INDEX);
    return &judge->private->shown;
}

const struct measured *finding_base(const struct judge *judge, const struct finding *finding)
{
    const struct comparison *comparison = judge->comparison;
    bool of_kernel = comparison && judge->rules->rules[finding->rule].kind == RULE_KERNEL;
    const struct pair *pair = of_kernel ? compare_of_kernel(comparison, finding->kernel) : NULL;
    if (pair && pair->base != NO_INDEX)
        return &comparison->base->items[pair->base];
    const struct family *family = pair && pair->family != NO_INDEX ? &comparison->families[pair->family] : NULL;
    uint32_t nearest = family ? family->nearest[pair->member] : NO_INDEX;
    return nearest == NO_INDEX ? NULL : &comparison->base->items[nearest];
}

void finding_message(struct judge *judge, const struct finding *finding, struct buf *out)
{
    const struct rule *rule = &judge->rules->rules[finding->rule];
    if (is_line(judge, finding)) {
        buf_add(out, judge->lines[finding->event].message);
        return;
    }
    const struct template *message = rule->cases[finding->which].message;
    const struct measured *base = rule->asks_baseline ? NULL : finding_base(judge, finding);
    struct subject *subject = judge_subject(judge, finding);
    template_render(message, subject, NULL, out);
    if (!base)
        return;
    judge->private->other_facts = finding->facts;
    template_was(message, subject, subject_then(judge, finding->kernel, base), out);
    judge->private->other_facts = NO_INDEX;
}

struct str finding_reason(const struct judge *judge, const struct finding *finding)
{
    if (finding->exception == NO_INDEX)
        return (struct str){"", 0};
    return exceptions_reason(judge->private->exceptions, finding->exception);
}

bool finding_allowed_in_source(const struct judge *judge, const struct finding *finding)
{
    return finding->exception != NO_INDEX && exceptions_in_source(judge->private->exceptions, finding->exception);
}

static struct str log_path(const struct model *model, uint16_t log)
{
    return log < model->log_count ? model_string(model, model->logs[log].path) : (struct str){"", 0};
}

/* The source place that a finding has, or an empty path. */
static struct finding_place source_place(const struct judge *judge, const struct finding *finding)
{
    const struct model *model = judge->model;
    if (finding->event != NO_INDEX && !is_line(judge, finding) && model->events[finding->event].file != NO_INDEX) {
        const struct event *event = &model->events[finding->event];
        return (struct finding_place){
            .path = model_string(model, event->file), .line = event->line, .column = event->column};
    }
    if (finding->kernel == NO_INDEX)
        return (struct finding_place){0};
    const struct kernel *kernel = &model->kernels[finding->kernel];
    bool has_log = kernel->log_line > 0; /* a line of the log says more than a file without a line */
    uint32_t line = kernel_extra(model, kernel)->source_line;
    if (kernel->source == NO_INDEX || (line == 0 && has_log))
        return (struct finding_place){0};
    return (struct finding_place){.path = model_string(model, kernel->source), .line = line};
}

struct finding_place finding_place(const struct judge *judge, const struct finding *finding)
{
    const struct model *model = judge->model;
    struct finding_place place = source_place(judge, finding);
    uint16_t log = 0;
    if (is_line(judge, finding)) {
        log = judge->lines[finding->event].log;
        place.log_line = judge->lines[finding->event].line;
    } else if (finding->event != NO_INDEX) {
        log = model->events[finding->event].log;
        place.log_line = model->events[finding->event].log_line;
    } else {
        log = model->kernels[finding->kernel].log;
        place.log_line = model->kernels[finding->kernel].log_line;
    }
    place.log = log_path(model, log);
    place.from_here = log < model->log_count && model->logs[log].from_here;
    place.in_log = place.path.len == 0;
    if (place.in_log) {
        place.path = place.log;
        place.line = place.log_line;
    }
    return place;
}
