// SPDX-License-Identifier: MIT
// Hostile short arrays for sums that claim to be exact, and the truth to hold them to.
#ifndef REDUCTIO_KERNELS_FUZZ_SUPPORT_H
#define REDUCTIO_KERNELS_FUZZ_SUPPORT_H

#include "harness/reductio.h"
#include "reference/float_type.h"

#ifdef __cplusplus
extern "C" {
#endif

enum { FUZZ_MOST = 48 }; // elements of a short array

// Fills x[0 .. n), n <= FUZZ_MOST, as one of the kinds of fuzz_support.c says; advances *state. Returns n.
size_t fuzz_array(enum float_type type, uint64_t *state, void *x);
uint64_t fuzz_draw(uint64_t *state); // SplitMix64
// A finite float with any mantissa and sign and an exponent field in [low, high], as bits.
uint64_t fuzz_float(enum float_type type, uint64_t *state, uint64_t low, uint64_t high);
void fuzz_store(enum float_type type, void *x, size_t i, uint64_t bits);
uint64_t fuzz_load(enum float_type type, const void *x, size_t i);

// The exact sum rounded once, with MPFR.
uint64_t fuzz_truth(enum float_type type, const void *x, size_t n);
// Prints the array and both results. True if got is the truth (NaN by class).
bool fuzz_is_right(enum float_type type, const void *x, size_t n, uint64_t got);

#ifdef __cplusplus
}
#endif
#endif
