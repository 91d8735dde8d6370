// SPDX-License-Identifier: MIT
// Kahan's compensated summation on one core.
//
//     y = x - c;  t = s + y;  c = (t - s) - y;  s = t       for each element; the result is s alone
//
// Exact: c, where |s| >= |y|. Bound for s alone: (3u + O(n u^2)) A: 2u of the pair s - c (Knuth, exercise 4.2.2-19;
// Higham, Accuracy and Stability, 2nd ed., section 4.3) and u for the last rounding, which counts: in f32 {-3,
// -16777216, 5.484375, -16777218, -4} err/(u A) is 2.24. Compilers delete c under -ffast-math; this file is compiled
// without.
//
// Textbook Kahan turns {1, Inf, 2} into NaN, since Inf - Inf enters c: the correction is zeroed where s is not finite.
// The sum starts at +0, so a sum of -0 only gives +0.
//
// Backends: host
// Types: f32 f64
#include "harness/reductio.h"

#include <math.h>

static size_t workspace_bytes(size_t n, struct reductio_shape shape) {
    (void)n, (void)shape;
    return 0;
}

static reductio_error launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                             struct reductio_shape shape, reductio_stream stream) {
    (void)workspace, (void)shape, (void)stream;
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = in[i] - correction;
        const reductio_out next = sum + corrected;
        correction = isfinite(next) ? (next - sum) - corrected : 0;
        sum = next;
    }
    *out = sum;
    return 0;
}

static size_t serial_terms(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n;
}

REDUCTIO_VARIANT(host_kahan, .summary = "Kahan in one loop, first to last element; the sum word alone",
                 .origin = "Kahan 1965", .workspace_bytes = workspace_bytes, .shapes = {{1, 0}},
                 .claims = {.accuracy = REDUCTIO_KAHAN,
                            .serial_terms = serial_terms,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
