/* Kernels that call functions which are not inlined, with frames of their own and without. */
typedef float (*function)(float *, int);

__device__ __noinline__ float large_frame(float *p, int n)
{
    float a[40], sum = 0;
    for (int i = 0; i < 40; i++)
        a[i] = p[i] * n;
    for (int i = 0; i < 40; i++)
        sum += a[(i * n) % 40];
    return sum;
}

__device__ __noinline__ float small_frame(float *p, int n)
{
    float a[4];
    for (int i = 0; i < 4; i++)
        a[i] = p[i] * n;
    return a[n & 3];
}

__device__ __noinline__ float no_frame(float x)
{
    return x * x + 1;
}

__device__ __noinline__ int recursion(int n, int *p)
{
    return n < 2 ? p[n] : recursion(n - 1, p) + recursion(n - 2, p);
}

__device__ function table[2] = {large_frame, small_frame};

__global__ void calls(float *p, int n)
{
    p[threadIdx.x] = large_frame(p, n) + small_frame(p, n);
}

__global__ void calls_with_frame(float *p, int n)
{
    float a[10];
    for (int i = 0; i < 10; i++)
        a[i] = p[i + n];
    p[threadIdx.x] = small_frame(a, n) + a[n % 10];
}

__global__ void calls_by_pointer(float *p, int n)
{
    float a[10];
    for (int i = 0; i < 10; i++)
        a[i] = p[i + n];
    p[threadIdx.x] = table[n & 1](a, n) + a[n % 10];
}

__global__ void calls_without_frames(float *p, int n)
{
    float a[10];
    for (int i = 0; i < 10; i++)
        a[i] = p[i + n];
    p[0] = no_frame(p[1]) + no_frame(a[n % 10]);
}

__global__ void calls_recursion(int *p, int n)
{
    p[0] = recursion(n, p);
}

__global__ void calls_slow_path(double *p)
{
    p[threadIdx.x] = sin(p[threadIdx.x]);
}

__global__ void calls_nothing(float *p)
{
    p[0] = 1;
}
