// SPDX-License-Identifier: MIT
// The second oracle: a fixed-point integer superaccumulator (Kulisch 1971; Neal 2015, "small" accumulator) that shares
// no code with exact_sum.c and knows nothing of MPFR.
#ifndef REDUCTIO_SUPERACCUMULATOR_H
#define REDUCTIO_SUPERACCUMULATOR_H

#include "reference/float_type.h"

// The sum of x[0..n), rounded once to `out` by the rules of exact_sum_round. n < 2^40.
uint64_t superaccumulator_sum(enum float_type in, const void *x, size_t n, enum float_type out);

#endif
