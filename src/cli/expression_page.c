#include "cli/expression_page.h"

#include "cli/settings.h"

#include <string.h>

/*
 * A row: an expression and what it is; without one, the head of the rows that follow. tests/test_cli.sh puts each
 * expression into a rule that has a parameter `most`, so a row that is no expression fails. To add one: a row.
 */
static const struct row {
    const char *expression, *what;
} rows[] = {
    {NULL, "values"},
    {"128", "a number; also 0x80 and 0.5"},
    {"48KiB", "bytes: B KiB MiB GiB"},
    {"250 ms", "time: us ms s"},
    {"50%", "a share, the same as 0.5"},
    {"'entry'", "a string, in either kind of quotes; no character in it is special"},
    {"true", "a truth value; also false"},
    {"sm_90", "an architecture with its variants: it equals sm_90a, too"},
    {"sm_90a", "that variant alone"},
    {"registers", "a field: `warplint list fields` has all of them with their units"},
    {"baseline.registers", "the same kernel's in the baseline; unknown without one"},
    {"most", "a parameter of the rule, which a configuration may change"},

    {NULL, "operators, those that bind least first"},
    {"registers > most or lmem_bytes > 0", "or"},
    {"registers > most and not debug", "and, not"},
    {"occupancy < 50%", "< <= > >= of numbers and architectures; they do not chain"},
    {"kind == 'entry'", "== != of any two values of one type"},
    {"arch in [sm_80, sm_90]", "one of a list; also not in"},
    {"name =~ '^void gemm<'", "a regular expression (PCRE2) that matches somewhere in the string"},
    {"spill_store_bytes + spill_load_bytes", "+ -"},
    {"registers * threads / 32", "* /; what is divided by 0 is unknown"},
    {"-registers", "-"},
    {"(registers + 7) / 8", "parentheses"},

    {NULL, "functions"},
    {"known(threads)", "the log or somebody states it"},
    {"min(registers, 64, most)", "the smallest; max() the largest"},
    {"number('41')",
     "the number that a string holds, such as the group of a pattern: 41, -7, 0.5 or 0x80 without a unit; unknown for "
     "any other string"},
};

static const char *const notes[] = {
    "They stand in `when` and `worst` of a rule, in its cases, and in the holes of a message: '{registers * 2}'; two "
    "braces are one that is printed. Where a rule has `event`, the fields of messages are known, too; where it has "
    "`pattern`, only its parameters and the named groups of the pattern are. Values of a configuration "
    "(threads: '$1 * 2') know the groups of their `match` and + - * / min max.",
    "A number without a unit goes with every unit, bytes and registers do not go together.",
    "What the log does not state is unknown, not 0, and so is what is computed from it. `and` with something false is "
    "false, `or` with something true is true, whatever else is unknown. A rule fires where `when` is true; where it is "
    "unknown the record counts as not judged. Ask known() first where that matters.",
};

enum { COLUMN = 40 };

void expression_page(struct buf *out)
{
    buf_add(out, STR("expressions: what a rule asks, and what its message says\n"));
    for (size_t at = 0; at < sizeof rows / sizeof *rows; at++) {
        size_t start = out->len;
        if (!rows[at].expression) {
            buf_fmt(out, "\n%s\n", rows[at].what);
            continue;
        }
        buf_wrap(out, str_of(rows[at].what), COLUMN, prose_width());
        memcpy(out->ptr + start + 2, rows[at].expression, strlen(rows[at].expression));
    }
    for (size_t at = 0; at < sizeof notes / sizeof *notes; at++) {
        buf_char(out, '\n');
        buf_wrap(out, str_of(notes[at]), 0, prose_width());
    }
}
