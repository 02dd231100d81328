/* Profiles of every kind, names in every spelling, and input that is refused. The files are in tests/data/profiles. */
#define _XOPEN_SOURCE 700 /* mkstemp */
#include "testing.h"

#include "base/csv.h"
#include "config/profile.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const char *data(const char *name)
{
    static char relative[200];
    snprintf(relative, sizeof relative, "tests/data/profiles/%s", name);
    return source_path(relative);
}

/* "name count x threads grid smem registers cc occupancy SMs" for each launch, one per line. */
static void show(const struct profile *profile, struct buf *out)
{
    for (size_t at = 0; at < profile->count; at++) {
        const struct profile_launch *launch = &profile->launches[at];
        buf_fmt(out, "%s: %d x %d, grid %d, smem %d, registers %d, cc %d, %.2f", launch->name.ptr, (int)launch->count,
                (int)launch->threads, (int)launch->grid, (int)launch->dynamic_smem_bytes, (int)launch->registers,
                (int)launch->compute_capability, (double)launch->achieved_occupancy);
        if (launch->sms)
            buf_fmt(out, ", %d SMs", (int)launch->sms);
        buf_char(out, '\n');
    }
    buf_char(out, '\0');
}

static const struct {
    const char *file, *expected;
} kinds[] = {
    {"ncu-details.csv", "<unnamed>::hidden(float *): 1 x 32, grid 1, smem -1, registers 0, cc 90, -1.00\n"
                        "plain(float *): 1 x 256, grid 16384, smem 0, registers 8, cc 90, 0.82\n"
                        "shared_dynamic(float *): 2 x 256, grid 64, smem 16384, registers 10, cc 90, 0.12, 132 SMs\n"
                        "shared_dynamic(float *): 1 x 32, grid 64, smem -1, registers 10, cc 90, -1.00\n"
                        "void typed<double>(T1 *): 1 x 96, grid 1, smem -1, registers 10, cc 90, -1.00\n"},
    {"ncu-raw.csv", "plain(float *): 1 x 256, grid 16384, smem 0, registers 8, cc 90, 0.82\n"
                    "shared_dynamic(float *): 1 x 256, grid 64, smem 16384, registers 10, cc 90, -1.00\n"},
    {"ncu-function.csv", "plain: 1 x 256, grid 64, smem -1, registers 8, cc 90, -1.00\n"
                         "typed: 1 x 128, grid 64, smem -1, registers 10, cc 90, -1.00\n"},
    {"nsys-trace.csv", "plain(float *): 2 x 256, grid 64, smem 0, registers 8, cc 0, -1.00\n"
                       "shared_dynamic(float *): 1 x 256, grid 64, smem 16384, registers 10, cc 0, -1.00\n"
                       "void typed<double>(T1 *): 1 x 96, grid 64, smem 0, registers 10, cc 0, -1.00\n"},
    {"nsys-gb-sum.csv", "plain(float *): 2 x 256, grid 64, smem -1, registers 0, cc 0, -1.00\n"
                        "shared_dynamic(float *): 1 x 256, grid 64, smem -1, registers 0, cc 0, -1.00\n"},
    {"nvprof.csv", "plain(float*) [121]: 1 x 256, grid 64, smem 0, registers 8, cc 0, -1.00\n"
                   "shared_dynamic(float*) [122]: 1 x 256, grid 64, smem 16384, registers 10, cc 0, -1.00\n"},
};
enum { KINDS = sizeof kinds / sizeof *kinds };

START_TEST(every_kind)
{
    struct profile profile = {0};
    struct diags diags = {0};
    struct buf text = {0};
    bool ok = profile_read(&profile, str_of(data(kinds[_i].file)), &diags);
    ck_assert_msg(ok, "%s", diags.count ? diags.items[0].message.ptr : "no word");
    show(&profile, &text);
    ck_assert_str_eq(text.ptr, kinds[_i].expected);
    buf_free(&text);
    profile_free(&profile);
    diags_free(&diags);
}
END_TEST

static const struct {
    const char *file;
    size_t line;
    const char *said;
} broken[] = {
    {"nsys-sum.csv", 1, "no column with the block size"},
    {"german.csv", 2, "column 'Achieved Occupancy' holds '81,53', expected percent"},
    {"cut.csv", 8, "cut short"},
    {"grouped.csv", 2, "column 'Grid Size' holds '(16,384, 1, 1)', expected a grid size"},
    {"ORIGIN", 1, "no table of launches"},
    {"no such file", 0, "No such file"},
};
enum { BROKEN = sizeof broken / sizeof *broken };

START_TEST(every_refusal)
{
    struct profile profile = {0};
    struct diags diags = {0};
    ck_assert(!profile_read(&profile, str_of(data(broken[_i].file)), &diags));
    ck_assert_uint_eq(profile.count, 0);
    ck_assert_uint_eq(diags.count, 1);
    ck_assert_msg(strstr(diags.items[0].message.ptr, broken[_i].said) != NULL, "%s", diags.items[0].message.ptr);
    ck_assert_uint_eq(diags.items[0].place.line, broken[_i].line);
    profile_free(&profile);
    diags_free(&diags);
}
END_TEST

/* Names as __cxa_demangle, Nsight Compute and nvprof spell them, and pairs of names that differ. */
static const struct {
    const char *one, *other;
    bool same, short_same;
} spellings[] = {
    {"plain(float*)", "plain(float *)", true, true},
    {"plain(float*) [204]", "plain", true, true},
    {"void typed<double>(double*)", "void typed<double>(T1 *)", true, true},
    {"void k<4, true>(float const*)", "void k<(int)4, (bool)1>(const float *)", true, true},
    {"void k<4u>(int)", "void k<(unsigned int)4>(int)", true, true},
    {"void k<-1>(int)", "void k<(int)-1>(int)", true, true},
    {"void k<(ns::kind)2>(int)", "void k<(ns::kind)2>(int)", true, true},
    {"(anonymous namespace)::k(int)", "<unnamed>::k(int)", true, true},
    {"void ns::(anonymous namespace)::k<int>(int)", "void ns::<unnamed>::k<int>(T1)", true, true},
    {"void k<std::pair<int, float> >()", "void k<std::pair<int, float>>()", true, true},
    {"void k<&(f(float*, int))>(int)", "void k<&f>(int)", true, true},
    {"void k<&(ns::f<int>(T1)), 4>(int)", "void k<&ns::f<int>, (int)4>(int)", true, true},
    {"void k<&(f(int))>(int)", "void k<&(g(int))>(int)", false, true},
    {"void a::k<int>(int)", "void b::k<int>(int)", false, true},
    {"void k<int>(int)", "void k<float>(float)", false, true},
    {"ns::inner::kernel(int)", "kernel", false, true},
    {"void (anonymous namespace)::kernel<int>(int)", "kernel", false, true},
    {"void k<int const>(int)", "void k<const int>(const int)", true, true},
    {"void k<int const>(int)", "void k<int>(int)", false, true},
    {"k(int)", "l(int)", false, false},
};
enum { SPELLINGS = sizeof spellings / sizeof *spellings };

START_TEST(every_spelling)
{
    struct buf one = {0}, other = {0};
    profile_key(str_of(spellings[_i].one), &one);
    profile_key(str_of(spellings[_i].other), &other);
    ck_assert_msg(str_eq(buf_str(&one), buf_str(&other)) == spellings[_i].same, "%.*s %.*s", STR_ARG(buf_str(&one)),
                  STR_ARG(buf_str(&other)));
    buf_clear(&one);
    buf_clear(&other);
    profile_short_key(str_of(spellings[_i].one), &one);
    profile_short_key(str_of(spellings[_i].other), &other);
    ck_assert_int_eq(str_eq(buf_str(&one), buf_str(&other)), spellings[_i].short_same);
    buf_free(&one);
    buf_free(&other);
}
END_TEST

static const struct {
    const char *text, *rows; /* each row: its line, a colon, and its fields in [] */
} tables[] = {
    {"", ""},
    {"a,b\nc\n", "1:[a][b]2:[c]"},
    {"a,b\r\n\r\nc,", "1:[a][b]3:[c][]"},
    {"\"a \"\"q\"\", \",b", "1:[a \"q\", ][b]"},
    {"\"two\nlines\",b\nc", "1:[two\nlines][b]3:[c]"},
    {",,\n", "1:[][][]"},
    {"\"open,b\nc", "1:[open,b\nc]open"},
    {"a\rb,c", "1:[a\rb][c]"},
};
enum { TABLES = sizeof tables / sizeof *tables };

START_TEST(every_table)
{
    struct csv csv = {.rest = str_of(tables[_i].text), .line = 1};
    struct buf rows = {0};
    while (csv_next(&csv)) {
        buf_fmt(&rows, "%zu:", csv.row_line);
        for (size_t at = 0; at < csv.count; at++)
            buf_fmt(&rows, "[%.*s]", STR_ARG(csv.fields[at]));
        if (csv.quote_open)
            buf_add(&rows, STR("open"));
    }
    buf_char(&rows, '\0');
    ck_assert_str_eq(rows.ptr, tables[_i].rows);
    buf_free(&rows);
    csv_free(&csv);
}
END_TEST

/* ---- cells that cannot be read ---------------------------------------------------------------------------------- */

static const struct {
    const char *grid, *block, *registers, *smem, *said;
} cells[] = {
    {"64", "256", "8", "0.016", NULL},
    {"1,024", "256", "8", "0", NULL},
    {"1,02", "256", "8", "0", "'1,02'"},
    {"64", "many", "8", "0", "'many'"},
    {"64", "1234567890123456789", "8", "0", "'1234567890123456789'"},
    {"64", "256", "8.5", "0", "'8.5'"},
    {"64", "256", "eight", "0", "'eight'"},
    {"64", "256", "8", "0.0000001", "'0.0000001'"},
    {"64", "256", "8", "1.", "'1.'"},
    {"64", "256", "8", "1.x", "'1.x'"},
    {"64", "256", "8", "99999", "'99999'"},
    {"64", "256", "8", "", NULL},
};
enum { CELLS = sizeof cells / sizeof *cells };

START_TEST(cells_are_numbers)
{
    struct profile profile = {0};
    struct diags diags = {0};
    char path[] = "/tmp/warplint-profile-XXXXXX";
    int fd = mkstemp(path);
    FILE *file = fd < 0 ? NULL : fdopen(fd, "w");
    ck_assert_ptr_nonnull(file);
    fprintf(file,
            "Start (ns),GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,DymSMem (MB),Name\n"
            "1,\"%s\",1,1,\"%s\",1,1,%s,%s,k(int)", /* the last line may lack a line end */
            cells[_i].grid, cells[_i].block, cells[_i].registers, cells[_i].smem);
    fclose(file);
    bool ok = profile_read(&profile, str_of(path), &diags);
    remove(path);
    ck_assert(ok == !cells[_i].said);
    if (!ok)
        ck_assert_msg(strstr(diags.items[0].message.ptr, cells[_i].said) != NULL, "%s", diags.items[0].message.ptr);
    diags_free(&diags);
    profile_free(&profile);
}
END_TEST

int main(void)
{
    TCase *all = tcase_create("profiles");
    tcase_add_loop_test(all, every_kind, 0, KINDS);
    tcase_add_loop_test(all, every_refusal, 0, BROKEN);
    tcase_add_loop_test(all, every_spelling, 0, SPELLINGS);
    tcase_add_loop_test(all, cells_are_numbers, 0, CELLS);
    tcase_add_loop_test(all, every_table, 0, TABLES);
    TCase *cases[] = {all};
    return run_suite("profile", cases, 1);
}
