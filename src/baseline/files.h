/*
 * files: finds the files of the base that have other names in the head, because the two were built in different
 * folders, like old/src/x.cu and new/src/x.cu, or because a file was renamed. It fills comparison.sources.
 *
 * Each two files with one file name and a common kernel are a vote for the folders before their common end. A folder of
 * the base corresponds to a folder of the head if this pair of folders has the most votes and contains most of the
 * files that only the base has; otherwise the head is a part of the build. A file that only
 * the head has is one that only the base has if most of their kernels are the same, and neither has as many in common
 * with another file. Kernels that other files have too, those of headers, count only in files without other kernels.
 */
#pragma once

#include "baseline/compare.h"

/* Compares the names of the kernels. If the head is a part of a build, no file has another name. */
void files_match(struct comparison *comparison);
/* Compares the files that are left by the partners of their kernels, of which some were renamed (rename.h). */
void files_match_renamed(struct comparison *comparison);
