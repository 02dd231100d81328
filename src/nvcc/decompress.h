/*
 * decompress: decompresses the payloads of fat binaries. Only decompress.c uses zstd and LZ4. A payload states its
 * decompressed length; more than DECOMPRESS_LIMIT is refused, and never more than the stated length is allocated or
 * written.
 */
#pragma once

#include "base/buf.h"

#include <stdbool.h>

enum packing { PACKING_NONE, PACKING_LZ4, PACKING_ZSTD };
#define DECOMPRESS_LIMIT ((size_t)1 << 29) /* bytes of one payload, 512 MiB */

/* Appends exactly `length` bytes. Returns false and leaves *out unchanged if the payload does not decompress to that
 * length. */
bool decompress(enum packing packing, struct str payload, size_t length, struct buf *out);
