/*
 * offload: the container in which clang puts device code that waits for the link (-fgpu-rdc, OpenMP): the section
 * .llvm.offloading of an object, images one behind the other. Its layout is documented with llvm-offload-binary.
 */
#ifndef NVCC_OFFLOAD_H
#define NVCC_OFFLOAD_H

#include "nvcc/region.h"

#define OFFLOAD_MAGIC "\x10\xff\x10\xad"

/* The bytes of the next image; region->at moves behind it. After REGION_BROKEN *wrong says what was found, as a
 * clause. */
enum region_step offload_next(struct region *region, struct region *image, const char **wrong);

#endif
