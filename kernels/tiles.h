// SPDX-License-Identifier: MIT
// How the fast variants read: 16 bytes in one load, LOADS of them in flight in each thread, tile after tile.
//
//     tile    T * LOADS * WIDTH consecutive elements, T = blockDim.x; block b reads tiles b, b + blocks, b + 2 blocks,
//     ... load l  thread t reads the WIDTH elements from (l T + t) WIDTH of the tile on sums    place w of each load
//     goes to the thread's sum w, in order of l and then of tiles
//
// WIDTH sums a thread, then, all as trees: the sums of a thread, the threads of a block, and, in a second kernel, the
// blocks. Which element goes where depends on n and the shape alone. Where the input is not aligned to 16 bytes the
// same thread reads the same elements one by one, so no base address changes the result, and the last tile needs no
// special order.
#ifndef REDUCTIO_KERNELS_TILES_H
#define REDUCTIO_KERNELS_TILES_H

#include "harness/reductio.h"
#include "kernels/trees.h"

#include <stdint.h>

static constexpr unsigned LOADS = 4;
static constexpr unsigned WIDTH = 16 / sizeof(reductio_in);

// Blocks where the shape names none. A number of its own, not the device's, so that each device adds in the same order.
// An H200 keeps 4 * 132 blocks of 512 threads at a time; 1056 such blocks with 4 loads a thread were the fastest of 2,
// 4, 8 loads, 128 to 512 threads and 1056 to 16896 blocks there, for f32 and f64.
static constexpr size_t MOST_BLOCKS = 1056;

struct alignas(16) load_of_16_bytes {
    reductio_in x[WIDTH];
};

static inline bool is_aligned(const reductio_in *in) {
    return reinterpret_cast<uintptr_t>(in) % sizeof(load_of_16_bytes) == 0;
}

template <bool ALIGNED>
static __device__ __forceinline__ load_of_16_bytes load(const reductio_in *from) {
    if constexpr (ALIGNED) {
        return *reinterpret_cast<const load_of_16_bytes *>(from);
    } else {
        load_of_16_bytes loaded;
        for (unsigned w = 0; w < WIDTH; w++)
            loaded.x[w] = from[w];
        return loaded;
    }
}

// Adds this thread's elements to its sums: sums[w].add(x).
template <bool ALIGNED, typename Sum>
static __device__ __forceinline__ void add_tiles(const reductio_in *in, size_t n, Sum (&sums)[WIDTH]) {
    const size_t row = size_t(blockDim.x) * WIDTH, tile = row * LOADS, whole = n - n % tile;
    size_t start = blockIdx.x * tile + threadIdx.x * WIDTH;
    for (; start < whole; start += gridDim.x * tile) {
        load_of_16_bytes loaded[LOADS];
        for (unsigned l = 0; l < LOADS; l++)
            loaded[l] = load<ALIGNED>(in + start + l * row);
        for (unsigned l = 0; l < LOADS; l++)
            for (unsigned w = 0; w < WIDTH; w++)
                sums[w].add(loaded[l].x[w]);
    }
    // Only the block whose turn it is finds elements below n here: those of the last tile, which is not whole.
    for (unsigned l = 0; l < LOADS; l++)
        for (unsigned w = 0; w < WIDTH; w++)
            if (start + l * row + w < n)
                sums[w].add(in[start + l * row + w]);
}

// The sum of this thread's elements, as a tree over its WIDTH sums.
template <bool ALIGNED, typename Sum>
static __device__ __forceinline__ Sum sum_tiles(const reductio_in *in, size_t n) {
    Sum sums[WIDTH];
    for (unsigned w = 0; w < WIDTH; w++)
        sums[w] = Sum::nothing();
    add_tiles<ALIGNED>(in, n, sums);
    for (unsigned half = WIDTH / 2; half > 0; half /= 2)
        for (unsigned w = 0; w < half; w++)
            sums[w].merge(sums[w + half]);
    return sums[0];
}

// Merges partial sums t, t + T, t + 2T, ... in this order.
template <typename Sum>
static __device__ __forceinline__ Sum merge_strided(const Sum *partials, unsigned count) {
    Sum sum = Sum::nothing();
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum.merge(partials[i]);
    return sum;
}

// The block's sum, in thread 0: a tree with sequential addressing. `shared` holds blockDim.x sums, a power of two.
template <typename Sum>
static __device__ __forceinline__ Sum merge_block(Sum sum, Sum *shared) {
    const unsigned thread = threadIdx.x;
    shared[thread] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread].merge(shared[thread + stride]);
        __syncthreads();
    }
    return shared[0];
}

// ---- what the claims need, on the host ----

static inline size_t tile_elements(reductio_shape shape) {
    return size_t(shape.threads) * LOADS * WIDTH;
}

static inline size_t tile_blocks(size_t n, reductio_shape shape) {
    if (shape.blocks != 0)
        return shape.blocks;
    const size_t tiles = ceil_div(n, tile_elements(shape));
    return tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS;
}

// Elements that the first sum of thread 0 of block 0 takes: no other takes more.
static inline size_t tile_serial_terms(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    const size_t tile = tile_elements(shape), blocks = tile_blocks(n, shape);
    const size_t whole = n / tile, rest = n % tile;
    const size_t rows_of_rest = whole % blocks == 0 ? ceil_div(rest, size_t(shape.threads) * WIDTH) : 0;
    return ceil_div(whole, blocks) * LOADS + rows_of_rest;
}

// Levels of merging above those: the sums of a thread, the threads of a block, the blocks' partial sums.
static inline size_t tile_merge_height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    const size_t width = n < WIDTH ? n : WIDTH;
    const size_t loads = ceil_div(n, WIDTH), threads = loads < shape.threads ? loads : shape.threads;
    const size_t tiles = ceil_div(n, tile_elements(shape)), blocks = tile_blocks(n, shape);
    return ceil_log2(width) + ceil_log2(threads) + strided_tree_height(tiles < blocks ? tiles : blocks, shape.threads);
}

#endif
