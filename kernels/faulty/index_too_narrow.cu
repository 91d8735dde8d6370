// SPDX-License-Identifier: MIT
// An index of too few bits: past its range it starts again at the first elements. Pretends to be tree_sequential.
// Published with int, which wraps at 2^31 elements (NVIDIA/cub#129, cupy#9867, pytorch#167086); here it has 8 bits, so
// that 257 elements show it.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

typedef unsigned char narrow_index;

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const narrow_index i = narrow_index(blockIdx.x * blockDim.x + threadIdx.x);
    const reductio_out sum = sum_block(i < n ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(index_too_narrow,
                 .summary = "An index of too few bits: past its range it starts again at the first elements",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
