// SPDX-License-Identifier: MIT
// warp_shuffle whose first step names only the half of the warp that keeps the sums, and reads from the other half.
// A lane that the mask does not name gives an undefined value.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __device__ reductio_out sum_half_warp(reductio_out sum, unsigned lane) {
    if (lane < 16) {
        sum += __shfl_down_sync(0x0000ffff, sum, 16);
        for (unsigned offset = 8; offset > 0; offset /= 2)
            sum += __shfl_down_sync(0x0000ffff, sum, offset);
    }
    return sum;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_half_warp(i < n ? from[i] : no_element, threadIdx.x);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(shuffle_mask_too_small,
                 .summary = "warp_shuffle whose first step names only the half of the warp that keeps the sums, and "
                            "reads from the other half",
                 .workspace_bytes = workspace_bytes, .shapes = {{32, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
