/* Kernels with and without dynamic shared memory; of relocatable code helper is a function of its own. */
extern __shared__ float dynamic[];

__device__ __noinline__ float helper(int i)
{
    return dynamic[i] * 2;
}

__global__ void none(float *p)
{
    p[0] = 1;
}

__global__ void fixed(float *p)
{
    __shared__ float s[33];
    s[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[0] = s[threadIdx.x ^ 1];
}

__global__ void sized(float *p)
{
    dynamic[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[0] = dynamic[threadIdx.x ^ 1];
}

__global__ void both(float *p)
{
    __shared__ float s[33];
    s[threadIdx.x] = dynamic[threadIdx.x] = p[threadIdx.x];
    __syncthreads();
    p[0] = dynamic[threadIdx.x ^ 1] + s[threadIdx.x ^ 1];
}

__global__ void called(float *p)
{
    p[0] = helper(threadIdx.x);
}
