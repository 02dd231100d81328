// Kernels whose shared memory, stack and registers the link decides: they call rdc_functions.cu.
extern __device__ int shared_by_function(int);
extern __device__ int stack_of_function(const int *, int);

__global__ void uses_shared(int *p)
{
    p[threadIdx.x] = shared_by_function(p[0]);
}

__global__ void uses_stack(int *p)
{
    p[threadIdx.x] = stack_of_function(p, 3) + p[1];
}

__global__ void calls_nothing(int *p)
{
    p[threadIdx.x] = 1;
}
