// SPDX-License-Identifier: MIT
// Inputs that aim at one step of an algorithm: a compensation, a rounding boundary, the overflow threshold.
#include "cases/families.h"

#include <math.h>

// Period 1, big, 1, -big; the places left over at the end are ones. The sum is the number of ones. big is 2^(2p+5).
bool fill_kahan_trap(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    double big = ldexp(1, 2 * float_format(type)->precision + 5);
    uint64_t whole = n / 4 * 4;
    for (uint64_t i = 0; i < n; i++) {
        bool is_big = i < whole && i % 2 == 1;
        store_value(type, x, i, !is_big ? 1 : i % 4 == 1 ? big : -big);
    }
    return true;
}

// Each addend is above twice the one before it, so above the sum of all before it, for 32 steps; then again from the
// start.
bool fill_growing(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    struct prng prng = prng_seeded(seed);
    for (uint64_t i = 0; i < n; i++) {
        double mantissa = (1 + prng_unit(&prng, float_format(type)->precision - 1)) / 2;
        store_value(type, x, i, ldexp(mantissa, 2 * (int)(i % 32)));
    }
    return true;
}

// base + half, where half = 2^(e-p) is half of the last place of base and comes in 2^k equal crumbs as far as n allows,
// then zeros, and last a crumb of 2^-2p·half, positive or negative, where the sum is to miss the midpoint.
bool fill_boundary(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct boundary_family *family = self->data;
    const struct float_format *format = float_format(type);
    double half = ldexp(1, (family->at_overflow ? format->max_exponent : 0) - format->precision);
    uint64_t crumbs = 1;
    while (crumbs * 2 <= n - 2)
        crumbs *= 2;
    store_value(type, x, 0, family->at_overflow ? largest_finite(type) : 1);
    for (uint64_t i = 1; i <= crumbs; i++)
        store_value(type, x, i, half / (double)crumbs);
    store_zeros(type, x, crumbs + 1, n);
    if (family->beyond)
        store_value(type, x, n - 1, family->beyond * ldexp(half, -2 * format->precision));
    return true;
}
