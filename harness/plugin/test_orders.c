// SPDX-License-Identifier: MIT
// Plug-ins for the tests of `order`: sums whose trees are known by construction.
#include "reductio_plugin.h"

#include <math.h>

// Four terms and the sum so far are added as matrix hardware does it: all are aligned to the largest, cut after 24 bits
// and added exactly, so that no order among the five can be told.
static float add_at_once(const float *x, int count) {
    float largest = 0;
    double sum = 0;
    int exponent;
    for (int i = 0; i < count; i++)
        largest = fmaxf(largest, fabsf(x[i]));
    frexpf(largest, &exponent);
    for (int i = 0; i < count; i++)
        sum += ldexp(trunc(ldexp(x[i], 24 - exponent)), exponent - 24);
    return (float)sum;
}

static int launch_fives(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                        void *stream) {
    const float *x = in;
    float sum = 0;
    (void)workspace, (void)shape, (void)stream;
    for (size_t i = 0; i < n; i += 4) {
        float terms[5] = {0};
        int count = 0;
        if (i)
            terms[count++] = sum;
        for (size_t k = i; k < n && k < i + 4; k++)
            terms[count++] = x[k];
        sum = add_at_once(terms, count);
    }
    *(float *)out = sum;
    return 0;
}

static int launch_extended(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                           void *stream) {
    const double *x = in;
    long double sum = 0;
    (void)workspace, (void)shape, (void)stream;
    for (size_t i = 0; i < n; i++)
        sum += x[i];
    *(double *)out = (double)sum;
    return 0;
}

// From the first element, or, in another build of this file, from the last.
static int launch_loop(const void *in, size_t n, void *out, void *workspace, struct reductio_shape shape,
                       void *stream) {
    const float *x = in;
    float sum = 0;
    (void)workspace, (void)shape, (void)stream;
    for (size_t i = 0; i < n; i++)
#ifdef BACKWARDS
        sum += x[n - 1 - i];
#else
        sum += x[i];
#endif
    *(float *)out = sum;
    return 0;
}

static const struct reductio_plugin_row rows[] = {{.name = "fives", .type = "f32", .launch = launch_fives},
                                                  {.name = "extended", .type = "f64", .launch = launch_extended},
                                                  {.name = "loop", .type = "f32", .launch = launch_loop}};
REDUCTIO_PLUGIN("known", rows)
