// SPDX-License-Identifier: MIT
// One thread adds all elements one after the other with a correction: the frame of the faults that pretend to be a
// compensated sum. Such a file holds its faulty kernel, a launch of one thread, and a descriptor with SERIAL_CLAIMS.
#ifndef REDUCTIO_KERNELS_FAULTY_SERIAL_H
#define REDUCTIO_KERNELS_FAULTY_SERIAL_H

#include "kernels/two_sum.h"

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static size_t serial_terms(size_t n, reductio_shape) {
    return n;
}

static size_t height(size_t n, reductio_shape) {
    return n == 0 ? 0 : n - 1;
}

// Claims of a compensated sum in one thread: `bound` is REDUCTIO_KAHAN or REDUCTIO_COMPENSATED.
#define SERIAL_CLAIMS(bound)                                                                                           \
    {                                                                                                                  \
        .accuracy = (bound), .height = height, .serial_terms = serial_terms,                                           \
        .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE, .keeps_subnormals = REDUCTIO_YES,            \
        .may_overflow_early = REDUCTIO_YES, .specials = REDUCTIO_YES, .all_minus_zero = REDUCTIO_PLUS,                 \
        .empty = REDUCTIO_YES                                                                                          \
    }

// A single thread is slow: larger cases are left to the variants that the faults pretend to be.
static constexpr size_t serial_max_n = size_t(1) << 22;

#endif
