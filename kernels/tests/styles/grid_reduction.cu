// SPDX-License-Identifier: MIT
// In the style of NVIDIA's sample reductionMultiBlockCG: one cooperative launch, of as many blocks as fit the device.
// Partial sums of blocks go to global memory, and after a barrier of the grid its first thread adds them. With
// -DFORGOTTEN that barrier is missing.
// Types: f64
#include <algorithm>
#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>
#include <cstdio>
#include <cstdlib>
#include <cuda_runtime.h>

namespace cg = cooperative_groups;

#define CHECK(call)                                                                                                    \
    do {                                                                                                               \
        cudaError_t error = (call);                                                                                    \
        if (error != cudaSuccess) {                                                                                    \
            fprintf(stderr, "%s:%d: %s\n", __FILE__, __LINE__, cudaGetErrorString(error));                             \
            exit(1);                                                                                                   \
        }                                                                                                              \
    } while (0)

__device__ void reduceBlock(double *sdata, const cg::thread_block &cta) {
    const unsigned int tid = cta.thread_rank();
    cg::thread_block_tile<32> tile32 = cg::tiled_partition<32>(cta);
    sdata[tid] = cg::reduce(tile32, sdata[tid], cg::plus<double>());
    cg::sync(cta);
    double beta = 0.0;
    if (cta.thread_rank() == 0) {
        for (int i = 0; i < (int)blockDim.x; i += tile32.size())
            beta += sdata[i];
        sdata[0] = beta;
    }
    cg::sync(cta);
}

extern "C" __global__ void reduceSinglePassMultiBlockCG(const double *g_idata, double *g_odata, unsigned int n) {
    cg::thread_block block = cg::this_thread_block();
    cg::grid_group grid = cg::this_grid();
    extern double __shared__ sdata[];
    sdata[block.thread_rank()] = 0;
    for (unsigned long long i = grid.thread_rank(); i < n; i += grid.size())
        sdata[block.thread_rank()] += g_idata[i];
    cg::sync(block);
    reduceBlock(sdata, block);
    if (block.thread_rank() == 0)
        g_odata[blockIdx.x] = sdata[0];
#ifndef FORGOTTEN
    cg::sync(grid);
#endif
    if (grid.thread_rank() == 0) {
        for (unsigned int b = 1; b < gridDim.x; b++)
            g_odata[0] += g_odata[b];
    }
}

static cudaError_t call_reduceSinglePassMultiBlockCG(unsigned int size, int threads, int numBlocks,
                                                     const double *d_idata, double *d_odata, cudaStream_t stream) {
    int smemSize = threads * sizeof(double);
    void *kernelArgs[] = {
        (void *)&d_idata,
        (void *)&d_odata,
        (void *)&size,
    };
    dim3 dimBlock(threads, 1, 1);
    dim3 dimGrid(numBlocks, 1, 1);
    return cudaLaunchCooperativeKernel((void *)reduceSinglePassMultiBlockCG, dimGrid, dimBlock, kernelArgs, smemSize,
                                       stream);
}

static int blocks_of(unsigned int size, int threads) {
    cudaDeviceProp prop = {};
    int device = 0, numBlocksPerSm = 0;
    CHECK(cudaGetDevice(&device));
    CHECK(cudaGetDeviceProperties(&prop, device));
    if (!prop.cooperativeLaunch) {
        printf("\nSelected GPU (%d) does not support Cooperative Kernel Launch, Waiving the run\n", device);
        exit(2);
    }
    CHECK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&numBlocksPerSm, reduceSinglePassMultiBlockCG, threads,
                                                        threads * sizeof(double)));
    int maxBlocks = prop.multiProcessorCount * numBlocksPerSm;
    return std::max(1, std::min(maxBlocks, (int)((size + threads * 2 - 1) / (threads * 2))));
}

int main() {
    const unsigned int size = 1 << 20;
    double *data, *partial;
    CHECK(cudaMallocManaged(&data, size * sizeof *data));
    for (unsigned int i = 0; i < size; i++)
        data[i] = i & 255;
    const int blocks = blocks_of(size, 256);
    CHECK(cudaMallocManaged(&partial, blocks * sizeof *partial));
    CHECK(call_reduceSinglePassMultiBlockCG(size, 256, blocks, data, partial, 0));
    CHECK(cudaDeviceSynchronize());
    printf("GPU result = %.0f\n", *partial);
    cudaFree(data);
    cudaFree(partial);
}

#ifdef REDUCTIO_IN
#include <reductio.h>

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return blocks_of((unsigned int)n, shape.threads) * sizeof(double);
}

static cudaError_t launch(const double *in, size_t n, double *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    double *partial = (double *)workspace;
    cudaError_t error = call_reduceSinglePassMultiBlockCG(
        (unsigned int)n, shape.threads, blocks_of((unsigned int)n, shape.threads), in, partial, stream);
    return error ? error : cudaMemcpyAsync(out, partial, sizeof *out, cudaMemcpyDeviceToDevice, stream);
}
REDUCTIO_VARIANT(grid_reduction, .summary = "one cooperative launch", .workspace_bytes = workspace_bytes,
                 .shapes = {{64}, {256}}, .max_n = 1u << 31,
                 .claims = {.same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT});
#endif
