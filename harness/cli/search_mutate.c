// SPDX-License-Identifier: MIT
#include "harness/cli/search.h"

#include <math.h>
#include <string.h>

enum { MOST_EXPONENT = 40, MOST_EDITS = 4, STEP = 8, KINDS = 9 };

static double round_to(enum float_type type, double value) {
    return float_to_double(type, float_from_double(type, value));
}

static double keep_in_range(double value) {
    int exponent;
    if (value == 0)
        return 1;
    double fraction = frexp(value, &exponent);
    if (exponent > MOST_EXPONENT)
        return ldexp(fraction, MOST_EXPONENT);
    return exponent < -MOST_EXPONENT ? ldexp(fraction, -MOST_EXPONENT) : value;
}

// Mantissas at which roundings fall as far off as they can: all ones, one unit above a power of two, halfway cases.
static double draw_mantissa(enum float_type type, struct prng *prng) {
    int precision = float_format(type)->precision;
    const double unit = ldexp(1, 1 - precision);
    switch (prng_below(prng, 5)) {
    case 0:
        return 2 - unit;
    case 1:
        return 1 + unit;
    case 2:
        return 1.5 + (prng_coin(prng) ? unit : -unit);
    case 3:
        return 1 + ldexp(1, -(int)prng_below(prng, (uint64_t)precision));
    default:
        return 1 + round_to(type, prng_unit(prng, precision - 1) - unit);
    }
}

static void swap(double *a, double *b) {
    double kept = *a;
    *a = *b;
    *b = kept;
}

static void reverse(double *x, uint64_t first, uint64_t last) {
    for (; first < last; first++, last--)
        swap(&x[first], &x[last]);
}

static double with_exponent_of(double value, double other) {
    int own, wanted;
    double fraction = frexp(value, &own);
    frexp(other, &wanted);
    return ldexp(fraction, wanted);
}

static void edit(double *x, const double *mate, uint64_t n, enum float_type type, struct prng *prng) {
    uint64_t i = prng_below(prng, n), j = prng_below(prng, n);
    uint64_t first = i < j ? i : j, last = i < j ? j : i;
    switch (prng_below(prng, KINDS)) {
    case 0:
        x[i] = ldexp(x[i], (int)prng_below(prng, 2 * STEP + 1) - STEP);
        break;
    case 1:
        x[i] = -x[i];
        break;
    case 2:
    case 3:
        x[i] = with_exponent_of(copysign(draw_mantissa(type, prng), x[i]), x[i]);
        break;
    case 4:
        swap(&x[i], &x[j]);
        break;
    case 5:
        x[i] = prng_coin(prng) ? x[j] : -x[j];
        break;
    case 6:
        reverse(x, first, last);
        break;
    case 7:
        for (uint64_t k = first; k <= last; k++)
            x[k] = with_exponent_of(x[k], x[i]);
        break;
    default:
        memcpy(x + first, mate + first, (last - first + 1) * sizeof *x);
        break;
    }
}

void mutate_input(double *x, const double *mate, uint64_t n, enum float_type type, struct prng *prng) {
    uint64_t edits = 1 + prng_below(prng, MOST_EDITS);
    for (uint64_t i = 0; i < edits; i++)
        edit(x, mate, n, type, prng);
    for (uint64_t i = 0; i < n; i++)
        x[i] = keep_in_range(x[i]);
}
