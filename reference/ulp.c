// SPDX-License-Identifier: MIT
#include "reference/ulp.h"

#include "reference/mpfr_exact.h"
#include "reference/rounding.h"

#include <math.h>

static uint64_t magnitude(enum float_type type, uint64_t bits) {
    return bits & (float_format(type)->sign_bit - 1);
}

// Exponent of ulp(y); of the largest finite number for an infinity.
static int ulp_exponent(enum float_type type, uint64_t bits) {
    const struct float_format *format = float_format(type);
    uint64_t finite = magnitude(type, bits) < format->infinity ? magnitude(type, bits) : format->max_finite;
    int field = (int)(finite >> (format->precision - 1));
    return (field == 0 ? 1 : field) - 1 + format->min_exponent - format->precision + 1;
}

double ulp_of(enum float_type type, uint64_t bits) {
    return float_is_nan(type, bits) ? NAN : ldexp(1, ulp_exponent(type, bits));
}

// Both finite. The difference is exact; only its conversion to double rounds.
static double finite_ulp_error(const struct exact_sum *exact, enum float_type out, uint64_t result, uint64_t rounded) {
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t value, difference;
    mpfr_init2(value, 53);
    set_float(value, out, result);
    mpfr_prec_t precision = 2200 + mpfr_get_prec(exact->sum); // spans 2^-1074 .. 2^1064 and the sum's own bits
    mpfr_init2(difference, precision);
    require_exact(mpfr_sub(difference, value, exact->sum, MPFR_RNDN), "result minus exact sum");
    require_exact(mpfr_mul_2si(difference, difference, -ulp_exponent(out, rounded), MPFR_RNDN), "scaling by an ulp");
    double error = mpfr_get_d(difference, MPFR_RNDN);
    mpfr_clears(value, difference, (mpfr_ptr)0);
    leave_full_exponent_range(range);
    return error;
}

double ulp_error(const struct exact_sum *exact, enum float_type out, uint64_t result) {
    uint64_t rounded = exact_sum_round(exact, out);
    if (float_is_nan(out, result) || float_is_nan(out, rounded)) {
        return float_same(out, result, rounded) ? 0 : NAN;
    }
    if (float_is_infinite(out, result)) {
        double infinity = float_is_negative(out, result) ? -INFINITY : INFINITY;
        return result == rounded ? 0 : infinity;
    }
    if (exact->class_ != SUM_FINITE) {
        return exact->class_ == SUM_PLUS_INFINITY ? -INFINITY : INFINITY;
    }
    return finite_ulp_error(exact, out, result, rounded);
}

// Numbers in the order of the real line, with both zeros at 0.
static int64_t rank_of(enum float_type type, uint64_t bits) {
    int64_t rank = (int64_t)magnitude(type, bits);
    return float_is_negative(type, bits) ? -rank : rank;
}

int64_t ulp_steps(enum float_type type, uint64_t a, uint64_t b) {
    if (float_is_nan(type, a) || float_is_nan(type, b)) {
        return float_same(type, a, b) ? 0 : INT64_MAX;
    }
    int64_t steps;
    if (__builtin_sub_overflow(rank_of(type, b), rank_of(type, a), &steps)) {
        return rank_of(type, b) > 0 ? INT64_MAX : -INT64_MAX;
    }
    return steps;
}

bool is_faithful(const struct exact_sum *exact, enum float_type out, uint64_t result) {
    if (exact->class_ != SUM_FINITE) {
        return float_same(out, exact_sum_round(exact, out), result);
    }
    if (mpfr_zero_p(exact->sum)) {
        return magnitude(out, result) == 0;
    }
    bool is_exact;
    uint64_t inner = truncate_to_float(exact->sum, out, &is_exact);
    uint64_t outer = is_exact ? inner : inner + 1;
    if (result == inner || result == outer) {
        return true;
    }
    return magnitude(out, inner) == 0 && magnitude(out, result) == 0; // a zero of the other sign is the same number
}
