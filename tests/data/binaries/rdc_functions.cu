// Device functions with shared memory and with a stack frame; rdc_kernels.cu calls them.
__device__ __noinline__ int shared_by_function(int x)
{
    __shared__ int s[3000];
    s[threadIdx.x] = x;
    __syncthreads();
    return s[(threadIdx.x + 1) % 32];
}

__device__ __noinline__ int stack_of_function(const int *p, int x)
{
    int a[100];
    for (int i = 0; i < 100; i++)
        a[i] = p[i * x];
    return a[p[x] % 100] + a[p[x + 1] % 100];
}
