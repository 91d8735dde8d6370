// SPDX-License-Identifier: MIT
// warp_shuffle whose lanes without an element skip the shuffle that the mask says they take part in.
// The mask must name the lanes that are there: on Volta and later the others are waited for, or give garbage.
//
// Types: f32 f64
#include "kernels/passes.h"

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

static size_t per_block(reductio_shape shape) {
    return shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads != 32 || ceil_div(n, per_block(shape)) > max_grid)
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
    shuffle_mask_too_large,
    .summary = "warp_shuffle whose lanes without an element skip the shuffle that the mask says they take part in",
    .workspace_bytes = workspace_bytes, .shapes = {{32, 0}},
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES},
    .fault = {.finding = "misused", .detector = "misuse"});
