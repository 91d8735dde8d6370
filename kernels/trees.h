// SPDX-License-Identifier: MIT
// The arithmetic of trees that launches and claims share.
#ifndef REDUCTIO_KERNELS_TREES_H
#define REDUCTIO_KERNELS_TREES_H

#include "harness/reductio.h"

#include <stddef.h>

// What a thread without an element holds. x + -0 is x for every x; x + +0 is not, for x = -0.
#ifdef REDUCTIO_16_BITS // such a number is no constant expression
#define no_element (reductio_out(-0.0))
#else
static constexpr reductio_out no_element = reductio_out(-0.0);
#endif

// The largest grid, in blocks along x (CUDA C++ Programming Guide, "Compute Capabilities").
static constexpr size_t max_grid = 2147483647;

static constexpr size_t ceil_div(size_t a, size_t b) {
    return a / b + (a % b != 0);
}

static constexpr bool is_power_of_two(unsigned x) {
    return x != 0 && (x & (x - 1)) == 0;
}

// Levels of a binary tree over `leaves` leaves; 0 for none or one.
static constexpr size_t ceil_log2(size_t leaves) {
    size_t levels = 0;
    while (levels < 63 && (size_t(1) << levels) < leaves)
        levels++;
    return levels;
}

// Longest path where T threads each add their share of n elements, t, t + T, ... one by one, and a tree sums the T
// sums.
static constexpr size_t strided_tree_height(size_t n, size_t threads) {
    return n == 0 ? 0 : ceil_div(n, threads) - 1 + ceil_log2(n < threads ? n : threads);
}

#endif
