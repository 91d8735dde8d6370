// SPDX-License-Identifier: MIT
// The second tutorial's shuffle loop in its 256-thread kernel, as printed: each warp is summed, but only the first is
// stored. Pretends to be warp_shuffle. Of each block of 256 threads 7/8 of the elements are lost.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_warp(i < n ? from[i] : no_element);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(shuffle_within_warp_only,
                 .summary = "The second tutorial's shuffle loop in its 256-thread kernel, as printed: each warp is "
                            "summed, but only the first is stored",
                 .origin = "second tutorial, as printed", .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
