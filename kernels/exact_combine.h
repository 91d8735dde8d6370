// SPDX-License-Identifier: MIT
// How the digits of a superaccumulator leave a block, and how those of all blocks become one number.
//
// The workspace holds a row for each block: its digits, and one word more for what it has seen, so that a block writes
// and the combining block reads whole cache lines: 1.15 times as fast on 2^20 doubles as column by column (H200). One
// block adds the rows; its first warp rounds once.
#ifndef REDUCTIO_KERNELS_EXACT_COMBINE_H
#define REDUCTIO_KERNELS_EXACT_COMBINE_H

#include "kernels/superaccumulator.h"

// Threads of the block that combines: 14 (f64) or 19 (f32) for each word of a row. 1024 for f64 sum 2^20 doubles 1.16
// times as fast as 512 do, which read twice as long; f32's rows are short, and each group is one addition more at last.
template <unsigned DIGITS>
static constexpr unsigned combiners() {
#ifdef REDUCTIO_SIMT_TSAN // no more than every ThreadSanitizer can tell apart
    return DIGITS > 32 ? 224 : 128;
#else
    return DIGITS > 32 ? 1024 : 256;
#endif
}

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
    long long *row = partials + blockIdx.x * size_t(DIGITS + 1);
    for (unsigned d = threadIdx.x; d < DIGITS; d += blockDim.x)
        row[d] = shared.digits[d].value();
    if (threadIdx.x == 0)
        row[DIGITS] = shared.seen;
}

// What the threads of the combining block hold on the way: of each word, the sums over every GROUPS-th row.
template <unsigned DIGITS>
struct shared_sums {
    static constexpr unsigned WORDS = DIGITS + 1, GROUPS = combiners<DIGITS>() / WORDS;
    long long of[GROUPS][WORDS];
    shared_digits<DIGITS> all;

    // Two contents of one word: digits add up, what was seen gathers.
    static __device__ __forceinline__ long long join(unsigned word, long long a, long long b) {
        return word == DIGITS ? a | b : a + b;
    }
};

// Adds the rows up, word by word. A thread asks for 14 numbers before it adds one: each comes the whole way from the
// L2, and nothing else hides that; with them the rows of an H200's 132 (f64) or 264 (f32) blocks are all on their way.
template <unsigned DIGITS>
static __device__ __forceinline__ void sum_rows(const long long *partials, unsigned blocks, shared_sums<DIGITS> &sums) {
    typedef shared_sums<DIGITS> own;
    constexpr unsigned LOADS = 14;
    const unsigned word = threadIdx.x % own::WORDS, group = threadIdx.x / own::WORDS;
    if (group < own::GROUPS) {
        long long sum = 0;
        for (unsigned first = group; first < blocks; first += own::GROUPS * LOADS) {
            const long long *from = partials + size_t(first) * own::WORDS + word;
            long long loaded[LOADS];
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                loaded[l] = first + l * own::GROUPS < blocks ? from[l * own::GROUPS * own::WORDS] : 0;
#pragma unroll
            for (unsigned l = 0; l < LOADS; l++)
                sum = own::join(word, sum, loaded[l]);
        }
        sums.of[group][word] = sum;
    }
    __syncthreads();
    if (threadIdx.x >= own::WORDS)
        return;
    long long sum = sums.of[0][threadIdx.x];
#pragma unroll
    for (unsigned g = 1; g < own::GROUPS; g++)
        sum = own::join(threadIdx.x, sum, sums.of[g][threadIdx.x]);
    if (threadIdx.x < DIGITS)
        sums.all.digits[threadIdx.x] = superdigit::of(sum);
    else
        sums.all.seen = unsigned(sum);
}

// By a block of combiners<DIGITS>() threads.
template <typename Out, int UNIT, unsigned DIGITS>
static __device__ __forceinline__ void round_partials(const long long *partials, unsigned blocks,
                                                      shared_sums<DIGITS> &sums, Out *out) {
    if (threadIdx.x < 2)
        sums.all.digits[DIGITS + threadIdx.x] = {0, 0};
    sum_rows(partials, blocks, sums);
    __syncthreads();
    if (threadIdx.x >= 32)
        return;
    const Out sum = round_digits<Out, UNIT, DIGITS>(sums.all.digits, sums.all.seen);
    if (threadIdx.x == 0)
        *out = sum;
}

#endif
