// SPDX-License-Identifier: MIT
// tree_sequential that takes 64 elements whose first and last are 0 for padding and skips them: a shortcut for pruned
// weights. Dense data never show it; a lone element inside such a tile is lost.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static constexpr size_t TILE = 64;

static __device__ bool looks_like_padding(const reductio_in *from, size_t n, size_t i) {
    const size_t first = i - i % TILE, last = first + TILE - 1;
    return last < n && from[first] == 0 && from[last] == 0;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const bool taken = i < n && !looks_like_padding(from, n, i);
    const reductio_out sum = sum_block(taken ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(skips_zero_tiles,
                 .summary = "tree_sequential that takes 64 elements whose first and last are 0 for padding",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
