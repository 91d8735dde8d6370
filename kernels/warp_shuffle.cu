// SPDX-License-Identifier: MIT
// Tree made of warp shuffles: the second tutorial's, with the second step across warps that its 256-thread kernel
// leaves out.
//
//     each warp    lane i += lane i+16, then i+8, i+4, i+2, i+1           (tree_sequential's tree of 32)
//     each block   lane 0 of each warp leaves its sum in shared memory; the first warp sums these the same way
//
// Block b sums x[bT .. bT+T-1], T = blockDim.x; the partial sums are then summed the same way.
//
// No addition is exact by design; threads past the end hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a multiple of 32 up to 1024; every lane of every warp takes part in each shuffle, with or without an
// element.
//
// Types: f32 f64
#include "kernels/passes.h"

static __device__ reductio_out sum_warp(reductio_out sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    reductio_out sum = sum_warp(i < n ? from[i] : no_element);
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();

    if (warp == 0) {
        sum = sum_warp(lane < blockDim.x / 32 ? warp_sums[lane] : no_element);
        if (lane == 0)
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
    warp_shuffle,
    .summary = "Shuffles within each warp, then across the warps of the block; partial sums in further passes",
    .origin = "second tutorial, with the step across warps", .workspace_bytes = workspace_bytes,
    .shapes = {{256, 0}, {96, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 96,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
