#include "config/profile.h"

#include "log/spelling.h"

/* nvprof puts a number behind the name, GCC's demangler a clone: "k(int) [204]", "k(int) [clone .1]". */
static struct str without_tail(struct str name)
{
    name = str_trim(name);
    size_t open = str_rfind(name, STR(" ["));
    bool tail = open != STR_NONE && open > 0 && str_ends(name, STR("]")) &&
                (is_digit(name.ptr[open + 2]) || str_starts(str_from(name, open + 2), STR("clone")));
    return tail ? str_trim(str_sub(name, 0, open)) : name;
}

void profile_key(struct str name, struct buf *out)
{
    static const struct str constant = STR_INIT(" const");
    struct buf spelled = {0};
    spell_name(without_tail(name), &spelled);
    spell_without_casts(&spelled);
    for (struct str rest = buf_str(&spelled); rest.len;) {
        bool word_follows = rest.len > constant.len && is_word(rest.ptr[constant.len]);
        size_t skip = str_starts(rest, constant) && !word_follows ? constant.len : 0;
        if (!skip && rest.ptr[0] != ' ')
            buf_char(out, rest.ptr[0]);
        rest = str_from(rest, skip ? skip : 1);
    }
    buf_free(&spelled);
}

void profile_short_key(struct str name, struct buf *out)
{
    struct buf key = {0};
    profile_key(name, &key);
    struct str function = str_sub(buf_str(&key), 0, str_find_char(buf_str(&key), '<'));
    size_t colons = str_rfind(function, STR("::"));
    buf_add(out, str_from(function, colons == STR_NONE ? 0 : colons + 2));
    buf_free(&key);
}
