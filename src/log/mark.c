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

bool mark_find(struct str line, struct str *key, bool *begins)
{
    size_t at = str_rfind(line, opening);
    if (at == STR_NONE)
        return false;
    struct str rest = str_from(line, at + opening.len);
    *key = str_sub(rest, 0, MARK_KEY_BYTES);
    rest = str_from(rest, key->len);
    if (str_ends(rest, STR("\r")))
        rest.len--;
    *begins = str_eq(rest, begin_word);
    return key->len == MARK_KEY_BYTES && (*begins || str_eq(rest, end_word));
}

struct str mark_key(struct str text, struct str own, bool kept)
{
    struct str rest = text, first = {"", 0};
    for (size_t at; (at = str_find(rest, opening)) != STR_NONE; rest = str_from(rest, at + opening.len)) {
        size_t end = str_find_char(str_from(rest, at), '\n');
        struct str key, line = str_sub(rest, at, end == STR_NONE ? rest.len : at + end);
        bool begins = false;
        if (!mark_find(line, &key, &begins))
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
    struct buf line = {0};
    mark_write(&line, key, false);
    size_t at = str_rfind(text, buf_str(&line));
    struct str rest = str_from(text, at == STR_NONE ? text.len : at + line.len);
    buf_free(&line);
    return rest;
}
