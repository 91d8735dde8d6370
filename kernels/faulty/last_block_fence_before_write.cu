// SPDX-License-Identifier: MIT
// single_pass_last_block with its first fence one line too early: it orders what came before the partial sum is stored,
// and nothing orders the store and the ticket.
// No schedule of this or any other machine needs to show it; a race detector that knows fences and atomics does.
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
        __threadfence();
        partials[blockIdx.x] = sum;
        is_last = atomicInc(counter, gridDim.x) == gridDim.x - 1;
        __threadfence();
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

REDUCTIO_VARIANT(last_block_fence_before_write,
                 .summary = "single_pass_last_block with the first fence before the store that it should order",
                 .workspace_bytes = workspace_bytes, .shapes = {{64, 0}, {128, 0}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "raced", .detector = "tsan"});
