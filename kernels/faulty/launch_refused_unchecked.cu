// SPDX-License-Identifier: MIT
// tree_sequential launched with more threads than a block can have, and nobody looks at the error.
// The kernel never runs; what the result held before looks like a sum.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out total = sum_block(i < n ? from[i] : no_element, shared);
    if (thread == 0)
        to[blockIdx.x] = total;
}

static size_t per_block(reductio_shape shape) {
    return shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads != 2048 || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0; pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, 2048 * sizeof(reductio_out), stream>>>(pass.from, pass.n, pass.to);
        static_cast<void>(cudaGetLastError());
    }
    return cudaSuccess;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(
    launch_refused_unchecked,
    .summary = "tree_sequential launched with more threads than a block can have, and nobody looks at the error",
    .workspace_bytes = workspace_bytes, .shapes = {{2048, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "did not run", .detector = "poison"});
