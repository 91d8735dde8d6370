// SPDX-License-Identifier: MIT
// Additions of the loops in plain C, in every type: C17 has no arithmetic in 16 bits.
#ifndef REDUCTIO_KERNELS_HOST_ARITHMETIC_H
#define REDUCTIO_KERNELS_HOST_ARITHMETIC_H

#include "harness/reductio.h"

#ifdef REDUCTIO_16_BITS
#include "reference/float_16.h"

static inline double f16_to_double(__half x) {
    return float_16_to_double(x.bits, FLOAT_16_STORED_F16);
}

static inline double bf16_to_double(__nv_bfloat16 x) {
    return float_16_to_double(x.bits, FLOAT_16_STORED_BF16);
}

static inline double f32_to_double(float x) {
    return x;
}

#define TO_DOUBLE(x) _Generic((x), __half : f16_to_double, __nv_bfloat16 : bf16_to_double, float : f32_to_double)(x)

// Rounded to the result's format once.
static inline reductio_out from_double(double value) {
#ifdef REDUCTIO_OUT_STORED
    return (reductio_out){float_16_from_double(value, REDUCTIO_OUT_STORED)};
#else
    return (reductio_out)value;
#endif
}

// As if rounded once: double has more than 2p + 2 bits of either format (Figueroa 1995, "When is double rounding
// innocuous?").
static inline reductio_out add(reductio_out a, reductio_out b) {
    return from_double(TO_DOUBLE(a) + TO_DOUBLE(b));
}

static inline reductio_out from_element(reductio_in x) {
    return from_double(TO_DOUBLE(x)); // Exact.
}
#else

static inline reductio_out from_double(double value) {
    return (reductio_out)value;
}

static inline reductio_out add(reductio_out a, reductio_out b) {
    return a + b;
}

static inline reductio_out from_element(reductio_in x) {
    return x;
}
#endif

#endif
