// SPDX-License-Identifier: MIT
// Textbook Kahan, in one thread: {1, Inf, 2} gives NaN, because Inf - Inf enters the correction.
// Pretends to be kahan, which zeroes the correction where the sum is not finite.
//
// Types: f32 f64
#include "kernels/trees.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = in[i] - correction;
        const reductio_out next = sum + corrected;
        correction = (next - sum) - corrected;
        sum = next;
    }
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

static size_t serial_terms(size_t n, reductio_shape) {
    return n;
}

REDUCTIO_VARIANT(
    infinity_turned_nan,
    .summary = "Textbook Kahan, in one thread: {1, Inf, 2} gives NaN, because Inf - Inf enters the correction",
    .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = size_t(1) << 22,
    .claims = {.accuracy = REDUCTIO_KAHAN,
               .serial_terms = serial_terms,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_PLUS,
               .empty = REDUCTIO_YES},
    .fault = {.finding = "wrong class", .detector = "specials"});
