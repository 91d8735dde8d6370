// SPDX-License-Identifier: MIT
// A chain of blocks: each waits for the partial sum of the block after it before it adds its own.
// Blocks are not promised to run side by side: where the one waited for cannot start, the wait never ends. It takes at
// most two blocks, since each case that hangs costs its whole time limit.
//
// Types: f32
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __global__ void sum_in_a_chain(const reductio_in *from, size_t n, volatile reductio_out *sums,
                                      volatile unsigned *ready, reductio_out *out) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out total = sum_block(i < n ? from[i] : no_element, shared);
    if (thread != 0)
        return;
    reductio_out sum = total;
    if (blockIdx.x + 1 < gridDim.x) {
        while (ready[blockIdx.x + 1] == 0) {
        }
        sum += sums[blockIdx.x + 1];
    }
    sums[blockIdx.x] = sum;
    __threadfence();
    ready[blockIdx.x] = 1;
    if (blockIdx.x == 0)
        *out = sum;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * (sizeof(reductio_out) + sizeof(unsigned));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    reductio_out *sums = static_cast<reductio_out *>(workspace);
    unsigned *ready = reinterpret_cast<unsigned *>(sums + blocks);
    const cudaError_t error = cudaMemsetAsync(ready, 0, blocks * sizeof *ready, stream);
    if (error != cudaSuccess)
        return error;
    sum_in_a_chain<<<unsigned(blocks), shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, sums,
                                                                                                      ready, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    return ceil_log2(n < shape.threads ? n : shape.threads) + ceil_div(n, shape.threads) - 1;
}

REDUCTIO_VARIANT(
    spins_on_another_block,
    .summary = "A chain of blocks: each waits for the partial sum of the block after it before it adds its own",
    .workspace_bytes = workspace_bytes, .shapes = {{64, 0}}, .max_n = 65, .claims = TREE_CLAIMS,
    .fault = {.finding = "hung", .detector = "limits"});
