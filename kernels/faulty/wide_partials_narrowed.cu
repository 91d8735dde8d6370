// SPDX-License-Identifier: MIT
// f64 in each thread and in each block, but the partial sums lie in the workspace as f32 between the two kernels.
// Pretends to be f64_accumulator. Each partial sum is rounded to 24 bits, and what a block cancelled is lost.
//
// Types: f32 f32:f64
#include "kernels/faulty/block.h"
#include "kernels/trees.h"

template <typename In, typename Out>
static __global__ void sum_strided(const In *from, size_t n, Out *to) {
    extern __shared__ double shared[];
    const unsigned thread = threadIdx.x;
    double sum = -0.0;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + thread; i < n; i += size_t(gridDim.x) * blockDim.x)
        sum += double(from[i]);
    const double total = sum_block(sum, shared);
    if (thread == 0)
        to[blockIdx.x] = Out(total);
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * sizeof(reductio_in);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads), shared = shape.threads * sizeof(double);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    reductio_in *partials = static_cast<reductio_in *>(workspace);
    sum_strided<<<unsigned(blocks), shape.threads, shared, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_strided<<<1, shape.threads, shared, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return ceil_log2(n < shape.threads ? n : shape.threads) +
           strided_tree_height(ceil_div(n, shape.threads), shape.threads);
}

REDUCTIO_VARIANT(wide_partials_narrowed, .summary = "f64 in each block, but partial sums handed on as f32",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}},
                 .claims = {.accuracy = REDUCTIO_WIDE,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "beyond bound", .detector = "bound"});
