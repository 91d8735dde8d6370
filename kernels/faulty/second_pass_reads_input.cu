// SPDX-License-Identifier: MIT
// two_level whose second kernel is handed the input again instead of the partial sums: of ones it gives the number of
// blocks. The right kernel and the wrong pointer (Learn-CUDA-Programming#15).
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __global__ void sum_strided(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    reductio_out sum = no_element;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + thread; i < n; i += size_t(gridDim.x) * blockDim.x)
        sum += from[i];
    const reductio_out total = sum_block(sum, shared);
    if (thread == 0)
        to[blockIdx.x] = total;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads), shared = shape.threads * sizeof(reductio_out);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    sum_strided<<<unsigned(blocks), shape.threads, shared, stream>>>(in, n, static_cast<reductio_out *>(workspace));
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_strided<<<1, shape.threads, shared, stream>>>(in, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return ceil_log2(n < shape.threads ? n : shape.threads) +
           strided_tree_height(ceil_div(n, shape.threads), shape.threads);
}

REDUCTIO_VARIANT(second_pass_reads_input,
                 .summary = "two_level whose second kernel is handed the input again instead of the partial sums",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
