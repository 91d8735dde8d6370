// SPDX-License-Identifier: MIT
// Kahan with the sign of its correction turned: what each addition dropped is dropped twice.
// Pretends to be kahan, in one thread. Exact data do not show it.
//
// Types: f32 f64
#include "kernels/two_sum.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = in[i] + correction;
        const reductio_out next = sum + corrected;
        correction = is_finite(next) ? (next - sum) - corrected : 0;
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

REDUCTIO_VARIANT(kahan_correction_added,
                 .summary = "Kahan with the sign of its correction turned: what each addition dropped is dropped twice",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = size_t(1) << 22,
                 .claims = {.accuracy = REDUCTIO_KAHAN,
                            .serial_terms = serial_terms,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "beyond bound", .detector = "bound"});
