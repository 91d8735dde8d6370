// SPDX-License-Identifier: MIT
// A-priori error bounds of summation methods, one function each. Every bound is on |s - ŝ|, is evaluated in MPFR and is
// rounded up. Notation: u = 2^-p of the format, γ_k = k·u/(1 - k·u) for k·u < 1, A = Σ|x|, s = Σx, n terms, h the
// height of the addition tree (longest path of additions). A bound that does not apply (k·u >= 1, a sum that is not
// finite, terms that are not numbers of the accumulator's format) is +infinity.
//
// All suppose that nothing overflows (see may_overflow). None needs to exclude underflow: an addition with a subnormal
// result is exact (Hauser 1996, "Handling floating-point exceptions in numeric programs"), so that fl(a + b) is what a
// format without a least exponent would give, and theorems about algorithms made of additions alone carry over.
#ifndef REDUCTIO_BOUNDS_H
#define REDUCTIO_BOUNDS_H

#include "reference/exact_sum.h"

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

// Kahan's ŝ alone, sequential:  u·|s| + (2u + 5(n+1)u²)·A  where n·u² <= 1/64; 0 for n <= 1. Since |s| <= A it is at
// most (3u + 5(n+1)u²)·A. Higham, section 4.3, gives 2u + O(n·u²) for the pair s - c; the final rounding makes it 3u.
//
// Derivation. y_i = fl(x_i - c_{i-1}), s_i = fl(s_{i-1} + y_i) = s_{i-1} + y_i + ε_i, c_i = fl(fl(s_i - s_{i-1}) -
// y_i), all relative errors at most u, and |ε_i| <= u·|s_i|. With T_i = s_i - c_i one finds
//     T_i = T_{i-1} + x_i + η·(x_i - c_{i-1}) - δ·ε_i - (1 + δ)·γ·(y_i + ε_i),   |η|, |δ|, |γ| <= u,
// and the first step is exact. Hence, with C = Σ|c_i| and S = max |s_i|, for the pair's error E_i = |T_i - Σ_{j<=i}
// x_j|
//     E_n <= (2u + 2u² + u³)·(A + C) + (2u + u²)·(n-1)·u·S.
// From |c_i| <= (1+u)²|ε_i| + u(1+u)²|x_i - c_{i-1}| follow C <= κu((n-1)S + A) and max|c_i| <= κu(S + A) with
// κ = (1+u)²/(1 - u(1+u)²); with S <= A + max E_i + max|c_i| and n·u² <= 1/64 they give S <= 1.07·A, and thus
//     E_n <= (2u + 6u² + 4.3(n-1)u²)·A <= (2u + 5(n+1)u²)·A.
// For ŝ = s_n alone: s_{n-1} + y_n differs from s by at most E_{n-1} + u·|x_n| + u·|c_{n-1}|, where E_{n-1} carries the
// A of the first n-1 terms only, and is then rounded once; u·|x_n| fits into 2u·|x_n|, the rest into 5(n+1)u²·A.
void bound_kahan(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);

// two_sum at every node of a tree of height h, corrections added along, one final addition:
//     u·|s| + (1 + u)·γ_h·γ_{2h}·A.
// Neumaier's sum and Sum2 (Ogita, Rump & Oishi 2005) are the sequential tree, h = n - 1; a serial part in each thread
// counts in h.
//
// Derivation. two_sum is exact, so the root's s plus all node errors e_j is s exactly, and Σ|e_j| <= ((1+u)^h - 1)·A
// <= γ_h·A, because a node's result is at most (1+u)^height times the sum of |x| below it. On its way to the root an
// e_j takes part in at most two additions a level (left plus right correction, then the node's own e): their sum is off
// by at most γ_{2h}·Σ|e_j|. The final addition rounds a value that is this far from s.
void bound_compensated(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                       const struct bound_terms *terms);

// Kahan over k = serial_terms in each thread, the pairs (s, -c) merged by such a tree of height h, one final addition:
//     u·|s| + (1 + u)·[2u + 5(k+1)u² + γ_{2h}·(3u + γ_h·(1 + 5u + 5k·u²))]·A   where k·u² <= 1/64.
// h may be the height of the merging tree or of the whole sum: the bound grows with it. k <= 1 is bound_compensated.
//
// Derivation. Thread t's pair is within (2u + 5(k+1)u²)·A_t of its part (see bound_kahan), |c_t| <= κu(S + A_t) <=
// 3u·A_t and |s_t| <= A_t + E_t + |c_t| <= (1 + 5u + 5k·u²)·A_t. The tree's leaves are the s_t, so Σ|e_j| <=
// γ_h·Σ|s_t|, and the corrections that it adds are the -c_t and the e_j, each in at most 2h additions.
void bound_kahan_merged(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                        const struct bound_terms *terms);

// Double-word accumulation in a tree of height h, the high word returned:
//     u·|s| + (1 + u)·(h·ε/(1 - h·ε))·A   with ε = 3u² + 13u³.
// Joldes, Muller & Popescu 2017, "Tight and rigorous error bounds for basic building blocks of double-word arithmetic":
// double word plus word (algorithm 4, DWPlusFP) has relative error at most 2u², the accurate double word plus double
// word (algorithm 6, AccurateDWPlusDW) at most 3u² + 13u³. Relative errors along h nodes compound as in Higham's
// lemma 3.1; the high word of a normalised double word is its rounding. The sloppy addition (algorithm 5) has no such
// bound.
void bound_double_word(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                       const struct bound_terms *terms);

// Summed in a wider format by a tree of height h, rounded once to `out`: in f32 where `out` is f16 or bf16, in f64
// otherwise. With w = min(γ_h, (n-1)·u)·A for the u of the wider format: w if `out` is f64, otherwise
//     w + u·max(|s| + w, 2^emin)   with u and emin of `out`.
// Where all terms are multiples of out's least subnormal number, as data of its own format are, so is the wider sum: a
// subnormal result is exact and the maximum is not taken.
void bound_wide(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);

// Binned sum of fold 3, the kept rows added exactly and rounded once. Rows are W = 13 (f32) or 40 (f64) exponents wide:
//     u·|s| + (1 + u)·N·2^(e - 2W)   with N the nonzero terms and e = floor(log2 max|x|);
// without the second part where e <= C + 3W - 2, C the exponent of the least subnormal: then nothing is dropped.
// Only for terms of the result's own format.
//
// Derivation. Row v counts multiples of L(v) = 2^(Wv + C). The top row is the least T >= 2 with max|x| < 2^(W-1)·L(T).
// An element is rounded to the nearest multiple of L(T), its remainder to one of L(T-1), that one's to one of L(T-2),
// and what is dropped then is at most L(T-2)/2 = 2^(-2W-1)·L(T). Unless T = 2, where every element is a multiple of
// L(0), 2^(e+1) exceeds what row T-1 takes, 2^(W-1)·L(T-1) = L(T)/2, so that L(T) <= 2^(e+1). Ahrens, Demmel & Nguyen
// 2020, "Algorithms for efficient reproducible floating point summation", prove n·2^(-2W)·max|x| + 7u·|s| for theirs,
// whose end rounds more than once. Of f32 and f64 alone.
void bound_binned_fold3(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                        const struct bound_terms *terms);

// What is published of binned sums of fold 3, for a sum that promises neither this nor that: the smaller of
//     (n-1)·u·A                              (any order)
//     n·2^(-2W)·max|x| + 7u·|s|              Ahrens, Demmel & Nguyen 2020, W = 13 (f32) or 40 (f64)
// The second within its range alone, where no row of the grid over- or underflows: emin + 3W <= e <= emax - W with e =
// floor(log2 max|x|), max|x| taken as 2^(e+1). Only for terms of the result's own format.
void bound_binned_published(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                            const struct bound_terms *terms);

// Distance from the exact sum to the farther of its two neighbours (faithful; 0 if the sum is a number of the format)
// or to the nearest (correctly rounded). Beyond the largest finite number, infinity counts as 2^(emax+1), as in IEEE
// 754's rounding.
void bound_faithful(mpfr_t bound, const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
void bound_correctly_rounded(mpfr_t bound, const struct exact_sum *exact, enum float_type out,
                             const struct bound_terms *terms);

// Adds to `bound` what m flushing atomics may lose: (1 + min(γ_h, (n-1)·u))·m·2^emin, for an f32 result only. PTX ISA,
// `atom`: f32 on global memory flushes subnormal inputs and results; f64, f16 and bf16 do not. The word in memory is
// never subnormal, so that one atomic loses its operand or its result, each below 2^emin. The losses act as terms that
// are added exactly: they grow by later additions like any term, and the proofs of the two factors hold with n counting
// the true terms.
void bound_add_atomic_flushes(mpfr_t bound, enum float_type out, const struct bound_terms *terms);

// A partial sum may reach the overflow threshold: (1 + min(γ_h, (n-1)·u))·A >= Ω = 2^emax·(2 - 2^-p).
bool may_overflow(const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);
// Where the sum is an infinity: the finite terms of the other sign may reach that threshold, so that their infinity
// meets it and the result is NaN (IEEE 754-2019, 7.2 and 7.4). The same with their sum for A. Otherwise false.
bool may_overflow_against_infinity(const struct exact_sum *exact, enum float_type out, const struct bound_terms *terms);

#endif
