/* Kernels of our own, for tests/test_hook.sh: what each declares, and loops with and without the pragma. */
#include "hook.cuh"

__global__ void __launch_bounds__(256, 3) bound(float *p) { p[threadIdx.x] *= 2; }
__global__ void __launch_bounds__(64) small(float *p) { p[threadIdx.x] *= 3; }
__global__ void __maxnreg__(40) capped(float *p) { p[threadIdx.x] *= 4; }
__global__ void __block_size__((64, 2, 1)) fixed(float *p) { p[threadIdx.x] *= 5; }
__global__ void __cluster_dims__(2, 1, 1) clust(float *p) { p[threadIdx.x] *= 6; }

template <int N> __global__ void total(const float *p, float *q, int n)
{
    float sum = 0; /* a runtime trip count */
#pragma unroll
    for (int i = 0; i < n; i++)
        sum += p[i];
    q[threadIdx.x] = sum * N;
}
template __global__ void total<1>(const float *, float *, int);
template __global__ void total<2>(const float *, float *, int);

__global__ void without(const float *p, float *q, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += p[i];
    q[threadIdx.x] = sum;
}
template __global__ void in_header<96>(float *, int);
template __global__ void in_header<192>(float *, int);
