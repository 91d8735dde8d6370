// SPDX-License-Identifier: MIT
// In the style of the reduction samples of CUDA toolkits: everything is a template parameter, dynamic shared memory
// comes from a class, and a switch on the host picks the instantiation. Grid-stride pairs, a tree in shared memory, the
// last warp by shuffles; partial sums are reduced by a second call.
#include <cooperative_groups.h>
#include <reductio.h>

namespace cg = cooperative_groups;

// A dynamic shared array cannot have two types under one name, hence the specialisation.
template <class T>
struct SharedMemory {
    __device__ inline operator T *() {
        extern __shared__ int __smem[];
        return (T *)__smem;
    }
    __device__ inline operator const T *() const {
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
    __device__ inline operator const double *() const {
        extern __shared__ double __smem_d[];
        return (double *)__smem_d;
    }
};

template <class T, unsigned int blockSize, bool nIsPow2>
__global__ void reduceStrided(const T *__restrict__ g_idata, T *__restrict__ g_odata, size_t n) {
    cg::thread_block cta = cg::this_thread_block();
    T *sdata = SharedMemory<T>();
    unsigned int tid = threadIdx.x;
    size_t i = (size_t)blockIdx.x * blockSize * 2 + threadIdx.x, gridSize = (size_t)blockSize * 2 * gridDim.x;
    T mySum = 0;
    while (i < n) {
        mySum += g_idata[i];
        if (nIsPow2 || i + blockSize < n)
            mySum += g_idata[i + blockSize];
        i += gridSize;
    }
    sdata[tid] = mySum;
    cg::sync(cta);
    if ((blockSize >= 512) && (tid < 256))
        sdata[tid] = mySum = mySum + sdata[tid + 256];
    cg::sync(cta);
    if ((blockSize >= 256) && (tid < 128))
        sdata[tid] = mySum = mySum + sdata[tid + 128];
    cg::sync(cta);
    if ((blockSize >= 128) && (tid < 64))
        sdata[tid] = mySum = mySum + sdata[tid + 64];
    cg::sync(cta);
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    if (cta.thread_rank() < 32) {
        if (blockSize >= 64)
            mySum += sdata[tid + 32];
        for (int offset = tile32.size() / 2; offset > 0; offset /= 2)
            mySum += tile32.shfl_down(mySum, offset);
    }
    if (cta.thread_rank() == 0)
        g_odata[blockIdx.x] = mySum;
}

template <class T, bool nIsPow2>
static void pick(size_t n, int threads, int blocks, const T *d_idata, T *d_odata, cudaStream_t stream) {
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(blocks, 1, 1);
    int smemSize = (threads <= 32) ? 2 * threads * sizeof(T) : threads * sizeof(T);
    switch (threads) {
    case 512:
        reduceStrided<T, 512, nIsPow2><<<dimGrid, dimBlock, smemSize, stream>>>(d_idata, d_odata, n);
        break;
    case 256:
        reduceStrided<T, 256, nIsPow2><<<dimGrid, dimBlock, smemSize, stream>>>(d_idata, d_odata, n);
        break;
    case 64:
        reduceStrided<T, 64, nIsPow2><<<dimGrid, dimBlock, smemSize, stream>>>(d_idata, d_odata, n);
        break;
    }
}

static bool isPow2(size_t x) {
    return (x & (x - 1)) == 0;
}

// ---- for Reductio ----

enum { BLOCKS = 16 };

static void reduce(const reductio_in *in, size_t n, reductio_out *out, int threads, int blocks, cudaStream_t stream) {
    // "a power of two" must also mean "no less than what the grid reads at once"
    if (isPow2(n) && n >= (size_t)threads * 2)
        pick<reductio_in, true>(n, threads, blocks, in, out, stream);
    else
        pick<reductio_in, false>(n, threads, blocks, in, out, stream);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    reduce(in, n, (reductio_out *)workspace, shape.threads, BLOCKS, stream);
    reduce((reductio_out *)workspace, BLOCKS, out, shape.threads, 1, stream);
    return cudaGetLastError();
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return BLOCKS * sizeof(reductio_out);
}

REDUCTIO_VARIANT(sdk_template, .summary = "Templates on type, block size and power of two",
                 .workspace_bytes = workspace_bytes, .shapes = {{256}, {64}, {512}},
                 .claims = {.same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                            .keeps_subnormals = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
