// SPDX-License-Identifier: MIT
// The everyday families: constants, random numbers, series.
#include "cases/families.h"

#include <math.h>

bool fill_constant(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const double *value = self->data;
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, *value);
    return true;
}

// Multiples of 2^-p, so that each is exact in the type.
bool fill_uniform(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const bool *both_signs = self->data;
    int precision = float_format(type)->precision;
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++) {
        double value = prng_unit(&prng, precision);
        store_value(type, x, i, *both_signs && prng_coin(&prng) ? -value : value);
    }
    return true;
}

// Irwin-Hall: the sum of twelve uniforms less 6 has mean 0 and variance 1. The sum is one of integers, and only its
// conversion to the type rounds: the same on every IEEE machine, which logarithms and square roots would not be.
bool fill_normal(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    enum { UNIFORMS = 12, BITS = 52 };
    const double unit = 1.0 / (double)(INT64_C(1) << BITS); // a power of two: multiplying by it rounds nothing
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++) {
        int64_t units = -(UNIFORMS / 2 * (INT64_C(1) << BITS));
        for (int k = 0; k < UNIFORMS; k++)
            units += (int64_t)(prng_next(&prng) >> (64 - BITS));
        store_value(type, x, i, (double)units * unit);
    }
    return true;
}

bool fill_ramp(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, 0.1 * (double)(i + 1));
    return true;
}

bool fill_harmonic(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const bool *alternating = self->data;
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, (*alternating && i % 2 ? -1.0 : 1.0) / (double)(i + 1));
    return true;
}

// 2^p + 1 is a tie and rounds to even, 2^p: every 1 added to the running sum is lost.
bool fill_stagnation(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    store_value(type, x, 0, ldexp(1, float_format(type)->precision));
    for (uint64_t i = 1; i < n; i++)
        store_value(type, x, i, 1);
    return true;
}

// The i-th magnitude is 2^-t at whole t = 2p·i/n and falls linearly in between: close to geometric, monotone, and made
// of exact powers of two and one division, where pow() would differ between platforms.
bool fill_decay(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const bool *rising = self->data;
    uint64_t binades = 2 * (uint64_t)float_format(type)->precision;
    for (uint64_t i = 0; i < n; i++) {
        double within = (double)(i * binades % n) / (double)n;
        double value = ldexp(1 - within / 2, -(int)(i * binades / n));
        store_value(type, x, *rising ? n - 1 - i : i, value);
    }
    return true;
}
