// SPDX-License-Identifier: MIT
// tree_sequential padded with +0, which is not the identity of addition: -0 + +0 is +0, so a sum of -0 only loses its
// sign (numpy#21218, julia#18341). Claims to keep it, as tree_sequential does.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i < n ? from[i] : 0, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(padded_with_plus_zero, .summary = "tree_sequential padded with +0 where only -0 changes nothing",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "specials"});
