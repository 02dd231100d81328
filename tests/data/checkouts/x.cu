/* Sums a column; with AFTER what y.cu does. */
#ifdef AFTER
#define HISTORY 40
#endif
#include "scan.cuh"
void scan_x(float *p, int n) { scan<<<1, 32>>>(p, n); }
