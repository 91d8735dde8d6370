// SPDX-License-Identifier: MIT
// The parts of a block's sum that are right, for faults that lie elsewhere.
#ifndef REDUCTIO_KERNELS_FAULTY_BLOCK_H
#define REDUCTIO_KERNELS_FAULTY_BLOCK_H

#include "kernels/trees.h"

// tree_sequential's loop: adds the blockDim.x words of `shared`, a power of two, into its first. Every thread calls it,
// after a barrier.
template <typename Word>
static __device__ __forceinline__ void add_halves(Word *shared) {
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride)
            shared[threadIdx.x] += shared[threadIdx.x + stride];
        __syncthreads();
    }
}

// The sum of the block's x, in every thread.
template <typename Word>
static __device__ __forceinline__ Word sum_block(Word x, Word *shared) {
    shared[threadIdx.x] = x;
    __syncthreads();
    add_halves(shared);
    return shared[0];
}

// The sum of a whole warp, in lane 0.
static __device__ __forceinline__ reductio_out sum_warp(reductio_out sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

#endif
