#include "log/checkout.h"

#include "log/command.h"

#include <stdlib.h>

/* The position of the last name of a path, or of the name before it if that one is at least the third name. */
static size_t end_from(struct str names)
{
    size_t last = str_rfind(names, STR("/"));
    if (last == STR_NONE)
        return 0;
    size_t folder = str_rfind(str_sub(names, 0, last), STR("/"));
    bool deep = folder != STR_NONE && str_find_char(str_sub(names, 0, folder), '/') != STR_NONE;
    return deep ? folder + 1 : last + 1;
}

/* Appends the path without its first slash, and without "." and ".."; a ".." above the first name is dropped. */
static void add_names(struct str path, struct buf *out)
{
    SCOPED(buf) clean = {0};
    buf_char(&clean, '/');
    path_clean(path, true, &clean);
    buf_add(out, str_from(buf_str(&clean), 1));
}

/* Appends the whole path: the root precedes a relative path. Returns the position after the root; STR_NONE if the path
 * is outside of the root. */
static size_t add_all_names(struct str path, struct str root, struct buf *out)
{
    SCOPED(buf) base = {0};
    add_names(root, &base);
    if (base.len)
        buf_char(&base, '/');
    const bool is_relative = path_is_relative(path);
    if (is_relative)
        buf_add(out, buf_str(&base));
    add_names(path, out);
    bool inside = is_relative || (base.len && str_starts(buf_str(out), buf_str(&base)) && out->len > base.len);
    return inside ? base.len : STR_NONE;
}

void checkout_path(struct str path, struct checkout checkout, struct buf *out)
{
    SCOPED(buf) names = {0};
    const size_t below = add_all_names(path, checkout.root, &names);
    const struct str all = buf_str(&names);
    const uint32_t known = checkout.outside ? intern_find(&checkout.outside->paths, all) : INTERN_NONE;
    if (checkout.keeps_outside)
        buf_add(out, str_from(all, below == STR_NONE ? 0 : below));
    else if (known != INTERN_NONE)
        buf_add(out, str_from(all, checkout.outside->from[known]));
    else
        buf_add(out, str_from(all, below == STR_NONE ? end_from(all) : below));
}

/* Appends a path of a log: the working directory of the log precedes a relative path. */
static void add_whole_path(const struct model *model, uint16_t log, struct str path, struct str here, struct buf *out)
{
    const struct log_info *info = &model->logs[log];
    const struct str folder = info->from_here ? here : log_working_directory(model, info); /* relative to the root */
    if (folder.len && path_is_relative(path))
        buf_fmt(out, "%.*s/", STR_ARG(folder));
    buf_add(out, path);
}

void checkout_path_of_log(const struct model *model, uint16_t log, struct str path, struct checkout checkout,
                          struct buf *out)
{
    SCOPED(buf) whole = {0};
    add_whole_path(model, log, path, checkout.here, &whole);
    checkout_path(buf_str(&whole), checkout, out);
}

/* Appends a word of the command. Words are relative to the working directory of the compiler, even if the paths of
 * sources in the log were made relative to that of this process (from_here). */
static void add_word(const struct model *model, uint16_t log, struct str word, struct buf *out)
{
    const struct log_info *info = &model->logs[log];
    if (info->from_here && path_is_relative(word))
        buf_fmt(out, "%.*s/", STR_ARG(model_string(model, info->working_directory)));
    buf_add(out, word);
}

void checkout_path_of_word(const struct model *model, uint16_t log, struct str word, struct checkout checkout,
                           struct buf *out)
{
    SCOPED(buf) path = {0};
    add_word(model, log, word, &path);
    checkout_path_of_log(model, log, buf_str(&path), checkout, out);
}

/* ---- sources outside of the root -------------------------------------------------------------------------------- */

/* The position before `last` where the longest known name at the end of a path begins; `last` if there is none. */
static size_t known_from(const struct intern *known, struct str names, size_t last)
{
    for (size_t from = 0; from < last; from += str_find_char(str_from(names, from), '/') + 1)
        if (intern_find(known, str_from(names, from)) != INTERN_NONE)
            return from;
    return last;
}

/* Adds a source that is outside of the root. Adds a source below the root only if its name is unknown and begins
 * outside of the root. */
static void add_outside(struct outside *outside, const struct model *model, uint16_t log, struct str path,
                        struct checkout checkout, const struct intern *known)
{
    SCOPED(buf) whole = {0}, names = {0};
    add_whole_path(model, log, path, checkout.here, &whole);
    if (whole.len == 0)
        return;
    const size_t below = add_all_names(buf_str(&whole), checkout.root, &names);
    const size_t last = below == STR_NONE ? end_from(buf_str(&names)) : below;
    const size_t from = known_from(known, buf_str(&names), last);
    const struct str inside = below == STR_NONE ? (struct str){0} : str_from(buf_str(&names), below);
    if (inside.len && (from == last || intern_find(known, inside) != INTERN_NONE)) {
        intern_add(&outside->inside, inside);
        return;
    }
    const size_t count = outside->paths.count;
    if (intern_add(&outside->paths, buf_str(&names)) == count)
        *MEM_AT(outside->from, outside->cap, count) = from;
}

bool outside_has(const struct outside *outside, struct str name)
{
    for (uint32_t at = 0; at < outside->paths.count && outside->inside.count; at++)
        if (str_eq(str_from(intern_get(&outside->paths, at), outside->from[at]), name))
            return true;
    return false;
}

/* Adds one folder to each name that a source below the root has too, and to each unknown name that several paths have.
 * True if there was such a name. */
static bool lengthen_equal(struct outside *outside, const struct intern *known)
{
    SCOPED(intern) names = {0};
    uint32_t *numbers = mem_alloc((outside->paths.count + 1) * sizeof *numbers);
    uint32_t *users = mem_alloc((outside->paths.count + 1) * sizeof *users);
    bool lengthened = false;
    for (uint32_t at = 0; at < outside->paths.count; at++) {
        numbers[at] = intern_add(&names, str_from(intern_get(&outside->paths, at), outside->from[at]));
        users[numbers[at]]++;
    }
    for (uint32_t at = 0; at < outside->paths.count; at++) {
        const struct str name = intern_get(&names, numbers[at]);
        const bool is_unclear = users[numbers[at]] > 1 && intern_find(known, name) == INTERN_NONE;
        const size_t from = outside->from[at];
        if (from == 0 || !(is_unclear || intern_find(&outside->inside, name) != INTERN_NONE))
            continue;
        size_t slash = str_rfind(str_sub(intern_get(&outside->paths, at), 0, from - 1), STR("/"));
        outside->from[at] = slash == STR_NONE ? 0 : slash + 1;
        lengthened = true;
    }
    free(numbers);
    free(users);
    return lengthened;
}

void outside_find(struct outside *outside, const struct model *model, struct checkout checkout,
                  const struct intern *known)
{
    *outside = (struct outside){0};
    for (uint16_t log = 0; log < model->log_count; log++) {
        SCOPED(buf) source = {0};
        struct str word;
        if (command_sources_of_log(model, log, &word) == 1)
            add_word(model, log, word, &source);
        add_outside(outside, model, log, buf_str(&source), checkout, known);
    }
    for (size_t at = 0; at < model->kernel_count; at++) {
        const struct kernel *kernel = &model->kernels[at];
        const bool is_again = at && kernel->source == kernel[-1].source && kernel->log == kernel[-1].log;
        if (!is_again)
            add_outside(outside, model, kernel->log, model_string(model, kernel->source), checkout, known);
    }
    EACH(const struct event, event, model->events, model->event_count)
        add_outside(outside, model, event->log, model_string(model, event->file), checkout, known);
    while (lengthen_equal(outside, known))
        ;
}

void outside_free(struct outside *outside)
{
    intern_free(&outside->paths);
    intern_free(&outside->inside);
    free(outside->from);
    *outside = (struct outside){0};
}
