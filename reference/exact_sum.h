// SPDX-License-Identifier: MIT
// The exact sum of an array, and the exact sum of its absolute values. This is the truth that every verdict rests on.
//
// Mantissas are gathered in integer bins, one set per exponent, and MPFR adds the bins at a precision derived from the
// data, so that no step rounds: each MPFR call's ternary value is checked to be 0, and anything else aborts the program
// with a message. Memory beyond the input is O(1).
#ifndef REDUCTIO_EXACT_SUM_H
#define REDUCTIO_EXACT_SUM_H

#include "reference/float_type.h"

#include <mpfr.h>

enum sum_class { SUM_FINITE, SUM_NAN, SUM_PLUS_INFINITY, SUM_MINUS_INFINITY };

// The gathering state; opaque, so that its layout can change. Streams an array in any number of pieces.
struct exact_bins;

struct exact_bins *exact_bins_new(enum float_type in); // aborts with a message when memory is out
void exact_bins_free(struct exact_bins *bins);
// Adds n elements; up to 2^40 elements may be added in all.
void exact_bins_add(struct exact_bins *bins, const void *x, size_t n);
// Adds `count` copies of one value at once: reaches counts that no test could stream. The 2^40 elements hold
// in all here too.
void exact_bins_add_repeated(struct exact_bins *bins, uint64_t bits, uint64_t count);
// Adds all that `from` has gathered, of the same type; the order of merges cannot show, for nothing rounds.
void exact_bins_merge(struct exact_bins *bins, const struct exact_bins *from);

// What is known of an array. Specials follow IEEE 754 addition in any order: any NaN, or infinities of both signs, give
// NaN; otherwise an infinity wins.
struct exact_sum {
    enum float_type in;
    enum sum_class class_; // of the sum
    uint64_t n;
    mpfr_t sum;            // exact; 0 unless class_ is SUM_FINITE
    mpfr_t abs_sum;        // exact sum of |x| over the finite elements
    mpfr_t opposing_sum;   // of those alone whose sign is not that of the sum, where that is an infinity; otherwise 0
    int trailing_exponent; // largest q such that every finite element is a multiple of 2^q; INT_MAX if all are 0
    int leading_exponent;  // least e such that |x| < 2^(e+1) for every finite element, subnormals counted as if just
                           // below the least normal number; INT_MIN if all are 0
    uint64_t nonzero;      // finite elements other than ±0
    bool all_minus_zero;   // n > 0 and every element is -0
    bool has_nan;          // some element is NaN: so is the sum of |x|, which otherwise is an infinity or abs_sum
    bool has_subnormal;    // some element is subnormal in its own format
};

// Initialises *sum; free with exact_sum_clear.
void exact_sum_of_bins(struct exact_sum *sum, const struct exact_bins *bins);
void exact_sum(struct exact_sum *sum, enum float_type in, const void *x, size_t n);
// The same, every field to the bit, with up to `threads` threads (0: as many as there are processors to use).
void exact_sum_parallel(struct exact_sum *sum, enum float_type in, const void *x, size_t n, unsigned threads);
void exact_sum_clear(struct exact_sum *sum);

// The sum rounded once to nearest, ties to even, with gradual underflow and IEEE 754's overflow threshold. Exact zero
// is +0, also for n = 0; only where every element is -0 it is -0.
uint64_t exact_sum_round(const struct exact_sum *sum, enum float_type out);
// A finite multiple-precision value rounded in the same way; zero keeps its sign.
uint64_t round_to_float(const mpfr_t value, enum float_type out);

// No addition rounds, in any order, in format `out`: every partial sum is a multiple of 2^trailing_exponent and at most
// abs_sum <= 2^p · 2^trailing_exponent (finite data only; true for all zeros).
bool exact_sum_never_rounds(const struct exact_sum *sum, enum float_type out);

// Condition number sum|x| / |sum x|; infinity for sum 0 of nonzero data, 1 for no data, NaN unless finite.
double exact_sum_condition(const struct exact_sum *sum);

// Text of the exact value: decimal with enough digits to tell neighbours apart (at most 40 significant), or hex float
// with every bit. -0 where every element is -0. Returned in memory from malloc.
char *exact_sum_decimal(const struct exact_sum *sum);
char *exact_sum_hex(const struct exact_sum *sum);

#endif
