// SPDX-License-Identifier: MIT
// tree_sequential with `<=` for `<` in its bounds test: the thread after the last element reads one past the array.
// Unnoticed where the memory behind is mapped and holds zero.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i <= n ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(reads_one_past_end,
                 .summary = "tree_sequential with `<=` for `<` in its bounds test: the thread after the last element "
                            "reads one past the array",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "guard"});
