/*
 * triton_name: splits the name of a kernel that Triton compiled for one configuration, "matmul_kernel [num_warps=4,
 * num_stages=3]"; torch.compile prints "triton_mm_3 [BLOCK_M: 32, num_warps: 2]". The kernel in the source is a
 * template, and each configuration is an instance of it.
 */
#pragma once

#include "base/str.h"

/* Sets the name of the kernel and the members of its configuration. False if the name has no configuration with
 * num_warps. */
bool triton_name_split(struct str name, struct str *kernel, struct str *members);

/* Takes the first member: key "num_warps", value "4". False if the list is empty or begins with anything else. */
bool triton_name_next(struct str *members, struct str *key, struct str *value);
