/* diff as text: the compilers if they differ, the rows that changed, the totals, the verdict. */
#include "log/spelling.h"
#include "report/changes.h"
#include "report/elide.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/messages.h"

enum { SHOWN_ROWS = 20, SHOWN_NEXT = 3, WIDTH = 80, LEAST_WIDTH = 40, INDENT = 11, FOLDED_INDENT = 4 };

static size_t width_of(const struct report *report)
{
    size_t width = report->width ? report->width : WIDTH;
    return width < LEAST_WIDTH ? LEAST_WIDTH : width;
}

/* Appends the lines of `text`, folded. */
static void add_folded(const struct report *report, void (*text)(const struct report *, struct buf *), struct buf *out)
{
    SCOPED(buf) lines = {0};
    text(report, &lines);
    buf_fold_lines(out, buf_str(&lines), FOLDED_INDENT, width_of(report));
}

/* Appends a line; if it is folded, the next lines are indented by the width of its head. */
static void add_line(const struct report *report, struct str head, struct str text, struct buf *out)
{
    buf_add(out, head);
    buf_fold(out, text, head.len, head.len, width_of(report));
    buf_char(out, '\n');
}

/* How rows are printed: as wide as they are, or in fewer columns. */
struct layout {
    int measures[MEASURE_COUNT]; /* of each column; CHANGES_SPILLS: stores and loads together */
    const char *heads[MEASURE_COUNT];
    size_t count;
    const char *arrow;
    bool archs;   /* architectures have a column; false: they precede the name */
    size_t width; /* of all columns but the names */
};

static struct layout choose_layout(const struct changes *changes, bool narrow, bool archs)
{
    struct layout layout = {.arrow = narrow ? "->" : " -> ", .archs = archs};
    bool joined = false; /* the column for stores and loads together exists */
    for (size_t at = 0; at < changes->column_count; at++) {
        const int measure = changes->columns[at];
        const bool spills = narrow && (measure == MEASURE_SPILL_STORES || measure == MEASURE_SPILL_LOADS);
        if (spills && joined)
            continue;
        joined |= spills;
        layout.measures[layout.count] = spills ? CHANGES_SPILLS : measure;
        layout.heads[layout.count++] = spills ? "spills" : measure_table[measure].head;
    }
    return layout;
}

/* Appends the heads of the columns, then severity, values and architectures of the rows; returns the width. */
static size_t render(const struct changes *changes, const struct layout *layout, size_t shown, struct buf *lines)
{
    SCOPED(table) table = {.columns = 0};
    table_column(&table, "       ", false);
    for (size_t at = 0; at < layout->count; at++)
        table_column(&table, layout->heads[at], true);
    if (layout->archs)
        table_column(&table, "arch", false);
    for (size_t row = 0; row < shown; row++) {
        table_cell(&table, str_of(changes_severity(&changes->rows[row])));
        for (size_t at = 0; at < layout->count; at++) {
            changes_cell(&changes->rows[row], layout->measures[at], layout->arrow, &table.cell);
            table_end(&table);
        }
        if (layout->archs)
            table_cell(&table, changes->rows[row].archs);
    }
    return table_render(&table, lines);
}

/* The widest layout that fits the width without the names. */
static struct layout fit(const struct changes *changes, size_t shown, size_t width, struct buf *lines)
{
    struct layout layout = {.count = 0};
    for (int step = 0; step < 3; step++) {
        buf_clear(lines);
        layout = choose_layout(changes, step > 0, step < 2);
        layout.width = render(changes, &layout, shown, lines);
        if (layout.width <= width)
            break;
    }
    return layout;
}

/* Appends the arguments of a row, aligned with those of its group. A row that is alone has its name instead, unless
 * add_heads has already printed the name above the row. */
static void add_kernel(const struct changes *changes, const struct change_row *row, const struct layout *layout,
                       bool grouped, struct buf *out)
{
    if (!layout->archs)
        buf_fmt(out, "%.*s: ", STR_ARG(row->archs));
    if (changes->heads[row->group].len == 0 && !grouped)
        buf_add(out, row->name);
    for (size_t at = 0; at < row->argument_count; at++) {
        buf_add(out, row->arguments[at]);
        if (at + 1 < row->argument_count)
            buf_pad(out, ' ', row->widths[at] - str_width(row->arguments[at]) + 1);
    }
}

/* Appends the template, broken after commas if it is too long for a line. */
static void add_template(struct str text, size_t width, struct buf *out)
{
    enum { INDENT_OF_HEAD = 2, INDENT_OF_REST = 6 };
    size_t room = width - INDENT_OF_HEAD;
    buf_pad(out, ' ', INDENT_OF_HEAD);
    while (str_width(text) > room) {
        size_t end = str_rfind(str_sub(text, 0, room), STR(", "));
        if (end == STR_NONE || end == 0)
            break;
        buf_add(out, str_sub(text, 0, end + 1));
        buf_char(out, '\n');
        buf_pad(out, ' ', INDENT_OF_REST);
        text = str_from(text, end + 2);
        room = width - INDENT_OF_REST;
    }
    elide(text, room, out);
    buf_char(out, '\n');
}

/* Appends the title of a section and the template of a group where they begin. After a group, a kernel that is alone
 * also has its name there, so that it does not look like a member of that group. *grouped: the section already has a
 * group. */
static void add_heads(const struct report *report, const struct changes *changes, size_t number, bool *grouped,
                      struct buf *out)
{
    const struct change_row *row = &changes->rows[number], *last = number ? row - 1 : NULL;
    struct str head = changes->heads[row->group];
    SCOPED(buf) text = {0};
    if (!last || last->section != row->section) {
        const bool bad = row->section == CHANGES_WORSE || row->section == CHANGES_SUCCESSORS;
        const char *color = !report->color                   ? ""
                            : bad                            ? "\033[31m"
                            : row->section == CHANGES_BETTER ? "\033[32m"
                                                             : "\033[36m";
        buf_fmt(out, "%s%s:%s\n", color, change_titles[row->section], *color ? "\033[0m" : "");
        *grouped = false;
    }
    *grouped |= head.len > 0;
    if (*grouped && (!last || last->group != row->group || last->section != row->section)) {
        buf_add(&text, head.len ? head : row->name);
        if (row->mark.len)
            buf_fmt(&text, " (%.*s)", STR_ARG(row->mark));
        add_template(buf_str(&text), width_of(report), out);
    }
}

/* Appends the text after the name on a line of its own. The rule gets another line if one is too short for both. */
static void add_tail_below(struct str tail, size_t room, struct buf *out)
{
    const size_t rule = str_width(tail) > room ? str_rfind(tail, STR(" [")) : STR_NONE;
    buf_char(out, '\n');
    buf_pad(out, ' ', INDENT);
    elide(str_sub(tail, 0, rule == STR_NONE ? tail.len : rule), room, out);
    if (rule == STR_NONE)
        return;
    buf_char(out, '\n');
    buf_pad(out, ' ', INDENT);
    elide(str_from(tail, rule + 1), room, out);
}

/* Appends each row with its name or its arguments after the values, or below them if there is too little room. */
static void add_rows(const struct report *report, const struct changes *changes, size_t shown, struct buf *out)
{
    SCOPED(buf) lines = {0}, label = {0}, tail = {0};
    size_t width = width_of(report), row = 0;
    bool grouped = false;
    struct layout layout = fit(changes, shown, width, &lines);
    struct str rest = buf_str(&lines), line;
    str_split(&rest, '\n', &line);
    buf_fmt(out, "%.*s\n", STR_ARG(line));
    for (; rest.len && str_split(&rest, '\n', &line); row++) {
        const struct change_row *change = &changes->rows[row];
        add_heads(report, changes, row, &grouped, out);
        buf_clear(&label);
        buf_clear(&tail);
        add_kernel(changes, change, &layout, grouped, &label);
        /* The tail follows the name. If there is too little room, the name is shortened first. */
        if (change->mark.len && changes->heads[change->group].len == 0 && !grouped)
            buf_fmt(&tail, " (%.*s)", STR_ARG(change->mark));
        if (change->rule.len)
            buf_fmt(&tail, " [%.*s]", STR_ARG(change->rule));
        const size_t behind = str_width(buf_str(&tail)), length = str_width(buf_str(&label)) + behind;
        const bool fits = layout.width + 2 + length <= width;
        /* The tail gets its own line. */
        const bool below = label.len && behind > width / 2 && !fits && INDENT + length > width;
        const size_t room = width - INDENT - (below ? 0 : behind);
        buf_add(out, line);
        buf_pad(out, ' ', fits && length ? layout.width - str_width(line) + 2 : 0);
        if (!fits) {
            spell_shorter(&label, room);
            buf_char(out, '\n');
            buf_pad(out, ' ', INDENT);
        }
        elide(buf_str(&label), fits ? width : room, out);
        if (below)
            add_tail_below(str_from(buf_str(&tail), 1), room, out);
        else
            buf_add(out, buf_str(&tail));
        buf_char(out, '\n');
    }
}

/* Appends for each renamed kernel a line with its name, one with its old name, and one with the architectures. */
static void add_renamed(struct delta *delta, struct buf *out)
{
    size_t width = width_of(delta->report), kernels = 0;
    SCOPED(buf) now = {0}, before = {0};
    for (size_t at = delta->changed_count, end = at; at < delta->row_count; at = end) {
        const struct pair *pair = delta->rows[at];
        const struct str id = delta_pair(delta->comparison, pair).id;
        while (end < delta->row_count && str_eq(delta_pair(delta->comparison, delta->rows[end]).id, id))
            end++;
        if (++kernels > SHOWN_ROWS && !delta->report->all)
            continue;
        delta_names(delta, pair, &now, &before);
        buf_add(out, STR("[renamed]  "));
        elide(buf_str(&now), width - 11, out);
        buf_add(out, STR("\n      was  "));
        elide(buf_str(&before), width - 11, out);
        buf_add(out, STR("\n       on "));
        for (; at < end; at++)
            text_fmt(out, " %.*s", STR_ARG(delta_pair(delta->comparison, delta->rows[at]).arch));
        buf_char(out, '\n');
    }
    if (kernels > SHOWN_ROWS && !delta->report->all)
        buf_count(out, kernels - SHOWN_ROWS, "[# other{|s} renamed; --all shows all]\n");
}

/* Appends "[37 more rows: 13 worse, 13 changed, 11 better; --all shows all]", in the order of the sections. */
static void add_left_out(const struct changes *changes, size_t shown, struct buf *out)
{
    const size_t first = shown;
    buf_count(out, changes->count - shown, "[# more row{|s}: ");
    while (shown < changes->count) {
        const enum change_section section = (enum change_section)changes->rows[shown].section;
        const size_t begin = shown;
        while (shown < changes->count && changes->rows[shown].section == section)
            shown++;
        buf_fmt(out, "%s%zu %s", begin == first ? "" : ", ", shown - begin, change_titles[section]);
    }
    buf_add(out, STR("; --all shows all]\n"));
}

/* Appends the rows, and what is only counted. */
static void add_changes(const struct report *report, struct buf *out)
{
    SCOPED(changes) changes = changes_make(report);
    SCOPED(buf) rest = {0};
    size_t shown = report->all || changes.count <= SHOWN_ROWS ? changes.count : SHOWN_ROWS, before = out->len;
    if (shown)
        add_rows(report, &changes, shown, out);
    if (shown < changes.count)
        add_left_out(&changes, shown, out);
    if (changes_rest(&changes, &rest)) {
        buf_add(&rest, STR("; --all shows all"));
        add_line(report, STR("not shown: "), buf_str(&rest), out);
    }
    if (out->len > before)
        buf_char(out, '\n');
}

/* Appends what to do about the worst findings that fail: the kernel, its source if known, and the next action. */
static void add_next(const struct report *report, struct buf *out)
{
    const struct groups *groups = report->groups;
    SCOPED(buf) line = {0}, next = {0};
    for (size_t g = 0, shown = 0; g < groups->shown_count && shown < SHOWN_NEXT; g++) {
        const struct finding *worst = &groups->findings[groups->shown[g].worst];
        struct str mangled = context_mangled(linter_context(report->linter, worst));
        struct location location = location_of(report, worst);
        buf_clear(&line);
        buf_clear(&next);
        if (!finding_fails(report->linter, worst) || !mangled.len || !finding_next(report->linter, worst, false, &next))
            continue;
        label_within(report->labels, mangled, width_of(report), &line);
        buf_fmt(&line, " (%.*s)", STR_ARG(finding_arch(report->linter, worst)));
        if (!location.in_log)
            text_fmt(&line, " in %.*s", STR_ARG(location_shown(report, location.path)));
        text_fmt(&line, ": %.*s", STR_ARG(buf_str(&next)));
        add_line(report, STR("next: "), buf_str(&line), out);
        shown++;
    }
}

/* Appends the rules that fail, what to do about them, and the verdict. */
static void add_verdict(const struct report *report, struct buf *out)
{
    static const struct str head = STR_INIT("failing: ");
    const bool fails = report->linter->counts.failing > 0;
    if (fails) {
        buf_add(out, head);
        delta_failing(report, width_of(report), head.len, out);
        buf_char(out, '\n');
        add_next(report, out);
    }
    add_folded(report, incomplete_text, out);
    buf_add(out, STR("verdict: "));
    delta_verdict(report, out);
    buf_char(out, '\n');
    if (fails && report->groups->shown_count) {
        const struct rule *rule = &report->linter->rules->rules[report->groups->shown[0].rule];
        buf_fmt(out, "why and what to do: warplint explain %.*s\n", STR_ARG(rule->id));
        add_folded(report, accept_text, out);
    }
}

void diff_text(const struct report *report, struct out *out)
{
    SCOPED(delta) delta = {0};
    SCOPED(buf) messages = {0}, compared = {0};
    delta_make(&delta, report);
    drift_text(report, &out->text);
    if (out->text.len)
        buf_char(&out->text, '\n');
    add_changes(report, &out->text);
    message_findings_text(report, report->all ? SIZE_MAX : SHOWN_ROWS, &messages);
    buf_fold_lines(&out->text, buf_str(&messages), FOLDED_INDENT, width_of(report));
    buf_add(&out->text, messages.len ? STR("\n") : STR(""));
    size_t before = out->text.len;
    add_renamed(&delta, &out->text);
    if (out->text.len > before)
        buf_char(&out->text, '\n');
    if (delta_has_totals(&delta)) {
        buf_add(&out->text, STR("totals of HEAD and their change:\n"));
        SCOPED(table) table = delta_table(&delta);
        table_render(&table, &out->text);
    }
    add_folded(report, best_case_text, &out->text); /* the meaning of the column of warps */
    buf_char(&out->text, '\n');
    delta_compared(report, &compared);
    add_line(report, STR("compared: "), buf_str(&compared), &out->text);
    add_folded(report, moved_sources_text, &out->text);
    buf_count(&out->text, report->linter->counts.ambiguous,
              "not compared: # kernel x arch of HEAD: several compilers wrote at once, so it is ambiguous whose "
              "numbers these are\n");
    add_verdict(report, &out->text);
}
