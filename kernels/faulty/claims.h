// SPDX-License-Identifier: MIT
// What the trees claim that most faults pretend to be. A file that uses this defines `height`.
#ifndef REDUCTIO_KERNELS_FAULTY_CLAIMS_H
#define REDUCTIO_KERNELS_FAULTY_CLAIMS_H

#include "harness/reductio.h"

#define TREE_SAME_BITS (REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE)

// Claims of a tree that promises `same` to leave its bits alone.
#define TREE_CLAIMS_WITH(same)                                                                                         \
    {                                                                                                                  \
        .accuracy = REDUCTIO_HEIGHT, .height = height, .same_bits = (same), .keeps_subnormals = REDUCTIO_YES,          \
        .may_overflow_early = REDUCTIO_YES, .specials = REDUCTIO_YES, .all_minus_zero = REDUCTIO_MINUS,                \
        .empty = REDUCTIO_YES                                                                                          \
    }
#define TREE_CLAIMS TREE_CLAIMS_WITH(TREE_SAME_BITS)

#endif
