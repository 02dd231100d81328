/*
 * assignment: pairs rows with columns, as many as possible, so that each pair is linked (a maximum bipartite matching).
 * A row or a column stands for a number of equal things, of which each may be in one pair.
 */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { HIGHEST_LINK = 3 };

struct assignment {
    size_t rows, columns;
    uint8_t *links; /* rows * columns, set by the caller: the level of each link, up to HIGHEST_LINK; 0: none */
    uint32_t *row_count, *column_count; /* set by the caller: how many things each one stands for */
    uint32_t *row_left, *column_left;   /* how many of them are in no pair */
    uint32_t *pairs;                    /* rows * columns: the number of pairs */
    bool *tried;                        /* rows, then columns: for the search */
};

/* All numbers are 0 at first. */
void assignment_init(struct assignment *assignment, size_t rows, size_t columns);
void assignment_free(struct assignment *assignment);

uint8_t *assignment_link(const struct assignment *assignment, size_t row, size_t column);

/* Makes as many pairs as possible by links of this level or a higher one; returns their number. */
size_t assignment_make(struct assignment *assignment, uint8_t least);
