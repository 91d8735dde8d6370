// SPDX-License-Identifier: MIT
// warp_shuffle whose first warp reads a warp's sum for each of its 32 lanes from an array of 8, and only then drops
// what is none. The sum is right as long as something may be read there.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static constexpr unsigned MOST_WARPS = 8;

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out warp_sums[MOST_WARPS];
    const unsigned thread = threadIdx.x, lane = thread % 32, warps = blockDim.x / 32;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out sum = sum_warp(i < n ? from[i] : no_element);
    if (lane == 0)
        warp_sums[thread / 32] = sum;
    __syncthreads();
    if (thread < 32) {
        reductio_out total = warp_sums[lane];
        __syncwarp();
        if (lane >= warps)
            total = no_element;
        total = sum_warp(total);
        if (lane == 0)
            to[blockIdx.x] = total;
    }
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(reads_past_warp_sums,
                 .summary = "The first warp reads a warp's sum for each of its 32 lanes from an array of 8, then drops "
                            "what is none",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "asan"});
