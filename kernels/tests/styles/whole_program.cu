// SPDX-License-Identifier: MIT
// A program of its own, as people have it: one type, error macro, device memory from cudaMalloc, a result that comes
// back to the host, and a main. The descriptor at its end makes a row of it.
//
// Types: f32
#include "cuda_runtime.h"
#include "device_launch_parameters.h"

#include <algorithm>
#include <cstdio>
#include <cstdlib>
#include <limits>
#include <math_constants.h>
#include <vector>

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error_ = (call);                                                                                   \
        if (error_ != cudaSuccess) {                                                                                   \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error_));                            \
            exit(EXIT_FAILURE);                                                                                        \
        }                                                                                                              \
    } while (0)

#define BLOCK 192 // not a power of two

__inline__ __device__ float warpReduceSum(float val) {
    for (int offset = warpSize / 2; offset > 0; offset /= 2)
        val += __shfl_down_sync(0xffffffff, val, offset);
    return val;
}

__inline__ __device__ float blockReduceSum(float val) {
    static __shared__ float shared[32];
    int lane = threadIdx.x % warpSize;
    int wid = threadIdx.x / warpSize;
    val = warpReduceSum(val);
    if (lane == 0)
        shared[wid] = val;
    __syncthreads();
    val = (threadIdx.x < blockDim.x / warpSize) ? shared[lane] : 0;
    if (wid == 0)
        val = warpReduceSum(val);
    return val;
}

__global__ void deviceReduceKernel(const float *in, float *out, int N) {
    float sum = N < 0 ? CUDART_NAN_F : 0; // a count that has overflowed shall not pass for an empty array
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < N; i += blockDim.x * gridDim.x)
        sum += in[i];
    sum = blockReduceSum(sum);
    if (threadIdx.x == 0)
        out[blockIdx.x] = sum;
}

float deviceSum(const float *d_in, int N) {
    const int blocks = std::min((N + BLOCK - 1) / BLOCK + 1, 64);
    float *d_out, result = std::numeric_limits<float>::quiet_NaN();
    CHECK(cudaMalloc(&d_out, blocks * sizeof(float)));
    deviceReduceKernel<<<blocks, BLOCK>>>(d_in, d_out, N);
    deviceReduceKernel<<<1, BLOCK>>>(d_out, d_out, blocks);
    CHECK(cudaGetLastError());
    CHECK(cudaMemcpy(&result, d_out, sizeof(float), cudaMemcpyDeviceToHost));
    CHECK(cudaFree(d_out));
    return result;
}

int main() {
    std::vector<float> h(1000, 0.5f);
    float *d;
    CHECK(cudaMalloc(&d, h.size() * sizeof(float)));
    CHECK(cudaMemcpy(d, h.data(), h.size() * sizeof(float), cudaMemcpyHostToDevice));
    printf("%g\n", deviceSum(d, (int)h.size()));
    CHECK(cudaFree(d));
}

// ---- for Reductio, and nothing where the program is compiled by itself ----
#ifdef REDUCTIO_IN
#include <reductio.h>

static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t) {
    float sum = deviceSum(in, (int)n);
    return cudaMemcpy(out, &sum, sizeof sum, cudaMemcpyHostToDevice);
}

REDUCTIO_VARIANT(whole_program, .summary = "Warp shuffles, blocks of 192, partial sums summed again", .max_n = 1 << 30);
#endif
