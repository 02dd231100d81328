#include "base/csv.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

static char front(const struct csv *csv)
{
    return csv->rest.len ? csv->rest.ptr[0] : '\0';
}

static char take(struct csv *csv)
{
    char c = csv->rest.ptr[0];
    csv->rest = str_from(csv->rest, 1);
    csv->line += c == '\n';
    return c;
}

static void take_quoted(struct csv *csv)
{
    take(csv);
    while (csv->rest.len) {
        char c = take(csv);
        if (c == '"' && front(csv) != '"')
            return;
        if (c == '"')
            take(csv);
        buf_char(&csv->text, c);
    }
    csv->quote_open = true;
}

/* Reads one field and the comma or line end after it; false if it was the last field of its row. */
static bool take_field(struct csv *csv)
{
    if (front(csv) == '"') {
        take_quoted(csv);
        csv->text_behind_quote |= csv->rest.len && !strchr(",\r\n", front(csv));
    }
    while (csv->rest.len) {
        char c = take(csv);
        if (c == ',')
            return true;
        if (c == '\n')
            return false;
        if (c != '\r' || (csv->rest.len && front(csv) != '\n'))
            buf_char(&csv->text, c);
    }
    return false;
}

bool csv_next(struct csv *csv)
{
    while (front(csv) == '\n' || str_starts(csv->rest, STR("\r\n"))) /* skips empty lines */
        take(csv);
    csv->count = 0;
    csv->row_line = csv->line;
    csv->quote_open = csv->text_behind_quote = false;
    buf_clear(&csv->text);
    if (!csv->rest.len)
        return false;
    buf_room(&csv->text, csv->rest.len); /* reserved once for the whole row: the fields point into this memory */
    for (bool more = true; more;) {
        size_t start = csv->text.len;
        more = take_field(csv);
        *MEM_ADD(csv->fields, csv->count, csv->cap) = str_from(buf_str(&csv->text), start);
    }
    return true;
}

void csv_free(struct csv *csv)
{
    buf_free(&csv->text);
    free(csv->fields);
    *csv = (struct csv){0};
}
