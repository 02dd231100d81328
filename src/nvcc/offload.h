/*
 * offload: the container in which clang stores device code that must still be linked (-fgpu-rdc, OpenMP): the section
 * .llvm.offloading of an object, with images one after the other. Its layout is documented with llvm-offload-binary.
 */
#pragma once

#include "nvcc/region.h"

#define OFFLOAD_MAGIC "\x10\xff\x10\xad"

/* The bytes of the next image; moves region->at past the image. After REGION_BROKEN, *wrong is a clause that
 * describes the error. */
enum region_step offload_next(struct region *region, struct region *image, const char **wrong);
