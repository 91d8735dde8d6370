// SPDX-License-Identifier: MIT
// The bound of a sum that keeps three rows of a fixed grid of exponents.
#include "reference/bound_arithmetic.h"

// The 16-bit formats have too few exponents, or bits, for rows.
static bool has_grid(enum float_type type) {
    return type == FLOAT_F32 || type == FLOAT_F64;
}

static int row_width(enum float_type type) {
    return type == FLOAT_F32 ? 13 : 40;
}

void bound_binned_fold3(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                        const struct bound_terms *terms) {
    (void)terms;
    if (exact->class_ != SUM_FINITE || exact->in != out || !has_grid(out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    const struct float_format *format = float_format(out);
    const int width = row_width(out);
    const int least = format->min_exponent - format->precision + 1;
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t dropped;
    mpfr_init2(dropped, BOUND_PRECISION);
    mpfr_set_zero(dropped, 1);
    if (exact->nonzero > 0 && exact->leading_exponent > least + 3 * width - 2) {
        set_count(dropped, exact->nonzero);
        mpfr_mul_2si(dropped, dropped, exact->leading_exponent - 2 * width, MPFR_RNDU);
    }
    add_final_rounding(bound, dropped, exact, out);
    mpfr_clear(dropped);
    leave_full_exponent_range(range);
}

static bool rows_are_in_range(const struct exact_sum *exact, enum float_type out) {
    const struct float_format *format = float_format(out);
    return exact->class_ == SUM_FINITE && exact->in == out && has_grid(out) && exact->nonzero > 0 &&
           exact->leading_exponent >= format->min_exponent + 3 * row_width(out) &&
           exact->leading_exponent <= format->max_exponent - row_width(out);
}

void bound_binned_published(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                            const struct bound_terms *terms) {
    bound_any_order(bound, exact, out, terms);
    if (!rows_are_in_range(exact, out))
        return;
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t published, rounding;
    mpfr_inits2(BOUND_PRECISION, published, rounding, (mpfr_ptr)0);
    set_count(published, terms->n);
    mpfr_mul_2si(published, published, exact->leading_exponent + 1 - 2 * row_width(out), MPFR_RNDU);
    mpfr_mul_ui(rounding, exact->sum, 7, MPFR_RNDA);
    mpfr_abs(rounding, rounding, MPFR_RNDU);
    mpfr_mul_2si(rounding, rounding, -float_format(out)->precision, MPFR_RNDU);
    mpfr_add(published, published, rounding, MPFR_RNDU);
    mpfr_min(bound, bound, published, MPFR_RNDU);
    mpfr_clears(published, rounding, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}
