#include "log/checkout.h"

static bool is_slash(char c)
{
    return c == '/' || c == '\\';
}

static bool is_absolute(struct str path)
{
    return path.len && (is_slash(path.ptr[0]) || (path.len > 2 && path.ptr[1] == ':' && is_slash(path.ptr[2])));
}

/* The last name, and the one before it where at least two stand before that. */
static struct str end_of(struct str names)
{
    size_t last = str_rfind(names, STR("/"));
    if (last == STR_NONE)
        return names;
    size_t folder = str_rfind(str_sub(names, 0, last), STR("/"));
    bool deep = folder != STR_NONE && str_find_char(str_sub(names, 0, folder), '/') != STR_NONE;
    return str_from(names, deep ? folder + 1 : last + 1);
}

void checkout_path(struct str path, struct str root, struct buf *out)
{
    SCOPED(buf) names = {0}, base = {0};
    buf_char(&names, '/'); /* a root: ".." that leads out of the path is dropped */
    buf_char(&base, '/');
    path_clean(path, true, &names);
    path_clean(root, true, &base);
    struct str all = str_from(buf_str(&names), 1), below = str_from(buf_str(&base), 1);
    bool inside = below.len && str_starts(all, below) && all.len > below.len && all.ptr[below.len] == '/';
    if (!is_absolute(path))
        buf_add(out, all);
    else if (inside)
        buf_add(out, str_from(all, below.len + 1));
    else
        buf_add(out, end_of(all));
}

void checkout_path_of_log(const struct model *model, uint16_t log, struct str path, struct checkout checkout,
                          struct buf *out)
{
    const struct log_info *info = &model->logs[log];
    const struct str folder = info->from_here ? checkout.here : log_working_directory(model, info); /* from the root */
    SCOPED(buf) whole = {0};
    if (folder.len && path.len && !is_absolute(path))
        buf_fmt(&whole, "%.*s/", STR_ARG(folder));
    buf_add(&whole, path);
    checkout_path(buf_str(&whole), checkout.root, out);
}
