#include "report/site_listing.h"

#include "log/local_memory.h"
#include "report/location.h"

#include <stdlib.h>

enum { AROUND = 2, LARGEST_FILE = 1 << 24 };

/* ---- sites by line ---------------------------------------------------------------------------------------------- */

/* The element of this line and depth, new or existing; NULL if the listing has no room for it. */
static struct site_line *line_of(struct site_listing *listing, struct code_place place, uint32_t depth)
{
    uint32_t rank = place.file == NO_INDEX ? NO_INDEX : (uint32_t)listing->count;
    EACH(struct site_line, line, listing->lines, listing->count) {
        if (line->file == place.file && line->line == place.line && line->depth == depth)
            return line;
        if (line->file == place.file)
            rank = line->file_rank;
    }
    if (listing->most && (listing->count == listing->most || place.file == NO_INDEX))
        return NULL;
    struct site_line *added = MEM_ADD(listing->lines, listing->count, listing->cap);
    *added = (struct site_line){.file = place.file, .line = place.line, .depth = depth, .file_rank = rank};
    return added;
}

static void add_site(struct site_listing *listing, const struct code_site *site, enum site_kind kind)
{
    const struct model *model = listing->report->model;
    struct code_place place = {.file = NO_INDEX};
    if (site->place != NO_INDEX)
        place = code_place_get(model, code_place_shown(model, site->place));
    struct site_line *line = line_of(listing, place, site->depth);
    if (line)
        line->sites[kind] = *site;
    else
        listing->left_out++;
}

static int by_file_and_line(const void *a, const void *b)
{
    const struct site_line *left = a, *right = b;
    if (left->file_rank != right->file_rank)
        return number_cmp(left->file_rank, right->file_rank);
    const int order = number_cmp(left->line, right->line);
    return order ? order : number_cmp(right->depth, left->depth);
}

void site_listing_add(struct site_listing *listing, const struct kernel *kernel, enum site_kind kind)
{
    const enum rule_sites sites_of = kind == SITE_SPILL ? SITES_SPILL : SITES_ARRAY;
    size_t count = 0;
    struct code_site *sites = kernel_sites(listing->report->model, kernel, sites_of, &count);
    for (size_t at = 0; at < count; at++)
        add_site(listing, &sites[at], kind);
    free(sites);
    mem_sort(listing->lines, listing->count, sizeof *listing->lines, by_file_and_line);
}

/* ---- the rows of a file ----------------------------------------------------------------------------------------- */

static void add_row(struct site_file *file, uint32_t number, const struct site_line *hit, struct str code)
{
    *MEM_ADD(file->rows, file->count, file->cap) = (struct site_row){hit, number, code};
}

/* Reads the text of the source if the result is SOURCE_SHOWN. */
static enum site_source read_source(const struct site_listing *listing, struct site_file *file)
{
    const struct str path = file->path == NO_INDEX ? STR("") : model_string(listing->report->model, file->path);
    if (!listing->from_here && !str_starts(path, STR("/")))
        return SOURCE_UNREADABLE;
    if (!location_may_be_read(listing->report, path))
        return path.len && file_is_regular(path) ? SOURCE_REFUSED : SOURCE_UNREADABLE;
    return file_read(path, INPUT_REGULAR, LARGEST_FILE, &file->text, NULL) ? SOURCE_SHOWN : SOURCE_UNREADABLE;
}

/* Returns false if the source does not have all of the lines. */
static bool add_source(struct site_file *file, const struct site_line *lines, size_t count)
{
    struct str rest = buf_str(&file->text), code;
    uint32_t shown = 0; /* the last line that has a row */
    size_t next = 0;
    for (uint32_t number = 1; rest.len && str_split(&rest, '\n', &code); number++) {
        const bool hit = next < count && lines[next].line == number;
        if ((next == count || lines[next].line > number + AROUND) &&
            (next == 0 || number > lines[next - 1].line + AROUND))
            continue;
        if (shown && number > shown + 1)
            add_row(file, 0, NULL, STR("..."));
        if (str_ends(code, STR("\r")))
            code.len--;
        add_row(file, number, hit ? &lines[next++] : NULL, code);
        while (next < count && lines[next].line == number)
            add_row(file, number, &lines[next++], STR(""));
        shown = number;
    }
    return next == count;
}

const struct site_file *site_listing_next(struct site_listing *listing)
{
    struct site_file *file = &listing->file;
    const size_t left = listing->count - listing->next;
    size_t count = 0;
    if (left == 0)
        return NULL;
    const struct site_line *lines = listing->lines + listing->next;
    while (count < left && lines[count].file == lines[0].file)
        count++;
    listing->next += count;
    file->path = lines[0].file;
    file->count = 0;
    buf_clear(&file->text);
    file->source = read_source(listing, file);
    if (file->source == SOURCE_SHOWN && !add_source(file, lines, count))
        file->source = SOURCE_CHANGED;
    if (file->source == SOURCE_SHOWN)
        return file;
    file->count = 0;
    for (size_t at = 0; at < count; at++)
        add_row(file, lines[at].line, &lines[at], STR(""));
    return file;
}

void site_listing_free(struct site_listing *listing)
{
    free(listing->lines);
    free(listing->file.rows);
    buf_free(&listing->file.text);
}
