// SPDX-License-Identifier: MIT
// One kernel, no second launch: blocks count themselves off, and the last to arrive sums all the partial sums.
//
//     block b   thread t: x_i for i = bT + t, + BT, + 2BT, ... one by one; then tree_sequential's tree    -> p_b
//               fence; ticket = counter++; fence
//     last one  thread t: p_t, p_(t+T), p_(t+2T), ... one by one; then the same tree
//
// B = gridDim.x, T = blockDim.x. Which block is last varies, what it adds does not: the partial sums are read in index
// order, so the bits do not vary. Both fences are needed (CUDA C++ Programming Guide, "Memory Fence Functions", shows
// the first): before the ticket, so that a partial sum is visible to whoever sees the ticket; after it, so that no
// partial sum is read before the ticket. Height: (ceil(n/BT) - 1) + log2 T + (ceil(B/T) - 1) + log2 T.
//
// No addition is exact by design; threads without an element hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a power of two; T words of dynamic shared memory. The counter lies behind the partial sums and is cleared
// first.
//
// Types: f32 f64
#include "kernels/trees.h"

static constexpr size_t most_blocks = 1024;

static __device__ reductio_out sum_strided(const reductio_out *from, size_t n, size_t first, size_t step) {
    reductio_out sum = no_element;
    for (size_t i = first; i < n; i += step)
        sum += from[i];
    return sum;
}

static __device__ reductio_out sum_block(reductio_out sum, reductio_out *shared) {
    const unsigned thread = threadIdx.x;
    shared[thread] = sum;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    return shared[0];
}

static __global__ void sum_in_one_pass(const reductio_in *in, size_t n, reductio_out *partials, unsigned *counter,
                                       reductio_out *out) {
    extern __shared__ reductio_out shared[];
    __shared__ bool is_last;
    const size_t first = size_t(blockIdx.x) * blockDim.x + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
    reductio_out sum = sum_block(sum_strided(in, n, first, step), shared);
    if (threadIdx.x == 0) {
        partials[blockIdx.x] = sum;
        __threadfence(); // release: the partial sum before the ticket
        is_last = atomicInc(counter, gridDim.x) == gridDim.x - 1;
        __threadfence(); // acquire: the ticket before the others' partial sums
    }
    __syncthreads();

    if (is_last) {
        sum = sum_block(sum_strided(partials, gridDim.x, threadIdx.x, blockDim.x), shared);
        if (threadIdx.x == 0)
            *out = sum;
    }
}

static size_t grid_blocks(size_t n, reductio_shape shape) {
    if (shape.blocks != 0)
        return shape.blocks;
    const size_t blocks = ceil_div(n, shape.threads);
    return blocks < most_blocks ? blocks : most_blocks;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return grid_blocks(n, shape) * sizeof(reductio_out) + sizeof(unsigned);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(grid_blocks(n, shape));
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    unsigned *counter = reinterpret_cast<unsigned *>(partials + blocks);
    const cudaError_t error = cudaMemsetAsync(counter, 0, sizeof *counter, stream);
    if (error != cudaSuccess)
        return error;
    sum_in_one_pass<<<blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, partials, counter,
                                                                                             out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    const size_t blocks = grid_blocks(n, shape), busy = ceil_div(n, shape.threads);
    return ceil_div(n, blocks * shape.threads) - 1 + ceil_log2(n < shape.threads ? n : shape.threads) +
           strided_tree_height(busy < blocks ? busy : blocks, shape.threads);
}

REDUCTIO_VARIANT(single_pass_last_block,
                 .summary = "Each block sums its share; the last block to arrive sums the partial sums in index order",
                 .origin = "CUDA samples, threadFenceReduction, with the second fence",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}, {64, 0}, {1024, 0}, {256, 7}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
