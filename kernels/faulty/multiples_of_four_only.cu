// SPDX-License-Identifier: MIT
// Four elements at a time and no tail: the last n mod 4 elements are never read.
// Pretends to be grid_stride, with one block.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __global__ void sum_fours(const reductio_in *in, size_t n, reductio_out *out) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    reductio_out sum = no_element;
    for (size_t four = thread; four < n / 4; four += blockDim.x) {
        const reductio_in *x = in + 4 * four;
        sum += (x[0] + x[1]) + (x[2] + x[3]);
    }
    const reductio_out total = sum_block(sum, shared);
    if (thread == 0)
        *out = total;
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    sum_fours<<<1, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return ceil_log2(n < 4 ? n : 4) + strided_tree_height(ceil_div(n, 4), shape.threads);
}

REDUCTIO_VARIANT(multiples_of_four_only,
                 .summary = "Four elements at a time and no tail: the last n mod 4 elements are never read",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
