#include "config/profile.h"

#include "base/csv.h"
#include "base/file.h"
#include "gpu/arch.h"

#include <stdlib.h>
#include <string.h>

enum { MOST_BYTES = 1 << 30, MOST_THREADS = 1024, MOST_SMS = 4096 };

/* The meaning of a column, or of a metric of the details page. */
enum meaning {
    SAYS_NOTHING,
    SAYS_NAME,
    SAYS_BLOCK, /* "(256, 1, 1)", "256 1 1" or the product */
    SAYS_BLOCK_X,
    SAYS_BLOCK_Y,
    SAYS_BLOCK_Z,
    SAYS_GRID,
    SAYS_GRID_X,
    SAYS_GRID_Y,
    SAYS_GRID_Z,
    SAYS_REGISTERS,
    SAYS_DYNAMIC_SMEM,
    SAYS_SMS,
    SAYS_OCCUPANCY,
    SAYS_CC,
    SAYS_COUNT,
    SAYS_ID, /* of a launch, whose metrics are in consecutive rows */
    SAYS_METRIC,
    SAYS_UNIT,
    SAYS_VALUE,
    MEANINGS,
};

/* To read one more profiler, add its column names, without units in parentheses. */
static const struct {
    const char *name;
    enum meaning meaning;
} words[] = {
    {"Kernel Name", SAYS_NAME},
    {"Name", SAYS_NAME},
    {"Block Size", SAYS_BLOCK},
    {"BlockXYZ", SAYS_BLOCK},
    {"launch__block_size", SAYS_BLOCK},
    {"BlkX", SAYS_BLOCK_X},
    {"BlkY", SAYS_BLOCK_Y},
    {"BlkZ", SAYS_BLOCK_Z},
    {"Block X", SAYS_BLOCK_X},
    {"Block Y", SAYS_BLOCK_Y},
    {"Block Z", SAYS_BLOCK_Z},
    {"Grid Size", SAYS_GRID},
    {"GridXYZ", SAYS_GRID},
    {"launch__grid_size", SAYS_GRID},
    {"GrdX", SAYS_GRID_X},
    {"GrdY", SAYS_GRID_Y},
    {"GrdZ", SAYS_GRID_Z},
    {"Grid X", SAYS_GRID_X},
    {"Grid Y", SAYS_GRID_Y},
    {"Grid Z", SAYS_GRID_Z},
    {"Registers Per Thread", SAYS_REGISTERS},
    {"Reg/Trd", SAYS_REGISTERS},
    {"launch__registers_per_thread", SAYS_REGISTERS},
    {"Dynamic Shared Memory Per Block", SAYS_DYNAMIC_SMEM},
    {"launch__shared_mem_per_block_dynamic", SAYS_DYNAMIC_SMEM},
    {"DymSMem", SAYS_DYNAMIC_SMEM},
    {"Dynamic SMem", SAYS_DYNAMIC_SMEM},
    {"Achieved Occupancy", SAYS_OCCUPANCY},
    {"sm__warps_active.avg.pct_of_peak_sustained_active", SAYS_OCCUPANCY},
    {"# SMs", SAYS_SMS},
    {"launch__sm_count", SAYS_SMS},
    {"CC", SAYS_CC},
    {"Instances", SAYS_COUNT},
    {"ID", SAYS_ID},
    {"Metric Name", SAYS_METRIC},
    {"Metric Unit", SAYS_UNIT},
    {"Metric Value", SAYS_VALUE},
};

/* Removes the unit from a column name and returns it: "DymSMem (MB)" is DymSMem and MB. */
static struct str unit_of(struct str *name)
{
    size_t open = str_rfind(*name, STR(" ("));
    if (open == STR_NONE || !str_ends(*name, STR(")")))
        return (struct str){NULL, 0};
    struct str unit = str_sub(*name, open + 2, name->len - 1);
    *name = str_sub(*name, 0, open);
    return unit;
}

static enum meaning meaning_of(struct str name)
{
    for (size_t at = 0; at < sizeof words / sizeof *words; at++)
        if (str_same_letters(name, str_of(words[at].name)))
            return words[at].meaning;
    return SAYS_NOTHING;
}

/* ---- numbers ---------------------------------------------------------------------------------------------------- */

/* Reads digits, which may be in groups of three separated by commas: "16,384". */
static bool read_count(struct str text, int64_t *value)
{
    uint64_t total = 0;
    size_t since = 0;
    bool grouped = false;
    if (text.len == 0 || text.len > 18)
        return false;
    for (size_t at = 0; at < text.len; at++) {
        char c = text.ptr[at];
        bool comma = c == ',' && at > 0 && since <= 3 && (!grouped || since == 3);
        if (!comma && !is_digit(c))
            return false;
        total = comma ? total : total * 10 + (uint64_t)(c - '0');
        since = comma ? 0 : since + 1;
        grouped |= comma;
    }
    *value = (int64_t)total;
    return !grouped || since == 3;
}

/* Reads "(256, 1, 1)", "[ 16, 2 ]", "256 1 1" or "256" as the product. */
static bool read_product(struct str text, int64_t *value)
{
    int64_t total = 1, part;
    size_t at = 0, parts = 0;
    if (read_count(str_trim(text), value))
        return true;
    while (at < text.len) {
        size_t start = at;
        while (at < text.len && is_digit(text.ptr[at]))
            at++;
        if (at == start && !strchr("()[], \tx", text.ptr[at++]))
            return false;
        if (at == start || !is_digit(text.ptr[start]))
            continue;
        if (!read_count(str_sub(text, start, at), &part) || part > UINT32_MAX || total > INT64_MAX / (part + 1))
            return false;
        total *= part;
        parts++;
    }
    *value = total;
    return parts > 0 && parts <= 3;
}

/* Reads a decimal number as a quotient: "16.38" is 1638 / 100. */
static bool read_decimal(struct str text, int64_t *digits, double *divisor)
{
    size_t point = str_find_char(text, '.');
    struct str whole = str_sub(text, 0, point == STR_NONE ? text.len : point);
    struct str rest = point == STR_NONE ? (struct str){NULL, 0} : str_from(text, point + 1);
    *divisor = 1;
    if (!read_count(whole, digits) || rest.len > 6 || (point != STR_NONE && rest.len == 0))
        return false;
    for (; rest.len; rest = str_from(rest, 1), *divisor *= 10) {
        if (!is_digit(rest.ptr[0]) || *digits > INT64_MAX / 100)
            return false;
        *digits = *digits * 10 + (rest.ptr[0] - '0');
    }
    return true;
}

/* The factor of a unit. Nsight Compute and nvprof mean 1000 ("Kbyte/block", "KB"), so does Nsight Systems ("MB"). */
static int64_t bytes_in(struct str unit)
{
    static const struct {
        const char *name;
        int64_t bytes;
    } units[] = {{"", 1},
                 {"B", 1},
                 {"byte", 1},
                 {"byte/block", 1},
                 {"KB", 1000},
                 {"Kbyte", 1000},
                 {"Kbyte/block", 1000},
                 {"MB", 1000000},
                 {"Mbyte/block", 1000000},
                 {"KiB", 1024},
                 {"MiB", 1048576}};
    for (size_t at = 0; at < sizeof units / sizeof *units; at++)
        if (str_same_letters(unit, str_of(units[at].name)))
            return units[at].bytes;
    return 0;
}

/* The most likely size behind a rounded number: between low and high the number that the highest power of two divides.
 */
static int64_t roundest(double low, double high)
{
    for (int64_t step = 1 << 20; step > 1; step /= 2) {
        int64_t candidate = (int64_t)(high / (double)step) * step;
        if ((double)candidate >= low && candidate > 0)
            return candidate;
    }
    return (int64_t)(low + (high - low) / 2);
}

static bool read_bytes(struct str text, struct str unit, int64_t *bytes)
{
    int64_t digits = 0, scale = bytes_in(unit);
    double divisor;
    if (scale == 0 || !read_decimal(text, &digits, &divisor))
        return false;
    double value = (double)digits * (double)scale / divisor, half = (double)scale / divisor / 2;
    if (value > 1 << 30)
        return false;
    *bytes = scale == 1 || digits == 0 ? (int64_t)value : roundest(value - half, value + half);
    return true;
}

static bool read_ratio(struct str text, float *ratio)
{
    int64_t digits = 0;
    double divisor;
    if (!read_decimal(text, &digits, &divisor))
        return false;
    double value = (double)digits / divisor;
    *ratio = (float)(value / 100);
    return value <= 100;
}

/* ---- the table -------------------------------------------------------------------------------------------------- */

struct column {
    enum meaning meaning;
    struct str name, unit;
};

/* A launch while its rows are read: a number for each meaning, -1: not stated. */
struct launch_row {
    struct str id, name;
    int64_t number[MEANINGS];
    float occupancy;
    size_t line;
};

struct profile_reader {
    struct profile *profile;
    struct diags *diags;
    struct str path;
    struct column *columns;
    size_t column_count;
    bool has[MEANINGS];
    struct launch_row row;
    struct str header;   /* for messages, in the text: the first line with a name, else with commas, else the first */
    size_t header_line;  /* its number */
    bool header_is_bare; /* it has a name and no block size */
    bool failed;
};

static struct launch_row no_launch(void)
{
    struct launch_row row = {.occupancy = -1};
    for (int meaning = 0; meaning < MEANINGS; meaning++)
        row.number[meaning] = -1;
    row.number[SAYS_COUNT] = 1;
    return row;
}

/* The stated size, or the product of its three dimensions, the first of which is `part`. */
static int64_t size_of(const struct launch_row *row, enum meaning whole, enum meaning part)
{
    int64_t total = row->number[part];
    if (row->number[whole] >= 0 || total < 0)
        return row->number[whole];
    for (int at = 1; at < 3; at++)
        if (row->number[(int)part + at] > 0 && __builtin_mul_overflow(total, row->number[(int)part + at], &total))
            return -1; /* no grid is so large */
    return total;
}

static void add_launch(struct profile_reader *r)
{
    struct profile *profile = r->profile;
    struct launch_row *row = &r->row;
    const int64_t *number = row->number;
    int64_t threads = size_of(row, SAYS_BLOCK, SAYS_BLOCK_X), grid = size_of(row, SAYS_GRID, SAYS_GRID_X);
    bool is_launch =
        row->name.len && row->name.ptr[0] != '[' && threads > 0 && threads <= MOST_THREADS && number[SAYS_COUNT] > 0;
    if (is_launch && !r->failed) {
        *MEM_ADD(profile->launches, profile->count, profile->cap) = (struct profile_launch){
            .name = arena_str(&profile->arena, row->name),
            .threads = threads,
            .grid = grid > 0 ? grid : 0,
            .dynamic_smem_bytes = number[SAYS_DYNAMIC_SMEM],
            .registers = number[SAYS_REGISTERS] > 0 ? number[SAYS_REGISTERS] : 0,
            .sms = number[SAYS_SMS] > 0 && number[SAYS_SMS] < MOST_SMS ? (int32_t)number[SAYS_SMS] : 0,
            .compute_capability = number[SAYS_CC] > 0 ? (int32_t)number[SAYS_CC] : 0,
            .achieved_occupancy = row->occupancy,
            .count = (uint64_t)number[SAYS_COUNT],
            .line = row->line,
        };
        profile->seen += (uint64_t)number[SAYS_COUNT];
    }
    *row = no_launch();
}

/* Reads a compute capability: "8.0" is 80, "12.1" is 121. */
static bool read_cc(struct str text, int64_t *cc)
{
    *cc = str_find_char(text, '.') == STR_NONE ? 0 : arch_number(text);
    return *cc > 0;
}

/* The expected content of a cell with this meaning; NULL: anything. */
static const char *const expected[MEANINGS] = {
    [SAYS_BLOCK] = "a block size",     [SAYS_BLOCK_X] = "a whole number",
    [SAYS_BLOCK_Y] = "a whole number", [SAYS_BLOCK_Z] = "a whole number",
    [SAYS_GRID] = "a grid size",       [SAYS_GRID_X] = "a whole number",
    [SAYS_GRID_Y] = "a whole number",  [SAYS_GRID_Z] = "a whole number",
    [SAYS_REGISTERS] = "a count",      [SAYS_SMS] = "a count",
    [SAYS_COUNT] = "a count",          [SAYS_DYNAMIC_SMEM] = "an amount of memory with a unit that is known",
    [SAYS_OCCUPANCY] = "percent",      [SAYS_CC] = "a compute capability",
};

static bool read_value(struct launch_row *row, enum meaning meaning, struct str value, struct str unit)
{
    int64_t *number = &row->number[meaning];
    switch (meaning) {
    case SAYS_BLOCK:
    case SAYS_GRID: return read_product(value, number);
    case SAYS_DYNAMIC_SMEM: return read_bytes(value, unit, number);
    case SAYS_OCCUPANCY: return read_ratio(value, &row->occupancy);
    case SAYS_CC: return read_cc(value, number);
    default: return read_count(value, number);
    }
}

/* Stores the value of a cell; an empty cell and "n/a" are ignored. */
static void store_cell(struct profile_reader *r, enum meaning meaning, struct str column, struct str value,
                       struct str unit, size_t line)
{
    value = str_trim(value);
    if (value.len == 0 || str_same_letters(value, STR("n/a")) || str_eq(value, STR("-")))
        return;
    if (meaning == SAYS_NAME)
        r->row.name = arena_str(&r->profile->arena, value);
    if (!expected[meaning] || read_value(&r->row, meaning, value, unit))
        return;
    r->failed = true;
    diag_error(r->diags, (struct place){.path = r->path, .line = line},
               "column '%.*s' holds '%.*s', expected %s; a number in another language's format comes right with "
               "LC_ALL=C",
               STR_ARG(column), STR_ARG(str_sub(value, 0, 60)), expected[meaning]);
}

static struct str cell(const struct profile_reader *r, const struct csv *csv, enum meaning meaning)
{
    for (size_t at = 0; at < r->column_count && at < csv->count; at++)
        if (r->columns[at].meaning == meaning)
            return csv->fields[at];
    return (struct str){NULL, 0};
}

static void take_row(struct profile_reader *r, const struct csv *csv)
{
    struct str id = cell(r, csv, SAYS_ID);
    bool same = r->has[SAYS_METRIC] && r->row.name.len && str_eq(id, r->row.id);
    if (!same) {
        add_launch(r);
        r->row.id = arena_str(&r->profile->arena, id);
        r->row.line = csv->row_line;
    }
    for (size_t at = 0; at < r->column_count && at < csv->count && !r->failed; at++)
        store_cell(r, r->columns[at].meaning, r->columns[at].name, csv->fields[at], r->columns[at].unit, csv->row_line);
    if (!r->has[SAYS_METRIC] || r->failed)
        return;
    struct str metric = cell(r, csv, SAYS_METRIC);
    enum meaning meaning = meaning_of(metric);
    if (meaning >= SAYS_BLOCK && meaning <= SAYS_OCCUPANCY)
        store_cell(r, meaning, metric, cell(r, csv, SAYS_VALUE), cell(r, csv, SAYS_UNIT), csv->row_line);
}

/* True for a row of units, which has no kernel name; stores them. */
static bool take_units(struct profile_reader *r, const struct csv *csv)
{
    if (cell(r, csv, SAYS_NAME).len)
        return false;
    for (size_t at = 0; at < r->column_count && at < csv->count; at++)
        if (csv->fields[at].len)
            r->columns[at].unit = arena_str(&r->profile->arena, csv->fields[at]);
    return true;
}

static bool take_header(struct profile_reader *r, const struct csv *csv)
{
    r->columns = arena_alloc(&r->profile->arena, (csv->count + 1) * sizeof *r->columns);
    r->column_count = csv->count;
    memset(r->has, 0, sizeof r->has);
    for (size_t at = 0; at < csv->count; at++) {
        struct str name = arena_str(&r->profile->arena, str_trim(csv->fields[at]));
        r->columns[at].unit = unit_of(&name);
        r->columns[at].name = name;
        r->columns[at].meaning = meaning_of(name);
        r->has[r->columns[at].meaning] = true;
    }
    return r->has[SAYS_NAME];
}

/* True if the table has a block size. */
static bool has_blocks(const struct profile_reader *r)
{
    return r->has[SAYS_BLOCK] || r->has[SAYS_BLOCK_X] || r->has[SAYS_METRIC];
}

static bool cut_short(struct profile_reader *r, const struct csv *csv)
{
    bool open_end = csv->rest.len == 0 && csv->rest.ptr[-1] != '\n' && csv->count < r->column_count;
    if (csv->quote_open || open_end)
        r->failed = true;
    return r->failed && !diag_error(r->diags, (struct place){.path = r->path, .line = csv->row_line},
                                    "the file is cut short: it ends in the middle of this row");
}

static bool read_table(struct profile_reader *r, struct csv *csv)
{
    bool units = true;
    while (!r->failed && csv_next(csv)) {
        if (cut_short(r, csv))
            return false;
        if (csv->count < r->column_count && str_starts(csv->fields[0], STR("==")))
            continue; /* a remark of the profiler */
        if (!units || !take_units(r, csv))
            take_row(r, csv);
        units = false;
    }
    add_launch(r);
    return !r->failed;
}

/* ---- the file --------------------------------------------------------------------------------------------------- */

static int by_kind(const void *a, const void *b)
{
    const struct profile_launch *left = a, *right = b;
    int order = str_cmp(left->name, right->name);
    const int64_t a_numbers[] = {left->compute_capability, left->threads, left->dynamic_smem_bytes, left->grid,
                                 left->registers,          left->sms};
    const int64_t b_numbers[] = {right->compute_capability, right->threads, right->dynamic_smem_bytes, right->grid,
                                 right->registers,          right->sms};
    return order ? order : numbers_cmp(a_numbers, b_numbers, sizeof a_numbers / sizeof *a_numbers);
}

static int by_count(const void *a, const void *b)
{
    const struct profile_launch *left = a, *right = b;
    int order = str_cmp(left->name, right->name);
    if (!order)
        order = number_cmp((int64_t)right->count, (int64_t)left->count);
    return order ? order : by_kind(a, b);
}

/* Joins equal launches and counts them. */
static void join_equal_launches(struct profile *profile)
{
    size_t kept = 0;
    mem_sort(profile->launches, profile->count, sizeof *profile->launches, by_kind);
    for (size_t at = 0; at < profile->count; at++) {
        struct profile_launch *launch = &profile->launches[at], *last = &profile->launches[kept ? kept - 1 : 0];
        if (kept == 0 || by_kind(launch, last) != 0) {
            profile->launches[kept++] = *launch;
            continue;
        }
        if (launch->achieved_occupancy >= 0 && last->achieved_occupancy >= 0)
            last->achieved_occupancy += (launch->achieved_occupancy - last->achieved_occupancy) * (float)launch->count /
                                        (float)(last->count + launch->count);
        last->count += launch->count;
        last->line = launch->line < last->line ? launch->line : last->line;
    }
    profile->count = kept;
    mem_sort(profile->launches, kept, sizeof *profile->launches, by_count);
}

static void note_header(struct profile_reader *r, struct str line, size_t number)
{
    r->header = str_trim(line);
    r->header_line = number;
}

/* True if the table begins with this line; *csv is then after it. */
static bool is_header(struct profile_reader *r, struct str text, struct str line, size_t number, struct csv *csv)
{
    if (str_find_char(line, ',') == STR_NONE)
        return false;
    struct csv row = {.rest = {line.ptr, (size_t)(text.ptr + text.len - line.ptr)}, .line = number};
    bool named = csv_next(&row) && take_header(r, &row);
    if (named ? !r->header_is_bare : str_find_char(r->header, ',') == STR_NONE)
        note_header(r, line, number);
    r->header_is_bare |= named;
    if (named && has_blocks(r)) {
        *csv = row;
        return true;
    }
    csv_free(&row);
    return false;
}

/* Skips lines until a table begins; *csv then reads it. */
static bool find_table(struct profile_reader *r, struct str text, struct csv *csv)
{
    struct str rest = text, line;
    for (size_t number = 1; str_split(&rest, '\n', &line); number++) {
        if (r->header.len == 0)
            note_header(r, line, number);
        if (is_header(r, text, line, number, csv))
            return true;
    }
    return false;
}

static bool say_nothing_found(const struct profile_reader *r)
{
    enum { SHOWN = 100 };
    const struct place place = {.path = r->path, .line = r->header.len ? r->header_line : 0};
    const struct str found = utf8_front(r->header, SHOWN);
    const char *more = r->header.len > SHOWN ? "..." : "";
    if (r->header_is_bare)
        return diag_error(r->diags, place,
                          "this table has no column with the block size, found '%.*s%s', looked for Block Size (ncu), "
                          "BlkX (nsys, cuda_gpu_trace), BlockXYZ (cuda_gpu_kern_gb_sum) and Block X (nvprof); a "
                          "summary by kernel such as cuda_gpu_kern_sum does not have it",
                          STR_ARG(found), more);
    return diag_error(r->diags, place,
                      "no table of launches: %s%.*s%s%s; give the CSV (with commas) of `ncu --csv`, of `nsys stats -r "
                      "cuda_gpu_trace -f csv`, or of `nvprof --print-gpu-trace --csv`",
                      found.len ? "no header with Kernel Name or Name was found, only '" : "the file is empty",
                      STR_ARG(found), more, found.len ? "'" : "");
}

bool profile_read(struct profile *profile, struct str path, struct diags *diags)
{
    struct profile_reader r = {.profile = profile, .diags = diags, .path = path, .row = no_launch()};
    SCOPED(buf) text = {0};
    SCOPED(csv) csv = {0};
    size_t before = profile->count;
    profile->path = before ? STR("") : path;
    bool ok = file_read(path, INPUT_ANY, MOST_BYTES, &text, diags) &&
              (find_table(&r, buf_str(&text), &csv) ? read_table(&r, &csv) : say_nothing_found(&r));
    if (!ok)
        profile->count = before;
    else if (profile->count == before)
        ok = diag_error(diags, (struct place){.path = path}, "the table holds no launch of a kernel");
    join_equal_launches(profile);
    return ok;
}

void profile_free(struct profile *profile)
{
    free(profile->launches);
    arena_free(&profile->arena);
    *profile = (struct profile){0};
}
