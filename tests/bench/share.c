/*
 * share: the share of `check` that the default rules take, to load and to evaluate, in the same steps as the command.
 *
 * usage: share ROUNDS LOG...
 * Prints medians in microseconds: rules, reading, judging, reporting, and the share of rules and judging in percent.
 */
#include "base/file.h"
#include "lint/group.h"
#include "log/reader.h"
#include "report/label.h"
#include "report/report.h"

#include <stdio.h>
#include <stdlib.h>
#include <time.h>

enum { FAILED = 125, MOST_ROUNDS = 1000, LARGEST_LOG = 1 << 30 };
enum step { RULES, READING, JUDGING, SHOWING, STEPS, SHARE = STEPS, COLUMNS };

static double microseconds(void)
{
    struct timespec now;
    timespec_get(&now, TIME_UTC);
    return (double)now.tv_sec * 1e6 + (double)now.tv_nsec / 1e3;
}

static bool read_log(struct model *model, const char *path, struct diags *diags)
{
    struct buf text = {0};
    bool ok = file_read(str_of(path), INPUT_ANY, LARGEST_LOG, &text, diags);
    struct log_reader *reader = log_reader_new(model, str_of(path));
    log_reader_feed(reader, buf_str(&text));
    log_reader_finish(reader);
    buf_free(&text);
    return ok;
}

static bool show(struct linter *linter, const struct groups *groups, const struct model *model, struct diags *diags)
{
    struct out out;
    struct labels labels;
    struct report report = {.labels = &labels,
                            .kind = REPORT_FINDINGS,
                            .linter = linter,
                            .groups = groups,
                            .model = model,
                            .version = "bench"};
    out_open(&out, STR("-"));
    labels_init(&labels, &model->names);
    report_text(&report, &out);
    labels_free(&labels);
    out.text.len = 0; /* rendered, then discarded */
    return out_close(&out, diags);
}

/* Runs one whole check; the time at which each step ends goes to times[step]. */
static bool check(char **paths, size_t count, double *times)
{
    struct ruleset rules = {0};
    struct model model = {0};
    struct diags diags = {0};
    struct groups groups = {0};
    struct linter_options options = {
        .launch_config = launch_config_none(), .fail_on = SEVERITY_WARNING, .bounded = true};
    bool ok = ruleset_load_builtin(&rules, &diags);
    times[RULES] = microseconds();
    for (size_t at = 0; at < count; at++)
        ok = read_log(&model, paths[at], &diags) && ok;
    model_link(&model);
    times[READING] = microseconds();
    struct linter *linter = linter_new(&rules, &model, &options);
    ok = linter_run(linter, &diags) && ok;
    times[JUDGING] = microseconds();
    groups_make(&groups, linter, false);
    ok = show(linter, &groups, &model, &diags) && ok;
    times[SHOWING] = microseconds();
    groups_free(&groups);
    linter_free(linter);
    model_free(&model);
    ruleset_free(&rules);
    diags_free(&diags);
    return ok;
}

static int by_value(const void *a, const void *b)
{
    double left = *(const double *)a, right = *(const double *)b;
    return (left > right) - (left < right);
}

int main(int argc, char **argv)
{
    static double columns[COLUMNS][MOST_ROUNDS];
    struct str word = str_of(argc > 2 ? argv[1] : NULL);
    int64_t rounds = 0;
    if (!str_int(&word, &rounds) || rounds < 1 || rounds > MOST_ROUNDS) {
        fprintf(stderr, "usage: share ROUNDS LOG...\n");
        return FAILED;
    }
    for (size_t round = 0; round < (size_t)rounds; round++) {
        double times[STEPS], last = microseconds(), first = last;
        if (!check(argv + 2, (size_t)argc - 2, times))
            return FAILED;
        for (int step = 0; step < STEPS; last = times[step++])
            columns[step][round] = times[step] - last;
        columns[SHARE][round] = (columns[RULES][round] + columns[JUDGING][round]) / (last - first) * 100;
    }
    for (int column = 0; column < COLUMNS; column++) {
        qsort(columns[column], (size_t)rounds, sizeof **columns, by_value);
        printf("%.1f%s", columns[column][rounds / 2], column + 1 < COLUMNS ? " " : "\n");
    }
    return 0;
}
