// SPDX-License-Identifier: MIT
// The ends of the exponent range: overflow that is real, overflow that is only on the way, and gradual underflow.
#include "cases/families.h"

#include <math.h>

bool fill_largest(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    for (uint64_t i = 0; i < n; i++)
        store_value(type, x, i, largest_finite(type));
    return true;
}

// Two of the first half already overflow; the second half takes them all back. The one or two elements left over are 1.
bool fill_early_overflow(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    struct prng prng = prng_seeded(seed);
    uint64_t pairs = (n - 1) / 2;
    for (uint64_t i = 0; i < pairs; i++) {
        double value = largest_finite(type) * (0.625 + 0.375 * prng_unit(&prng, float_format(type)->precision));
        store_value(type, x, i, value);
        store_value(type, x, n - pairs + i, -value);
    }
    for (uint64_t i = pairs; i < n - pairs; i++)
        store_value(type, x, i, 1);
    return true;
}

static int bits_of_count(uint64_t n) {
    return n ? 64 - __builtin_clzll(n) : 1;
}

const char *refuse_full_range(const struct case_values *self, enum float_type type, uint64_t n) {
    return bits_of_count(n) > 2 * float_format(type)->max_exponent - 1
               ? "the type has too few exponents for so many elements"
               : NULL;
}

// Sign, significand and biased exponent at random; exponents stop short of emax by the bits of n, so that no order
// overflows.
bool fill_full_range(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct float_format *format = float_format(type);
    int fraction_bits = format->precision - 1;
    uint64_t exponents = (uint64_t)(2 * format->max_exponent + 1 - bits_of_count(n));
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++) {
        uint64_t draw = prng_next(&prng);
        uint64_t fraction = draw & ((UINT64_C(1) << fraction_bits) - 1);
        uint64_t sign = draw >> 63 ? format->sign_bit : 0;
        float_store(type, x, i, sign | prng_below(&prng, exponents) << fraction_bits | fraction);
    }
    return true;
}

// From the upper half of the subnormals, so that two of them make a normal number.
bool fill_subnormals_up(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    uint64_t half = UINT64_C(1) << (float_format(type)->precision - 2);
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++)
        float_store(type, x, i, half + prng_below(&prng, half));
    return true;
}

// Pairs v, -v of the smallest normals, half an array apart, and a rest of two or three normals that sums to a quarter
// of the smallest normal.
bool fill_normals_down(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    static const double rest_of_2[] = {1.5, -1.25};
    static const double rest_of_3[] = {1.5, 1.0, -2.25};
    double smallest = ldexp(1, float_format(type)->min_exponent);
    uint64_t pairs = (n - 2) / 2;
    uint64_t rest = n - 2 * pairs;
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < pairs; i++) {
        double value = smallest * (1 + prng_unit(&prng, float_format(type)->precision - 1));
        store_value(type, x, i, value);
        store_value(type, x, pairs + rest + i, -value);
    }
    for (uint64_t i = 0; i < rest; i++)
        store_value(type, x, pairs + i, smallest * (rest == 2 ? rest_of_2[i] : rest_of_3[i]));
    return true;
}
