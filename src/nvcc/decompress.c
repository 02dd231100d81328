#include "nvcc/decompress.h"

#include "base/mem.h"

#include <lz4.h>
#include <zstd.h>
#include <zstd_errors.h>

static bool decompress_zstd(struct str payload, size_t length, char *into)
{
    /* Padding may follow the frame. */
    size_t frame = ZSTD_findFrameCompressedSize(payload.ptr, payload.len);
    if (ZSTD_isError(frame))
        return false;
    size_t got = ZSTD_decompress(into, length, payload.ptr, frame);
    if (ZSTD_isError(got) && ZSTD_getErrorCode(got) == ZSTD_error_memory_allocation)
        mem_exhausted();
    return got == length;
}

bool decompress(enum packing packing, struct str payload, size_t length, struct buf *out)
{
    if (length == 0 || length > DECOMPRESS_LIMIT || payload.len == 0)
        return false;
    char *into = buf_room(out, length);
    bool ok = packing == PACKING_ZSTD && decompress_zstd(payload, length, into);
    if (packing != PACKING_ZSTD && payload.len <= INT32_MAX)
        ok = LZ4_decompress_safe(payload.ptr, into, (int)payload.len, (int)length) == (int)length;
    if (ok)
        out->len += length;
    return ok;
}
