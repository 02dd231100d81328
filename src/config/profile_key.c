#include "config/profile.h"

#include "base/buf.h"
#include "log/spelling.h"

/* Removes what nvprof or the demangler of GCC append to a name: "k(int) [204]", "k(int) [clone .1]". */
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
    spell_name(without_tail(name), out);
}

void profile_short_key(struct str name, struct buf *out)
{
    SCOPED(buf) key = {0};
    profile_key(name, &key);
    struct str function = str_sub(buf_str(&key), 0, str_find_char(buf_str(&key), '<'));
    size_t qualified = str_rfind(function, STR("::"));
    buf_add(out, qualified == STR_NONE ? function : str_from(function, qualified + 2));
}
