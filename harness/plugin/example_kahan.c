// SPDX-License-Identifier: MIT
// Kahan's sum as a plug-in: the same text is right or wrong by the way it is compiled, which is why the binary that
// ships is worth a test of its own.
//
//     cc -O2 -shared -fPIC -o kahan.so example_kahan.c                              every claim holds
//     cc -O2 -ffast-math -DNAME='"fast"' -shared -fPIC -o fast.so example_kahan.c   the correction is gone
//
// Under -ffast-math a compiler may reassociate (t - s) - y to what is 0 in exact arithmetic, so that a plain loop is
// left; and GCC before 13 links start-up code into the library that makes the whole process flush subnormals.
#include "reductio_plugin.h"

#include <math.h>

#ifndef NAME
#define NAME "kahan"
#endif

static float sum_kahan(const float *x, size_t n) {
    float sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        float y = x[i] - correction, t = sum + y;
        correction = isfinite(t) ? (t - sum) - y : 0; // textbook Kahan turns {1, Inf, 2} into NaN
        sum = t;
    }
    return sum;
}

static int launch(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape, void *stream) {
    (void)workspace, (void)shape, (void)stream;
    *(float *)out = sum_kahan(in, n);
    return 0;
}

static size_t serial_terms(size_t n, struct reductio_shape shape) {
    (void)shape;
    return n;
}

static const struct reductio_plugin_row rows[] = {{.name = "kahan",
                                                   .type = "f32",
                                                   .summary = "Kahan in one loop, first to last element",
                                                   .launch = launch,
                                                   .claims = {.accuracy = REDUCTIO_KAHAN,
                                                              .serial_terms = serial_terms,
                                                              .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                                                              .keeps_subnormals = REDUCTIO_YES,
                                                              .may_overflow_early = REDUCTIO_YES,
                                                              .specials = REDUCTIO_YES,
                                                              .all_minus_zero = REDUCTIO_PLUS,
                                                              .empty = REDUCTIO_YES}}};
REDUCTIO_PLUGIN(NAME, rows)
