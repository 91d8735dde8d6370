// SPDX-License-Identifier: MIT
// Upward arithmetic for bounds.h. Internal to reference/. Every function rounds up, so that a bound made of sums and
// products of nonnegative figures is never below its formula.
#ifndef REDUCTIO_BOUND_ARITHMETIC_H
#define REDUCTIO_BOUND_ARITHMETIC_H

#include "reference/bounds.h"
#include "reference/mpfr_exact.h"

enum { BOUND_PRECISION = 192 };

// u = 2^-p, exact.
static inline void set_unit_roundoff(mpfr_t u, enum float_type type) {
    require_exact(mpfr_set_ui_2exp(u, 1, -float_format(type)->precision, MPFR_RNDN), "unit roundoff");
}

void set_count(mpfr_t rop, uint64_t count); // exact
// γ = k·ε/(1 - k·ε), or +infinity where k·ε >= 1.
void set_gamma(mpfr_t gamma, uint64_t k, const mpfr_t epsilon);
// min(γ_h, (n-1)·u): what h additions in a row, or n-1 in any order, can lose relative to A.
void set_tree_factor(mpfr_t factor, enum float_type type, const struct bound_terms *terms);
// factor·A.
void scale_by_abs_sum(mpfr_t bound, const mpfr_t factor, const struct exact_sum *exact);
// bound = u·|s| + (1 + u)·rest: one last addition or rounding of a value that is `rest` away from s.
void add_final_rounding(mpfr_t bound, const mpfr_t rest, const struct exact_sum *exact, enum float_type out);
// The terms are finite and are numbers of the accumulator's format, as every rounding bound here supposes.
bool terms_fit(const struct exact_sum *exact, enum float_type accumulator);

#endif
