// SPDX-License-Identifier: MIT
// Tree written with cooperative groups: tiles of 32 threads reduce, then the first tile reduces their sums.
//
//     each tile    cg::reduce: x += shfl_xor(x, 16), 8, 4, 2, 1. Addition commutes, so rank 0 has warp_shuffle's tree
//     each block   rank 0 of each tile leaves its sum in shared memory; tile 0 reduces these
//
// Block b sums x[bT .. bT+T-1], T = blockDim.x; the partial sums are then summed the same way. The butterfly is that of
// CUDA's own header (cooperative_groups/details/coalesced_reduce.h), not a documented promise.
//
// No addition is exact by design; threads past the end hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a multiple of 32 up to 1024.
//
// Types: f32 f64
#include "kernels/passes.h"

#include <cooperative_groups.h>
#include <cooperative_groups/reduce.h>

namespace cg = cooperative_groups;

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out tile_sums[32];
    const cg::thread_block block = cg::this_thread_block();
    const cg::thread_block_tile<32> tile = cg::tiled_partition<32>(block);
    const unsigned thread = block.thread_rank(), tiles = block.size() / 32;
    const size_t i = size_t(blockIdx.x) * block.size() + thread;
    reductio_out sum = i < n ? from[i] : no_element;
    sum = cg::reduce(tile, sum, cg::plus<reductio_out>());
    if (tile.thread_rank() == 0)
        tile_sums[thread / 32] = sum;
    block.sync();

    if (thread < 32) {
        sum = thread < tiles ? tile_sums[thread] : no_element;
        sum = cg::reduce(tile, sum, cg::plus<reductio_out>());
        if (thread == 0)
            to[blockIdx.x] = sum;
    }
}

static size_t per_block(reductio_shape shape) {
    return shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads == 0 || shape.threads % 32 != 0 || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(
    tree_cooperative_groups,
    .summary = "Cooperative groups: tiles of 32 reduce by butterfly, then the tiles of the block; further passes",
    .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {96, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 96,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
