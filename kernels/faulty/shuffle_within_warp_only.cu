// SPDX-License-Identifier: MIT
// The second tutorial's shuffle loop in its 256-thread kernel, as printed: each warp is summed, but only the first is
// stored. Pretends to be warp_shuffle. Of each block of 256 threads 7/8 of the elements are lost.
//
// Types: f32 f64
#include "kernels/passes.h"

static __device__ reductio_out sum_warp(reductio_out sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_warp(i < n ? from[i] : no_element);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
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

REDUCTIO_VARIANT(shuffle_within_warp_only,
                 .summary = "The second tutorial's shuffle loop in its 256-thread kernel, as printed: each warp is "
                            "summed, but only the first is stored",
                 .origin = "second tutorial, as printed", .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}, {128, 0}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
