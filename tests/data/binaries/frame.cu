// A function that is called and spills into the frame of its kernel, which spills too.
__device__ __noinline__ float heavy(const float *p, int n)
{
    float v[96], s = 0;
#pragma unroll
    for (int i = 0; i < 96; i++)
        v[i] = p[i * n];
    for (int r = 0; r < n; r++)
#pragma unroll
        for (int i = 0; i < 96; i++) {
            v[i] = v[i] * v[(i + 3) % 96] + s;
            s += v[i];
        }
    return s;
}

__global__ void __launch_bounds__(1024, 1) calling(float *p, int n)
{
    float a = p[n], b = p[n + 1], c = p[n + 2], d = p[n + 3];
    p[threadIdx.x] = heavy(p, n) * a + heavy(p + 3, n + 1) * b + heavy(p + 5, n + 1) * c + d;
}
