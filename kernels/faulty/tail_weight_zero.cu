// SPDX-License-Identifier: MIT
// tree_sequential whose threads past the end read the last element with weight 0, as branch-free code does.
// 0 * x is 0 for every finite x; where the last element is infinite each of them adds NaN.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(from[i < n ? i : n - 1] * reductio_out(i < n), shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(tail_weight_zero,
                 .summary = "tree_sequential whose threads past the end read the last element with weight 0",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "specials"});
