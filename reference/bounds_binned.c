// SPDX-License-Identifier: MIT
// The bound of a sum that keeps three rows of a fixed grid of exponents.
#include "reference/bound_arithmetic.h"

void bound_binned_fold3(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                        const struct bound_terms *terms) {
    (void)terms;
    if (exact->class_ != SUM_FINITE || exact->in != out) {
        mpfr_set_inf(bound, 1);
        return;
    }
    const struct float_format *format = float_format(out);
    const int width = out == FLOAT_F32 ? 13 : 40;
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
