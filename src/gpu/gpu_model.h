/*
 * gpu_model: GPUs by name, for what belongs to a product and never to a compute capability: how many SMs it has.
 * src/gpu/gpu_model.c says how to add one.
 */
#ifndef GPU_GPU_MODEL_H
#define GPU_GPU_MODEL_H

#include "base/str.h"

struct gpu_model {
    const char *name; /* "H100 SXM" */
    const char *arch; /* "sm_90", a row of arch_table */
    int sms;          /* SMs of one GPU that are enabled */
    const char *source;
};

extern const struct gpu_model gpu_model_table[]; /* by architecture, then by name */
extern const size_t gpu_model_count;

/* The product of that name, or NULL. Case, blanks, hyphens and the words NVIDIA, Tesla, GeForce, Quadro and Jetson do
 * not count. Every other letter does: a K20X is no K20, and "RTX 3080" may be any of several. */
const struct gpu_model *gpu_model_find(struct str name);

/* What may be meant by a name that product_find does not know: the products with names that begin with it, else the one
 * with the nearest name. Writes at most PRODUCTS_MEANT pointers and returns how many; 0: nothing is near. */
enum { PRODUCTS_MEANT = 8 };
size_t gpu_model_meant(struct str name, const struct gpu_model *meant[PRODUCTS_MEANT]);

/* "sm_90" where the name is a product's, or begins those of several with one architecture ("H100"); else NULL. */
const char *gpu_model_arch(struct str name);

#endif
