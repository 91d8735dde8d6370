// SPDX-License-Identifier: MIT
// A plug-in in plain C with two sums of f32 numbers:
//
//     cc -O2 -shared -fPIC -o sums.so example_sums.c
//     reductio check --plugin ./sums.so
#include "reductio_plugin.h"

// Both halves, each summed likewise.
static float sum_halves(const float *x, size_t n) {
    return n == 1 ? x[0] : sum_halves(x, n / 2) + sum_halves(x + n / 2, n - n / 2);
}

static int launch_halving(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                          void *stream) {
    (void)workspace, (void)shape, (void)stream;
    *(float *)out = n ? sum_halves(in, n) : 0;
    return 0;
}

// The upper half is never the smaller one: ceil(log2(n)).
static size_t height_of_halving(size_t n, struct reductio_shape shape) {
    size_t levels = 0;
    (void)shape;
    for (; n > 1; n -= n / 2)
        levels++;
    return levels;
}

static int launch_wide(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                       void *stream) {
    const float *x = in;
    double sum = 0;
    (void)workspace, (void)shape, (void)stream;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    *(float *)out = (float)sum;
    return 0;
}

static size_t height_of_wide(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n ? n - 1 : 0;
}

static const struct reductio_plugin_row rows[] = {
    {.name = "halving",
     .type = "f32",
     .summary = "Halves, each summed likewise, down to one element",
     .launch = launch_halving,
     .claims = {.accuracy = REDUCTIO_HEIGHT,
                .height = height_of_halving,
                .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                .keeps_subnormals = REDUCTIO_YES,
                .may_overflow_early = REDUCTIO_YES,
                .specials = REDUCTIO_YES,
                .all_minus_zero = REDUCTIO_MINUS,
                .empty = REDUCTIO_YES}},
    {.name = "wide",
     .type = "f32",
     .summary = "One loop in f64, first to last element, rounded once to f32",
     .launch = launch_wide,
     .claims = {.accuracy = REDUCTIO_WIDE,
                .height = height_of_wide,
                .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                .keeps_subnormals = REDUCTIO_YES,
                .may_overflow_early = REDUCTIO_NO,
                .specials = REDUCTIO_YES,
                .all_minus_zero = REDUCTIO_PLUS,
                .empty = REDUCTIO_YES}},
};
REDUCTIO_PLUGIN("sums", rows)
