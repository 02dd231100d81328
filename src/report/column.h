/*
 * column: the keys of a record, one table row each, for JSON, NDJSON and CSV. A value that the log does not state is
 * null, never 0.
 */
#pragma once

#include "base/json.h"
#include "report/report.h"

enum cell_type { CELL_NULL, CELL_INT, CELL_TEXT, CELL_BOOL, CELL_THOUSANDTHS, CELL_BANKS, CELL_LIMITERS };
struct cell {
    enum cell_type type;
    int64_t number;  /* CELL_INT, CELL_BOOL, CELL_THOUSANDTHS; CELL_LIMITERS: bits 1 << enum limiter */
    struct str text; /* CELL_TEXT */
};

struct column {
    const char *key;
    struct cell (*cell)(struct context *context); /* NULL: the value is that of `metric` */
    const struct metric *metric;
};
extern const struct column column_table[];
extern const size_t column_count;

struct cell column_cell(const struct column *column, struct context *context);

/* Writes the keys of a record. */
void column_json(const struct report *report, uint32_t kernel, struct json *json);
/* Writes the keys of a finding; count is the number of members of its group. */
void finding_json(const struct report *report, const struct finding *finding, size_t count, struct json *json);
