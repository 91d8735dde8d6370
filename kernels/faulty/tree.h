// SPDX-License-Identifier: MIT
// All of tree_sequential but its kernel: what most faults pretend to be. Such a file holds its faulty kernel,
//
//     static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream);
//
// which launches it for one pass, and a descriptor with TREE_CLAIMS; so what differs from tree_sequential is what is
// wrong.
#ifndef REDUCTIO_KERNELS_FAULTY_TREE_H
#define REDUCTIO_KERNELS_FAULTY_TREE_H

#include "kernels/passes.h"

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream);

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, shape.threads);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads == 0 || ceil_div(n, shape.threads) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, shape.threads); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_pass(pass, shape, stream);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, shape.threads);
}

// The tree itself, where the fault is elsewhere: the block's sum, in thread 0. `shared` holds blockDim.x words, a power
// of two.
static __device__ __forceinline__ reductio_out sum_block(reductio_out x, reductio_out *shared) {
    const unsigned thread = threadIdx.x;
    shared[thread] = x;
    __syncthreads();
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    return shared[0];
}

// The sum of a whole warp, in lane 0.
static __device__ __forceinline__ reductio_out sum_warp(reductio_out sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

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
