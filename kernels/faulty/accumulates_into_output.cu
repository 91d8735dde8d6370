// SPDX-License-Identifier: MIT
// tree_sequential with += for = where a block leaves its sum: what the caller's memory held before is counted in.
// Right wherever fresh memory happens to be zero.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i < n ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] += sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(accumulates_into_output, .summary = "tree_sequential that adds to what its output held before",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
