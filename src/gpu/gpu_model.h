/*
 * gpu_model: GPUs by product name. A row states what depends on the product and not on the compute capability: the
 * number of SMs. src/gpu/gpu_model.c describes how to add one.
 */
#pragma once

#include "base/str.h"

struct gpu_model {
    const char *name; /* "H100 SXM" */
    const char *arch; /* "sm_90", a row of arch_table */
    int sms;          /* enabled SMs of one GPU */
    const char *source;
};

extern const struct gpu_model gpu_model_table[]; /* by architecture, then by name */
extern const size_t gpu_model_count;

/* The GPU model of that name, or NULL. Case, blanks, hyphens and the words NVIDIA, Tesla, GeForce, Quadro and Jetson
 * are ignored. All other characters count: a K20X is not a K20, and "RTX 3080" is ambiguous, so NULL. */
const struct gpu_model *gpu_model_find(struct str name);

/* Suggestions for a name that gpu_model_find does not find: the models with names that begin with `name`; if there are
 * none, the model with the nearest name. Writes at most MODEL_SUGGESTIONS pointers and returns their number; 0 if no
 * name is near. */
enum { MODEL_SUGGESTIONS = 8 };
size_t gpu_model_suggest(struct str name, const struct gpu_model *meant[MODEL_SUGGESTIONS]);

/* "sm_90" if `name` is a model, or the beginning of several model names with one architecture ("H100"); else NULL. */
const char *gpu_model_arch(struct str name);
