// SPDX-License-Identifier: MIT
// Doubles alone: dynamic shared memory through a templated struct, a kernel in a namespace, launched by a class that
// owns the stream and throws, and an atomicAdd at the end.
#include <cuda_runtime.h>
#include <device_launch_parameters.h>
#include <stdexcept>
#include <string>
#include <vector>

namespace detail {
template <typename T>
struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
};
template <>
struct SharedMemory<double> {
    __device__ inline operator double *() {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

template <unsigned int blockSize>
__global__ void reduceDouble(const double *g_idata, double *g_odata, unsigned int n) {
    double *sdata = SharedMemory<double>();
    unsigned int tid = threadIdx.x;
    unsigned int i = blockIdx.x * blockSize * 2 + threadIdx.x;
    unsigned int gridSize = blockSize * 2 * gridDim.x;
    double mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    __syncthreads();
    if (blockSize >= 512) {
        if (tid < 256)
            sdata[tid] = mySum = mySum + sdata[tid + 256];
        __syncthreads();
    }
    if (blockSize >= 256) {
        if (tid < 128)
            sdata[tid] = mySum = mySum + sdata[tid + 128];
        __syncthreads();
    }
    if (blockSize >= 128) {
        if (tid < 64)
            sdata[tid] = mySum = mySum + sdata[tid + 64];
        __syncthreads();
    }
    if (tid < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = warpSize / 2; offset > 0; offset /= 2)
            mySum += __shfl_down_sync(0xffffffffu, mySum, offset);
    }
    if (tid == 0)
        atomicAdd(g_odata, mySum);
}
} // namespace detail

class GpuReducer {
  public:
    static const int kBlock = 256;
    explicit GpuReducer(cudaStream_t stream = 0) : m_stream(stream) {}
    ~GpuReducer() = default;
    void sum(const double *d_in, size_t n, double *d_out) {
        dim3 block(kBlock, 1, 1);
        dim3 grid((unsigned)std::max<size_t>(1, std::min<size_t>((n + kBlock * 2 - 1) / (kBlock * 2), 64)));
        size_t smem = block.x * sizeof(double);
        cudaMemsetAsync(d_out, 0, sizeof(double), m_stream);
        detail::reduceDouble<kBlock><<<grid, block, smem, m_stream>>>(d_in, d_out, static_cast<unsigned>(n));
        check(cudaGetLastError());
    }

  private:
    void check(cudaError_t e) {
        if (e != cudaSuccess)
            throw std::runtime_error(std::string("reduce: ") + cudaGetErrorString(e));
    }
    cudaStream_t m_stream;
};

#include <reductio.h>

static cudaError_t launch(const double *in, size_t n, double *out, void *, reductio_shape, cudaStream_t stream) {
    GpuReducer(stream).sum(in, n, out);
    return cudaGetLastError();
}
REDUCTIO_VARIANT(in_a_class, .summary = "grid strides, shared memory, a warp, an atomic a block");
