// The driver's answers about the kernels below: prints one JSON object with the device and, as CSV, one row per launch.
// The columns before `registers` are the input of `warplint occupancy --csv`.
//
// The kernels differ in what limits a launch: registers (7 steps), static and dynamic shared memory, block size, launch
// bounds, stack, named barriers.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

// N values live at once: all are loaded before any is used, and each is used in reverse order.
template <int N> __device__ void keep(float *data, int stride)
{
    float value[N];
#pragma unroll
    for (int i = 0; i < N; i++)
        value[i] = data[threadIdx.x + i * stride];
    __syncthreads();
#pragma unroll
    for (int i = 0; i < N; i++)
        data[threadIdx.x + (N - 1 - i) * stride] = value[i] * value[(i * 5 + 1) % N];
}

#define KEEPS(name, count) \
    extern "C" __global__ void name(float *data, int stride) \
    { \
        keep<count>(data, stride); \
    }
KEEPS(keep_2, 2)
KEEPS(keep_12, 12)
KEEPS(keep_24, 24)
KEEPS(keep_40, 40)
KEEPS(keep_64, 64)
KEEPS(keep_100, 100)
KEEPS(keep_180, 180)

#define SHARES(name, bytes) \
    extern "C" __global__ void name(float *data, int stride) \
    { \
        __shared__ float tile[(bytes) / 4]; \
        for (unsigned i = threadIdx.x; i < (bytes) / 4; i += blockDim.x) \
            tile[i] = data[i]; \
        __syncthreads(); \
        data[threadIdx.x] = tile[(threadIdx.x * stride) % ((bytes) / 4)]; \
    }
SHARES(share_100, 100)
SHARES(share_6k, 6 * 1024)
SHARES(share_17k, 17 * 1024 + 4)
SHARES(share_48k, 48 * 1024)

extern "C" __global__ void __launch_bounds__(256) bound_256(float *data, int stride)
{
    keep<40>(data, stride);
}
extern "C" __global__ void __launch_bounds__(256, 3) bound_256_3(float *data, int stride)
{
    keep<100>(data, stride);
}
extern "C" __global__ void __launch_bounds__(1024, 2) bound_1024_2(float *data, int stride)
{
    keep<24>(data, stride);
}

// The index is unknown to the compiler, so the array is in local memory.
extern "C" __global__ void stack(float *data, int stride)
{
    float value[64];
    for (int i = 0; i < 64; i++)
        value[(i * stride) & 63] = data[threadIdx.x + i];
    data[threadIdx.x] = value[stride & 63] + value[(stride + 7) & 63];
}

// Barrier 11 is the highest, so ptxas counts twelve.
extern "C" __global__ void barrier_11(float *data, int stride)
{
    data[threadIdx.x] += stride;
    asm volatile("bar.sync 11;" ::: "memory");
    data[threadIdx.x] *= data[threadIdx.x ^ 1];
}

extern "C" __global__ void dynamic(float *data, int stride)
{
    extern __shared__ float buffer[];
    buffer[threadIdx.x] = data[threadIdx.x];
    __syncthreads();
    data[threadIdx.x] = buffer[threadIdx.x ^ (stride & 31)];
}

#define KERNEL(name) { #name, (const void *)name }
static const struct {
    const char *name;
    const void *function;
} kernels[] = {
    KERNEL(keep_2), KERNEL(keep_12), KERNEL(keep_24), KERNEL(keep_40), KERNEL(keep_64), KERNEL(keep_100),
    KERNEL(keep_180), KERNEL(share_100), KERNEL(share_6k), KERNEL(share_17k), KERNEL(share_48k), KERNEL(bound_256),
    KERNEL(bound_256_3), KERNEL(bound_1024_2), KERNEL(stack), KERNEL(barrier_11), KERNEL(dynamic),
};

static const int block_sizes[] = { 1, 32, 33, 96, 128, 192, 256, 352, 512, 640, 1000, 1024 };
static const int dynamic_bytes[] = { 0, 1000, 20 * 1024, 64 * 1024, 99 * 1024 };
static const int carveouts[] = { -1, 0, 50, 100 };

#define COUNT(array) (int)(sizeof array / sizeof array[0])

static void must(cudaError_t error, const char *what)
{
    if (error != cudaSuccess) {
        fprintf(stderr, "launches: %s: %s\n", what, cudaGetErrorString(error));
        exit(1);
    }
}

// The launches of one kernel: all block sizes that it allows, with each size of dynamic memory that the device allows.
static void launches(const char *name, const void *function, const cudaDeviceProp *device, int carveout)
{
    must(cudaFuncSetAttribute(function, cudaFuncAttributePreferredSharedMemoryCarveout, carveout), "carveout");
    cudaFuncAttributes is;
    must(cudaFuncGetAttributes(&is, function), "cudaFuncGetAttributes");
    for (int d = 0; d < COUNT(dynamic_bytes); d++) {
        int bytes = dynamic_bytes[d];
        if (is.sharedSizeBytes + bytes > device->sharedMemPerBlockOptin)
            continue;
        must(cudaFuncSetAttribute(function, cudaFuncAttributeMaxDynamicSharedMemorySize, bytes), "dynamic memory");
        for (int b = 0; b < COUNT(block_sizes); b++) {
            int blocks = 0;
            if (block_sizes[b] > is.maxThreadsPerBlock)
                continue;
            must(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, function, block_sizes[b], bytes), "occupancy");
            printf("%s,sm_%d%d,%d,%d,%d,%d,%zu,%zu,%d,%d\n", name, device->major, device->minor, block_sizes[b], bytes,
                carveout, is.numRegs, is.sharedSizeBytes, is.localSizeBytes, is.maxThreadsPerBlock, blocks);
        }
    }
}

int main(void)
{
    cudaDeviceProp device;
    int driver = 0;
    must(cudaGetDeviceProperties(&device, 0), "cudaGetDeviceProperties");
    must(cudaDriverGetVersion(&driver), "cudaDriverGetVersion");
    fprintf(stderr, "device   %s, compute capability %d.%d, %d SMs\ndriver   CUDA %d.%d\n", device.name, device.major,
        device.minor, device.multiProcessorCount, driver / 1000, driver % 1000 / 10);
    printf("kernel,arch,threads,dynamic_smem_bytes,carveout,driver_registers,driver_smem_bytes,driver_local_bytes,"
           "driver_max_threads,driver_blocks\n");
    for (int k = 0; k < COUNT(kernels); k++)
        for (int c = 0; c < COUNT(carveouts); c++)
            launches(kernels[k].name, kernels[k].function, &device, carveouts[c]);
    return 0;
}
