// SPDX-License-Identifier: MIT
// Error-free transformations: the rounded sum and, exactly, what the rounding dropped. They hold in round-to-nearest as
// long as nothing overflows, underflow included; contraction and reassociation would break them, so these files are
// compiled without.
#ifndef REDUCTIO_KERNELS_TWO_SUM_H
#define REDUCTIO_KERNELS_TWO_SUM_H

#include "harness/reductio.h"

struct rounded_sum {
    reductio_out sum;   // a + b, rounded
    reductio_out error; // a + b - sum, exactly
};

// Knuth, The Art of Computer Programming 2, section 4.2.2, theorem B: any a and b, 6 operations.
static __device__ __forceinline__ rounded_sum two_sum(reductio_out a, reductio_out b) {
    const reductio_out sum = a + b;
    const reductio_out b_part = sum - a;
    const reductio_out a_part = sum - b_part;
    return {sum, (a - a_part) + (b - b_part)};
}

// Dekker 1971: exact where |a| >= |b| or a = 0, 3 operations.
static __device__ __forceinline__ rounded_sum fast_two_sum(reductio_out a, reductio_out b) {
    const reductio_out sum = a + b;
    return {sum, b - (sum - a)};
}

// False for infinities and NaN: x - x is NaN there. Their "corrections" are NaN too and must not reach a result.
static __device__ __forceinline__ bool is_finite(reductio_out x) {
    return x - x == 0;
}

#endif
