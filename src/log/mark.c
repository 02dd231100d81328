#include "log/mark.h"

static const struct str opening = STR_INIT("warplint info    : ptxas "), begin_word = STR_INIT(" begins"),
                        end_word = STR_INIT(" ends");

void mark_write(struct buf *out, struct str key, bool begins)
{
    buf_add(out, opening);
    buf_add(out, key);
    buf_add(out, begins ? begin_word : end_word);
    buf_char(out, '\n');
}

size_t mark_find(struct str line, struct str *key, bool *begins)
{
    if (str_ends(line, STR("\r")))
        line.len--;
    *begins = str_ends(line, begin_word);
    if (!*begins && !str_ends(line, end_word))
        return STR_NONE;
    line.len -= *begins ? begin_word.len : end_word.len;
    if (line.len < opening.len + MARK_KEY_BYTES)
        return STR_NONE;
    size_t at = line.len - MARK_KEY_BYTES - opening.len;
    *key = str_from(line, at + opening.len);
    return str_starts(str_from(line, at), opening) ? at : STR_NONE;
}

struct str mark_key(struct str text, struct str own, bool kept)
{
    struct str rest = text, first = {"", 0};
    for (size_t at; (at = str_find(rest, opening)) != STR_NONE; rest = str_from(rest, at + opening.len)) {
        size_t end = str_find_char(str_from(rest, at), '\n');
        struct str key, line = str_sub(rest, at, end == STR_NONE ? rest.len : at + end);
        bool begins = false;
        if (mark_find(line, &key, &begins) == STR_NONE)
            continue;
        if (own.len && str_eq(key, own))
            return own;
        kept = kept && (first.len == 0 || str_eq(first, key));
        first = key;
    }
    return kept ? first : (struct str){"", 0};
}

struct str mark_rest(struct str text, struct str key)
{
    SCOPED(buf) line = {0};
    mark_write(&line, key, false);
    size_t at = str_rfind(text, buf_str(&line));
    return str_from(text, at == STR_NONE ? text.len : at + line.len);
}
