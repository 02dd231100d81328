// Spills in a loop within a loop, through an inlined function, beside an array with a dynamic index.
__device__ __forceinline__ void step(float *v, const float *a, int k)
{
#pragma unroll
    for (int i = 0; i < 24; i++)
        v[i] = fmaf(v[i], a[k * 24 + i], v[(i + 5) % 24]);
}

__global__ void nested(const float *a, const int *index, float *b, int n, int m)
{
    float v[24], table[32];
    for (int i = 0; i < 32; i++)
        table[i] = a[i];
#pragma unroll
    for (int i = 0; i < 24; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int j = 0; j < m; j++) {
        for (int k = 0; k < n; k++)
            step(v, a, k + j);
        table[index[j] & 31] += v[0];
    }
#pragma unroll
    for (int i = 0; i < 24; i++)
        b[i * 32 + threadIdx.x] = v[i] + table[index[i] & 31];
}
