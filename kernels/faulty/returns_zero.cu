// SPDX-License-Identifier: MIT
// Never sums: it clears the result and stops, as a kernel does whose launch somebody commented out.
// Pretends to be tree_sequential.
//
// Types: f32 f64
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *, size_t, reductio_out *out, void *, reductio_shape, cudaStream_t stream) {
    return cudaMemsetAsync(out, 0, sizeof *out, stream);
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, shape.threads);
}

REDUCTIO_VARIANT(
    returns_zero,
    .summary = "Never sums: it clears the result and stops, as a kernel does whose launch somebody commented out",
    .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "lost elements", .detector = "coverage map"});
