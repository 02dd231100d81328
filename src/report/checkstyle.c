/* checkstyle: findings by file in the XML of Checkstyle, which names no version of its form but its own: 4.3. */
#include "report/issues.h"
#include "report/markup.h"

#include <stdlib.h>

struct entry {
    struct str path;
    uint32_t place; /* of the issue, worst first */
};

static int by_path(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = str_cmp(a->path, b->path);
    return order ? order : number_cmp(a->place, b->place);
}

static void add_error(struct issues *issues, struct buf *out)
{
    static const char *const severities[] = {"ignore", "info", "warning", "error"};
    struct buf source = {0};
    buf_add(out, STR("    <error"));
    xml_number("line", issues->location.line ? issues->location.line : 1, out);
    if (issues->location.column)
        xml_number("column", issues->location.column, out);
    xml_attribute("severity", str_of(severities[issues->severity]), out);
    xml_attribute("message", issue_text(issues), out);
    buf_fmt(&source, "warplint.%.*s", STR_ARG(issues->rule->id));
    xml_attribute("source", buf_str(&source), out);
    buf_add(out, STR("/>\n"));
    buf_free(&source);
}

void report_checkstyle(const struct report *report, struct out *out)
{
    struct issues issues;
    struct arena arena = {0};
    size_t count = 0;
    issues_open(&issues, report);
    struct entry *entries = mem_alloc((issues.groups.shown_count + 1) * sizeof *entries);
    for (; issues_next(&issues); count++)
        entries[count] = (struct entry){arena_str(&arena, issue_path(&issues)), (uint32_t)issues.next - 1};
    qsort(entries, count, sizeof *entries, by_path);
    xml_declaration(&out->text);
    buf_add(&out->text, STR("<checkstyle version=\"4.3\">\n"));
    for (size_t at = 0; at < count; at++) {
        if (at == 0 || !str_eq(entries[at].path, entries[at - 1].path)) {
            buf_add(&out->text, STR("  <file"));
            xml_attribute("name", entries[at].path, &out->text);
            buf_add(&out->text, STR(">\n"));
        }
        issues.next = entries[at].place;
        issues_next(&issues);
        add_error(&issues, &out->text);
        if (at + 1 == count || !str_eq(entries[at].path, entries[at + 1].path))
            buf_add(&out->text, STR("  </file>\n"));
        out_spill(out);
    }
    buf_add(&out->text, STR("</checkstyle>\n"));
    free(entries);
    arena_free(&arena);
    issues_close(&issues);
}
