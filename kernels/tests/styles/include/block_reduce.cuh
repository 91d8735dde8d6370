// SPDX-License-Identifier: MIT
// Kernels in a header of their author's.
#pragma once

#include "warp_reduce.cuh"

namespace acc {

template <typename T, int THREADS>
__device__ T block_reduce(T v) {
    __shared__ T lanes[THREADS / 32];
    v = warp_reduce(v);
    if (threadIdx.x % 32 == 0)
        lanes[threadIdx.x / 32] = v;
    __syncthreads();
    return warp_reduce(threadIdx.x < THREADS / 32 ? lanes[threadIdx.x] : T(0));
}

template <typename T>
class Reducer {
  public:
    static constexpr int threads = 64;
    static cudaError_t run(const T *in, size_t n, T *out, cudaStream_t stream);

    static __device__ T load(const T *in, size_t i, size_t n) { return i < n ? in[i] : T(0); }
};

template <typename T>
__global__ void reduce_kernel(const T *in, size_t n, T *out) {
    T sum = 0;
    for (size_t i = threadIdx.x; i < n; i += Reducer<T>::threads)
        sum += Reducer<T>::load(in, i, n);
    sum = block_reduce<T, Reducer<T>::threads>(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

template <typename T>
cudaError_t Reducer<T>::run(const T *in, size_t n, T *out, cudaStream_t stream) {
    reduce_kernel<T><<<dim3(1), dim3(threads), 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

} // namespace acc
