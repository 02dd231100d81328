// Kernels with every kind of name that changes between two builds of the same code; see test_identity_nvcc.sh.
#include <cub/cub.cuh>
#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/transform.h>
#include <type_traits>

// HERE: the test adds a function and a kernel in this place

namespace {
struct hidden_type {
    int a;
    float b;
};
enum class hidden_enum : char { fast = 3, slow = -4 };
void hidden_function(int) {}
int hidden_variable;
__global__ void anon(float *p) { p[threadIdx.x] *= 2; }
template <class T> __global__ void anon_template(T *p) { p[threadIdx.x] += T(3); }
namespace inner {
__global__ void anon_inner(int *p) { p[threadIdx.x] = 1; }
}
}
namespace ours {
namespace {
__global__ void anon_in_ours(int *p) { p[threadIdx.x] = 4; }
}
static __global__ void static_in_ours(int *p) { p[threadIdx.x] = 5; }
template <class T> __global__ void generic(T *p, int n)
{
    if (threadIdx.x < n)
        p[threadIdx.x] = T();
}
inline namespace v2 {
struct [[gnu::abi_tag("x")]] tagged { int a; };
template <class T> __global__ void in_inline(T t, int *p) { p[0] = t.a; }
}
}

static __global__ void plain_static(int *p) { p[threadIdx.x] = 6; }
static __device__ __noinline__ float static_helper(float x) { return x * x + 1; }
__device__ __noinline__ float shared_helper(float x) { return x * x - 1; }
__global__ void plain(float *p) { p[threadIdx.x] = static_helper(p[threadIdx.x]) + shared_helper(p[1]); }
extern "C" __global__ void c_kernel(float *p) { p[threadIdx.x] = 1; }

template <class T, int N> __global__ void number(T *p)
{
    for (int i = 0; i < N; i++)
        p[i * 7] *= p[i];
}
template <auto V> __global__ void value(int *p) { p[0] = sizeof(V); }
template <class F> __global__ void apply(F f, int *p) { p[threadIdx.x] = f(p[threadIdx.x]); }
template <class T> __global__ typename std::enable_if<std::is_floating_point<T>::value>::type chosen(T *p) { p[0] = 2; }
template <class T> __global__ auto deduced(T *p) -> decltype(void(p[0] + T(1))) { p[0] = 3; }
template <class R, class A> __global__ void function_pointer(R (*f)(A), int *p) { p[0] = f != nullptr; }
template <class C, class M> __global__ void member_pointer(M C::*m, int *p) { p[0] = sizeof(m); }
template <class... T> __global__ void pack(T... v)
{
    int x[] = {(int)v...};
    (void)x;
}

template <class T> struct holder {
    void go(int *p)
    {
        apply<<<1, 1>>>([=] __host__ __device__(int x) { return x + 5; }, p);
    }
};
namespace {
void hidden_run(int *p)
{
    apply<<<1, 1>>>([=] __host__ __device__(int x) { return x + 6; }, p);
    apply<<<1, 1>>>([=] __device__(int x) { return x + 7; }, p);
}
}

void run(float *f, int *i, hidden_type *h, cudaStream_t s)
{
    int k = 3;
    size_t bytes = 0;
    anon<<<1, 32>>>(f);
    anon_template<<<1, 32>>>(f);
    anon_template<<<1, 32>>>(i);
    inner::anon_inner<<<1, 32>>>(i);
    ours::anon_in_ours<<<1, 32>>>(i);
    ours::static_in_ours<<<1, 32>>>(i);
    ours::generic<<<1, 32>>>(h, 3);
    ours::generic<<<1, 32>>>(f, 3);
    ours::in_inline<<<1, 1>>>(ours::tagged{1}, i);
    ours::in_inline<<<1, 1>>>(hidden_type{1, 2}, i);
    plain_static<<<1, 32>>>(i);
    plain<<<1, 32>>>(f);
    number<float, 4><<<1, 1>>>(f);
    number<int, 8><<<1, 1>>>(i);
    value<3><<<1, 1>>>(i);
    value<hidden_enum::slow><<<1, 1>>>(i);
    value<hidden_type{1, 2.5f}><<<1, 1>>>(i);
    value<&hidden_variable><<<1, 1>>>(i);
    value<&hidden_function><<<1, 1>>>(i);
    chosen<<<1, 1>>>(f);
    deduced<<<1, 1>>>(f);
    function_pointer<<<1, 1>>>((int (*)(hidden_type))nullptr, i);
    member_pointer<<<1, 1>>>(&hidden_type::a, i);
    pack<<<1, 1>>>(1, 2.f, 'c', hidden_enum::fast);
    apply<<<1, 32>>>([=] __device__(int x) { return x + k; }, i);
    apply<<<1, 32>>>([=] __device__(int x) { return x * k; }, i);
    holder<hidden_type>().go(i);
    hidden_run(i);
    cub::DeviceReduce::Sum((void *)nullptr, bytes, i, i + 1, 5, s);
    cub::DeviceScan::ExclusiveSum((void *)nullptr, bytes, i, i + 1, 5, s);
    thrust::device_ptr<int> d(i);
    thrust::transform(thrust::cuda::par.on(s), d, d + 5, d, [=] __device__(int x) { return x * 7; });
}
