// SPDX-License-Identifier: MIT
// All of single_pass_last_block but its kernel, for the faults that pretend to be it. Such a file holds the kernel,
// where what is wrong are its fences,
//
//     static void sum_all(const one_pass &pass, reductio_shape shape, cudaStream_t stream);
//
// which launches it, and a descriptor with TREE_CLAIMS.
#ifndef REDUCTIO_KERNELS_FAULTY_LAST_BLOCK_H
#define REDUCTIO_KERNELS_FAULTY_LAST_BLOCK_H

#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"

static constexpr size_t most_blocks = 1024;

struct one_pass {
    const reductio_in *in;
    size_t n;
    reductio_out *partials; // one a block
    unsigned *counter;      // of the blocks that are done; 0 before the launch
    reductio_out *out;
    unsigned blocks;
};

static void sum_all(const one_pass &pass, reductio_shape shape, cudaStream_t stream);

// Elements first, first + step, first + 2 step, ... one by one.
static __device__ reductio_out sum_strided(const reductio_out *from, size_t n, size_t first, size_t step) {
    reductio_out sum = no_element;
    for (size_t i = first; i < n; i += step)
        sum += from[i];
    return sum;
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
    sum_all({in, n, partials, counter, out, blocks}, shape, stream);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    const size_t blocks = grid_blocks(n, shape), busy = ceil_div(n, shape.threads);
    return ceil_div(n, blocks * shape.threads) - 1 + ceil_log2(n < shape.threads ? n : shape.threads) +
           strided_tree_height(busy < blocks ? busy : blocks, shape.threads);
}

#endif
