// SPDX-License-Identifier: MIT
// Permutations of an array that is already made.
#ifndef REDUCTIO_ORDERS_H
#define REDUCTIO_ORDERS_H

#include "cases/prng.h"
#include "reference/float_type.h"

// Fisher-Yates (Durstenfeld 1964).
void shuffle_elements(enum float_type type, void *x, uint64_t n, struct prng *prng);
// Permutes x[0..n) by a known order; `seed` is for shuffles. False when memory is out.
bool apply_order(const char *order, enum float_type type, void *x, uint64_t n, uint64_t seed);

#endif
