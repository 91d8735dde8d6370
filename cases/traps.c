// SPDX-License-Identifier: MIT
// Inputs that aim at one step of an algorithm: a compensation, a rounding boundary, the overflow threshold.
#include "cases/families.h"

#include <math.h>

// Period 1, big, 1, -big; the places left over at the end are ones. The sum is the number of ones. big is 2^(2p+5),
// or half of the largest power of two where that is less: anything from 2^(p+1) on swallows a 1 and its correction.
bool fill_kahan_trap(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct float_format *format = float_format(type);
    int wished = 2 * format->precision + 5, most = format->max_exponent - 1;
    double big = ldexp(1, wished < most ? wished : most);
    uint64_t whole = n / 4 * 4;
    for (uint64_t i = 0; i < n; i++) {
        bool is_big = i < whole && i % 2 == 1;
        store_value(type, x, i, !is_big ? 1 : i % 4 == 1 ? big : -big);
    }
    return true;
}

// 32 steps from 2^0 on, or as many as fit between the least normal number and what n terms may reach.
static int growing_steps(enum float_type type, uint64_t n, int *lowest) {
    enum { STEPS = 32 };
    int top = top_exponent(type, n);
    *lowest = top < 2 * STEPS ? float_format(type)->min_exponent + 1 : 0;
    return top < 2 * STEPS ? (top - *lowest) / 2 : STEPS;
}

const char *refuse_growing(const struct case_values *self, enum float_type type, uint64_t n) {
    int lowest;
    return growing_steps(type, n, &lowest) < 2 ? "the type has too few exponents for so many elements" : NULL;
}

// Each addend is above twice the one before it, so above the sum of all before it, for some steps; then again from the
// start.
bool fill_growing(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    struct prng prng = prng_seeded(seed);
    int lowest, steps = growing_steps(type, n, &lowest);
    for (uint64_t i = 0; i < n; i++) {
        double mantissa = (1 + prng_unit(&prng, float_format(type)->precision - 1)) / 2;
        store_value(type, x, i, ldexp(mantissa, lowest + 2 * (int)(i % (uint64_t)steps)));
    }
    return true;
}

// base + half, where half = 2^(e-p) is half of the last place of base and comes in 2^k equal crumbs as far as n and the
// least number allow, then zeros, and last a crumb of 2^-2p·half (or the least number), positive or negative, where the
// sum is to miss the midpoint.
bool fill_boundary(const struct case_values *self, enum float_type type, void *x, uint64_t n, uint64_t seed) {
    const struct boundary_family *family = self->data;
    const struct float_format *format = float_format(type);
    double half = ldexp(1, (family->at_overflow ? format->max_exponent : 0) - format->precision);
    uint64_t crumbs = 1;
    while (crumbs * 2 <= n - 2 && half / (double)(crumbs * 2) >= smallest_subnormal(type))
        crumbs *= 2;
    store_value(type, x, 0, family->at_overflow ? largest_finite(type) : 1);
    for (uint64_t i = 1; i <= crumbs; i++)
        store_value(type, x, i, half / (double)crumbs);
    store_zeros(type, x, crumbs + 1, n);
    if (family->beyond)
        store_value(type, x, n - 1,
                    family->beyond * fmax(ldexp(half, -2 * format->precision), smallest_subnormal(type)));
    return true;
}
