/* The expression language of rules: values, types, units, unknown values, errors; and random expressions against a
 * second evaluator. */
#include "testing.h"

#include "base/regex.h"
#include "rules/expr.h"
#include "rules/template.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

/* One kernel on sm_90a: 40 registers, 96 B stack, 8 + 12 B spills, unknown barriers, and one message with two
 * numbers. */
struct world {
    struct model model;
    struct context context;
    struct arena arena;
    struct diags diags;
    struct buf text;
    struct param params[3];
    struct regex_list regexes;
    struct scope scope;
};

static void world_make(struct world *w)
{
    *w = (struct world){0};
    struct kernel *kernel = model_add_kernel(&w->model);
    kernel->name = intern_add(&w->model.names, STR("_Z4tileILi8EEvPf"));
    kernel->arch = kernel->arch_inferred = intern_add(&w->model.strings, STR("sm_90a"));
    kernel->flags = KERNEL_USED_LINE;
    kernel->registers = 40;
    kernel->stack_bytes = 96;
    kernel->spill_store_bytes = 8;
    kernel->spill_load_bytes = 12;
    struct event *event = model_add_event(&w->model);
    event->id = intern_add(&w->model.strings, STR("unroll"));
    event->text = intern_add(&w->model.strings, STR("not unrolled"));
    event->number[0] = 4;
    event->number_count = 1;
    struct launch_config launch_config = launch_config_none();
    context_set(&w->context, &w->model, &w->model.kernels[0], &launch_config);
    w->context.event = &w->model.events[0];
    w->params[0] = (struct param){.name = STR("near"), .value = value_number(2)};
    w->params[1] = (struct param){.name = STR("room"), .value = value_number(1024), .unit = UNIT_BYTES};
    w->params[2] = (struct param){.name = STR("word"), .value = value_string(STR("tile"))};
    w->scope =
        (struct scope){.params = w->params, .param_count = 3, .fields = true, .events = true, .regexes = &w->regexes};
}

static void world_free(struct world *w)
{
    context_free(&w->context);
    model_free(&w->model);
    regex_list_free(&w->regexes);
    arena_free(&w->arena);
    diags_free(&w->diags);
    buf_free(&w->text);
}

static struct expr *parse(struct world *w, const char *text)
{
    return expr_parse(str_of(text), &w->scope, (struct origin){0}, &w->arena, &w->diags);
}

/* ---- values ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text, *printed;
} values[] = {
    {"1 + 2 * 3", "7"},
    {"(1 + 2) * 3", "9"},
    {"10 - 2 - 3", "5"},
    {"24 / 4 / 2", "3"},
    {"-3 + 5", "2"},
    {"--3", "3"},
    {"2 - -3", "5"},
    {"-2 * -3", "6"},
    {"0x10", "16"},
    {"0xff", "255"},
    {"1.5 * 2", "3"},
    {"0.25", "0.25"},
    {"1 / 3", "0.33"},
    {"2 / 3", "0.67"},
    {"-1 / 3", "-0.33"},
    {"1KiB", "1024"},
    {"48 KiB", "49152"},
    {"2MiB / 1KiB", "2048"},
    {"48K", "49152"},
    {"1 m + 1kib", "1049600"},
    {"1GiB", "1073741824"},
    {"64B", "64"},
    {"25 %", "25 %"},
    {"62.5%", "62.5 %"},
    {"50% + 12.5 %", "62.5 %"},
    {"31.25%", "31.2 %"},
    {"2 s + 5 ms", "2005"},
    {"1 / 0", "?"},
    {"0 / 0", "?"},
    {"1 / 0 > 3", "?"},
    {"min(3, 2, 5)", "2"},
    {"max(3, 2, 5)", "5"},
    {"max(registers, 100)", "100"},
    {"min(7)", "7"},
    {"true", "yes"},
    {"not true", "no"},
    {"not not true", "yes"},
    {"true and false", "no"},
    {"true or false and false", "yes"},
    {"(true or false) and false", "no"},
    {"not false or true", "yes"},
    {"1 < 2", "yes"},
    {"2 <= 2", "yes"},
    {"2 < 2", "no"},
    {"3 > 2 and 3 >= 3", "yes"},
    {"1 == 1", "yes"},
    {"1 != 1", "no"},
    {"0.1 + 0.2 == 0.3", "no"}, /* floating point: 0.1 + 0.2 is not 0.3 */
    {"'a' == \"a\"", "yes"},
    {"'a' != 'b'", "yes"},
    {"true == (1 < 2)", "yes"},
    {"3 in [1, 2, 3]", "yes"},
    {"3 in [1, 2]", "no"},
    {"3 not in [1, 2]", "yes"},
    {"'b' in ['a', 'b']", "yes"},
    {"registers in [39 + 1]", "yes"},
    {"registers", "40"},
    {"stack_bytes + spill_store_bytes", "104"},
    {"spill_store_bytes + spill_load_bytes > 0", "yes"},
    {"registers <= near", "no"},
    {"stack_bytes < room", "yes"},
    {"room", "1024"},
    {"kind", "entry"},
    {"kind == 'entry'", "yes"},
    {"known(limiters == 'registers') or known(limiters == 'warps, shared_memory, barriers')", "no"},
    {"arch", "sm_90a"},
    {"arch >= sm_90", "yes"},
    {"arch > sm_90", "no"},
    {"arch < sm_100", "yes"},
    {"arch >= sm_89", "yes"},
    {"arch == sm_90", "yes"}, /* == compares families: sm_90a is sm_90 */
    {"arch == sm_90a", "yes"},
    {"arch != sm_90f", "yes"},
    {"arch in [sm_80, sm_90]", "yes"},
    {"arch in [sm_80, sm_90f]", "no"},
    {"sm_120 > sm_90", "yes"},
    {"sm_100 > sm_90a", "yes"},
    {"compute_80 == sm_80", "yes"},
    {"name", "void tile<8>(float*)"},
    {"mangled", "_Z4tileILi8EEvPf"},
    {"name =~ '^void tile<'", "yes"},
    {"name =~ 'TILE'", "no"},
    {"name =~ '(?i)TILE'", "yes"},
    {"not name =~ 'x{3}'", "yes"},
    {"mangled == word or word == 'tile'", "yes"},
    {"number1", "4"},
    {"number1 * 2 > 7", "yes"},
    {"number('12') + 1", "13"},
    {"number(' -7 ')", "-7"},
    {"number('1x')", "?"},
    {"number('')", "?"},
    {"number('67.159') + 1", "68.16"},
    {"number('67.159') > 67.158 and number('67.159') < 67.16", "yes"},
    {"number('0.5') == 50%", "yes"},
    {"number('-0.25') == -0.25", "yes"},
    {"number('-0')", "0"},
    {"number('0x80')", "128"},
    {"number('0x1F') == 0x1f", "yes"},
    {"number('0x')", "?"},
    {"number('5.')", "?"},
    {"number('.5')", "?"},
    {"number('1.2.3')", "?"},
    {"number('1e3')", "?"},
    {"number('+7')", "?"},
    {"number('- 7')", "?"},
    {"number('48KiB')", "?"},
    {"number('99999999999999999999')", "?"},
    {"registers * 32 / 65536", "0.02"},
    {"best_occupancy", "75 %"},
    {"max_threads_launchable", "1024"},
    {"smem_bytes", "0"}, /* the Used line was read, so a metric that it leaves out is 0 */
    {"lmem_bytes == 0", "yes"},
    {"barriers", "?"},
    {"register_cap", "?"},
    {"threads", "?"},
    {"occupancy", "?"},
    {"number2", "?"},
    {"file", "?"},
    /* True, false and unknown. */
    {"barriers > 0", "?"},
    {"barriers == barriers", "?"},
    {"barriers + 1", "?"},
    {"min(barriers, 1)", "?"},
    {"not (barriers > 0)", "?"},
    {"barriers > 0 and false", "no"},
    {"false and barriers > 0", "no"},
    {"barriers > 0 and true", "?"},
    {"true and barriers > 0", "?"},
    {"barriers > 0 or true", "yes"},
    {"true or barriers > 0", "yes"},
    {"barriers > 0 or false", "?"},
    {"barriers > 0 or barriers <= 0", "?"},
    {"barriers in [1, 2]", "?"},
    {"1 in [barriers, 1]", "yes"},
    {"1 in [barriers, 2]", "?"},
    {"1 not in [barriers, 2]", "?"},
    {"file =~ 'x'", "?"},
    {"known(barriers)", "no"},
    {"known(registers)", "yes"},
    {"not known(barriers) or barriers > 3", "yes"},
    {"known(barriers) and barriers > 3", "no"},
    {"known(threads) and registers > 3 or spill_store_bytes + spill_load_bytes > 19B", "yes"},
    {"registers >= arch_registers_per_thread or spill_store_bytes + spill_load_bytes <= 19", "no"},
    {"registers + registers == 80 and not (stack_bytes == 95)", "yes"},
    {"arch_known and not known(threads) and (barriers < 3 or stack_bytes > 1)", "yes"},
    {"barriers < threads", "?"},
    {"known(registers / 0)", "no"},
    {"known(barriers > 0 and false)", "yes"},
    {"registers_to_next_best", "8"}, /* 75 % at 40 registers, 100 % at 32 */
    {"registers_at_next_best", "32"},
};

START_TEST(each_clause_has_its_value)
{
    struct world w;
    world_make(&w);
    for (size_t at = 0; at < sizeof values / sizeof *values; at++) {
        struct expr *expr = parse(&w, values[at].text);
        buf_clear(&w.text);
        diags_render(&w.diags, &w.text);
        ck_assert_msg(expr != NULL, "%s: %.*s", values[at].text, (int)w.text.len, w.text.ptr);
        struct value value = expr_eval(expr, &w.context, NULL);
        buf_clear(&w.text);
        value_print(&value, expr_unit(expr), &w.text);
        buf_char(&w.text, '\0');
        ck_assert_msg(strcmp(w.text.ptr, values[at].printed) == 0, "%s is %s, expected %s", values[at].text, w.text.ptr,
                      values[at].printed);
        ck_assert_msg(value.type == expr_type(expr), "%s", values[at].text);
    }
    world_free(&w);
}
END_TEST

START_TEST(captures_are_strings)
{
    struct world w;
    world_make(&w);
    const struct str names[] = {STR("target"), STR("seconds")}, texts[] = {STR("app"), STR("90")};
    w.scope = (struct scope){.captures = names, .capture_count = 2};
    struct expr *expr = parse(&w, "target == 'app' and number(seconds) / 60 > 1");
    ck_assert(expr != NULL);
    ck_assert(expr_eval(expr, &w.context, texts).boolean);
    ck_assert(!(expr_asks(expr) == FIELD_METRICS));
    ck_assert(parse(&w, "registers > 1") == NULL);
    world_free(&w);
}
END_TEST

START_TEST(a_param_may_change_after_parsing)
{
    struct world w;
    world_make(&w);
    struct expr *expr = parse(&w, "registers > near");
    ck_assert(expr_eval(expr, &w.context, NULL).boolean);
    w.params[0].value.number = 40;
    ck_assert(!expr_eval(expr, &w.context, NULL).boolean);
    world_free(&w);
}
END_TEST

/* ---- errors ----------------------------------------------------------------------------------------------------- */

static const struct {
    const char *text;
    size_t column;
    const char *message;
} faults[] = {
    {"", 1, "found the end, expected an expression"},
    {"   ", 4, "found the end, expected an expression"},
    {"registers >", 12, "found the end, expected a value"},
    {"registers registers", 11, "found 'registers', expected an operator or the end"},
    {"(registers", 11, "found the end, expected ')'"},
    {"registers)", 10, "found ')', expected an operator or the end"},
    {"registers > 1 > 0", 15, "comparisons do not chain"},
    {"1 < 2 == true", 7, "comparisons do not chain"},
    {"registers = 1", 11, "found '=', expected '=='"},
    {"registers > 1 && true", 15, "write 'and'"},
    {"true || true", 6, "write 'or'"},
    {"!true", 1, "write 'not'"},
    {"registers # 1", 11, "means nothing"},
    {"'open", 1, "the string has no end"},
    {"99999999999999999999999", 1, "too large"},
    {"48x", 1, "no such unit"},
    {"48kb", 1, "expected KiB"},
    {"registers > 48 KB", 13, "expected KiB"},
    {"1 5", 3, "found number 5, expected an operator or the end"},
    {"5 kb", 1, "expected KiB"},
    {"spill_store_byte > 0", 1, "no field or parameter is called 'spill_store_byte', did you mean 'spill_store_bytes'"},
    {"regsters > 0", 1, "did you mean 'registers'"},
    {"regs > 0", 1, "did you mean 'registers'"},
    {"stack > 0", 1, "did you mean 'stack_bytes'"},
    {"spills > 0", 1, "did you mean 'spill_store_bytes'"},
    {"smem > 0", 1, "did you mean 'smem_bytes'"},
    {"registers % 2 == 0", 11, "'%' only follows a number (50%), there is no modulo"},
    {"nearr > 0", 1, "did you mean 'near'"},
    {"qwertyuiop > 0", 1, "no field or parameter is called 'qwertyuiop'"},
    {"registers and true", 11, "'and' needs a truth value, found a number"},
    {"not registers", 1, "'not' needs a truth value, found a number"},
    {"kind + 1", 6, "'+' needs a number, found a string"},
    {"-kind", 1, "'-' needs a number, found a string"},
    {"kind < 'x'", 6, "'<' needs a number, found a string"},
    {"true < false", 6, "'<' needs a number, found a truth value"},
    {"registers == 'x'", 11, "'==' compares a number with a string"},
    {"arch == 'sm_90'", 6, "'==' compares an architecture with a string, write sm_90 without quotes"},
    {"arch > 90", 6, "'>' compares an architecture with a number, write sm_90"},
    {"arch in [80, 90]", 6, "'in' compares an architecture with a number, write sm_90"},
    {"arch == sm_x", 9, "not an architecture"},
    {"kind == 'kernel'", 6, "kind is never 'kernel', expected one of entry, function"},
    {"'x' != producer", 5, "producer is never 'x', expected one of ptxas, nvlink, driver-linker, binary"},
    {"kind in ['entry', 'device']", 6, "kind is never 'device', expected one of entry, function"},
    {"limiters == 'register'", 10,
     "limiters is never 'register', expected one of warps, registers, shared_memory, blocks, barriers, or several in "
     "this order: 'warps, registers'"},
    {"limiters == 'blocks, registers'", 10, "limiters is never 'blocks, registers'"},
    {"limiters == 'registers,blocks'", 10, "limiters is never 'registers,blocks'"},
    {"limiters == 'registers, '", 10, "limiters is never 'registers, '"},
    {"threads_from == 'bounds'", 14, "expected one of cli, config, profile, required, launch-bounds"},
    {"register_cap_from == 'maxnreg'", 19, "expected one of -maxrregcount, __launch_bounds__, __maxnreg__"},
    {"registers > stack_bytes", 11,
     "'>' mixes registers and bytes; a quotient of the two has no unit: spill_store_bytes / registers > 4"},
    {"registers > stack_bytes * 2", 11, "'>' mixes registers and bytes"},
    {"registers > 2 * stack_bytes", 11, "'>' mixes registers and bytes"},
    {"registers > stack_bytes / 2", 11, "'>' mixes registers and bytes"},
    {"registers + 4KiB", 11, "'+' mixes registers and bytes"},
    {"occupancy < 48KiB", 11, "'<' mixes ratio and bytes"},
    {"occupancy < 50", 11, "'<' compares 'occupancy', a share of 1, with a number above 1: write 50% or 0.5"},
    {"62.5 >= best_occupancy", 6, "'>=' compares 'best_occupancy', a share of 1"},
    {"registers in 3", 14, "found number 3, expected '['"},
    {"registers in []", 15, "found ']', expected a value"},
    {"registers in ['x']", 11, "'in' compares a number with a string"},
    {"registers not 3", 15, "found number 3, expected 'in'"},
    {"name =~ name", 9, "found 'name', expected a regular expression in quotes"},
    {"name =~ 'a(b'", 13, "not a regular expression"},
    {"name =~ '[z-a]'", 13, "not a regular expression"},
    {"registers =~ 'x'", 11, "'=~' needs a string, found a number"},
    {"known()", 7, "found ')', expected a value"},
    {"known(registers, 1)", 16, "found ',', expected ')'"},
    {"min()", 5, "found ')', expected a value"},
    {"max('a', 1)", 1, "'max' needs a number, found a string"},
    {"min(true)", 1, "'min' needs a number, found a truth value"},
    {"number(3)", 1, "'number' needs a string, found a number"},
    {"abs(3)", 1, "no such function"},
    {"registers > 1 +", 16, "found the end"},
    {"* 3", 1, "found '*', expected a value"},
};

START_TEST(each_error_has_its_place)
{
    for (size_t at = 0; at < sizeof faults / sizeof *faults; at++) {
        struct world w;
        world_make(&w);
        ck_assert_msg(parse(&w, faults[at].text) == NULL, "%s is taken", faults[at].text);
        ck_assert_msg(w.diags.count >= 1, "%s", faults[at].text);
        const struct diag *diag = &w.diags.items[0];
        ck_assert_msg(str_find(diag->message, str_of(faults[at].message)) != STR_NONE, "%s: %s", faults[at].text,
                      diag->message.ptr);
        ck_assert_msg(diag->place.column == faults[at].column, "%s: column %zu, expected %zu", faults[at].text,
                      diag->place.column, faults[at].column);
        world_free(&w);
    }
}
END_TEST

START_TEST(all_type_errors_are_reported)
{
    struct world w;
    world_make(&w);
    ck_assert(parse(&w, "regsters > 1 and kind + 1 > 0 or not stack_bytes") == NULL);
    ck_assert_uint_eq(w.diags.count, 3);
    world_free(&w);
    world_make(&w);
    ck_assert(parse(&w, "arch in [80, 90]") == NULL);
    ck_assert_uint_eq(w.diags.count, 1);
    world_free(&w);
    world_make(&w);
    w.scope.events = false;
    ck_assert(parse(&w, "line > 1") == NULL);
    ck_assert(str_find(w.diags.items[0].message, STR("only rules with 'event'")) != STR_NONE);
    world_free(&w);
}
END_TEST

static void deep(struct buf *text, const char *open, int count, const char *middle, const char *close)
{
    buf_clear(text);
    for (int at = 0; at < count; at++)
        buf_add(text, str_of(open));
    buf_add(text, str_of(middle));
    for (int at = 0; at < count; at++)
        buf_add(text, str_of(close));
    buf_char(text, '\0');
}

START_TEST(deep_and_long_expressions_terminate)
{
    static const struct {
        const char *open, *middle, *close;
    } shapes[] = {{"(", "1", ")"},       {"not ", "true", ""}, {"-", "1", ""},      {"known(", "1", ")"},
                  {"min(1, ", "1", ")"}, {"1 + (", "1", ")"},  {"1 in [", "1", "]"}};
    struct world w;
    world_make(&w);
    struct buf text = {0};
    for (size_t at = 0; at < sizeof shapes / sizeof *shapes; at++) {
        deep(&text, shapes[at].open, 100000, shapes[at].middle, shapes[at].close);
        ck_assert(parse(&w, text.ptr) == NULL);
        deep(&text, shapes[at].open, 20, shapes[at].middle, shapes[at].close);
        struct expr *expr = at + 1 < sizeof shapes / sizeof *shapes ? parse(&w, text.ptr) : NULL;
        ck_assert(expr != NULL || at + 1 == sizeof shapes / sizeof *shapes);
    }
    deep(&text, "1 + ", 100000, "1", "");
    ck_assert(parse(&w, text.ptr) == NULL);
    deep(&text, "1 + ", 1000, "1", "");
    struct expr *expr = parse(&w, text.ptr);
    ck_assert(expr_eval(expr, &w.context, NULL).number == 1001);
    buf_free(&text);
    world_free(&w);
}
END_TEST

/* ---- messages --------------------------------------------------------------------------------------------------- */

START_TEST(messages_have_placeholders)
{
    static const struct {
        const char *template, *text;
    } rows[] = {
        {"plain", "plain"},
        {"", ""},
        {"spills {spill_store_bytes} B", "spills 8 B"},
        {"{registers}{stack_bytes}", "4096"},
        {"{spill_store_bytes + spill_load_bytes} B of {room / 1KiB} KiB", "20 B of 1 KiB"},
        {"{barriers} barriers", "? barriers"},
        {"{{literal}} {registers}", "{literal} 40"},
        {"{name == '}'} {\"{\"}", "no {"},
        {"{best_occupancy}", "75 %"},
        {"{arch}: {name}", "sm_90a: void tile<8>(float*)"},
    };
    struct world w;
    world_make(&w);
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        struct template *template =
            template_parse(str_of(rows[at].template), &w.scope, (struct origin){0}, &w.arena, &w.diags);
        ck_assert_msg(template != NULL, "%s", rows[at].template);
        buf_clear(&w.text);
        template_render(template, &w.context, NULL, &w.text);
        ck_assert_msg(str_eq(buf_str(&w.text), str_of(rows[at].text)), "%s", rows[at].template);
    }
    ck_assert(!template_parse(STR("a {registers"), &w.scope, (struct origin){0}, &w.arena, &w.diags));
    ck_assert(!template_parse(STR("{regs} {}"), &w.scope, (struct origin){0}, &w.arena, &w.diags));
    ck_assert_uint_eq(w.diags.count, 3);
    world_free(&w);
}
END_TEST

/* ---- random expressions ----------------------------------------------------------------------------------------- */

/* A second, independent evaluator: it builds the text of a random expression and computes its value at the same time.
 * NAN stands for unknown; truth values are 0 and 1. */
static uint64_t seed = 42;

static unsigned pick(unsigned count)
{
    seed = seed * 6364136223846793005u + 1442695040888963407u;
    return (unsigned)(seed >> 33) % count;
}

static double random_number(struct buf *text, int depth);

static double random_leaf(struct buf *text)
{
    static const struct {
        const char *name;
        double value;
    } leaves[] = {{"registers", 40}, {"near", 2},  {"barriers", NAN}, {"number1", 4}, {"0", 0},
                  {"1", 1},          {"2.5", 2.5}, {"sms", 7},        {"ilp", NAN}};
    unsigned at = pick(sizeof leaves / sizeof *leaves);
    buf_add(text, str_of(leaves[at].name));
    return leaves[at].value;
}

static double random_number(struct buf *text, int depth)
{
    if (depth == 0 || pick(4) == 0)
        return random_leaf(text);
    unsigned op = pick(6);
    if (op >= 4)
        buf_add(text, op == 4 ? STR("min") : STR("max"));
    buf_char(text, '(');
    double a = random_number(text, depth - 1);
    buf_fmt(text, " %c ", "+-*/,,"[op]);
    double b = random_number(text, depth - 1);
    buf_char(text, ')');
    if (isnan(a) || isnan(b) || (op == 3 && b == 0))
        return NAN;
    double results[] = {a + b, a - b, a * b, b == 0 ? 0 : a / b, a < b ? a : b, a > b ? a : b};
    return isfinite(results[op]) ? results[op] : NAN;
}

static double random_comparison(struct buf *text, int depth)
{
    static const char *const ops[] = {"<", "<=", ">", ">=", "==", "!="};
    unsigned op = pick(6);
    double a = random_number(text, depth);
    buf_fmt(text, " %s ", ops[op]);
    double b = random_number(text, depth);
    if (isnan(a) || isnan(b))
        return NAN;
    bool results[] = {a<b, a <= b, a> b, a >= b, !(a < b) && !(a > b), a < b || a > b};
    return results[op];
}

/* Kleene's truth tables. */
static double kleene_and(double a, double b)
{
    static const double table[3][3] = {{0, 0, 0}, {0, NAN, NAN}, {0, NAN, 1}};
    return table[isnan(a) ? 1 : a > 0 ? 2 : 0][isnan(b) ? 1 : b > 0 ? 2 : 0];
}

static double random_truth(struct buf *text, int depth)
{
    if (depth == 0 || pick(5) == 0)
        return random_comparison(text, depth);
    unsigned op = pick(4);
    buf_add(text, op == 2 ? STR("(not ") : op == 3 ? STR("known(") : STR("("));
    double a = random_truth(text, depth - 1), b = 0;
    if (op < 2) {
        buf_add(text, op == 0 ? STR(" and ") : STR(" or "));
        b = random_truth(text, depth - 1);
    }
    buf_char(text, ')');
    double results[] = {kleene_and(a, b), 1 - kleene_and(1 - a, 1 - b), 1 - a, !isnan(a)};
    return results[op];
}

START_TEST(random_expressions_agree)
{
    struct world w;
    world_make(&w);
    w.context.launch_config.sms = 7;
    struct buf text = {0};
    size_t unknown = 0;
    for (int round = 0; round < 20000; round++) {
        buf_clear(&text);
        bool truth = pick(2);
        double expected = truth ? random_truth(&text, 5) : random_number(&text, 5);
        struct expr *expr = expr_parse(buf_str(&text), &w.scope, (struct origin){0}, &w.arena, &w.diags);
        ck_assert_msg(expr != NULL, "%.*s", (int)text.len, text.ptr);
        struct value value = expr_eval(expr, &w.context, NULL);
        double got = !value.known ? NAN : truth ? value.boolean : value.number;
        bool same = isnan(expected) ? isnan(got) : !(got < expected) && !(got > expected) && !isnan(got);
        ck_assert_msg(same, "%.*s is %f, expected %f", (int)text.len, text.ptr, got, expected);
        unknown += isnan(expected) ? 1 : 0;
        regex_list_free(&w.regexes);
        arena_free(&w.arena);
    }
    ck_assert_uint_gt(unknown, 2000);
    ck_assert_uint_lt(unknown, 18000);
    buf_free(&text);
    world_free(&w);
}
END_TEST

/* ---- the field table and patterns ------------------------------------------------------------------------------- */

START_TEST(fields_are_documented_and_found)
{
    size_t listed = 0;
    for (size_t at = 0; at < field_count; at++) {
        const struct field *field = &field_table[at];
        ck_assert_msg(field->get || field->metric, "%s", field->name);
        ck_assert_msg(field->doc[0] && !strchr(field->doc, '\n') && field->doc[strlen(field->doc) - 1] != '.', "%s",
                      field->name);
        ck_assert_ptr_eq(field_find(str_of(field->name)), field);
        ck_assert(field->unit == UNIT_NONE || field->type == (field->unit == UNIT_WORDS ? VALUE_STRING : VALUE_NUMBER));
    }
    for (const struct field *last = NULL, *field; (field = field_after(last)); last = field) {
        ck_assert_msg(!last || strcmp(last->name, field->name) < 0, "%s", field->name);
        listed++;
    }
    ck_assert_uint_eq(listed, field_count);
    ck_assert(field_find(STR("registerz")) == NULL);
}
END_TEST

/* Every field returns a value of its type, also for a context in which everything is unknown. */
START_TEST(every_field_accepts_an_empty_context)
{
    struct world w;
    world_make(&w);
    struct launch_config launch_config = launch_config_none();
    for (int round = 0; round < 2; round++) {
        struct kernel *kernel = model_add_kernel(&w.model);
        (void)kernel;
        context_set(&w.context, &w.model, round ? &w.model.kernels[w.model.kernel_count - 1] : NULL, &launch_config);
        for (size_t at = 0; at < field_count; at++) {
            struct value value = field_get(&field_table[at], &w.context);
            ck_assert_msg(value.type == field_table[at].type, "%s", field_table[at].name);
            ck_assert_msg(round || !value.known, "%s is known of nothing", field_table[at].name);
        }
    }
    world_free(&w);
}
END_TEST

/* The fastest of three runs, in ms of CPU time, because the machine may be busy. */
static double match_ms(const char *pattern, struct str text)
{
    double best = HUGE_VAL;
    for (int round = 0; round < 3; round++) {
        struct regex_error error = {0};
        struct regex *regex = regex_new(str_of(pattern), &error);
        clock_t start = clock();
        enum regex_result result = regex_match(regex, text, NULL);
        best = fmin(best, (double)(clock() - start) * 1000 / CLOCKS_PER_SEC);
        ck_assert_msg(result != REGEX_YES, "%s", pattern);
        ck_assert(regex_limit_reached(regex) == (result == REGEX_LIMIT));
        ck_assert_int_eq(regex_match(regex, STR(""), NULL) == REGEX_LIMIT, result == REGEX_LIMIT);
        regex_free(regex);
    }
    return best;
}

START_TEST(patterns_stop_at_the_match_limit)
{
    static const char *const patterns[] = {"(a+)+$",       "^(a|aa)+$",   "^(([a-z])+.)+[A-Z]([a-z])+$",
                                           "((a|a)*)*$",   "(x+x+)+y",    "(.*)*x",
                                           "(?:a?){200}b", "(a|b|ab)*c!", "^(?:.*.*)*$b",
                                           "a*[bc]",       "(a*)*[bc]"};
    struct buf text = {0};
    buf_pad(&text, 'a', 20000);
    buf_char(&text, '!');
    for (size_t at = 0; at < sizeof patterns / sizeof *patterns; at++) {
        double ms = match_ms(patterns[at], buf_str(&text));
        ck_assert_msg(ms < bound_ms(50), "%s took %.1f ms", patterns[at], ms);
    }
    buf_free(&text);
}
END_TEST

START_TEST(patterns_read_any_bytes)
{
    struct regex_error error = {0};
    struct regex *regex = regex_new(STR("k(?<n>\\d+)( )"), &error);
    const struct str *names = NULL;
    struct str captures[2];
    ck_assert_uint_eq(regex_groups(regex, &names), 2);
    ck_assert(str_eq(names[0], STR("n")) && names[1].len == 0);
    ck_assert_int_eq(regex_match(regex, STR("\xff\xfe k42 \xc3"), captures), REGEX_YES);
    ck_assert(str_eq(captures[0], STR("42")) && str_eq(captures[1], STR(" ")));
    ck_assert_int_eq(regex_match(regex, (struct str){0}, captures), REGEX_NO);
    regex_free(regex);
}
END_TEST

START_TEST(patterns_have_one_limit)
{
    enum { MOST = 1000 };
    static struct regex *held[MOST];
    struct str large = STR("(?:ab){2000}");
    struct regex_error error = {0};
    size_t count = 0;
    while (count < MOST && (held[count] = regex_new(large, &error)))
        count++;
    ck_assert_msg(count > 250 && count < 300, "%zu patterns of 56 kB are held", count);
    ck_assert(str_find(buf_str(&error.message), STR("all patterns together take more than 16 MiB")) != STR_NONE);
    buf_free(&error.message);
    regex_free(held[--count]); /* freed patterns make room for new ones */
    ck_assert((held[count++] = regex_new(large, &error)) != NULL);
    while (count > 0)
        regex_free(held[--count]);
}
END_TEST

int main(void)
{
    TCase *language = tcase_create("language"), *errors = tcase_create("errors"), *parts = tcase_create("parts");
    tcase_set_timeout(language, 120);
    tcase_set_timeout(parts, 120);
    tcase_add_test(language, each_clause_has_its_value);
    tcase_add_test(language, captures_are_strings);
    tcase_add_test(language, a_param_may_change_after_parsing);
    tcase_add_test(language, messages_have_placeholders);
    tcase_add_test(language, random_expressions_agree);
    tcase_add_test(errors, each_error_has_its_place);
    tcase_add_test(errors, all_type_errors_are_reported);
    tcase_add_test(errors, deep_and_long_expressions_terminate);
    tcase_add_test(parts, fields_are_documented_and_found);
    tcase_add_test(parts, every_field_accepts_an_empty_context);
    tcase_add_test(parts, patterns_stop_at_the_match_limit);
    tcase_add_test(parts, patterns_read_any_bytes);
    tcase_add_test(parts, patterns_have_one_limit);
    TCase *cases[] = {language, errors, parts};
    return run_suite("expr", cases, sizeof cases / sizeof *cases);
}
