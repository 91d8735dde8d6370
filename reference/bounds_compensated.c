// SPDX-License-Identifier: MIT
// Bounds of compensated and double-word summation; bounds.h derives the formulas.
#include "reference/bounds.h"

#include "reference/bound_arithmetic.h"

// The Kahan bounds hold for n·u² <= 1/64.
static bool kahan_applies(uint64_t n, enum float_type out) {
    int digits = 2 * float_format(out)->precision - 6;
    return digits >= 64 || n <= UINT64_C(1) << digits;
}

// factor = 2u + 5(n+1)u²
static void set_kahan_pair_factor(mpfr_t factor, uint64_t n, enum float_type out) {
    mpfr_t u;
    mpfr_init2(u, BOUND_PRECISION);
    set_unit_roundoff(u, out);
    set_count(factor, n);
    mpfr_add_ui(factor, factor, 1, MPFR_RNDU);
    mpfr_mul_ui(factor, factor, 5, MPFR_RNDU);
    mpfr_mul(factor, factor, u, MPFR_RNDU);
    mpfr_add_ui(factor, factor, 2, MPFR_RNDU);
    mpfr_mul(factor, factor, u, MPFR_RNDU);
    mpfr_clear(u);
}

void bound_kahan(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms) {
    if (!terms_fit(exact, out) || !kahan_applies(terms->n, out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    if (terms->n <= 1) {
        mpfr_set_zero(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t u_s, rest;
    mpfr_inits2(BOUND_PRECISION, u_s, rest, (mpfr_ptr)0);
    set_kahan_pair_factor(rest, terms->n, out);
    scale_by_abs_sum(rest, rest, exact);
    mpfr_mul_2si(u_s, exact->sum, -float_format(out)->precision, MPFR_RNDA);
    mpfr_abs(u_s, u_s, MPFR_RNDU);
    mpfr_add(bound, u_s, rest, MPFR_RNDU);
    mpfr_clears(u_s, rest, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}

// rest = γ_{2h}·(carried + γ_h·leaves), the error of the corrections' sum relative to A: `carried` and `leaves` bound
// the corrections and the sums that the tree starts from.
static void set_tree_corrections(mpfr_t rest, uint64_t height, const mpfr_t carried, const mpfr_t leaves,
                                 enum float_type out) {
    mpfr_t u, gamma;
    mpfr_inits2(BOUND_PRECISION, u, gamma, (mpfr_ptr)0);
    set_unit_roundoff(u, out);
    set_gamma(gamma, height, u);
    mpfr_mul(rest, gamma, leaves, MPFR_RNDU);
    mpfr_add(rest, rest, carried, MPFR_RNDU);
    set_gamma(gamma, height <= UINT64_MAX / 2 ? 2 * height : UINT64_MAX, u);
    mpfr_mul(rest, rest, gamma, MPFR_RNDU);
    mpfr_clears(u, gamma, (mpfr_ptr)0);
}

void bound_compensated(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                       const struct bound_terms *terms) {
    if (!terms_fit(exact, out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    if (terms->height == 0) {
        mpfr_set_zero(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t zero, one, rest;
    mpfr_inits2(BOUND_PRECISION, zero, one, rest, (mpfr_ptr)0);
    mpfr_set_zero(zero, 1);
    set_count(one, 1);
    set_tree_corrections(rest, terms->height, zero, one, out);
    scale_by_abs_sum(rest, rest, exact);
    add_final_rounding(bound, rest, exact, out);
    mpfr_clears(zero, one, rest, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}

// carried = 3u, leaves = 1 + 5u + 5k·u² = 1 + u·(5 + 5k·u)
static void set_kahan_leaves(mpfr_t carried, mpfr_t leaves, uint64_t k, enum float_type out) {
    mpfr_t u;
    mpfr_init2(u, BOUND_PRECISION);
    set_unit_roundoff(u, out);
    mpfr_mul_ui(carried, u, 3, MPFR_RNDU);
    set_count(leaves, k);
    mpfr_mul_ui(leaves, leaves, 5, MPFR_RNDU);
    mpfr_mul(leaves, leaves, u, MPFR_RNDU);
    mpfr_add_ui(leaves, leaves, 5, MPFR_RNDU);
    mpfr_mul(leaves, leaves, u, MPFR_RNDU);
    mpfr_add_ui(leaves, leaves, 1, MPFR_RNDU);
    mpfr_clear(u);
}

void bound_kahan_merged(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                        const struct bound_terms *terms) {
    if (terms->serial_terms <= 1) {
        bound_compensated(bound, exact, out, terms);
        return;
    }
    if (!terms_fit(exact, out) || !kahan_applies(terms->serial_terms, out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t carried, leaves, rest, pairs;
    mpfr_inits2(BOUND_PRECISION, carried, leaves, rest, pairs, (mpfr_ptr)0);
    set_kahan_leaves(carried, leaves, terms->serial_terms, out);
    set_tree_corrections(rest, terms->height, carried, leaves, out);
    set_kahan_pair_factor(pairs, terms->serial_terms, out);
    mpfr_add(rest, rest, pairs, MPFR_RNDU);
    scale_by_abs_sum(rest, rest, exact);
    add_final_rounding(bound, rest, exact, out);
    mpfr_clears(carried, leaves, rest, pairs, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}

// ε = 3u² + 13u³
static void set_double_word_epsilon(mpfr_t epsilon, enum float_type out) {
    mpfr_t u;
    mpfr_init2(u, BOUND_PRECISION);
    set_unit_roundoff(u, out);
    mpfr_mul_ui(epsilon, u, 13, MPFR_RNDU);
    mpfr_add_ui(epsilon, epsilon, 3, MPFR_RNDU);
    mpfr_mul(epsilon, epsilon, u, MPFR_RNDU);
    mpfr_mul(epsilon, epsilon, u, MPFR_RNDU);
    mpfr_clear(u);
}

void bound_double_word(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                       const struct bound_terms *terms) {
    if (!terms_fit(exact, out)) {
        mpfr_set_inf(bound, 1);
        return;
    }
    if (terms->height == 0) {
        mpfr_set_zero(bound, 1);
        return;
    }
    struct exponent_range range = enter_full_exponent_range();
    mpfr_t epsilon, factor;
    mpfr_inits2(BOUND_PRECISION, epsilon, factor, (mpfr_ptr)0);
    set_double_word_epsilon(epsilon, out);
    set_gamma(factor, terms->height, epsilon);
    scale_by_abs_sum(factor, factor, exact);
    add_final_rounding(bound, factor, exact, out);
    mpfr_clears(epsilon, factor, (mpfr_ptr)0);
    leave_full_exponent_range(range);
}
