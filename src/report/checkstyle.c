/* checkstyle: findings by file in the XML of Checkstyle, which names no version of its form but its own: 4.3. */
#include "report/location.h"
#include "report/messages.h"
#include "report/xml.h"

#include <stdlib.h>

struct entry {
    struct str path;
    uint32_t rank; /* place in the order of groups, worst first */
    const struct group *group;
};

static int by_path(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = str_cmp(a->path, b->path);
    return order ? order : number_cmp(a->rank, b->rank);
}

/* Entries by path, and in it worst first. */
static struct entry *sort_entries(const struct report *report, const struct groups *groups, struct arena *arena,
                                  size_t *count)
{
    struct entry *entries = mem_alloc((groups->shown_count + 1) * sizeof *entries);
    struct buf path = {0};
    *count = 0;
    for (uint32_t at = 0; at < groups->shown_count; at++) {
        const struct group *group = &groups->shown[at];
        const struct finding *worst = &report->linter->findings[group->worst];
        if (!finding_counts(worst))
            continue;
        buf_clear(&path);
        location_path(report, location_worst(report, worst).path, &path);
        entries[(*count)++] = (struct entry){arena_str(arena, buf_str(&path)), at, group};
    }
    qsort(entries, *count, sizeof *entries, by_path);
    buf_free(&path);
    return entries;
}

static struct str checkstyle_severity(enum severity severity)
{
    static const char *const names[] = {"ignore", "info", "warning", "error"};
    return str_of(names[severity]);
}

static void add_error(const struct report *report, const struct groups *groups, const struct group *group,
                      struct buf *out)
{
    const struct finding *worst = &report->linter->findings[group->worst];
    struct location location = location_worst(report, worst);
    struct buf text = {0};
    buf_add(out, STR("    <error"));
    xml_number("line", location.line ? location.line : 1, out);
    if (location.column)
        xml_number("column", location.column, out);
    xml_attribute("severity", checkstyle_severity((enum severity)worst->severity), out);
    group_text(report, groups, group, &text);
    xml_attribute("message", buf_str(&text), out);
    buf_clear(&text);
    buf_fmt(&text, "warplint.%.*s", STR_ARG(report->linter->rules->rules[worst->rule].id));
    xml_attribute("source", buf_str(&text), out);
    buf_add(out, STR("/>\n"));
    buf_free(&text);
}

void report_checkstyle(const struct report *report, struct out *out)
{
    struct groups groups;
    struct arena arena = {0};
    size_t count = 0;
    groups_make_all(&groups, report->linter);
    struct entry *entries = sort_entries(report, &groups, &arena, &count);
    xml_declaration(&out->text);
    buf_add(&out->text, STR("<checkstyle version=\"4.3\">\n"));
    for (size_t at = 0; at < count; at++) {
        if (at == 0 || !str_eq(entries[at].path, entries[at - 1].path)) {
            buf_add(&out->text, STR("  <file"));
            xml_attribute("name", entries[at].path, &out->text);
            buf_add(&out->text, STR(">\n"));
        }
        add_error(report, &groups, entries[at].group, &out->text);
        if (at + 1 == count || !str_eq(entries[at].path, entries[at + 1].path))
            buf_add(&out->text, STR("  </file>\n"));
        out_spill(out);
    }
    buf_add(&out->text, STR("</checkstyle>\n"));
    free(entries);
    arena_free(&arena);
    groups_free(&groups);
}
