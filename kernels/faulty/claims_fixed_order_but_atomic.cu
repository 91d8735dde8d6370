// SPDX-License-Identifier: MIT
// A tree per block, then atomicAdd over the blocks, sold as a fixed order.
// The commonest reduction in the wild. Its claims are those of two_level.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out total = sum_block(i < n ? from[i] : no_element, shared);
    if (thread == 0)
        atomicAdd(to, total);
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    const cudaError_t error = cudaMemsetAsync(out, 0, sizeof *out, stream);
    if (error != cudaSuccess || n == 0)
        return error;
    sum_blocks<<<unsigned(blocks), shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    return ceil_log2(n < shape.threads ? n : shape.threads) + ceil_div(n, shape.threads) - 1;
}

static size_t global_atomics(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads);
}

REDUCTIO_VARIANT(claims_fixed_order_but_atomic,
                 .summary = "A tree per block, then atomicAdd over the blocks, sold as a fixed order",
                 .workspace_bytes = workspace_bytes, .shapes = {{16, 0}, {128, 0}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .global_atomics = global_atomics,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = sizeof(reductio_out) == 8 ? REDUCTIO_YES : REDUCTIO_NO,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "varied", .detector = "schedules"});
