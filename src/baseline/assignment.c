/*
 * Pairs are made greedily first, by the highest links; then each thing of a column that is left searches for a chain of
 * pairs that can be changed so that it gets one too (an augmenting path).
 */
#include "baseline/assignment.h"

#include "base/mem.h"

#include <stdlib.h>
#include <string.h>

void assignment_init(struct assignment *a, size_t rows, size_t columns)
{
    const size_t cells = rows * columns;
    *a = (struct assignment){.rows = rows, .columns = columns};
    a->links = mem_alloc(cells + 1);
    a->pairs = mem_alloc((cells + 1) * sizeof *a->pairs);
    a->row_count = mem_alloc((rows + 1) * sizeof *a->row_count);
    a->row_left = mem_alloc((rows + 1) * sizeof *a->row_left);
    a->column_count = mem_alloc((columns + 1) * sizeof *a->column_count);
    a->column_left = mem_alloc((columns + 1) * sizeof *a->column_left);
    a->tried = mem_alloc(rows + columns + 1);
}

void assignment_free(struct assignment *a)
{
    free(a->links);
    free(a->pairs);
    free(a->row_count);
    free(a->row_left);
    free(a->column_count);
    free(a->column_left);
    free(a->tried);
}

uint8_t *assignment_link(const struct assignment *a, size_t row, size_t column)
{
    return &a->links[row * a->columns + column];
}

static uint32_t *pairs_of(const struct assignment *a, size_t row, size_t column)
{
    return &a->pairs[row * a->columns + column];
}

static size_t make_greedily(struct assignment *a, uint8_t level)
{
    size_t made = 0;
    for (size_t row = 0; row < a->rows; row++)
        for (size_t column = 0; column < a->columns && a->row_left[row]; column++) {
            const uint32_t left = a->column_left[column], both = a->row_left[row] < left ? a->row_left[row] : left;
            if (*assignment_link(a, row, column) != level)
                continue;
            *pairs_of(a, row, column) += both;
            a->row_left[row] -= both;
            a->column_left[column] -= both;
            made += both;
        }
    return made;
}

/* Gives one thing of the column a pair, if need be by giving another column another row. */
static bool augment(struct assignment *a, size_t column, uint8_t least)
{
    bool found = false;
    a->tried[a->rows + column] = true;
    for (size_t row = 0; row < a->rows && !found; row++) {
        if (a->tried[row] || *assignment_link(a, row, column) < least)
            continue;
        a->tried[row] = true;
        found = a->row_left[row] > 0;
        a->row_left[row] -= found;
        for (size_t other = 0; other < a->columns && !found; other++) {
            found = *pairs_of(a, row, other) && !a->tried[a->rows + other] && augment(a, other, least);
            *pairs_of(a, row, other) -= found;
        }
        *pairs_of(a, row, column) += found;
    }
    return found;
}

size_t assignment_make(struct assignment *a, uint8_t least)
{
    size_t made = 0;
    memcpy(a->row_left, a->row_count, a->rows * sizeof *a->row_left);
    memcpy(a->column_left, a->column_count, a->columns * sizeof *a->column_left);
    memset(a->pairs, 0, a->rows * a->columns * sizeof *a->pairs);
    for (int level = HIGHEST_LINK; level >= least; level--)
        made += make_greedily(a, (uint8_t)level);
    for (size_t column = 0; column < a->columns; column++) {
        while (a->column_left[column]) {
            memset(a->tried, false, a->rows + a->columns);
            if (!augment(a, column, least))
                break;
            a->column_left[column]--;
            made++;
        }
    }
    return made;
}
