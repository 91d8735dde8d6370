// SPDX-License-Identifier: MIT
// warp_shuffle with blocks of five warps, whose sums are halved: 5, 2, 1 leaves out the fifth.
// Published with a butterfly over 48 threads or five warps (tilelang#2542, LeetCUDA#357); the number of warps must be a
// power of two, and nothing checks it.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out warp_sums[32];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out sum = sum_warp(i < n ? from[i] : no_element);
    if (thread % 32 == 0)
        warp_sums[thread / 32] = sum;
    __syncthreads();

    for (unsigned half = blockDim.x / 32 / 2; half > 0; half /= 2) {
        if (thread < half)
            warp_sums[thread] += warp_sums[thread + half];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = warp_sums[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(five_warps_halved,
                 .summary = "Shuffles within each of five warps, then a tree of warps that halves five",
                 .workspace_bytes = workspace_bytes, .shapes = {{160, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
