// SPDX-License-Identifier: MIT
// warp_shuffle whose lanes without an element skip the shuffle that the mask says they take part in.
// The mask must name the lanes that are there: on Volta and later the others are waited for, or give garbage.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n) {
        reductio_out sum = from[i];
        for (unsigned offset = 16; offset > 0; offset /= 2) {
            const reductio_out other = __shfl_down_sync(0xffffffff, sum, offset);
            sum += i + offset < n ? other : no_element;
        }
        if (threadIdx.x == 0)
            to[blockIdx.x] = sum;
    }
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(
    shuffle_mask_too_large,
    .summary = "warp_shuffle whose lanes without an element skip the shuffle that the mask says they take part in",
    .workspace_bytes = workspace_bytes, .shapes = {{32, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "misused", .detector = "misuse"});
