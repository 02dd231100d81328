#include <cstdio>

__global__ void saxpy(float a, const float *x, float *y, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}

template <int N> __global__ void tile(const float *x, float *y)
{
    __shared__ float s[N];
    s[threadIdx.x % N] = x[threadIdx.x];
    __syncthreads();
    y[blockIdx.x * blockDim.x + threadIdx.x] = s[(threadIdx.x * 7) % N];
}

__global__ void __launch_bounds__(1024, 2) dynamic(const float *x, float *y)
{
    extern __shared__ float s[];
    s[threadIdx.x] = x[threadIdx.x];
    __syncthreads();
    y[threadIdx.x] = s[threadIdx.x ^ 1];
}

__global__ void __cluster_dims__(2, 1, 1) clustered(float *x)
{
    x[blockIdx.x * blockDim.x + threadIdx.x] += 1;
}

template <int N> __global__ void keep(float *x)
{
    float a[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        a[i] = x[i * 32 + threadIdx.x];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
        x[(i * 7 % N) * 32 + threadIdx.x] = a[i] * a[(i * 5 + 1) % N];
}

int main()
{
    float *x, *y;
    cudaMalloc(&x, 1 << 24);
    cudaMalloc(&y, 1 << 24);
    saxpy<<<4096, 256>>>(2, x, y, 1 << 20);
    saxpy<<<64, 1024>>>(2, x, y, 1 << 16);
    tile<1024><<<300, 128>>>(x, y);
    tile<12288><<<200, 512>>>(x, y);
    cudaFuncSetAttribute(dynamic, cudaFuncAttributeMaxDynamicSharedMemorySize, 100000);
    dynamic<<<132, 512, 100000>>>(x, y);
    clustered<<<264, 384>>>(x);
    keep<50><<<1000, 192>>>(x);
    keep<300><<<500, 256>>>(x);
    puts(cudaGetErrorString(cudaDeviceSynchronize()));
}
