// SPDX-License-Identifier: MIT
// tree_sequential, sold as independent of the order of its elements, after tests with whole numbers, which add exactly
// in every order (cccl#9995).
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i < n ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(claims_order_invariance,
                 .summary = "tree_sequential, sold as independent of the order of its elements",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}},
                 .claims = TREE_CLAIMS_WITH(TREE_SAME_BITS | REDUCTIO_ORDER),
                 .fault = {.finding = "varied", .detector = "permutations"});
