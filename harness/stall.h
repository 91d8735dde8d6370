// SPDX-License-Identifier: MIT
// Where a sum stalled: an accumulator of p bits grows past 2^p times an element, and adding that element changes
// nothing any more.
#ifndef REDUCTIO_STALL_H
#define REDUCTIO_STALL_H

#include "reference/exact_sum.h"

struct stall {
    uint64_t value;   // bits of the result, of type `out`
    uint64_t first;   // from x[first] on nothing changes it
    uint64_t largest; // bits of the largest in magnitude of x[first..n), of the data's type
    enum float_type in, out;
};

// From outside nobody sees an accumulator. What can be seen is that the result is the very number at which one that has
// the result's type and takes x[0], x[1], ... in turn comes to rest. It is said where all of these hold:
//   1. The data are finite and have one sign, so that nothing cancels and whatever is not added is missing.
//   2. The result is finite and at least STALL_LEAST_ULPS ulps from the exact sum: a shorter way may be any rounding.
//   3. The result has the bits of that accumulator: fl(... fl(fl(0 + x[0]) + x[1]) ... + x[n-1]) in `out`.
//   4. The last x that changed it is x[first-1], and x[first] + ... + x[n-1], summed exactly, is at least half of what
//      is missing: the stall is the reason, not roundings before it.
// A sum in another order is told so too where it ends at the same number, which it mostly does: the place of the stall
// comes from the size of the elements. One that stalls in several accumulators is not seen.
// x: the exact->n elements of type exact->in, in the order in which they were handed over. They are read only where 1
// and 2 hold. False, and *stall is of no use, where nothing is to be said.
#define STALL_LEAST_ULPS 4.0
bool find_stall(struct stall *stall, const struct exact_sum *exact, enum float_type out, uint64_t result,
                const void *x);

// "It stalls at 256: adding 0.9961 no longer changes it, nor does any of x[512..9999], as in one bf16 accumulator."
// From malloc.
char *describe_stall(const struct stall *stall, uint64_t n);

#endif
