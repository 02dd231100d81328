__global__ void none(int *out)
{
    out[threadIdx.x] = 1;
}

__global__ void one(int *out)
{
    out[threadIdx.x] = 1;
    __syncthreads();
    out[1] = out[2];
}

__global__ void five(int *out)
{
    asm volatile("bar.sync 4, 64;");
    out[threadIdx.x] = 1;
}

__global__ void any(int *out, int barrier)
{
    asm volatile("bar.sync %0, 64;" ::"r"(barrier));
    out[threadIdx.x] = 1;
}
