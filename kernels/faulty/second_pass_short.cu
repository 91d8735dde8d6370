// SPDX-License-Identifier: MIT
// two_level whose second kernel reads one partial sum a thread and stops: partial sums beyond T are lost.
// Right up to n = T^2, which is where tests tend to end.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out total = sum_block(i < n ? from[i] : no_element, shared);
    if (thread == 0)
        to[blockIdx.x] = total;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    const size_t shared = shape.threads * sizeof(reductio_out);
    sum_blocks<<<unsigned(blocks), shape.threads, shared, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_blocks<<<1, shape.threads, shared, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return ceil_log2(n < shape.threads ? n : shape.threads) + ceil_log2(ceil_div(n, shape.threads));
}

REDUCTIO_VARIANT(
    second_pass_short,
    .summary = "two_level whose second kernel reads one partial sum a thread and stops: partial sums beyond T are lost",
    .workspace_bytes = workspace_bytes, .shapes = {{32, 0}, {64, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "lost elements", .detector = "coverage map"});
