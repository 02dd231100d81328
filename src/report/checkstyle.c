/* checkstyle: findings by file in the XML format of Checkstyle. Its version attribute is that of Checkstyle, 4.3: the
 * format itself has none. */
#include "report/issues.h"
#include "report/markup.h"

struct entry {
    struct str path;
    uint32_t place; /* index of the issue; worst first */
};

static int by_path(const void *left, const void *right)
{
    const struct entry *a = left, *b = right;
    int order = str_cmp(a->path, b->path);
    return order ? order : number_cmp(a->place, b->place);
}

void report_checkstyle(const struct report *report, struct out *out)
{
    static const char *const severities[] = {"ignore", "info", "warning", "error"};
    SCOPED(issues) issues = issues_open(report);
    SCOPED(arena) arena = {0};
    size_t count = 0;
    struct entry *entries = arena_alloc(&arena, (issues.groups.shown_count + 1) * sizeof *entries);
    for (; issues_next(&issues); count++)
        entries[count] = (struct entry){arena_str(&arena, issue_path(&issues)), (uint32_t)issues.next - 1};
    mem_sort(entries, count, sizeof *entries, by_path);
    buf_add(&out->text, STR("<?xml version=\"1.0\" encoding=\"UTF-8\"?>\n<checkstyle version=\"4.3\">\n"));
    for (size_t at = 0; at < count; at++) {
        if (at == 0 || !str_eq(entries[at].path, entries[at - 1].path))
            html_fmt(&out->text, "  <file name=\"%.*s\">\n", STR_ARG(entries[at].path));
        issues.next = entries[at].place;
        issues_next(&issues);
        buf_fmt(&out->text, "    <error line=\"%u\"", issues.location.line ? issues.location.line : 1);
        if (issues.location.column)
            buf_fmt(&out->text, " column=\"%u\"", issues.location.column);
        const struct str text = issue_text(&issues);
        html_fmt(&out->text, " severity=\"%s\" message=\"%.*s\" source=\"warplint.%.*s\"/>\n",
                 severities[issues.severity], STR_ARG(text), STR_ARG(issues.rule->id));
        if (at + 1 == count || !str_eq(entries[at].path, entries[at + 1].path))
            buf_add(&out->text, STR("  </file>\n"));
        out_spill(out);
    }
    buf_add(&out->text, STR("</checkstyle>\n"));
}
