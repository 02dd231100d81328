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

static bool unpack_lz4(struct str payload, size_t length, char *into)
{
    return payload.len <= INT32_MAX &&
           LZ4_decompress_safe(payload.ptr, into, (int)payload.len, (int)length) == (int)length;
}

bool decompress(enum packing packing, struct str payload, size_t length, struct buf *out)
{
    if (length == 0 || length > DECOMPRESS_LIMIT || payload.len == 0)
        return false;
    char *into = buf_room(out, length);
    bool ok = packing == PACKING_ZSTD ? decompress_zstd(payload, length, into) : unpack_lz4(payload, length, into);
    if (ok)
        out->len += length;
    return ok;
}
