// SPDX-License-Identifier: MIT
// The plain loop: what a sum on the GPU is usually compared with, and no truth either.
//
//     out = ((0 + x_0) + x_1) + ... + x_(n-1)
//
// Exact: 0 + x_0. Bound: (n-1) u A for every n (Rump 2012; Jeannerod and Rump, "Improved error bounds for inner
// products", SIAM J. Matrix Anal. Appl. 34 (2013)), gamma_(n-1) A with Higham. From 2^24 ones in f32, 2^11 in f16 and
// 2^8 in bf16 on it stands still. The sum is kept in the result's type. A sum of -0 only gives +0.
//
// Backends: host
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/host_arithmetic.h"

static size_t workspace_bytes(size_t n, struct reductio_shape shape) {
    (void)n, (void)shape;
    return 0;
}

static reductio_error launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                             struct reductio_shape shape, reductio_stream stream) {
    (void)workspace, (void)shape, (void)stream;
    reductio_out sum = from_double(0);
    for (size_t i = 0; i < n; i++)
        sum = add(sum, from_element(in[i]));
    *out = sum;
    return 0;
}

static size_t height(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n == 0 ? 0 : n - 1;
}

REDUCTIO_VARIANT(host_sequential, .summary = "One loop, first to last element", .workspace_bytes = workspace_bytes,
                 .shapes = {{1, 0}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
