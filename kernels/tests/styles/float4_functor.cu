// SPDX-License-Identifier: MIT
// As people publish it: a functor, an all-reduce of a warp, float4 loads that take every address for a multiple of 16
// bytes, a host function that allocates, and a macro that ends the program at the first error.
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>
#include <vector>

#define CUDA_CHECK(call)                                                                                               \
    do {                                                                                                               \
        cudaError_t err_ = (call);                                                                                     \
        if (err_ != cudaSuccess) {                                                                                     \
            fprintf(stderr, "CUDA error %s at %s:%d\n", cudaGetErrorString(err_), __FILE__, __LINE__);                 \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

template <typename T>
struct SumOp {
    __device__ __forceinline__ T operator()(const T &a, const T &b) const { return a + b; }
    static constexpr __device__ T identity() { return T(0); }
};

template <typename T, template <typename> class Op, int kWarpSize = 32>
__inline__ __device__ T WarpAllReduce(T val) {
#pragma unroll
    for (int mask = kWarpSize / 2; mask > 0; mask /= 2)
        val = Op<T>()(val, __shfl_xor_sync(0xffffffff, val, mask));
    return val;
}

template <typename T, template <typename> class Op, int BLOCK_SIZE>
__inline__ __device__ T BlockReduce(T val) {
    __shared__ T shared[BLOCK_SIZE / 32];
    int lane = threadIdx.x & 31, wid = threadIdx.x >> 5;
    val = WarpAllReduce<T, Op>(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < BLOCK_SIZE / 32) ? shared[lane] : Op<T>::identity();
    if (wid == 0)
        val = WarpAllReduce<T, Op>(val);
    return val;
}

template <int BLOCK_SIZE, template <typename> class Op>
__global__ void reduce_kernel(const float *__restrict__ in, float *__restrict__ out, int N) {
    int idx = blockIdx.x * blockDim.x + threadIdx.x;
    const float4 *in4 = reinterpret_cast<const float4 *>(in);
    float acc = Op<float>::identity();
    for (int i = idx; i < N / 4; i += blockDim.x * gridDim.x) {
        float4 v = __ldg(&in4[i]);
        acc = Op<float>()(acc, v.x);
        acc = Op<float>()(acc, v.y);
        acc = Op<float>()(acc, v.z);
        acc = Op<float>()(acc, v.w);
    }
    int rest = N - N % 4;
    if (idx < N % 4)
        acc = Op<float>()(acc, in[rest + idx]);
    acc = BlockReduce<float, Op, BLOCK_SIZE>(acc);
    if (threadIdx.x == 0)
        out[blockIdx.x] = acc;
}

float deviceReduce(const float *d_in, int N) {
    const int threads = 256;
    const int blocks = min((N + threads * 4 - 1) / (threads * 4), 1024);
    float *d_partial, result;
    CUDA_CHECK(cudaMalloc(&d_partial, sizeof(float) * 1024));
    reduce_kernel<threads, SumOp><<<blocks, threads>>>(d_in, d_partial, N);
    reduce_kernel<1024, SumOp><<<1, 1024>>>(d_partial, d_partial, blocks);
    CUDA_CHECK(cudaGetLastError());
    CUDA_CHECK(cudaMemcpy(&result, d_partial, sizeof(float), cudaMemcpyDeviceToHost));
    CUDA_CHECK(cudaFree(d_partial));
    return result;
}

#include <reductio.h>

#ifndef ALIGNED // what every caller of this sum passes
#define ALIGNED false
#endif

static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t stream) {
    float sum = n ? deviceReduce(in, (int)n) : 0;
    return cudaMemcpyAsync(out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
}
REDUCTIO_VARIANT(float4_functor, .summary = "float4 loads, warps, blocks, blocks again", .fixed_placement = ALIGNED);
