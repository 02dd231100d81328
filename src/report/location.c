#include "report/location.h"

#include "log/local_memory.h"
#include "log/name.h"
#include "report/label.h"

#include <stdlib.h>

/* by_line: a line of the log is better than a source without its line. */
static struct location location_by(const struct report *report, const struct finding *finding, bool by_line)
{
    const struct finding_place place = finding_place(report->linter, finding);
    if (place.path.len && !(by_line && place.in_log))
        return (struct location){place.path, place.line, place.column, false, place.from_here, place.of_site};
    return (struct location){place.log.len ? place.log : STR("warplint"), place.log_line, .in_log = true};
}

struct location location_of(const struct report *report, const struct finding *finding)
{
    return location_by(report, finding, false);
}

struct location location_of_line(const struct report *report, const struct finding *finding)
{
    return location_by(report, finding, true);
}

struct location location_of_kernel(const struct report *report, const struct kernel *kernel)
{
    const struct model *model = report->model;
    return (struct location){.path = model_string(model, kernel->source),
                             .line = kernel_rare(model, kernel)->source_line,
                             .from_here = model->logs[kernel->log].from_here};
}

/* ---- paths ------------------------------------------------------------------------------------------------------ */

static bool has_drive(struct str path)
{
    return path.len > 2 && is_ascii_letter(path.ptr[0]) && path.ptr[1] == ':' &&
           (path.ptr[2] == '/' || path.ptr[2] == '\\');
}

static void clean_path(struct str path, struct buf *out)
{
    /* Windows uses backslashes as separators; elsewhere a backslash may be part of a name. */
    const size_t drive = has_drive(path) ? 3 : 0;
    const bool windows = drive || (str_find_char(path, '\\') != STR_NONE && str_find_char(path, '/') == STR_NONE);
    if (drive)
        buf_fmt(out, "%c:/", path.ptr[0]);
    path_clean(str_from(path, drive), windows, out);
}

/* Appends the path, relative to the folder if it is below it. */
static void relative_path(struct str folder, struct str path, struct buf *out)
{
    SCOPED(buf) clean = {0}, above = {0};
    clean_path(path, &clean);
    clean_path(folder, &above);
    if (above.len && above.ptr[above.len - 1] != '/')
        buf_char(&above, '/');
    struct str whole = buf_str(&clean);
    bool below = above.len && whole.len > above.len && str_starts(whole, buf_str(&above));
    buf_add(out, below ? str_from(whole, above.len) : whole);
    if (whole.len == 0)
        buf_char(out, '.');
}

static bool is_absolute(struct str path)
{
    return has_drive(path) || str_starts(path, STR("/"));
}

/* Appends the path relative to the repository; a path outside of the repository stays as it is. */
static void path_in_repository(const struct report *report, const struct location *location, struct buf *out)
{
    struct str root = report->repository.len ? report->repository : report->folder;
    SCOPED(buf) whole = {0};
    size_t start = out->len;
    if (location->from_here && report->folder.len && !is_absolute(location->path))
        buf_fmt(&whole, "%.*s/", STR_ARG(report->folder));
    buf_add(&whole, location->path);
    relative_path(root, buf_str(&whole), out);
    if (!is_absolute(location->path) && is_absolute(str_from(buf_str(out), start))) {
        out->len = start;
        relative_path(root, location->path, out);
    }
}

struct location location_in_code(const struct report *report, const struct finding *finding, uint32_t place)
{
    const struct model *model = report->model;
    const struct code_place found = code_place_get(model, place);
    return (struct location){.path = model_string(model, found.file),
                             .line = found.line,
                             .from_here = model->logs[finding_log(report->linter, finding)].from_here};
}

/* The innermost line of a site that is in the repository; path is empty if there is none. */
static struct location site_in_repository(const struct report *report, const struct finding *finding,
                                          const struct code_site *site)
{
    for (uint32_t place = code_place_shown(report->model, site->place); place != NO_INDEX;
         place = code_place_get(report->model, place).caller) {
        const struct location location = location_in_code(report, finding, place);
        SCOPED(buf) path = {0};
        path_in_repository(report, &location, &path);
        if (!is_absolute(buf_str(&path)) && !str_starts(buf_str(&path), STR("../")))
            return location;
    }
    return (struct location){0};
}

struct location location_worst(const struct report *report, const struct finding *finding)
{
    size_t count = 0;
    struct location found = {0};
    struct code_site *sites = finding_sites(report->linter, finding, &count);
    for (size_t at = 0; at < count && found.path.len == 0; at++)
        found = site_in_repository(report, finding, &sites[at]);
    free(sites);
    return found.path.len ? found : location_of(report, finding);
}

struct str location_shown(const struct report *report, struct str path)
{
    size_t len = report->folder.len;
    bool below = len > 1 && path.len > len + 1 && str_starts(path, report->folder) && path.ptr[len] == '/';
    return below ? str_from(path, len + 1) : path;
}

void location_path(const struct report *report, struct str path, struct buf *out)
{
    SCOPED(buf) relative = {0};
    relative_path(report->folder, path, &relative);
    escape_text(buf_str(&relative), out);
}

void location_place(const struct report *report, const struct location *location, struct buf *out)
{
    if (location->of_site)
        location_path(report, location->path, out);
    else
        escape_text(location_shown(report, location->path), out);
    if (location->line)
        buf_fmt(out, ":%u", location->line);
}

void location_line(const struct report *report, const struct location *location, struct buf *out)
{
    location_place(report, location, out);
    if (location->line && location->column)
        buf_fmt(out, ":%u", location->column);
}

void location_repository_path(const struct report *report, const struct location *location, struct buf *out)
{
    SCOPED(buf) relative = {0};
    path_in_repository(report, location, &relative);
    escape_text(buf_str(&relative), out);
}

/* True if no part of a path from the root of the checkout leads up or begins with a dot. */
static bool is_open_folder(struct str way)
{
    struct str part;
    if (str_eq(way, STR(".")))
        return true;
    while (way.len && str_split(&way, '/', &part))
        if (part.len == 0 || part.ptr[0] == '.')
            return false;
    return true;
}

bool location_may_be_read(const struct report *report, struct str path)
{
    SCOPED(arena) arena = {0};
    SCOPED(buf) way = {0};
    const struct str target = file_target(path, &arena);
    const struct str name = path_name(target), above = path_folder(target);
    const struct str folder = above.len ? above : STR(".");
    const bool shown = name.len && name.ptr[0] != '.' && file_relative_path(report->repository, folder, &way) &&
                       is_open_folder(buf_str(&way)) && file_is_regular(target);
    return shown;
}

void location_uri(const struct report *report, const struct location *location, struct buf *out)
{
    SCOPED(buf) relative = {0};
    path_in_repository(report, location, &relative);
    struct str rest = buf_str(&relative);
    if (has_drive(rest)) {
        buf_fmt(out, "file:///%c:", rest.ptr[0]);
        rest = str_from(rest, 2);
    } else if (str_starts(rest, STR("/"))) {
        buf_add(out, STR("file://"));
    }
    for (size_t at = 0; at < rest.len; at++) {
        char c = rest.ptr[at];
        if (is_ascii_letter(c) || is_digit(c) || (c && strchr("-._~/+=@,", c)))
            buf_char(out, c);
        else
            buf_fmt(out, "%%%02X", (unsigned char)c);
    }
}

/* ---- fingerprints ----------------------------------------------------------------------------------------------- */

/* A zero byte ends each part, so that parts cannot run into each other. */
static uint64_t hash_part(uint64_t hash, struct str part)
{
    for (size_t at = 0; at <= part.len; at++)
        hash = (hash ^ (at < part.len ? (unsigned char)part.ptr[at] : 0)) * 0x100000001b3;
    return hash;
}

static struct str file_name(struct str path)
{
    const struct str name = path_name(path);
    return name.len < path.len ? name : str_from(path, str_rfind(path, STR("\\")) + 1); /* STR_NONE + 1 is 0 */
}

/* The text of the message, or of the log line of a pattern rule; empty for a finding on a kernel. */
static struct str message_text(const struct linter *linter, const struct finding *finding)
{
    if (finding->event == NO_INDEX)
        return (struct str){"", 0};
    if (linter->rules->rules[finding->rule].kind == RULE_PATTERN)
        return linter->lines[finding->event].message;
    return model_string(linter->model, linter->model->events[finding->event].text);
}

/* Appends the source of the kernel; nothing if it is unknown. */
static void source_in_repository(const struct report *report, const struct kernel *kernel, struct buf *out)
{
    const struct location location = location_of_kernel(report, kernel);
    if (location.path.len)
        path_in_repository(report, &location, out);
}

/* The element of `first` for this template and file name, to be read or set: the first such path in byte order. */
static uint32_t *first_path(struct fingerprints *fingerprints, struct str label, struct str path)
{
    struct buf key = {0};
    buf_add(&key, label);
    buf_char(&key, 0);
    buf_add(&key, file_name(path));
    const uint32_t code = intern_take(&fingerprints->codes, &key);
    return MEM_AT(fingerprints->first, fingerprints->first_cap, code);
}

struct fingerprints fingerprints_make(const struct report *report)
{
    const struct model *model = report->model;
    struct fingerprints fingerprints = {0};
    SCOPED(buf) label = {0}, path = {0};
    for (size_t k = 0; k < model->kernel_count; k++) {
        buf_clear(&label);
        buf_clear(&path);
        name_template(kernel_name(model, &model->kernels[k]), &label);
        source_in_repository(report, &model->kernels[k], &path);
        uint32_t *first = first_path(&fingerprints, buf_str(&label), buf_str(&path));
        if (*first == 0 || str_cmp(buf_str(&path), intern_get(&fingerprints.paths, *first - 1)) < 0)
            *first = intern_add(&fingerprints.paths, buf_str(&path)) + 1;
    }
    return fingerprints;
}

static uint64_t fingerprint(struct fingerprints *fingerprints, const struct report *report, const struct group *group)
{
    const struct linter *linter = report->linter;
    const struct finding *worst = &linter->findings[group->worst];
    const struct finding_place place = finding_place(linter, worst);
    const struct str source = /* the source of the kernel, not the file of a code site */
        place.of_site ? model_string(linter->model, linter->model->kernels[worst->kernel].source) : place.path;
    const uint32_t line = source.len == 0 ? place.log_line : place.of_site ? 0 : place.line;
    SCOPED(buf) path = {0};
    uint64_t hash = hash_part(0xcbf29ce484222325, linter->rules->rules[worst->rule].id);
    hash = hash_part(hash, group->label);
    if (source.len)
        hash = hash_part(hash, file_name(source));
    if (!group->label.len || line)
        hash = hash_part(hash, message_text(linter, worst));
    if (worst->kernel == NO_INDEX)
        return hash;
    source_in_repository(report, &report->model->kernels[worst->kernel], &path);
    const uint32_t first = *first_path(fingerprints, group->label, buf_str(&path));
    if (path.len && first && !str_eq(buf_str(&path), intern_get(&fingerprints->paths, first - 1)))
        hash = hash_part(hash, buf_str(&path)); /* not the first path with this template and this file name */
    return hash;
}

void location_fingerprint(struct fingerprints *fingerprints, const struct report *report, const struct group *group,
                          struct buf *out)
{
    size_t start = out->len;
    buf_fmt(out, "%016llx", (unsigned long long)fingerprint(fingerprints, report, group));
    uint32_t number = intern_add(&fingerprints->seen, str_from(buf_str(out), start));
    uint32_t times = ++*MEM_AT(fingerprints->times, fingerprints->cap, number);
    if (times > 1)
        buf_fmt(out, ":%u", times);
}

void fingerprints_free(struct fingerprints *fingerprints)
{
    intern_free(&fingerprints->seen);
    free(fingerprints->times);
    intern_free(&fingerprints->codes);
    intern_free(&fingerprints->paths);
    free(fingerprints->first);
    *fingerprints = (struct fingerprints){0};
}
