// SPDX-License-Identifier: MIT
// Two block sums in a row through one shared buffer, with no barrier between reading the first and storing for the
// second. A fast thread overwrites the first sum before a slow one has read it. Pretends to be tree_two_loads.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + threadIdx.x;
    const reductio_out left = sum_block(i < n ? from[i] : no_element, shared);
    const reductio_out right = sum_block(i + blockDim.x < n ? from[i + blockDim.x] : no_element, shared);
    if (threadIdx.x == blockDim.x - 1)
        to[blockIdx.x] = left + right;
}

static size_t per_block(reductio_shape shape) {
    return size_t(2) * shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads) || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                                 pass.to);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(shared_reused_without_barrier,
                 .summary = "Two block sums in a row through one shared buffer, with no barrier between reading the "
                            "first and storing for the second",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
