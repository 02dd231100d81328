#include "cli/commands.h"
#include "cli/session.h"
#include "rules/field.h"

#include <stddef.h>

/* Refuses options of the table of kernels that another option makes useless. */
static bool check_table(const struct settings *settings, struct diags *diags)
{
    static const struct {
        const char *option, *useless, *why;
    } pairs[] = {{"all", "top", "--all shows every kernel"},
                 {"summary", "sort", "the statistics replace the table of kernels"},
                 {"summary", "top", "the statistics replace the table of kernels"}};
    bool ok = true;
    for (size_t at = 0; at < sizeof pairs / sizeof *pairs; at++)
        if (settings_gives(settings, pairs[at].option) && settings_gives(settings, pairs[at].useless))
            ok = diag_error(diags, nowhere, "--%s and --%s exclude each other: %s", pairs[at].option, pairs[at].useless,
                            pairs[at].why);
    return ok;
}

static int run(struct session *session, void *given)
{
    (void)given;
    if (!check_table(session->settings, &session->diags) || !session_config(session))
        return STATUS_USAGE;
    if (!session_read_and_judge(session))
        return session_failure(session);
    bool written = session_write(session, REPORT_KERNELS);
    const struct linter_counts *counts = &session->linter->counts;
    bool selects_none = counts->deselected && counts->entries + counts->functions == 0;
    bool empty = session->model.kernel_count == 0 || selects_none;
    if (empty)
        session_explain_empty(session);
    return written && !session->input_failed && !empty ? STATUS_OK : STATUS_UNTRUSTED;
}

/* Takes a numeric field of kernels; with a minus in front, the smallest value comes first. */
static bool set_sort(const struct option_row *row, struct str value, void *into, struct diags *diags)
{
    struct table_rows *rows = into;
    rows->ascending = str_starts(value, STR("-"));
    struct str name = str_from(value, rows->ascending);
    const struct field *field = field_find(name);
    const char *near = field ? NULL : field_nearest(name);
    if (!field)
        return diag_error(diags, nowhere, "--%s: no field is called '%.*s'%s%s; `warplint list fields` lists them",
                          row->name, STR_ARG(name), near ? ", did you mean " : "", near ? near : "");
    if (field->type != VALUE_NUMBER || field->scope == FIELD_EVENT)
        return diag_error(diags, nowhere, "--%s: '%s' is not a number of a kernel, expected a field such as registers",
                          row->name, field->name);
    rows->sort = field;
    return true;
}

#define AT(member) offsetof(struct settings, report.member)
static const struct option_row options[] = {
    {"summary", 0, NULL, set_flag, AT(summary), "text: print statistics instead of the table of kernels"},
    {"sort", 0, "FIELD", set_sort, AT(rows),
     "text: order the table by a field of `warplint list fields`, for example compile_ms, largest first; -FIELD: "
     "smallest first"},
    {"top", 0, "N", set_count, AT(rows.top),
     "text: number of kernels, each with all of its architectures; default: those of the first 20 rows"},
};

const struct command command_report = {
    .name = "report",
    .what = "show every kernel with its numbers and its occupancy",
    .usage =
        "usage: warplint report [OPTIONS] [LOG|DIR|-]...\n\nList every kernel with its numbers and its occupancy.\n",
    .statuses = STATUSES_OF_PRINTING,
    OPTIONS(options),
    .settings_bytes = sizeof(struct settings),
    .run = run,
};
