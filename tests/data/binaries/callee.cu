// A function that is called from one kernel alone has no frame of its own: it spills above what the kernel spills.
__device__ __noinline__ float callee(const float *p, float a, float b, float c, float d, float e, float f, float g,
                                     float h)
{
    float v[40];
#pragma unroll
    for (int i = 0; i < 40; i++)
        v[i] = p[i * 37];
    __syncthreads();
    float sum = 0;
#pragma unroll
    for (int i = 0; i < 40; i++)
        sum += v[i] * v[39 - i] * a + b * v[i * 7 % 40] + c + d * e - f * g / h;
    return sum;
}

__global__ void __launch_bounds__(1024) caller(float *p, int n)
{
    float v[8];
#pragma unroll
    for (int i = 0; i < 8; i++)
        v[i] = p[threadIdx.x * 8 + i];
    for (int k = 0; k < n; k++) {
        float sum = callee(p + k, v[0], v[1], v[2], v[3], v[4], v[5], v[6], v[7]);
#pragma unroll
        for (int i = 0; i < 8; i++)
            v[i] += sum * i;
    }
#pragma unroll
    for (int i = 0; i < 8; i++)
        p[threadIdx.x * 8 + i] = v[i];
}
