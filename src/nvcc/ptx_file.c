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

static void take(void *context, const struct bounds *kernel)
{
    const struct ptx_reader *reading = context;
    bounds_note(reading->table, reading->model, kernel);
}

bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags)
{
    SCOPED(buf) text = {0};
    if (!file_read(path, INPUT_ANY, LARGEST_PTX, &text, diags))
        return false;
    const struct str arch = ptx_read(buf_str(&text), STR(""), take, &(struct ptx_reader){table, model});
    return str_starts(arch, STR("sm_")) ||
           diag_error(diags, (struct place){.path = path},
                      "no PTX: its first lines hold no .target with an architecture, as in `.target sm_90`");
}
