// SPDX-License-Identifier: MIT
// Pairwise summation on one core: runs of 32 elements, which a loop adds, and a tree over the runs.
//
//     sum(x, n) = sum(x, left) + sum(x + left, n - left)     n > 32, left = the largest 32 * 2^k below n
//               = ((x_0 + x_1) + x_2) + ... + x_(n-1)        n <= 32
//
// The order of numpy's sum in outline (its runs are longer and eight-fold). Exact: nothing by design.
// Bound: min(gamma_h, (n-1) u) A, h = 31 + ceil(log2(ceil(n/32))) for n > 32; Higham, Accuracy and Stability of
// Numerical Algorithms, 2nd ed., section 4.2.
//
// Backends: host
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/host_arithmetic.h"

enum { RUN = 32 };

static size_t workspace_bytes(size_t n, struct reductio_shape shape) {
    (void)n, (void)shape;
    return 0;
}

// n is at least 1.
static reductio_out sum_pairwise(const reductio_in *in, size_t n) {
    if (n > RUN) {
        size_t left = RUN;
        while (left < n - left)
            left *= 2;
        return add(sum_pairwise(in, left), sum_pairwise(in + left, n - left));
    }
    reductio_out sum = from_element(in[0]);
    for (size_t i = 1; i < n; i++)
        sum = add(sum, from_element(in[i]));
    return sum;
}

static reductio_error launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                             struct reductio_shape shape, reductio_stream stream) {
    (void)workspace, (void)shape, (void)stream;
    *out = n == 0 ? from_double(0) : sum_pairwise(in, n);
    return 0;
}

// The left part is whole runs in a perfect tree, and never less high than the right one.
static size_t height(size_t n, struct reductio_shape shape) {
    (void)shape;
    if (n <= RUN)
        return n == 0 ? 0 : n - 1;
    size_t levels = 1;
    for (size_t left = RUN; left < n - left; left *= 2)
        levels++;
    return levels + RUN - 1;
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
