// SPDX-License-Identifier: MIT
// How the digits of a superaccumulator leave a block, and how those of all blocks become one number.
//
// The workspace holds the digits column by column, digit d of block b at d * blocks + b, and one column more for what
// the blocks have seen. One block adds them, a warp a digit; its first thread rounds once.
#ifndef REDUCTIO_KERNELS_EXACT_COMBINE_H
#define REDUCTIO_KERNELS_EXACT_COMBINE_H

#include "kernels/superaccumulator.h"

static constexpr unsigned COMBINERS = 512; // threads of the block that combines

template <unsigned DIGITS>
struct shared_digits {
    superdigit digits[DIGITS + 2]; // the last two stay 0, for round_digits
    unsigned seen;
};

template <unsigned DIGITS>
static __device__ __forceinline__ void clear_digits(shared_digits<DIGITS> &shared) {
    for (unsigned d = threadIdx.x; d < DIGITS + 2; d += blockDim.x)
        shared.digits[d] = {0, 0};
    if (threadIdx.x == 0)
        shared.seen = 0;
}

static __device__ __forceinline__ long long sum_warp(long long value) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(WHOLE_WARP, value, lanes);
    return value;
}

// Adds what the threads of a whole warp have seen to the block's: one atomic, for all of a block's would queue.
static __device__ __forceinline__ void add_seen(unsigned *seen, unsigned found) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        found |= __shfl_xor_sync(WHOLE_WARP, found, lanes);
    if (threadIdx.x % 32 == 0 && found != 0)
        atomicOr(seen, found);
}

// After a barrier.
template <unsigned DIGITS>
static __device__ __forceinline__ void write_digits(const shared_digits<DIGITS> &shared, long long *partials) {
    for (unsigned d = threadIdx.x; d < DIGITS; d += blockDim.x)
        partials[d * size_t(gridDim.x) + blockIdx.x] = shared.digits[d].value();
    if (threadIdx.x == 0)
        partials[DIGITS * size_t(gridDim.x) + blockIdx.x] = shared.seen;
}

// Adds the blocks' digits up, a warp a column. A lane asks for 16 or 25 numbers before it adds one: each comes the
// whole way from the L2, and nothing else hides that.
template <unsigned DIGITS>
static __device__ __forceinline__ void sum_columns(const long long *partials, unsigned blocks,
                                                   shared_digits<DIGITS> &shared) {
    constexpr unsigned WARPS = COMBINERS / 32, COLUMNS = (DIGITS + WARPS - 1) / WARPS, LOADS = COLUMNS == 1 ? 16 : 5;
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    long long sums[COLUMNS] = {};
    for (unsigned first = lane; first < blocks; first += 32 * LOADS) {
        long long digits[COLUMNS][LOADS];
#pragma unroll
        for (unsigned c = 0; c < COLUMNS; c++)
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                digits[c][l] =
                    partials[min(warp + c * WARPS, DIGITS) * size_t(blocks) + min(first + 32 * l, blocks - 1)];
#pragma unroll
        for (unsigned c = 0; c < COLUMNS; c++)
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                sums[c] += first + 32 * l < blocks ? digits[c][l] : 0;
    }
#pragma unroll
    for (unsigned c = 0; c < COLUMNS; c++) {
        const long long sum = sum_warp(sums[c]);
        if (lane == 0 && warp + c * WARPS < DIGITS)
            shared.digits[warp + c * WARPS] = superdigit::of(sum);
    }
}

// By a block of COMBINERS threads.
template <typename Out, int UNIT, unsigned DIGITS>
static __device__ __forceinline__ void round_partials(const long long *partials, unsigned blocks,
                                                      shared_digits<DIGITS> &shared, Out *out) {
    unsigned found = 0;
    for (unsigned block = threadIdx.x; block < blocks; block += COMBINERS)
        found |= unsigned(partials[DIGITS * size_t(blocks) + block]);
    clear_digits(shared);
    __syncthreads();
    sum_columns(partials, blocks, shared);
    add_seen(&shared.seen, found);
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    const Out sum = round_digits<Out, UNIT, DIGITS>(shared.digits, shared.seen);
    if (threadIdx.x == 0)
        *out = sum;
}

#endif
