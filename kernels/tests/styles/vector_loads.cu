// SPDX-License-Identifier: MIT
// 16-byte loads, whatever the alignment: a scalar head up to the first multiple of 16 bytes, float4 or double2 in the
// middle, a scalar tail. Block size fixed at compile time, four independent accumulators a thread.
#include <reductio.h>

#include <cstdint>

static constexpr int kThreads = 128;
static constexpr int kBlocks = 8;

template <typename T>
struct Vec;
template <>
struct Vec<float> {
    using type = float4;
    static constexpr int width = 4;
    __host__ __device__ static float sum(const float4 &v) { return (v.x + v.y) + (v.z + v.w); }
};
template <>
struct Vec<double> {
    using type = double2;
    static constexpr int width = 2;
    __host__ __device__ static double sum(const double2 &v) { return v.x + v.y; }
};

template <typename T>
__device__ __forceinline__ T warp_sum(T v) {
#pragma unroll
    for (int offset = warpSize / 2; offset > 0; offset >>= 1)
        v += __shfl_xor_sync(0xffffffffu, v, offset);
    return v;
}

template <typename T, int THREADS>
__device__ T block_sum(T v) {
    static_assert(THREADS % 32 == 0, "whole warps");
    static __shared__ T warp_sums[THREADS / 32];
    const int lane = threadIdx.x & 31, warp = threadIdx.x >> 5;
    v = warp_sum(v);
    if (lane == 0)
        warp_sums[warp] = v;
    __syncthreads();
    v = threadIdx.x < THREADS / 32 ? warp_sums[lane] : T(0);
    if (warp == 0)
        v = warp_sum(v);
    return v;
}

template <typename T, int THREADS>
__global__ __launch_bounds__(THREADS) void vector_sum(const T *__restrict__ x, size_t n, T *__restrict__ partial) {
    using V = typename Vec<T>::type;
    constexpr size_t W = Vec<T>::width;
    const size_t misaligned = (reinterpret_cast<uintptr_t>(x) % sizeof(V)) / sizeof(T);
    const size_t head = min(n, misaligned ? W - misaligned : size_t(0));
    const size_t vectors = (n - head) / W;
    const V *v = reinterpret_cast<const V *>(x + head);
    const size_t thread = size_t(blockIdx.x) * THREADS + threadIdx.x, stride = size_t(THREADS) * gridDim.x;
    T sum[4] = {};
    size_t i = thread;
    for (; i + 3 * stride < vectors; i += 4 * stride) {
#pragma unroll
        for (int k = 0; k < 4; ++k)
            sum[k] += Vec<T>::sum(__ldg(&v[i + k * stride]));
    }
    for (; i < vectors; i += stride)
        sum[0] += Vec<T>::sum(v[i]);
    if (thread < head)
        sum[1] += x[thread];
    const size_t done = head + vectors * W;
    if (done + thread < n)
        sum[2] += x[done + thread];
    T total = block_sum<T, THREADS>((sum[0] + sum[1]) + (sum[2] + sum[3]));
    if (threadIdx.x == 0)
        partial[blockIdx.x] = total;
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return kBlocks * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape,
                          cudaStream_t stream) {
    auto *partial = static_cast<reductio_out *>(workspace);
    vector_sum<reductio_in, kThreads><<<kBlocks, kThreads, 0, stream>>>(in, n, partial);
    vector_sum<reductio_out, kThreads><<<1, kThreads, 0, stream>>>(partial, kBlocks, out);
    return cudaPeekAtLastError();
}

// The order depends on the alignment: no claim on placement.
REDUCTIO_VARIANT(vector_loads, .summary = "float4 or double2 with a scalar head and tail",
                 .workspace_bytes = workspace_bytes, .shapes = {{kThreads, kBlocks}},
                 .claims = {.same_bits = REDUCTIO_RUN,
                            .keeps_subnormals = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
