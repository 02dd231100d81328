/*
 * triton_name: the name of a kernel that Triton compiled for one configuration, "matmul_kernel [num_warps=4,
 * num_stages=3]"; torch.compile prints "triton_mm_3 [BLOCK_M: 32, num_warps: 2]". The kernel of the source is a
 * template of which each configuration is an instance.
 */
#ifndef LOG_TRITON_NAME_H
#define LOG_TRITON_NAME_H

#include "base/str.h"

/* Sets the kernel's own name and the members of its configuration. False: the name has none that states num_warps. */
bool triton_name_split(struct str name, struct str *kernel, struct str *members);

/* Takes the first member, "num_warps" and "4". False: there is none, or it is no member. */
bool triton_name_next(struct str *members, struct str *key, struct str *value);

#endif
