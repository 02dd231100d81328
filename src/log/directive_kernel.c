#include "log/directive_kernel.h"

static const struct str gpu = STR_INIT("_gpu"), nvkernel = STR_INIT("nvkernel_"),
                        offloading = STR_INIT("__omp_offloading_");

/* compute_555_gpu */
static bool nvfortran_region(struct str name, struct directive_kernel *region)
{
    if (!str_ends(name, gpu))
        return false;
    size_t end = name.len - gpu.len, line = end - str_span_end(str_sub(name, 0, end), is_digit);
    if (line == end || line < 2 || name.ptr[line - 1] != '_')
        return false;
    *region = (struct directive_kernel){
        .function = str_sub(name, 0, line - 1), .mark = STR("_L"), .suffix = gpu, .named_so = true};
    region->line = str_sub(name, line, end);
    return true;
}

/* True for an empty text, "_1", "_omp_outlined" or "_1_omp_outlined". */
static bool is_suffix(struct str text)
{
    struct str behind = text;
    size_t digits = str_take(&behind, STR("_")) ? str_span(behind, is_digit) : 0;
    if (digits)
        text = str_from(behind, digits);
    return text.len == 0 || str_starts(text, STR("_omp_")) || str_starts(text, STR("_debug__"));
}

/* Splits the name from `start` on into a function, the mark, a line (its digits begin at `line`) and a suffix. False if
 * it has no such parts. */
static bool split_at(struct str name, size_t start, struct str mark, size_t line, struct directive_kernel *region)
{
    if (line < start + mark.len + 1 || line > name.len)
        return false;
    size_t end = line + str_span(str_from(name, line), is_digit);
    region->function = str_sub(name, start, line - mark.len);
    region->mark = mark;
    region->line = str_sub(name, line, end);
    region->suffix = str_from(name, end);
    return is_suffix(region->suffix);
}

/* nvkernel_main_F1L6_2 */
static bool nvc_region(struct str name, struct directive_kernel *region)
{
    static const struct str mark = STR_INIT("_F1L");
    size_t at = str_starts(name, nvkernel) ? str_rfind(name, mark) : STR_NONE;
    *region = (struct directive_kernel){.lead = nvkernel};
    return at != STR_NONE && split_at(name, nvkernel.len, mark, at + mark.len, region);
}

/* Reads device and inode, "fe00_ab5711_"; returns the position after them, 0 if there are none. */
static size_t take_file(struct str name, struct directive_kernel *region)
{
    struct str rest = str_from(name, offloading.len);
    uint64_t numbers[2] = {0};
    for (int at = 0; at < 2; at++) {
        if (!str_hex(&rest, &numbers[at]) || !str_take(&rest, STR("_")))
            return 0;
    }
    region->device = (uint32_t)numbers[0];
    region->inode = (uint32_t)numbers[1];
    return name.len - rest.len;
}

/* The position after the last "_l" before the digits of a line; in an identity, after the last "_l" that is at the end
 * or before "_". STR_NONE if there is none. */
static size_t find_line(struct str name, bool identity)
{
    for (size_t end = name.len; end >= 2; end--) {
        if (name.ptr[end - 2] != '_' || name.ptr[end - 1] != 'l')
            continue;
        bool bare = end == name.len || name.ptr[end] == '_';
        if (identity ? bare : end < name.len && is_digit(name.ptr[end]))
            return end;
    }
    return STR_NONE;
}

/* __omp_offloading_fe00_ab5711_main_l8, and its identity __omp_offloading_main_l */
static bool clang_region(struct str name, struct directive_kernel *region)
{
    *region = (struct directive_kernel){.lead = offloading};
    if (!str_starts(name, offloading))
        return false;
    size_t start = take_file(name, region), line = find_line(name, false);
    region->has_file = start && line != STR_NONE && split_at(name, start, STR("_l"), line, region);
    if (region->has_file)
        return true;
    line = find_line(name, true);
    return line != STR_NONE && split_at(name, offloading.len, STR("_l"), line, region);
}

bool directive_kernel_of(struct str name, struct directive_kernel *region)
{
    return nvfortran_region(name, region) || nvc_region(name, region) || clang_region(name, region);
}
