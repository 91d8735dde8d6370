// SPDX-License-Identifier: MIT
// A tree per block, then atomicAdd to a result that nobody cleared: it accumulates into what the caller's memory held.
// Pretends to be tree_sequential. Right the first time if fresh memory happens to be zero.
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
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    sum_blocks<<<unsigned(blocks), shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, shape.threads);
}

REDUCTIO_VARIANT(output_not_reset,
                 .summary = "A tree per block, then atomicAdd to a result that nobody cleared: it accumulates into "
                            "what the caller's memory held",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
