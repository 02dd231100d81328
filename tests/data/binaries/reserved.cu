/* A kernel that uses dynamic shared memory, and one that uses the shared memory that the system reserves. */
extern __shared__ float dynamic[];

__global__ void sized(float *p)
{
    dynamic[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[0] = dynamic[threadIdx.x ^ 1];
}

__global__ void reserved(float *p)
{
    asm volatile("{ .reg .u32 at, seen; mov.u32 at, %%reserved_smem_offset_1; ld.shared.u32 seen, [at];"
                 "st.global.u32 [%0], seen; }" ::"l"(p) : "memory");
}
