// A kernel for each figure that a binary states.
extern __shared__ float dynamic_floats[];
__constant__ float table[64];

__global__ void plain(float *p) { p[threadIdx.x] *= 2; }

__global__ void __launch_bounds__(256, 3) bounded(float *p, int n)
{
    float sum = 0;
    for (int i = 0; i < n; i++)
        sum += sinf(p[i]) * table[i & 63];
    p[threadIdx.x] = sum;
}

__global__ void __launch_bounds__(512) bounded_once(float *p) { p[threadIdx.x] += p[0]; }

__global__ void __maxnreg__(40) capped(float *p) { p[threadIdx.x] *= 3; }

__global__ void shared_static(float *p)
{
    __shared__ float s[1000];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void shared_dynamic(float *p)
{
    dynamic_floats[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[threadIdx.x] = dynamic_floats[threadIdx.x ^ 1];
}

namespace {
__global__ void hidden(float *p) { p[threadIdx.x] *= 5; }
} // namespace

static __global__ void internal(float *p) { p[threadIdx.x] *= 6; }

__device__ __noinline__ float descend(float x, int depth)
{
    volatile float a[8];
    a[depth & 7] = x;
    return depth > 0 ? descend(x * 1.1f, depth - 1) + a[(depth + 1) & 7] : x;
}
__global__ void recursing(float *p, int depth) { p[threadIdx.x] = descend(p[threadIdx.x], depth); }

template <class T> __global__ void typed(T *p) { p[threadIdx.x] = p[threadIdx.x] + p[0]; }
template __global__ void typed<float>(float *);
template __global__ void typed<double>(double *);

__global__ void indexing(float *p, int i)
{
    float a[40];
    for (int k = 0; k < 40; k++)
        a[k] = p[k] * i;
    for (int k = 0; k < 40; k++)
        p[k] = a[(k * i) % 40];
}

__global__ void four_barriers(float *p)
{
    asm volatile("bar.sync 3, 64;");
    p[0] = 1;
}

struct many { float values[100]; };
__global__ void parameters(float *p, many m) { p[threadIdx.x] = m.values[threadIdx.x % 100]; }

void launch(float *p)
{
    hidden<<<1, 1>>>(p);
    internal<<<1, 1>>>(p);
}
