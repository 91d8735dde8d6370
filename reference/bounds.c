// SPDX-License-Identifier: MIT
// Bounds of plain summation, of results defined by rounding alone, and the arithmetic that all bounds share.
#include "reference/bounds.h"

#include "reference/bound_arithmetic.h"
#include "reference/rounding.h"

void set_count(mpfr_t rop, uint64_t count) {
    require_exact(mpfr_set_uj(rop, count, MPFR_RNDN), "count");
}

void set_gamma(mpfr_t gamma, uint64_t k, const mpfr_t epsilon) {
    mpfr_t product, rest;
    mpfr_inits2(BOUND_PRECISION, product, rest, (mpfr_ptr)0);
    set_count(product, k);
    mpfr_mul(product, product, epsilon, MPFR_RNDU);
    mpfr_ui_sub(rest, 1, product, MPFR_RNDD);
    if (mpfr_sgn(rest) > 0) {
        mpfr_div(gamma, product, rest, MPFR_RNDU);
    } else {
        mpfr_set_inf(gamma, 1);
    }
    mpfr_clears(product, rest, (mpfr_ptr)0);
}

void set_tree_factor(mpfr_t factor, enum float_type type, const struct bound_terms *terms) {
    mpfr_t u, any_order;
    mpfr_inits2(BOUND_PRECISION, u, any_order, (mpfr_ptr)0);
    set_unit_roundoff(u, type);
    set_count(any_order, terms->n > 0 ? terms->n - 1 : 0);
    mpfr_mul(any_order, any_order, u, MPFR_RNDU);
    set_gamma(factor, terms->height, u);
    mpfr_min(factor, factor, any_order, MPFR_RNDU);
    mpfr_clears(u, any_order, (mpfr_ptr)0);
}

void scale_by_abs_sum(mpfr_t bound, const mpfr_t factor, const struct exact_sum *exact) {
    if (mpfr_zero_p(exact->abs_sum)) {
        mpfr_set_zero(bound, 1); // also where the factor is infinite: sums of zeros are exact
    } else {
        mpfr_mul(bound, factor, exact->abs_sum, MPFR_RNDU);
    }
}

void add_final_rounding(mpfr_t bound, const mpfr_t rest, const struct exact_sum *exact, enum float_type out) {
    mpfr_t u, term;
    mpfr_inits2(BOUND_PRECISION, u, term, (mpfr_ptr)0);
    set_unit_roundoff(u, out);
    mpfr_add_ui(term, u, 1, MPFR_RNDU);
    mpfr_mul(term, term, rest, MPFR_RNDU);
    mpfr_mul(u, u, exact->sum, MPFR_RNDA);
    mpfr_abs(u, u, MPFR_RNDU);
    mpfr_add(bound, term, u, MPFR_RNDU);
    mpfr_clears(u, term, (mpfr_ptr)0);
}

bool terms_fit(const struct exact_sum *exact, enum float_type accumulator) {
    return exact->class_ == SUM_FINITE && float_format(exact->in)->precision <= float_format(accumulator)->precision;
}

void bound_any_order(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                     const struct bound_terms *terms) {
    struct bound_terms any_order = *terms;
    any_order.height = UINT64_MAX; // γ_h does not apply
    bound_height(bound, exact, out, &any_order);
}

void bound_height(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms) {
    if (!terms_fit(exact, out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t factor;
    mpfr_init2(factor, BOUND_PRECISION);
    set_tree_factor(factor, out, terms);
    scale_by_abs_sum(bound, factor, exact);
    mpfr_clear(factor);
    leave_full_exponent_range(range);
}

// Whether a subnormal result of format `out` can be inexact: not if every term is a multiple of its least number.
static bool subnormals_may_round(const struct exact_sum *exact, enum float_type out) {
    const struct float_format *format = float_format(out);
    return exact->trailing_exponent < format->min_exponent - format->precision + 1;
}

static enum float_type wider_format(enum float_type out) {
    return out == FLOAT_F16 || out == FLOAT_BF16 ? FLOAT_F32 : FLOAT_F64;
}

void bound_wide(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms) {
    bound_height(bound, exact, wider_format(out), terms);
    if (out == FLOAT_F64 || mpfr_inf_p(bound)) {
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t rounded, least;
    mpfr_inits2(BOUND_PRECISION, rounded, least, (mpfr_ptr)0);
    mpfr_abs(rounded, exact->sum, MPFR_RNDU);
    mpfr_add(rounded, rounded, bound, MPFR_RNDU);
    if (subnormals_may_round(exact, out)) {
        require_exact(mpfr_set_ui_2exp(least, 1, float_format(out)->min_exponent, MPFR_RNDN), "least normal number");
        mpfr_max(rounded, rounded, least, MPFR_RNDU);
    }
    mpfr_mul_2si(rounded, rounded, -float_format(out)->precision, MPFR_RNDU);
    mpfr_add(bound, bound, rounded, MPFR_RNDU);
    mpfr_clears(rounded, least, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}

// distance = | s - float |, rounded up.
static void set_distance(mpfr_t distance, const struct exact_sum *exact, enum float_type out, uint64_t bits) {
    mpfr_t place;
    mpfr_init2(place, 53);
    set_float(place, out, bits);
    mpfr_sub(distance, exact->sum, place, MPFR_RNDA);
    mpfr_abs(distance, distance, MPFR_RNDU);
    mpfr_clear(place);
}

void bound_faithful(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms) {
    (void)terms;
    if (exact->class_ != SUM_FINITE) {
        mpfr_set_inf(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    bool is_exact;
    uint64_t inner = truncate_to_float(exact->sum, out, &is_exact);
    mpfr_t outer_distance;
    mpfr_init2(outer_distance, mpfr_get_prec(bound));
    set_distance(bound, exact, out, inner);
    if (!is_exact) {
        set_distance(outer_distance, exact, out, inner + 1);
        mpfr_max(bound, bound, outer_distance, MPFR_RNDU);
    }
    mpfr_clear(outer_distance);
    leave_full_exponent_range(range);
}

void bound_correctly_rounded(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                             const struct bound_terms *terms) {
    (void)terms;
    if (exact->class_ != SUM_FINITE) {
        mpfr_set_inf(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    set_distance(bound, exact, out, exact_sum_round(exact, out));
    leave_full_exponent_range(range);
}

void bound_add_atomic_flushes(mpfr_t bound, enum float_type out, const struct bound_terms *terms) {
    if (out != FLOAT_F32 || terms->atomics == 0) {
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t loss, factor;
    mpfr_inits2(BOUND_PRECISION, loss, factor, (mpfr_ptr)0);
    set_tree_factor(factor, out, terms);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDU);
    set_count(loss, terms->atomics);
    mpfr_mul_2si(loss, loss, float_format(out)->min_exponent, MPFR_RNDU);
    mpfr_mul(loss, loss, factor, MPFR_RNDU);
    mpfr_add(bound, bound, loss, MPFR_RNDU);
    mpfr_clears(loss, factor, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}

static bool may_reach_overflow(const mpfr_t abs_sum, enum float_type out, const struct bound_terms *terms) {
    const struct float_format *format = float_format(out);
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t reach, threshold;
    mpfr_inits2(BOUND_PRECISION, reach, threshold, (mpfr_ptr)0);
    set_tree_factor(reach, out, terms);
    mpfr_add_ui(reach, reach, 1, MPFR_RNDU);
    mpfr_mul(reach, reach, abs_sum, MPFR_RNDU);
    // 2^emax·(2 - 2^-p) = (2^(p+1) - 1)·2^(emax-p)
    mpfr_set_uj_2exp(threshold, (UINT64_C(2) << format->precision) - 1, format->max_exponent - format->precision,
                     MPFR_RNDN);
    bool reaches = mpfr_cmp(reach, threshold) >= 0;
    mpfr_clears(reach, threshold, (mpfr_ptr)0);
    leave_full_exponent_range(range);
    return reaches;
}

bool may_overflow(const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms) {
    return exact->class_ != SUM_FINITE || may_reach_overflow(exact->abs_sum, out, terms);
}

bool may_overflow_against_infinity(const struct exact_sum *exact, enum float_type out,
                                   const struct bound_terms *terms) {
    return may_reach_overflow(exact->opposing_sum, out, terms);
}
