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
    unsigned long long digits[DIGITS + 2]; // the last two stay 0, for round_digits
    unsigned seen;
};

template <unsigned DIGITS>
static __device__ __forceinline__ void clear_digits(shared_digits<DIGITS> &shared) {
    for (unsigned d = threadIdx.x; d < DIGITS + 2; d += blockDim.x)
        shared.digits[d] = 0;
    if (threadIdx.x == 0)
        shared.seen = 0;
}

static __device__ __forceinline__ long long sum_warp(long long value) {
    for (int lanes = 16; lanes > 0; lanes /= 2)
        value += __shfl_xor_sync(0xffffffff, value, lanes);
    return value;
}

// After a barrier.
template <unsigned DIGITS>
static __device__ __forceinline__ void write_digits(const shared_digits<DIGITS> &shared, long long *partials) {
    for (unsigned d = threadIdx.x; d < DIGITS; d += blockDim.x)
        partials[d * size_t(gridDim.x) + blockIdx.x] = static_cast<long long>(shared.digits[d]);
    if (threadIdx.x == 0)
        partials[DIGITS * size_t(gridDim.x) + blockIdx.x] = shared.seen;
}

// By a block of COMBINERS threads.
template <typename Out, int UNIT, unsigned DIGITS>
static __device__ __forceinline__ void round_partials(const long long *partials, unsigned blocks,
                                                      shared_digits<DIGITS> &shared, Out *out) {
    const unsigned lane = threadIdx.x % 32;
    clear_digits(shared);
    __syncthreads();
    for (unsigned d = threadIdx.x / 32; d < DIGITS; d += COMBINERS / 32) {
        long long sum = 0;
#pragma unroll 4
        for (unsigned block = lane; block < blocks; block += 32)
            sum += partials[d * size_t(blocks) + block];
        sum = sum_warp(sum);
        if (lane == 0)
            shared.digits[d] = static_cast<unsigned long long>(sum);
    }
    for (unsigned block = threadIdx.x; block < blocks; block += COMBINERS)
        atomicOr(&shared.seen, unsigned(partials[DIGITS * size_t(blocks) + block]));
    __syncthreads();
    if (threadIdx.x == 0)
        *out = round_digits<Out, UNIT, DIGITS>(reinterpret_cast<long long *>(shared.digits), shared.seen);
}

#endif
