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
template __global__ void products<48>(const float *, float *, int);
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

__global__ void array_alone(const int *index, float *a)
{
    float table[32];
    for (int i = 0; i < 32; i++)
        table[i] = a[i];
    a[threadIdx.x] = table[index[threadIdx.x] & 31];
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
