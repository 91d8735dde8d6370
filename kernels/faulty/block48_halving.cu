// SPDX-License-Identifier: MIT
// tree_sequential with a block of 48 threads: 48, 24, 12, 6, 3, 1 halves an odd number and drops a lane.
// The power of two that the tree needs is not checked.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(
    block48_halving,
    .summary = "tree_sequential with a block of 48 threads: 48, 24, 12, 6, 3, 1 halves an odd number and drops a lane",
    .workspace_bytes = workspace_bytes, .shapes = {{48, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "lost elements", .detector = "coverage map"});
