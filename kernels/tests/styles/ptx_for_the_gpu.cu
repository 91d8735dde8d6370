// SPDX-License-Identifier: MIT
// Inline PTX where nvcc compiles, and the same in C++ elsewhere.
#include <reductio.h>

__device__ __forceinline__ unsigned lane_id() {
#if defined(__CUDA_ARCH__) && __CUDA_ARCH__ >= 300
    unsigned lane;
    asm("mov.u32 %0, %%laneid;" : "=r"(lane));
    return lane;
#else
    return threadIdx.x % 32;
#endif
}

__global__ void warp_sum(const double *in, int n, double *out) {
    double sum = 0;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        sum += in[i];
    for (int offset = 16; offset > 0; offset >>= 1)
        sum += __shfl_down_sync(~0u, sum, offset);
    if (lane_id() == 0)
        *out = sum;
}

static cudaError_t launch(const double *in, size_t n, double *out, void *, reductio_shape, cudaStream_t stream) {
    warp_sum<<<1, 32, 0, stream>>>(in, (int)n, out);
    return cudaGetLastError();
}
REDUCTIO_VARIANT(ptx_for_the_gpu, .summary = "one warp");
