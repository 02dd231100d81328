/*
 * product: GPUs by name, for what belongs to a product and never to a compute capability: how many SMs it has.
 * src/gpu/product.c says how to add one.
 */
#ifndef GPU_PRODUCT_H
#define GPU_PRODUCT_H

#include "base/str.h"

struct product {
    const char *name; /* "H100 SXM" */
    const char *arch; /* "sm_90", a row of arch_table */
    int sms;          /* SMs of one GPU that are enabled */
    const char *source;
};

extern const struct product product_table[]; /* by architecture, then by name */
extern const size_t product_count;

enum { PRODUCTS_FOUND = 8 };

/*
 * The products of that name. Case, blanks, hyphens and the words NVIDIA, Tesla, GeForce, Quadro and Jetson do not
 * count; "H100" finds "H100 SXM" and "H100 PCIe" where there is no "H100" itself. Writes at most PRODUCTS_FOUND
 * pointers and returns how many there are; 0: none.
 */
size_t product_find(struct str name, const struct product *found[PRODUCTS_FOUND]);
/* The product whose name is nearest to it, or NULL. */
const struct product *product_nearest(struct str name);

#endif
