// SPDX-License-Identifier: MIT
// Pairwise summation on one core: halves, quarters, ... down to runs of 32 elements, which a loop adds.
//
//     sum(x, n) = sum(x, floor(n/2)) + sum(x + floor(n/2), ceil(n/2))     n > 32
//               = ((x_0 + x_1) + x_2) + ... + x_(n-1)                     n <= 32
//
// The order of numpy's sum in outline (its runs are longer and eight-fold). Exact: nothing by design.
// Bound: min(gamma_h, (n-1) u) A, h = about log2(n/32) + 31; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
//
// Backends: host
// Types: f32 f64
#include "harness/reductio.h"

enum { RUN = 32 };

static size_t workspace_bytes(size_t n, struct reductio_shape shape) {
    (void)n, (void)shape;
    return 0;
}

// n is at least 1.
static reductio_out sum_pairwise(const reductio_in *in, size_t n) {
    if (n > RUN)
        return sum_pairwise(in, n / 2) + sum_pairwise(in + n / 2, n - n / 2);
    reductio_out sum = in[0];
    for (size_t i = 1; i < n; i++)
        sum += in[i];
    return sum;
}

static reductio_error launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                             struct reductio_shape shape, reductio_stream stream) {
    (void)workspace, (void)shape, (void)stream;
    *out = n == 0 ? 0 : sum_pairwise(in, n);
    return 0;
}

// The larger half lies on the longest path: a longer range never has a shorter one.
static size_t height(size_t n, struct reductio_shape shape) {
    if (n == 0)
        return 0;
    return n > RUN ? 1 + height(n - n / 2, shape) : n - 1;
}

REDUCTIO_VARIANT(host_pairwise, .summary = "Recursive halving down to runs of 32 elements",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
