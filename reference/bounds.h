// SPDX-License-Identifier: MIT
// A-priori error bounds of summation methods, one function each. Every bound is on |s - ŝ|, is evaluated in MPFR and is
// rounded up. Notation: u = 2^-p of the format, γ_k = k·u/(1 - k·u) for k·u < 1, A = Σ|x|, s = Σx, n terms, h the height
// of the addition tree (longest path of additions). A bound that does not apply (k·u >= 1) is +infinity.
#ifndef REDUCTIO_BOUNDS_H
#define REDUCTIO_BOUNDS_H

#include "exact_sum.h"

struct bound_terms {
    uint64_t n;            // terms
    uint64_t height;       // h
    uint64_t serial_terms; // terms that one Kahan accumulator adds; n for a sequential one
    uint64_t atomics;      // m: float atomics on global memory
};

// (n-1)·u·A, for every order and every n. Rump 2012; Jeannerod & Rump 2013, "Improved error bounds for inner products".
void bound_any_order(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// min(γ_h where h·u < 1, (n-1)·u)·A. Higham, Accuracy and Stability of Numerical Algorithms, 2nd ed., section 4.2.
void bound_height(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// Kahan's ŝ alone, sequential.
void bound_kahan(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// two_sum at every node of a tree of height h, corrections added along, one final addition.
void bound_compensated(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// Kahan in each thread, the pairs (s, -c) merged by such a tree.
void bound_kahan_merged(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// Double-word accumulation in a tree of height h. Joldes, Muller & Popescu 2017, algorithms 4 and 6.
void bound_double_word(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// f32 data summed in f64 by a tree of height h, rounded once to `out`.
void bound_wide(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// Distance from the exact sum to the farther of its two neighbours (faithful) or to the nearest (correctly rounded).
void bound_faithful(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
void bound_correctly_rounded(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                             const struct bound_terms *terms);

// Adds what m flushing atomics may lose: (1 + γ_h)·m·2^emin. PTX ISA, `atom`: f32 on global memory flushes subnormals.
void bound_add_atomic_flushes(mpfr_t bound, enum float_type out, const struct bound_terms *terms);

// A partial sum may reach the overflow threshold: (1 + γ_h)·A >= Ω = 2^emax·(2 - 2^-p).
bool may_overflow(const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);

#endif
