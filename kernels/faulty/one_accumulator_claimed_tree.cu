// SPDX-License-Identifier: MIT
// One accumulator for all elements, sold with the bound of a balanced tree. At 2^24 an f32 accumulator of ones stands
// still (numpy#8869, tensorflow#3775); at small n it takes one large element in front to see it.
//
// Types: f32 f64
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = n == 0 ? 0 : in[0];
    for (size_t i = 1; i < n; i++)
        sum += in[i];
    *out = sum;
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape) {
    return ceil_log2(n);
}

REDUCTIO_VARIANT(one_accumulator_claimed_tree,
                 .summary = "One accumulator for all elements, sold with the bound of a balanced tree",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = size_t(1) << 22,
                 .claims = TREE_CLAIMS, .fault = {.finding = "beyond bound", .detector = "bound"});
