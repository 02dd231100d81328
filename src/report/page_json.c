/*
 * The data at the end of the page. It holds results, never rules: curves are the steps that gpu/curve.h computed,
 * sentences are finished, and the script only draws. Everything that many records share stands once.
 *
 *   archs     [name, chips, most warps, most threads, most registers, most bytes]
 *   names     [shared with the name before: characters at the front, at the end; what stands between]: readable, and
 *   mangled   as printed, in the same order
 *   curves    [last value of the step, blocks, warps, ...]
 *   words     sentences, a line each
 *   launches  [arch, best case 0 or 1, threads, registers, smem, dynamic smem, barriers, headline (words),
 *              [per block, per SM, blocks, binds 0 or 1] for each limiter (blocks -1: no limit),
 *              curves over threads, registers, smem, register steps (words), smem steps (words), blocks per SM]
 *   rows      [name, launch or -1, source:line (words) or -1, log (words), line of the log or 0, facts (words), what
 *              would change its findings (words)], in the order of the ids k0, k1
 */
#include "report/label.h"
#include "report/page.h"
#include "report/steps.h"

#include <stdlib.h>

/* Appends JSON so that it can stand in a script element: no tag can begin or end in it. */
static void add_embedded(struct str json, struct buf *out)
{
    for (size_t at = 0; at < json.len; at++) {
        char c = json.ptr[at];
        if (c == '<' || c == '>' || c == '&')
            buf_fmt(out, "\\u%04x", c);
        else
            buf_char(out, c);
    }
}

/* Writes what json has gathered into the page. */
static void flush_json(struct html *html, struct buf *json)
{
    add_embedded(buf_str(json), html->text);
    buf_clear(json);
    out_spill(html->out);
}

static void string_json(struct str text, struct buf *out)
{
    struct json json = {.out = out};
    struct buf safe = {0};
    escape_text(text, &safe);
    json_str(&json, buf_str(&safe));
    buf_free(&safe);
}

/* ---- launches --------------------------------------------------------------------------------------------------- */

static uint32_t words_number(struct page_data *data, struct str text)
{
    return intern_add(&data->words, text);
}

static uint32_t curve_number(struct page_data *data, const struct curve *curve)
{
    struct buf text = {0};
    for (size_t at = 0; at < curve->count; at++)
        buf_fmt(&text, "%s%lld,%d,%d", at ? "," : "", (long long)curve->steps[at].to, curve->steps[at].blocks,
                curve->steps[at].warps);
    uint32_t number = intern_add(&data->curves, buf_str(&text));
    buf_free(&text);
    return number;
}

static void limits_json(const struct launch_view *view, struct buf *out)
{
    for (int limiter = 0; limiter < LIMIT_COUNT; limiter++) {
        const struct occupancy *o = &view->occupancy;
        struct limit_row row = limit_row(view->arch, &view->launch, o, (enum limiter)limiter);
        bool none = o->limit[limiter] == OCCUPANCY_NO_LIMIT;
        buf_fmt(out, ",[%lld,%lld,%d,%d]", (long long)row.per_block, (long long)row.per_sm,
                none ? -1 : o->limit[limiter], (int)(o->limiters >> limiter & 1));
    }
}

static void launch_json(struct page_data *data, uint32_t arch, struct launch_view *view, struct buf *out)
{
    struct launch open = view->launch;
    struct buf text = {0}, smem = {0};
    open.threads = view->best ? 0 : open.threads;
    view_headline(view, &text);
    buf_fmt(out, "%s[%u,%d,%d,%d,%lld,%lld,%d,%u", out->len ? ",\n" : "", arch, view->best, view->launch.threads,
            view->launch.registers, (long long)view->launch.smem_bytes, (long long)view->launch.dynamic_smem_bytes,
            view->launch.barriers, words_number(data, buf_str(&text)));
    limits_json(view, out);
    for (int axis = 0; axis < AXIS_COUNT; axis++) {
        occupancy_curve(view->arch, &open, (enum axis)axis, &view->curves[0]);
        buf_fmt(out, ",%u", curve_number(data, &view->curves[0]));
    }
    buf_clear(&text);
    view_steps(view, &text, &smem);
    uint32_t registers = words_number(data, buf_str(&text));
    buf_fmt(out, ",%u,%u,%d]", registers, words_number(data, buf_str(&smem)), view->occupancy.blocks);
    buf_free(&text);
    buf_free(&smem);
}

/* The number of the record's launch among those of the page, -1 where nothing is known of it. */
static int64_t launch_number(struct page_data *data, uint32_t arch, struct context *context)
{
    struct occupancy_shown occupancy = occupancy_shown_of(context);
    if (!occupancy.max_warps)
        return -1;
    struct launch launch = context_launch(context, occupancy.threads);
    const int64_t key[] = {arch,
                           occupancy.best,
                           launch.threads,
                           launch.registers,
                           launch.smem_bytes,
                           launch.dynamic_smem_bytes,
                           launch.barriers,
                           launch.carveout};
    size_t known = data->launches.count;
    uint32_t number = intern_add(&data->launches, (struct str){(const char *)key, sizeof key});
    struct launch_view view;
    if (number == known && view_make(&view, context))
        launch_json(data, arch, &view, &data->launch_rows);
    return number;
}

/* ---- names ------------------------------------------------------------------------------------------------------ */

/* Characters of the two that are equal from an end, as far as they are ASCII: then bytes are characters for all. */
static size_t shared_front(struct str a, struct str b)
{
    size_t at = 0;
    while (at < a.len && at < b.len && a.ptr[at] == b.ptr[at] && !(a.ptr[at] & 0x80))
        at++;
    return at;
}

static size_t shared_end(struct str a, struct str b, size_t front)
{
    size_t count = 0;
    while (count + front < a.len && count + front < b.len && a.ptr[a.len - 1 - count] == b.ptr[b.len - 1 - count] &&
           !(a.ptr[a.len - 1 - count] & 0x80))
        count++;
    return count;
}

static void name_json(struct html *html, struct buf *last, struct str name, bool first)
{
    struct buf safe = {0}, json = {0};
    escape_text(name, &safe);
    struct str before = buf_str(last), now = buf_str(&safe);
    size_t front = shared_front(before, now), end = shared_end(before, now, front);
    buf_fmt(&json, "%s[%zu,%zu,", first ? "" : ",\n", front, end);
    json_str(&(struct json){.out = &json}, str_sub(now, front, now.len - end));
    buf_char(&json, ']');
    flush_json(html, &json);
    buf_free(&json);
    buf_free(last);
    *last = safe;
}

/* Names of the records in the order of the page; *number_of becomes the number of each name of the model. */
static void names_json(struct html *html, bool readable, uint32_t *number_of)
{
    const struct model *model = html->report->model;
    struct buf last = {0};
    uint32_t count = 0;
    memset(number_of, 0xff, (model->names.count + 1) * sizeof *number_of);
    for (size_t at = 0; at < html->summary.count; at++) {
        struct context *context = linter_record(html->report->linter, html->summary.members[at]);
        uint32_t name = context->kernel->name;
        if (number_of[name] != NO_INDEX)
            continue;
        name_json(html, &last, readable ? context_name(context) : context_mangled(context), count == 0);
        number_of[name] = count++;
    }
    buf_free(&last);
}

/* ---- the whole -------------------------------------------------------------------------------------------------- */

static uint32_t *archs_json(struct html *html, struct buf *json)
{
    const struct linter *linter = html->report->linter;
    uint32_t *number_of = mem_alloc((html->report->model->strings.count + 1) * sizeof *number_of);
    uint32_t count = 0;
    for (size_t at = 0; at < linter->arch_count; at++) {
        struct str name = model_string(html->report->model, linter->archs[at]);
        const struct arch *arch = arch_find(name);
        if (!arch)
            continue;
        buf_add(json, count ? STR(",\n[") : STR("["));
        string_json(name, json);
        buf_fmt(json, ",\"%s\",%d,%d,%d,%d]", arch->chips, arch->max_warps_per_sm, arch->max_threads_per_block,
                arch->registers_per_thread, arch->smem_per_block_optin_bytes);
        number_of[linter->archs[at]] = count++;
    }
    return number_of;
}

static void rows_json(struct html *html, const uint32_t *name_number, const uint32_t *arch_number_of, struct buf *json)
{
    const struct model *model = html->report->model;
    struct buf place = {0}, text = {0};
    for (size_t at = 0; at < html->summary.count; at++) {
        struct context *context = linter_record(html->report->linter, html->summary.order[at]);
        const struct kernel *kernel = context->kernel;
        uint32_t arch = kernel->arch_inferred == NO_INDEX ? 0 : arch_number_of[kernel->arch_inferred];
        int64_t source = -1;
        place.len = 0;
        if (page_source(html->report, kernel, &place))
            source = words_number(&html->data, buf_str(&place));
        uint32_t log = words_number(&html->data, model_string(model, model->logs[kernel->log].path));
        int64_t launch = launch_number(&html->data, arch, context);
        buf_clear(&text);
        view_facts(context, &text);
        uint32_t facts = words_number(&html->data, buf_str(&text)), line = kernel->log_line;
        uint32_t name = name_number[kernel->name];
        buf_clear(&text);
        view_next(html, context, &text);
        buf_fmt(json, "%s[%u,%lld,%lld,%u,%u,%u,%u]", at ? ",\n" : "", name, (long long)launch, (long long)source, log,
                line, facts, words_number(&html->data, buf_str(&text)));
        flush_json(html, json);
    }
    buf_free(&place);
    buf_free(&text);
}

static void words_json(struct html *html, const struct intern *words, bool quoted)
{
    struct buf json = {0};
    for (uint32_t at = 0; at < words->count; at++) {
        buf_add(&json, at ? STR(",\n") : STR(""));
        if (quoted) {
            struct json string = {.out = &json};
            json_str(&string, intern_get(words, at));
        } else {
            buf_fmt(&json, "[%.*s]", STR_ARG(intern_get(words, at)));
        }
        flush_json(html, &json);
    }
    buf_free(&json);
}

void page_json(struct html *html)
{
    struct buf json = {0};
    const struct model *model = html->report->model;
    uint32_t *name_number = mem_alloc((model->names.count + 1) * sizeof *name_number);
    buf_add(html->text, STR("<script type=\"application/json\" id=\"data\">{\n\"archs\":["));
    uint32_t *arch_numbers = archs_json(html, &json);
    flush_json(html, &json);
    buf_add(html->text, STR("],\n\"names\":["));
    names_json(html, true, name_number);
    buf_add(html->text, STR("],\n\"mangled\":["));
    names_json(html, false, name_number);
    buf_add(html->text, STR("],\n\"rows\":["));
    rows_json(html, name_number, arch_numbers, &json);
    buf_add(html->text, STR("],\n\"launches\":["));
    buf_add(html->text, buf_str(&html->data.launch_rows));
    buf_add(html->text, STR("],\n\"curves\":["));
    words_json(html, &html->data.curves, false);
    buf_add(html->text, STR("],\n\"words\":["));
    words_json(html, &html->data.words, true);
    buf_add(html->text, STR("]}</script>\n"));
    free(name_number);
    free(arch_numbers);
    buf_free(&json);
    buf_free(&html->data.launch_rows);
    intern_free(&html->data.launches);
    intern_free(&html->data.curves);
    intern_free(&html->data.words);
}
