#include "report/site.h"

#include "base/escape.h"
#include "report/elide.h"
#include "report/location.h"
#include "report/markup.h"
#include "report/table.h"

#include <stdlib.h>

const struct unlocated_text unlocated_texts[UNLOCATED_COUNT] = {
    [LOCATED] = {"", ""},
    [UNLOCATED_NO_CODE] = {"no machine code was read", "give the log and the binaries of its build"},
    [UNLOCATED_NO_ARCH] = {"ptxas states no architecture for device functions of a file without kernels",
                           "compile it for one architecture under `warplint wrap` to see the lines"},
    [UNLOCATED_OTHER_BUILD] = {"the binary is of another build than the log",
                               "give the log and the binaries of one build"},
    [UNLOCATED_FORMAT] = {"warplint decodes machine code of sm_50 to sm_121 as CUDA 11 to 13 write it, and this is "
                          "other code",
                          "compile for one of these architectures to see the lines"},
    [UNLOCATED_BROKEN] = {"the machine code is broken", "compile again"},
    [UNLOCATED_LOOPS] = {"the machine code has more loops within loops than are followed",
                         "divide the kernel into smaller ones to see the lines"},
    [UNLOCATED_UNREACHED] = {"the machine code has branches that warplint does not decode, so its loops are not known",
                             "report it with the binary, so that warplint can decode them"},
    [UNLOCATED_COPIES] = {"several kernels have a copy of this function that adds up to its bytes of spills, and the "
                          "copies differ",
                          "give the log and the binary of one source file"},
    [UNLOCATED_SUMS] =
        {"the loads and stores of the machine code do not add up to the bytes of spills that ptxas states",
         "give the object and not the linked program, as the linker can change code"},
    [UNLOCATED_BAD_LINES] = {"the line information of the binary is not a valid DWARF 2 table", "compile again"},
    [UNLOCATED_NO_LINES] = {"the machine code has no line information",
                            "compile with -lineinfo, which does not change the code, or under "
                            "`warplint wrap --where=always`"},
    [UNLOCATED_NO_NUMBERS] = {"a binary does not say which accesses to local memory are spills",
                              "give the log of its build too, or --assemble where NAME.ptx is beside NAME.cubin"},
};

void site_place(const struct report *report, const struct code_site *site, struct buf *out)
{
    if (site->place == NO_INDEX) {
        buf_add(out, STR("an unknown line"));
        return;
    }
    const struct code_place place = code_place_get(report->model, code_place_shown(report->model, site->place));
    location_path(report, model_string(report->model, place.file), out);
    buf_fmt(out, ":%u", place.line);
}

void site_depth(const struct code_site *site, struct buf *out)
{
    if (site->depth)
        buf_fmt(out, "depth %u", site->depth);
    else
        buf_add(out, STR("no loop"));
}

/* Appends "24 stores 96 B, 30 loads 120 B"; stores or loads are omitted if there are none. */
static void add_accesses(const struct code_site *site, struct buf *out)
{
    if (site->stores)
        buf_fmt(out, "%d store%s %d B%s", site->stores, PLURAL(site->stores), site->store_bytes,
                site->loads ? ", " : "");
    if (site->loads)
        buf_fmt(out, "%d load%s %d B", site->loads, PLURAL(site->loads), site->load_bytes);
}

void site_inlined(const struct report *report, const struct code_site *site, const char *before, struct buf *out)
{
    if (site->place == NO_INDEX)
        return;
    const struct code_place shown = code_place_get(report->model, code_place_shown(report->model, site->place));
    struct code_place outer = shown;
    while (outer.caller != NO_INDEX)
        outer = code_place_get(report->model, outer.caller);
    if (shown.caller == NO_INDEX)
        return;
    const struct str path = model_string(report->model, outer.file);
    buf_fmt(out, "%sinlined into ", before);
    if (outer.file != shown.file)
        escape_text(path_name(path), out);
    buf_fmt(out, outer.file == shown.file ? "line %u" : ":%u", outer.line);
    if (site->several_calls)
        buf_add(out, STR(" and others"));
}

void site_words(const struct report *report, const struct code_site *site, struct buf *out)
{
    site_depth(site, out);
    buf_add(out, STR(", "));
    add_accesses(site, out);
    site_inlined(report, site, ", ", out);
}

/* ---- below a finding -------------------------------------------------------------------------------------------- */

static void add_row(const struct report *report, const struct code_site *site, struct table *table)
{
    struct buf *cell = &table->cell;
    table_cell(table, STR("  "));
    site_place(report, site, cell);
    table_end(table);
    site_depth(site, cell);
    buf_add(cell, STR("  "));
    add_accesses(site, cell);
    site_inlined(report, site, ", ", cell);
    table_end(table);
}

void unlocated_text(const struct report *report, struct buf *out)
{
    const struct groups *groups = report->groups;
    bool found[UNLOCATED_COUNT] = {false}, wrapped = false;
    for (size_t at = 0; at < groups->shown_count; at++) {
        const struct finding *finding = &groups->findings[groups->shown[at].worst];
        if (finding->kernel == NO_INDEX || report->linter->rules->rules[finding->rule].sites == SITES_NONE)
            continue;
        const struct kernel *kernel = &report->model->kernels[finding->kernel];
        if (!kernel_arch(report->model, kernel).len)
            continue; /* from a JIT linker: nvcc would state the architecture, and only nvcc has -lineinfo */
        found[local_memory_unlocated(report->model, kernel)] = true;
        wrapped |= report->model->logs[kernel->log].compiled;
    }
    if (found[UNLOCATED_NO_LINES] && wrapped)
        buf_add(out, STR("source lines: compile with -lineinfo, or with `warplint wrap --where=always`\n"));
    else if (found[UNLOCATED_NO_LINES])
        buf_add(out, STR("source lines: compile with -lineinfo, or build with `warplint wrap`\n"));
    else if (found[UNLOCATED_NO_CODE])
        buf_add(out, STR("source lines: compile with -lineinfo and give the objects too (--objects PATH), or "
                         "build with `warplint wrap`\n"));
}

void sites_text(const struct report *report, const struct finding *finding, struct buf *out)
{
    size_t count = 0;
    struct code_site *sites = finding_sites(report->linter, finding, &count);
    const bool lists = finding->kernel != NO_INDEX && report->linter->rules->rules[finding->rule].sites != SITES_NONE;
    /* The finding states the loops, which are known, and the lines may be unknown nevertheless. */
    if (count == 0 && lists &&
        local_memory_unlocated(report->model, &report->model->kernels[finding->kernel]) == UNLOCATED_BAD_LINES)
        buf_fmt(out, "    %s\n", unlocated_texts[UNLOCATED_BAD_LINES].why);
    if (count == 0)
        return;
    const size_t shown = report->all || count <= SHOWN_SITES ? count : SHOWN_SITES;
    SCOPED(table) table = {.columns = 3, .width = report->width};
    for (size_t at = 0; at < shown; at++)
        add_row(report, &sites[at], &table);
    table_render(&table, out);
    if (shown < count)
        buf_fmt(out, "    [%zu more; --all lists each]\n", count - shown);
    free(sites);
}

void sites_markdown(const struct report *report, const struct finding *finding, struct buf *out)
{
    enum { MOST_BYTES = 120 };
    size_t count = 0;
    struct code_site *sites = finding_sites(report->linter, finding, &count);
    SCOPED(buf) place = {0}, cut = {0};
    for (size_t at = 0; at < count && at < SHOWN_SITES; at++) {
        buf_clear(&place);
        buf_clear(&cut);
        site_place(report, &sites[at], &place);
        elide(buf_str(&place), MOST_BYTES, &cut);
        markdown_fmt(out, "%s%-.*s (", at ? ", " : "; places: ", STR_ARG(buf_str(&cut)));
        site_depth(&sites[at], out);
        buf_fmt(out, ", %lld B)", (long long)sites[at].store_bytes + sites[at].load_bytes);
    }
    if (count > SHOWN_SITES)
        buf_fmt(out, " and %zu more", count - SHOWN_SITES);
    free(sites);
}
