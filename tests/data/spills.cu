// Kernels that access local memory in every way that we know: spills in and around loops, in functions that are inlined
// and that are not, beside arrays with a dynamic index, with alloca, in double precision, around tensor cores and a
// switch; and kernels that use the stack without spilling. Compiled under register caps by test_spill_sites_nvcc.sh.
#include <cstdio>
#include <mma.h>

template <int N> __global__ void products(const float *a, float *b, int n)
{
    float v[N];
    for (int i = 0; i < N; i++)
        v[i] = a[threadIdx.x + i * 32];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < N; i++)
            v[i] = v[i] * a[k] + v[(i + 1) % N];
    for (int i = 0; i < N; i++)
        b[threadIdx.x + i * 32] = v[i];
}
template __global__ void products<16>(const float *, float *, int);
template __global__ void products<30>(const float *, float *, int);
template __global__ void products<48>(const float *, float *, int);
template __global__ void products<64>(const float *, float *, int);
template __global__ void products<100>(const float *, float *, int);

__device__ __noinline__ float callee(const float *a, int n)
{
    float v[40], s = 0;
    for (int i = 0; i < 40; i++)
        v[i] = a[i * n];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 40; i++) {
            v[i] += v[(i + 3) % 40] * k;
            s += v[i];
        }
    return s;
}

__global__ void calls(const float *a, float *b, int n)
{
    float v[40];
    for (int i = 0; i < 40; i++)
        v[i] = a[i + threadIdx.x];
    float s = callee(a, n);
    for (int i = 0; i < 40; i++)
        s += v[i] * callee(a + i, n);
    b[threadIdx.x] = s;
}

__global__ void beside_array(const float *a, const int *index, float *b, int n)
{
    float table[64], v[48], s = 0;
    for (int i = 0; i < 64; i++)
        table[i] = a[i];
    for (int i = 0; i < 48; i++)
        v[i] = a[i * 7 + threadIdx.x];
    for (int k = 0; k < n; k++) {
        table[index[k] & 63] += v[0];
        for (int i = 0; i < 48; i++)
            v[i] = v[i] * table[index[k + i] & 63] + v[(i + 1) % 48];
    }
    for (int i = 0; i < 48; i++)
        s += v[i];
    b[threadIdx.x] = s;
}

__global__ void beside_alloca(const float *a, float *b, int n, int m)
{
    float *p = (float *)alloca(m * 4), v[48], s = 0;
    for (int i = 0; i < m; i++)
        p[i] = a[i];
    for (int i = 0; i < 48; i++)
        v[i] = a[i * 7 + threadIdx.x];
    for (int k = 0; k < n; k++)
        for (int i = 0; i < 48; i++)
            v[i] = v[i] * p[k % m] + v[(i + 1) % 48];
    for (int i = 0; i < 48; i++)
        s += v[i];
    b[threadIdx.x] = s;
}

__device__ __forceinline__ void step(float *v, const float *a, int k)
{
#pragma unroll
    for (int i = 0; i < 56; i++)
        v[i] = fmaf(v[i], a[k * 56 + i], v[(i + 5) % 56]);
}

__global__ void inlined_in_nest(const float *a, float *b, int n, int m)
{
    float v[56];
#pragma unroll
    for (int i = 0; i < 56; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int j = 0; j < m; j++) {
        for (int k = 0; k < n; k++)
            step(v, a, k + j);
#pragma unroll
        for (int i = 0; i < 56; i++)
            v[i] += a[j + i];
    }
#pragma unroll
    for (int i = 0; i < 56; i++)
        b[i * 32 + threadIdx.x] = v[i];
}

__global__ void doubles(const double *a, double *b, int n)
{
    double v[30];
#pragma unroll
    for (int i = 0; i < 30; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < 30; i++)
            v[i] = v[i] * a[k] + v[(i + 1) % 30];
    }
#pragma unroll
    for (int i = 0; i < 30; i++)
        b[i * 32 + threadIdx.x] = v[i];
}

__global__ void tensor_cores(const half *a, const half *b, float *c, int n)
{
    using namespace nvcuda;
    wmma::fragment<wmma::accumulator, 16, 16, 16, float> sums[6];
    for (int i = 0; i < 6; i++)
        wmma::fill_fragment(sums[i], 0.f);
    for (int k = 0; k < n; k += 16) {
        wmma::fragment<wmma::matrix_a, 16, 16, 16, half, wmma::row_major> left;
        wmma::load_matrix_sync(left, a + k, n);
        for (int i = 0; i < 6; i++) {
            wmma::fragment<wmma::matrix_b, 16, 16, 16, half, wmma::row_major> right;
            wmma::load_matrix_sync(right, b + k * n + i * 16, n);
            wmma::mma_sync(sums[i], left, right, sums[i]);
        }
    }
    for (int i = 0; i < 6; i++)
        wmma::store_matrix_sync(c + i * 256, sums[i], 16, wmma::mem_row_major);
}

__global__ void switches(const float *a, float *b, int n, int first)
{
    float v[40];
#pragma unroll
    for (int i = 0; i < 40; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int k = 0; k < n; k++) {
        switch (first + k) {
        case 0:
#pragma unroll
            for (int i = 0; i < 40; i++)
                v[i] += a[k];
            break;
        case 1:
#pragma unroll
            for (int i = 0; i < 40; i++)
                v[i] *= v[(i + 1) % 40];
            break;
        case 2:
        case 3: v[3] = sinf(v[4]); break;
        case 4: v[5] = cosf(v[6]); break;
        case 5: v[7] = expf(v[8]); break;
        default: v[9] /= v[10];
        }
    }
#pragma unroll
    for (int i = 0; i < 40; i++)
        b[i * 32 + threadIdx.x] = v[i];
}

// ---- types, nests and ways out of loops

template <typename T, int N> __global__ void types(const T *a, T *b, int n)
{
    T v[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int k = 0; k < n; k++) {
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] = v[i] * a[k] + v[(i + 1) % N];
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        b[i * 32 + threadIdx.x] = v[i];
}
template __global__ void types<int, 60>(const int *, int *, int);
template __global__ void types<unsigned short, 90>(const unsigned short *, unsigned short *, int);
template __global__ void types<long long, 40>(const long long *, long long *, int);
template __global__ void types<__half2, 64>(const __half2 *, __half2 *, int);
template __global__ void types<__half, 100>(const __half *, __half *, int);
template __global__ void types<float, 128>(const float *, float *, int);
template __global__ void types<double, 20>(const double *, double *, int);
template __global__ void types<double, 70>(const double *, double *, int);

// As many loops as DEPTH around the work, and spills before, between and behind them.
template <int DEPTH, int N> struct nest {
    static __device__ __forceinline__ void run(float *v, const float *a, int n)
    {
        for (int k = 0; k < n; k++) {
            v[DEPTH] += a[k * DEPTH];
            nest<DEPTH - 1, N>::run(v, a + k, n);
        }
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] = v[i] * v[(i + DEPTH) % N] + a[i];
    }
};
template <int N> struct nest<0, N> {
    static __device__ __forceinline__ void run(float *v, const float *a, int)
    {
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] = fmaf(v[i], a[i], v[(i + 7) % N]);
    }
};

template <int DEPTH, int N> __global__ void nested(const float *a, float *b, int n)
{
    float v[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = a[i * 9 + threadIdx.x];
    nest<DEPTH, N>::run(v, a, n);
#pragma unroll
    for (int i = 0; i < N; i++)
        b[i * 32 + threadIdx.x] = v[i];
}
template __global__ void nested<0, 60>(const float *, float *, int);
template __global__ void nested<1, 48>(const float *, float *, int);
template __global__ void nested<2, 60>(const float *, float *, int);
template __global__ void nested<2, 150>(const float *, float *, int);
template __global__ void nested<3, 72>(const float *, float *, int);
template __global__ void nested<4, 140>(const float *, float *, int);

template <int N, int SIZE> __global__ void arrays(const float *a, const int *index, float *b, int n)
{
    float table[SIZE], v[N];
    for (int i = 0; i < SIZE; i++)
        table[i] = a[i];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = a[i * 7 + threadIdx.x];
    for (int k = 0; k < n; k++) {
        table[index[k] % SIZE] += v[k % 2];
#pragma unroll
        for (int i = 0; i < N; i++)
            v[i] = v[i] * table[index[k + i] % SIZE] + v[(i + 1) % N];
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        b[i * 32 + threadIdx.x] = v[i] + table[i % SIZE];
}
template __global__ void arrays<30, 8>(const float *, const int *, float *, int);
template __global__ void arrays<40, 16>(const float *, const int *, float *, int);
template __global__ void arrays<50, 256>(const float *, const int *, float *, int);
template __global__ void arrays<64, 100>(const float *, const int *, float *, int);
template __global__ void arrays<130, 33>(const float *, const int *, float *, int);

// 16-byte loads and stores of spilled registers.
template <int N> __global__ void vectors(const float4 *a, float4 *b, int n)
{
    float4 v[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int k = 0; k < n; k++) {
        const float4 s = a[k];
#pragma unroll
        for (int i = 0; i < N; i++) {
            v[i].x = v[i].x * s.x + v[(i + 1) % N].y;
            v[i].w = v[i].w * s.w + v[(i + 2) % N].z;
        }
    }
#pragma unroll
    for (int i = 0; i < N; i++)
        b[i * 32 + threadIdx.x] = v[i];
}
template __global__ void vectors<9>(const float4 *, float4 *, int);
template __global__ void vectors<20>(const float4 *, float4 *, int);
template __global__ void vectors<36>(const float4 *, float4 *, int);

// Loops that end early, go on early, have two entries, or none that is known to end.
template <int WAY> __global__ void leaves(const float *a, float *b, int n)
{
    float v[50];
#pragma unroll
    for (int i = 0; i < 50; i++)
        v[i] = a[i * 9 + threadIdx.x];
    int k = 0;
    if (WAY == 3 && n > 5)
        goto middle;
    do {
#pragma unroll
        for (int i = 0; i < 50; i++)
            v[i] = v[i] * a[k] + v[(i + 3) % 50];
        if (WAY == 0 && a[k] < 0)
            return;
        if (WAY == 1 && a[k] < 0)
            break;
        if (WAY == 2 && a[k] < 0)
            continue;
    middle:
        for (int j = k; j < n && a[j] > 1; j += 2)
            v[j & 1] += a[j];
        v[7] = __shfl_xor_sync(~0u, v[7], 1);
        __syncthreads();
    } while (k++ < n);
#pragma unroll
    for (int i = 0; i < 50; i++)
        b[i * 32 + threadIdx.x] = v[i];
}
template __global__ void leaves<0>(const float *, float *, int);
template __global__ void leaves<1>(const float *, float *, int);
template __global__ void leaves<2>(const float *, float *, int);
template __global__ void leaves<3>(const float *, float *, int);

// A function that calls itself, and one that two kernels call.
__device__ __noinline__ float deeper(const float *a, int n)
{
    float v[30], s = 0;
#pragma unroll
    for (int i = 0; i < 30; i++)
        v[i] = a[i * n];
    if (n > 1)
        s = deeper(a + 1, n - 1);
#pragma unroll
    for (int i = 0; i < 30; i++)
        s += v[i] * a[i];
    return s;
}

template <int N> __global__ void recurses(const float *a, float *b, int n)
{
    float v[N], s = 0;
#pragma unroll
    for (int i = 0; i < N; i++)
        v[i] = a[i * 9 + threadIdx.x];
    for (int k = 0; k < n; k++)
        s += deeper(a + k, k) + callee(a, k);
#pragma unroll
    for (int i = 0; i < N; i++)
        s += v[i];
    b[threadIdx.x] = s;
}
template __global__ void recurses<20>(const float *, float *, int);
template __global__ void recurses<36>(const float *, float *, int);
template __global__ void recurses<60>(const float *, float *, int);

// ---- the stack without spills

struct large {
    float values[20];
};

__device__ __noinline__ float element(const large *s, int i)
{
    return s->values[i];
}

__global__ void by_address(float *a, int n)
{
    large s;
    for (int i = 0; i < 20; i++)
        s.values[i] = a[i];
    a[0] = element(&s, n);
}

__global__ void prints(float *a)
{
    printf("%f %d\n", a[0], threadIdx.x);
}

__global__ void array_alone(const int *index, float *a, int n)
{
    float table[32];
    for (int i = 0; i < 32; i++)
        table[i] = a[i];
    for (int k = 0; k < n; k++)
        table[index[k] & 31] += a[k];
    a[threadIdx.x] = table[index[threadIdx.x] & 31];
}

__device__ __noinline__ float histogram(const int *index, int n)
{
    float bins[16] = {0};
    for (int k = 0; k < n; k++)
        bins[index[k] & 15] += 1;
    return bins[n & 15];
}

__global__ void callee_alone(const int *index, float *a, int n)
{
    a[threadIdx.x] = histogram(index, n) + histogram(index + n, n);
}

__global__ void alloca_alone(float *a, int m)
{
    float *p = (float *)alloca(m * 4);
    for (int i = 0; i < m; i++)
        p[i] = a[i] * 2;
    a[threadIdx.x] = p[m / 2];
}

__global__ void plain(float *a)
{
    a[threadIdx.x] *= 2;
}
