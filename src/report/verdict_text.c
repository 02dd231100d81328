#include "report/verdict_text.h"

#include "report/label.h"

enum { SHOWN_ARCHS = 12 };

void counted(struct buf *out, uint64_t count, const char *noun)
{
    buf_fmt(out, "%llu %s%s", (unsigned long long)count, noun, count == 1 ? "" : "s");
}

static bool saw_something(const struct report *report)
{
    return report->judge->counts.entries || report->judge->finding_count;
}

const char *verdict_word(const struct report *report)
{
    if (report->kind != REPORT_FINDINGS)
        return "";
    if (report->fail_on == SEVERITY_OFF)
        return "not asked for";
    if (report->judge->counts.failing)
        return "FAILED";
    return saw_something(report) ? "passed" : "none";
}

void verdict_reason(const struct report *report, struct buf *out)
{
    if (report->kind != REPORT_FINDINGS)
        return;
    if (report->fail_on == SEVERITY_OFF)
        buf_add(out, STR(" (--fail-on never)"));
    else if (report->judge->counts.failing)
        buf_fmt(out, ", %zu at or above %s", report->judge->counts.failing, severity_name(report->fail_on));
    else if (saw_something(report))
        buf_fmt(out, ", nothing at or above %s", severity_name(report->fail_on));
    else
        buf_add(out, STR(", there was nothing to judge"));
}

void verdict_counts(const struct report *report, struct buf *out)
{
    const struct judge_counts *counts = &report->judge->counts;
    size_t shown = report->judge->finding_count - counts->suppressed;
    counted(out, counts->by_severity[SEVERITY_ERROR], "error");
    buf_add(out, STR(", "));
    counted(out, counts->by_severity[SEVERITY_WARNING], "warning");
    buf_add(out, STR(", "));
    counted(out, counts->by_severity[SEVERITY_NOTE], "note");
    if (report->groups->count < shown)
        buf_fmt(out, " in %zu group%s", report->groups->count, report->groups->count == 1 ? "" : "s");
    if (counts->suppressed)
        buf_fmt(out, "; %zu suppressed by exceptions", counts->suppressed);
}

static void add_archs(const struct report *report, struct buf *out)
{
    const struct judge *judge = report->judge;
    for (size_t at = 0; at < judge->arch_count && at < SHOWN_ARCHS; at++) {
        buf_add(out, at ? STR(" ") : STR(" for "));
        safe_text(model_string(report->model, judge->archs[at]), out);
    }
    if (judge->arch_count > SHOWN_ARCHS)
        buf_fmt(out, " and %zu more", judge->arch_count - SHOWN_ARCHS);
}

void verdict_judged(const struct report *report, struct buf *out)
{
    struct totals totals = report_totals(report);
    counted(out, totals.kernels, "kernel");
    add_archs(report, out);
    buf_add(out, STR(", "));
    counted(out, totals.entries, "record");
    if (totals.functions) {
        buf_add(out, STR(", "));
        counted(out, totals.functions, "device function");
    }
    buf_add(out, STR("; "));
    counted(out, totals.lines, "line");
    buf_add(out, STR(" read"));
}

static void add_reason(struct buf *out, uint64_t count, const char *reason)
{
    if (count == 0)
        return;
    buf_add(out, STR("not judged: "));
    counted(out, count, "record");
    buf_fmt(out, " %s\n", reason);
}

void verdict_not_judged(const struct report *report, struct buf *out)
{
    const struct judge_counts *counts = &report->judge->counts;
    struct totals totals = report_totals(report);
    add_reason(out, totals.ambiguous,
               totals.torn
                   ? "after lines that were torn apart: several compilers wrote at once (make -O, or warplint wrap)"
                   : "whose numbers cannot be told from another kernel's: several compilers wrote at once "
                     "(make -O, or warplint wrap)");
    add_reason(out, counts->unknown_arch, "without occupancy: the architecture is not known");
    add_reason(out, counts->no_threads, "without a block size: best case only (--threads N)");
    add_reason(out, counts->debug, "of a debug build (-G or -O0)");
    if (counts->barriers_assumed)
        buf_fmt(out, "assumed: no barrier limit for %zu records, this toolkit prints no barriers\n",
                counts->barriers_assumed);
    if (totals.unknown_lines)
        buf_fmt(out, "not understood: %llu lines of ptxas or nvlink (--unknown shows them)\n",
                (unsigned long long)totals.unknown_lines);
    if (totals.cut)
        buf_add(out, STR("cut: the log ends inside a record\n"));
}
