// SPDX-License-Identifier: MIT
// A library's way: a class that owns a stream and memory from a pool, a policy and operations as template parameters,
// bytes of shared memory that are divided by hand, atomics of a block's scope, a counter and a table on the device.
//
// Types: f32
#include <cuda_runtime.h>
#include <reductio.h>

#include <cstdint>

namespace lib {

template <int kThreads, int kItems>
struct Policy {
    static constexpr int threads = kThreads, items = kItems, tile = kThreads * kItems;
};
struct Add {
    template <typename T>
    __host__ __device__ T operator()(T a, T b) const {
        return a + b;
    }
};

__constant__ float scale_table[4] = {1, 1, 1, 1};
__device__ unsigned int blocks_done = 0;

template <typename PolicyT, typename T, typename Op>
__device__ __forceinline__ T sum_of_tiles(const T *__restrict__ in, size_t n, Op op) {
    T items[PolicyT::items], sum{};
    for (size_t base = size_t(blockIdx.x) * PolicyT::tile; base < n; base += size_t(gridDim.x) * PolicyT::tile) {
#pragma unroll
        for (int i = 0; i < PolicyT::items; ++i) {
            const size_t at = base + i * PolicyT::threads + threadIdx.x;
            items[i] = at < n ? __ldcs(in + at) * scale_table[i % 4] : T{};
        }
#pragma unroll
        for (int i = 0; i < PolicyT::items; ++i)
            sum = op(sum, items[i]);
    }
    return sum;
}

template <typename PolicyT, bool kLast, typename T, typename Op>
__global__ void __launch_bounds__(PolicyT::threads, 2)
    reduce(const T *__restrict__ in, size_t n, T *__restrict__ partial, T *__restrict__ out, Op op) {
    extern __shared__ __align__(16) char bytes[];
    T *warp_sums = reinterpret_cast<T *>(bytes);
    int *last = reinterpret_cast<int *>(bytes + PolicyT::threads / 32 * sizeof(T));
    if (threadIdx.x == 0)
        *last = 0;
    T sum = sum_of_tiles<PolicyT>(in, n, op);
    for (int lanes = 1; lanes < 32; lanes <<= 1)
        sum = op(sum, __shfl_xor_sync(0xffffffffu, sum, lanes));
    if (threadIdx.x % 32 == 0)
        warp_sums[threadIdx.x / 32] = sum;
    __syncthreads();
    if (threadIdx.x == 0) {
        for (int w = 1; w < PolicyT::threads / 32; ++w)
            sum = op(sum, warp_sums[w]);
        __stcg(partial + blockIdx.x, sum);
        __threadfence();
        atomicOr_block(last, atomicInc(&blocks_done, gridDim.x - 1) == gridDim.x - 1);
    }
    __syncthreads();
    if constexpr (kLast) {
        if (*last && threadIdx.x == 0) {
            __threadfence();
            T total{};
            for (unsigned b = 0; b < gridDim.x; ++b)
                total = op(total, __ldcg(partial + b));
            *out = total;
        }
    }
}

class Summer {
    cudaStream_t stream_;
    cudaMemPool_t pool_ = nullptr;
    float *partial_ = nullptr;
    static constexpr unsigned blocks = 6;

  public:
    explicit Summer(cudaStream_t stream) : stream_(stream) {}
    cudaError_t reserve() {
        int device = 0;
        uint64_t keep = UINT64_MAX;
        if (cudaError_t e = cudaGetDevice(&device); e != cudaSuccess)
            return e;
        if (cudaError_t e = cudaDeviceGetDefaultMemPool(&pool_, device); e != cudaSuccess)
            return e;
        if (cudaError_t e = cudaMemPoolSetAttribute(pool_, cudaMemPoolAttrReleaseThreshold, &keep); e != cudaSuccess)
            return e;
        return cudaMallocFromPoolAsync(&partial_, blocks * sizeof(float), pool_, stream_);
    }
    cudaError_t operator()(const float *in, size_t n, float *out) {
        using P = Policy<64, 4>;
        if (!partial_)
            return cudaErrorInvalidDevicePointer;
        reduce<P, true><<<blocks, P::threads, P::threads / 32 * sizeof(float) + sizeof(int), stream_>>>(in, n, partial_,
                                                                                                        out, Add{});
        const cudaError_t error = cudaGetLastError();
        return error == cudaErrorNotReady ? cudaSuccess : error;
    }
    ~Summer() { cudaFreeAsync(partial_, stream_); }
};

} // namespace lib

static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t stream) {
    lib::Summer sum(stream);
    if (cudaError_t error = sum.reserve(); error != cudaSuccess)
        return error;
    return sum(in, n, out);
}

REDUCTIO_VARIANT(pool_class, .summary = "A class with a pool, the last block adds",
                 .claims = {.same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT});
