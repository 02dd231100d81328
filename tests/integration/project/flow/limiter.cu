#include "grid.cuh"

__device__ float limited(float slope, float bound)
{
    return fminf(fmaxf(slope, -bound), bound);
}
