// SPDX-License-Identifier: MIT
// two_level_serial whose blocks leave their partial sums one place too far: the last one lies behind the workspace.
// The sum is right all the same: the second kernel reads where the first one wrote.
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
        to[blockIdx.x + 1] = total;
}

static __global__ void add_partials(const reductio_out *partials, size_t count, reductio_out *out) {
    reductio_out sum = partials[1];
    for (size_t i = 2; i <= count; i++)
        sum += partials[i];
    *out = sum;
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
    sum_blocks<<<unsigned(blocks), shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    add_partials<<<1, 1, 0, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    return ceil_log2(n < shape.threads ? n : shape.threads) + ceil_div(n, shape.threads) - 1;
}

REDUCTIO_VARIANT(writes_past_workspace,
                 .summary = "two_level_serial whose blocks leave their partial sums one place too far: the last one "
                            "lies behind the workspace",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "guard"});
