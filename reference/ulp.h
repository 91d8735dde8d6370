// SPDX-License-Identifier: MIT
// Distances between a result and the exact sum.
#ifndef REDUCTIO_ULP_H
#define REDUCTIO_ULP_H

#include "reference/exact_sum.h"

// ulp(y) for finite y of format t: 2^(max(e, emin) - p + 1) with 2^e <= |y| < 2^(e+1); ulp(0) = 2^(emin - p + 1).
// (Muller et al., Handbook of Floating-Point Arithmetic, 2nd ed., definition 2.6 after Goldberg.) Infinity takes the
// ulp of the largest finite number.
double ulp_of(enum float_type type, uint64_t bits);

// Signed error (result - exact) in units of ulp(correctly rounded sum): the figure of every report. 0 where the result
// is the same infinity as the correctly rounded sum, or both are NaN; NaN where just one is; otherwise infinite where
// the result or the exact sum is infinite. A finite result whose sum rounds to infinity is measured in the largest
// number's ulp.
double ulp_error(const struct exact_sum *exact, enum float_type out, uint64_t result);

// Number of representable numbers from a to b: signed, ordered as the real line, -0 and +0 are the same place; the
// infinities lie one step beyond the largest finite numbers. Stops at ±INT64_MAX, which f64's full range exceeds. 0 if
// both are NaN, INT64_MAX if just one is.
int64_t ulp_steps(enum float_type type, uint64_t a, uint64_t b);

// One of the two floats that enclose the exact sum, or the sum itself (Muller et al., section 2.3, "faithful").
bool is_faithful(const struct exact_sum *exact, enum float_type out, uint64_t result);

#endif
