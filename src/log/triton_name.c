#include "log/triton_name.h"

bool triton_name_next(struct str *members, struct str *key, struct str *value)
{
    struct str member = {"", 0};
    size_t end = 0;
    if (!members->len || !str_split(members, ',', &member))
        return false;
    member = str_skip_blanks(member);
    while (end < member.len &&
           (is_ascii_letter(member.ptr[end]) || is_digit(member.ptr[end]) || member.ptr[end] == '_'))
        end++;
    if (end == 0 || end == member.len || (member.ptr[end] != '=' && member.ptr[end] != ':'))
        return false;
    *key = str_sub(member, 0, end);
    *value = str_skip_blanks(str_from(member, end + 1));
    return value->len > 0;
}

bool triton_name_split(struct str name, struct str *kernel, struct str *members)
{
    size_t open = str_ends(name, STR("]")) ? str_find(name, STR(" [")) : STR_NONE;
    struct str key, value;
    bool any = false;
    if (open == STR_NONE)
        return false;
    *kernel = str_sub(name, 0, open);
    *members = str_sub(name, open + 2, name.len - 1);
    for (struct str rest = *members; rest.len;) {
        if (!triton_name_next(&rest, &key, &value))
            return false;
        any |= str_eq(key, STR("num_warps"));
    }
    return any;
}
