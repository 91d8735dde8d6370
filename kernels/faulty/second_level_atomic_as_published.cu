// SPDX-License-Identifier: MIT
// The second tutorial's second level as printed: its blocks add their sums to the result by atomicAdd.
// Pretends to be two_level, whose order is fixed. Beyond T^2 elements the second level has several blocks, whose order
// is nobody's; as published T is 256, here it is small, so that few elements show it.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __device__ reductio_out sum_elements(const reductio_in *from, size_t n, reductio_out *shared) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    return sum_block(i < n ? from[i] : no_element, shared);
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const reductio_out sum = sum_elements(from, n, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static __global__ void add_blocks(const reductio_out *from, size_t n, reductio_out *out) {
    extern __shared__ reductio_out shared[];
    const reductio_out sum = sum_elements(from, n, shared);
    if (threadIdx.x == 0)
        atomicAdd(out, sum);
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads), shared = shape.threads * sizeof(reductio_out);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    cudaError_t error = cudaMemsetAsync(out, 0, sizeof *out, stream);
    if (error != cudaSuccess || n == 0)
        return error;
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    sum_blocks<<<unsigned(blocks), shape.threads, shared, stream>>>(in, n, partials);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    add_blocks<<<unsigned(ceil_div(blocks, shape.threads)), shape.threads, shared, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    const size_t blocks = ceil_div(n, shape.threads);
    return ceil_log2(n < shape.threads ? n : shape.threads) + strided_tree_height(blocks, shape.threads);
}

REDUCTIO_VARIANT(second_level_atomic_as_published,
                 .summary = "The second tutorial's second level as printed: its blocks meet in an atomicAdd",
                 .origin = "second tutorial, as printed", .workspace_bytes = workspace_bytes,
                 .shapes = {{8, 0}, {16, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "varied", .detector = "schedules"});
