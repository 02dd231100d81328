/*
 * Any bytes as PTX. Every kernel in the result is named in the text after an .entry, and its bounds are numbers of the
 * text; the line that is written for it reads back the same.
 */
#include "fuzz.h"
#include "nvcc/ptx.h"

struct kernels {
    struct str text;
    struct numbers numbers;
    bool hexadecimal; /* numbers may have another base */
    struct buf lines;
};

static void check_read_back(const struct bounds *said, struct str line)
{
    struct bounds read = {0};
    bool known = false;
    struct str end = STR("\n");
    fuzz_check(str_ends(line, end) && str_find_char(line, '\n') == line.len - 1, "not one line: %.*s", STR_ARG(line));
    fuzz_check(bounds_read(str_sub(line, 0, line.len - 1), &read, &known) && known, "not read back: %.*s",
               STR_ARG(line));
    bool same = str_eq(read.name, said->name) && str_eq(read.arch, said->arch) && str_eq(read.file, said->file) &&
                memcmp(read.maxntid, said->maxntid, sizeof read.maxntid) == 0 &&
                memcmp(read.reqntid, said->reqntid, sizeof read.reqntid) == 0 &&
                memcmp(read.reqnctapercluster, said->reqnctapercluster, sizeof read.reqnctapercluster) == 0 &&
                read.minnctapersm == said->minnctapersm && read.maxnreg == said->maxnreg && read.line == said->line;
    fuzz_check(same, "read back as something else: %.*s", STR_ARG(line));
}

static void check_numbers(const struct kernels *kernels, const uint32_t *values, size_t count)
{
    for (size_t at = 0; at < count; at++)
        fuzz_check(values[at] <= 1 || kernels->hexadecimal || numbers_hold(&kernels->numbers, values[at]),
                   "nobody said %u", values[at]);
}

static bool has_control(struct str path)
{
    for (size_t at = 0; at < path.len; at++)
        if ((unsigned char)path.ptr[at] < 0x20 || path.ptr[at] == 0x7F)
            return true;
    return false;
}

/* A dimension of 0 means that the bound is not declared. */
static void forget_zero(uint32_t numbers[3])
{
    if (numbers[0] == 0)
        memset(numbers, 0, 3 * sizeof *numbers);
}

static void see(void *context, const struct bounds *kernel)
{
    struct kernels *kernels = context;
    struct bounds said = *kernel;
    size_t before = kernels->lines.len;
    fuzz_check(said.name.len && str_find(kernels->text, said.name) != STR_NONE, "a name that nobody gave");
    fuzz_check(said.line > 0 || said.file.len == 0, "a file without a line");
    check_numbers(kernels, said.maxntid, 3);
    check_numbers(kernels, said.reqntid, 3);
    check_numbers(kernels, said.reqnctapercluster, 3);
    check_numbers(kernels, &said.minnctapersm, 1);
    check_numbers(kernels, &said.maxnreg, 1);
    check_numbers(kernels, &said.line, 1);
    bounds_write(&said, &kernels->lines);
    forget_zero(said.maxntid);
    forget_zero(said.reqntid);
    forget_zero(said.reqnctapercluster);
    if (has_control(said.file)) { /* it would be another line */
        said.line = 0;
        said.file = (struct str){0};
    }
    if (kernels->lines.len > before) /* else no bound is declared */
        check_read_back(&said, str_from(buf_str(&kernels->lines), before));
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t size)
{
    struct kernels kernels = {.text = {(const char *)bytes, size}};
    numbers_read(&kernels.numbers, kernels.text);
    kernels.hexadecimal =
        str_find(kernels.text, STR("0x")) != STR_NONE || str_find(kernels.text, STR("0X")) != STR_NONE;
    ptx_read(kernels.text, STR("sm_90a"), see, &kernels);
    buf_free(&kernels.lines);
    return 0;
}
