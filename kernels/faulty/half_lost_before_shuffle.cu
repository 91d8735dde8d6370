// SPDX-License-Identifier: MIT
// tree_sequential whose last steps are one warp's shuffles, entered while 64 partial sums are still alive: the upper 32
// never meet the lower ones. Published with `stride > 32` as the loop's end and no addition before the shuffles
// (AIInfraGuide#23).
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread < 32) {
        const reductio_out sum = sum_warp(shared[thread]);
        if (thread == 0)
            to[blockIdx.x] = sum;
    }
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(half_lost_before_shuffle,
                 .summary = "A tree that stops with 64 partial sums alive, then the shuffles of one warp of 32 lanes",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
