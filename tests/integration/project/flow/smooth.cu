#include "grid.cuh"

namespace
{
// Holds 96 values at once, but the launch bounds leave 64 registers: it spills.
__global__ void __launch_bounds__(512, 2) sweep(const float *in, float *out, struct grid grid)
{
    float held[96];
    int first = blockIdx.x * blockDim.x + threadIdx.x;
#pragma unroll
    for (int i = 0; i < 96; i++)
        held[i] = in[first + i * grid.width];
#pragma unroll
    for (int round = 0; round < 4; round++)
#pragma unroll
        for (int i = 0; i < 96; i++)
            held[i] = held[i] * grid.step + held[(i * 7 + round) % 96];
#pragma unroll
    for (int i = 0; i < 96; i++)
        out[first + i * grid.width] = held[i];
}

__global__ void bounded(float *out, struct grid grid)
{
    int at = blockIdx.x * blockDim.x + threadIdx.x;
    if (at < grid.width * grid.height)
        out[at] = limited(out[at], grid.step);
}
} // namespace

void smooth(const float *in, float *out, struct grid grid)
{
    int blocks = grid.width * grid.height / 512 + 1;
    sweep<<<blocks, 512>>>(in, out, grid);
    bounded<<<blocks, 512>>>(out, grid);
}
