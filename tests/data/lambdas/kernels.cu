// Kernels that take lambdas of one function; with -DAFTER there is one more in front, and the third is worse.
template <class F> __global__ void each(int n, F f)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        f(i);
}

template <class F> void launch(int n, F f)
{
    each<<<(n + 255) / 256, 256>>>(n, f);
}

void run(float *a, float *b, int n)
{
#ifdef AFTER
    launch(n, [=] __device__(int i) { b[i] = rsqrtf(a[i]) * sinf(a[i + 1]); });
#endif
    launch(n, [=] __device__(int i) { a[i] = 1; });
#ifdef AFTER
    launch(n, [=] __device__(int i) { a[i] = sinf(b[i]) * expf(a[i]) / b[i + 1] + cosf(b[i + 2]); });
#else
    launch(n, [=] __device__(int i) { a[i] = sinf(b[i]); });
#endif
    launch(n, [=] __device__(int i) { b[i] = a[i] / a[i + 1]; });
}
