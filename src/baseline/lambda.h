/*
 * lambda: matches kernels whose names contain the number of a lambda, like each<run(int)::{lambda(int)#2}>. nvcc
 * numbers the lambdas of a function, so a new lambda renumbers all that follow it. If the numbers on both sides differ,
 * kernels that differ only in these numbers are matched in their order: first the longest common sequence of kernels
 * with equal metrics, then the kernels between two members of it if both sides have equally many. The others are not
 * matched.
 */
#pragma once

#include "baseline/compare.h"

/* By item of the head: the identity that its kernel has in the base, for one toolkit of each; NO_INDEX: none. The
 * caller frees the array. */
uint32_t *lambda_ids(const struct comparison *comparison, struct column_pair column);
