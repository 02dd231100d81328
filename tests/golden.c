#include "golden.h"

#include <stdio.h>
#include <stdlib.h>

static const struct str case_mark = STR_INIT("=== "), says_mark = STR_INIT("--- says\n");

/* Takes the first case off *rest. */
static bool next_case(struct str *rest, struct str *name, struct str *input, struct str *wanted)
{
    size_t start = str_find(*rest, case_mark);
    if (start == STR_NONE)
        return false;
    struct str body = str_from(*rest, start + case_mark.len);
    size_t line_end = str_find_char(body, '\n');
    *name = str_sub(body, 0, line_end);
    body = str_from(body, line_end + 1);
    size_t end = str_starts(body, case_mark) ? 0 : str_find(body, STR("\n=== "));
    *rest = end == STR_NONE ? (struct str){"", 0} : str_from(body, end + 1);
    body = str_sub(body, 0, end == STR_NONE ? body.len : end + 1);
    size_t middle = str_find(body, says_mark);
    ck_assert_msg(middle != STR_NONE, "case %.*s has no '--- says'", STR_ARG(*name));
    *input = str_sub(body, 0, middle);
    *wanted = str_from(body, middle + says_mark.len);
    return true;
}

static void write_file(const char *path, const struct buf *text)
{
    FILE *out = fopen(path, "wb");
    ck_assert_msg(out != NULL, "%s cannot be written", path);
    fwrite(text->ptr, 1, text->len, out);
    fclose(out);
}

void golden_run(const char *relative, size_t least, void (*say)(struct str input, struct buf *said))
{
    const char *path = source_path(relative);
    struct buf text = read_file(path), updated = {0};
    struct str rest = buf_str(&text), name, input, wanted;
    bool update = getenv("WARPLINT_UPDATE") != NULL;
    size_t cases = 0;
    for (; next_case(&rest, &name, &input, &wanted); cases++) {
        struct buf said = {0};
        say(input, &said);
        ck_assert_msg(said.len > 0, "nothing is said of case %.*s", STR_ARG(name));
        ck_assert_msg(update || str_eq(buf_str(&said), wanted), "case %.*s says\n%.*s\nexpected\n%.*s", STR_ARG(name),
                      STR_ARG(buf_str(&said)), STR_ARG(wanted));
        buf_fmt(&updated, "=== %.*s\n%.*s--- says\n%.*s", STR_ARG(name), STR_ARG(input), STR_ARG(buf_str(&said)));
        buf_free(&said);
    }
    ck_assert_msg(cases >= least, "%zu cases, expected at least %zu", cases, least);
    if (update)
        write_file(path, &updated);
    buf_free(&text);
    buf_free(&updated);
}

bool golden_part(struct str *rest, struct str word, struct str *part, struct str *argument)
{
    struct buf mark = {0};
    buf_fmt(&mark, "--- %.*s", STR_ARG(word));
    size_t at = str_find(*rest, buf_str(&mark));
    bool found = at != STR_NONE && (at == 0 || rest->ptr[at - 1] == '\n');
    *part = str_sub(*rest, 0, found ? at : rest->len);
    *argument = (struct str){"", 0};
    if (found) {
        struct str line = str_from(*rest, at + mark.len);
        size_t end = str_find_char(line, '\n');
        *argument = str_trim(str_sub(line, 0, end));
        *rest = str_from(line, end == STR_NONE ? line.len : end + 1);
    } else {
        *rest = (struct str){"", 0};
    }
    buf_free(&mark);
    return found;
}
