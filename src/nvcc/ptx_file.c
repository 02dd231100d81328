#include "nvcc/ptx_file.h"

#include "base/file.h"
#include "base/input_stream.h"
#include "nvcc/ptx.h"

enum { HEAD_BYTES = 1 << 16, BLOCK_BYTES = 1 << 18 }; /* .target stands before all code; comments may precede it */

struct ptx_reader {
    struct bounds_table *table;
    struct model *model;
    struct str arch;
};

bool ptx_file_is(struct str path)
{
    return str_ends(path, STR(".ptx"));
}

/* "sm_90a" of the first line that begins with .target; empty: there is none. */
static struct str target_of(struct str head)
{
    struct str line;
    while (str_split(&head, '\n', &line)) {
        line = str_trim(line);
        if (!str_starts(line, STR(".target ")))
            continue;
        struct str arch = str_trim(str_from(line, 8));
        size_t end = 0;
        while (end < arch.len && arch.ptr[end] != ',' && arch.ptr[end] != ' ' && arch.ptr[end] != '\r')
            end++;
        return str_sub(arch, 0, end);
    }
    return (struct str){NULL, 0};
}

static void take(void *context, const struct bounds *kernel)
{
    const struct ptx_reader *reading = context;
    struct bounds bounds = *kernel;
    bounds.arch = reading->arch;
    bounds_note(reading->table, reading->model, &bounds);
}

static void feed(struct ptx *ptx, struct input_stream *source, struct buf *head)
{
    struct buf block = {0};
    while ((block.len = input_stream_read(source, buf_room(&block, BLOCK_BYTES), BLOCK_BYTES)) > 0) {
        ptx_feed(ptx, buf_str(&block));
        if (head->len < HEAD_BYTES)
            buf_add(head, str_sub(buf_str(&block), 0, HEAD_BYTES));
        buf_clear(&block);
    }
    buf_free(&block);
}

bool ptx_file_read(struct bounds_table *table, struct model *model, struct str path, struct diags *diags)
{
    struct input_stream source;
    if (!input_stream_open(&source, path, INPUT_ANY, diags))
        return false;
    struct buf head = {0};
    struct ptx *ptx = ptx_new();
    feed(ptx, &source, &head);
    bool ok = input_stream_close(&source, diags);
    struct ptx_reader reading = {table, model, target_of(buf_str(&head))};
    if (ok && !str_starts(reading.arch, STR("sm_")))
        ok = diag_error(diags, (struct place){.path = path},
                        "no PTX: its first lines hold no .target with an architecture, as in `.target sm_90`");
    if (ok)
        ptx_kernels(ptx, take, &reading);
    ptx_free(ptx);
    buf_free(&head);
    return ok;
}
