#include "nvcc/ptx_file.h"

#include "base/file.h"
#include "nvcc/ptx.h"

struct ptx_reader {
    struct bounds_table *table;
    struct model *model;
};

bool ptx_file_is(struct str path)
{
    return str_ends(path, STR(".ptx"));
}

/* "sm_90a" of the first line that begins with .target; empty: there is none. */
static struct str target_of(struct str text)
{
    struct str line;
    while (str_split(&text, '\n', &line)) {
        line = str_trim(line);
        if (!str_starts(line, STR(".target ")))
            continue;
        struct str arch = str_trim(str_from(line, 8));
        arch = str_sub(arch, 0, str_find_char(arch, ','));
        arch = str_sub(arch, 0, str_find_char(arch, '\r'));
        return str_sub(arch, 0, str_find_char(arch, ' '));
    }
    return (struct str){NULL, 0};
}

static void take(void *context, const struct bounds *kernel)
{
    const struct ptx_reader *reading = context;
    bounds_note(reading->table, reading->model, kernel);
}

bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags)
{
    enum { HEAD_BYTES = 1 << 16 }; /* .target stands before all code; comments may precede it */
    SCOPED(buf) text = {0};
    if (!file_read(path, INPUT_ANY, LARGEST_PTX, &text, diags))
        return false;
    const struct str arch = target_of(str_sub(buf_str(&text), 0, HEAD_BYTES));
    if (!str_starts(arch, STR("sm_")))
        return diag_error(diags, (struct place){.path = path},
                          "no PTX: its first lines hold no .target with an architecture, as in `.target sm_90`");
    ptx_read(buf_str(&text), arch, take, &(struct ptx_reader){table, model});
    return true;
}
