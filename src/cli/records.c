#include "cli/records.h"

#include "cli/record_source.h"
#include "cli/unrecorded.h"
#include "nvcc/object.h"

#include <stdlib.h>

void path_count_add(struct path_count *paths, struct str path)
{
    if (paths->count++ == 0)
        paths->first = path;
}

bool path_count_warn(const struct path_count *paths, const char *what, struct diags *diags)
{
    struct place place = {.path = paths->first};
    str_take(&place.path, STR("./")); /* the folder was given as "." */
    if (paths->count > 1)
        diag_warning(diags, place, "%s (and %zu more)", what, paths->count - 1);
    else if (paths->count)
        diag_warning(diags, place, "%s", what);
    return paths->count == 0;
}

struct str record_object(struct str record)
{
    return str_sub(record, 0, record.len - (sizeof RECORD_SUFFIX - 1));
}

/* The second line of a record, which describes its compile; empty if the record cannot be read. */
static struct str line_of_log(struct str record, struct buf *text)
{
    enum { LONGEST = 1 << 20 };
    struct str run, log = {"", 0};
    file_read_head(record, LONGEST, text);
    struct str rest = buf_str(text);
    str_split(&rest, '\n', &run);
    str_split(&rest, '\n', &log);
    return log;
}

/* Collects the results of comparing records with objects. */
struct comparison {
    struct records_state *state;
    struct found_code_list found; /* device code without a record beside it */
    struct intern stamps;         /* of the objects that the records name */
    struct record_sources sources;
    struct arena *arena;
};

static void compare_record(struct comparison *comparison, struct str record)
{
    struct arena *arena = comparison->arena;
    struct path_count *faulty = comparison->state->faulty;
    SCOPED(buf) text = {0}, scratch = {0}, stamp = {0};
    struct str recorded = {"", 0};
    struct json_value *log = json_read(line_of_log(record, &text), NULL);
    if (json_get_string(json_member(log, "object_code"), &scratch, &recorded))
        recorded = arena_str(arena, recorded);
    struct str object = record_object(record); /* beside the record, or elsewhere if it was moved after the compile */
    if (!file_exists(object))
        object = record_object(file_target(record, arena));
    if (!file_exists(object))
        object = unrecorded_with_code(&comparison->found, recorded);
    if (object.len == 0) {
        path_count_add(&faulty[RECORD_ORPHANED], record);
    } else {
        if (recorded.len)
            intern_add(&comparison->stamps, recorded);
        if (!record_inputs_add(&comparison->sources, record, log, arena))
            path_count_add(&faulty[RECORD_OLD_LINK], record);
        /* Records of older versions do not state a stamp; then an object that is newer than the record is another. */
        if (recorded.len && object_stamp(arena_cstr(arena, object), &stamp) != 0)
            path_count_add(&faulty[RECORD_UNREAD], record);
        else if (recorded.len ? !str_eq(recorded, buf_str(&stamp)) : file_changed_ns(object) > file_changed_ns(record))
            path_count_add(&faulty[RECORD_STALE], record);
    }
    json_value_free(log);
}

void records_compare(struct str folder, const struct path_list *records, struct records_state *state,
                     struct arena *arena)
{
    struct comparison comparison = {.state = state, .arena = arena};
    *state = (struct records_state){0};
    if (records->count)
        unrecorded_find(folder, &comparison.found, arena);
    for (size_t at = 0; at < records->count; at++)
        compare_record(&comparison, records->paths[at]);
    if (state->faulty[RECORD_ORPHANED].count == records->count)
        state->faulty[RECORD_ORPHANED] = (struct path_count){0};
    unrecorded_add(&comparison.found, &comparison.stamps, &state->unrecorded);
    record_sources_keep_gone(&comparison.sources, folder, arena);
    for (size_t at = 0; at < comparison.sources.count; at++)
        path_count_add(&state->faulty[RECORD_SOURCELESS], comparison.sources.items[at].record);
    if (comparison.sources.count)
        state->gone_source = comparison.sources.items[0].path;
    free(comparison.sources.items);
    intern_free(&comparison.stamps);
    free(comparison.found.items);
}

bool records_examine(struct str folder, const struct path_list *records, struct str_list *unrecorded,
                     struct arena *lasting, struct diags *diags)
{
    SCOPED(arena) arena = {0};
    struct records_state state;
    records_compare(folder, records, &state, &arena);
    struct str gone =
        arena_fmt(&arena,
                  "the source of this record is gone: %.*s; if it was deleted or renamed, delete the "
                  "record and its object, %.*s; if make generates and deletes it, name it in .SECONDARY",
                  STR_ARG(state.gone_source), STR_ARG(record_object(state.faulty[RECORD_SOURCELESS].first)));
    const char *const warnings[] = {
        [RECORD_STALE] = "the record is not of its object, which was built again or changed without it",
        [RECORD_OLD_LINK] =
            "an object of this device link was compiled again since, so the numbers of the link are those of older "
            "code: link again",
        [RECORD_UNREAD] = "the object of this record cannot be read, so it is not known whether the record is its own",
        [RECORD_ORPHANED] =
            "the record has no object any more: a failed gate removed it, or its source is gone; in that case delete "
            "the record",
        [RECORD_SOURCELESS] = gone.ptr,
    };
    bool ok = true;
    for (int fault = 0; fault < RECORD_FAULTS; fault++)
        ok &= path_count_warn(&state.faulty[fault], warnings[fault], diags);
    for (size_t at = 0; at < state.unrecorded.count; at++)
        str_list_add(unrecorded, arena_str(lasting, state.unrecorded.items[at]));
    free(state.unrecorded.items);
    return ok;
}
