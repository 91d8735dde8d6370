// SPDX-License-Identifier: MIT
// warp_shuffle that counts the warps of a block as T/32 rounded down: the sum of the last warp, if it is not full, is
// computed and left where it lies. Right for every block size that a benchmark uses.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

// Lane 0 gets the sum of the warp's `lanes` lanes.
static __device__ reductio_out sum_partial_warp(reductio_out sum, unsigned lanes) {
    const unsigned mask = 0xffffffff >> (32 - lanes), lane = threadIdx.x % 32;
    for (unsigned offset = 16; offset > 0; offset /= 2) {
        const reductio_out other = __shfl_down_sync(mask, sum, offset);
        sum += lane + offset < lanes ? other : no_element;
    }
    return sum;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out warp_sums[32];
    const unsigned warp = threadIdx.x / 32, rest = blockDim.x - warp * 32;
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    reductio_out sum = sum_partial_warp(i < n ? from[i] : no_element, rest < 32 ? rest : 32);
    if (threadIdx.x % 32 == 0)
        warp_sums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        const unsigned warps = blockDim.x / 32;
        sum = sum_partial_warp(threadIdx.x < warps ? warp_sums[threadIdx.x] : no_element, 32);
        if (threadIdx.x == 0)
            to[blockIdx.x] = sum;
    }
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(
    floor_of_warps,
    .summary =
        "Shuffles within each warp, then across T/32 warps, rounded down: the last warp, if not full, is left out",
    .workspace_bytes = workspace_bytes, .shapes = {{48, 0}, {80, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "lost elements", .detector = "coverage map"});
