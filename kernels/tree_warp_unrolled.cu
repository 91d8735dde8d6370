// SPDX-License-Identifier: MIT
// tree_two_loads whose last six levels are left to one warp: the first tutorial's v4, with the __syncwarp that it
// needs.
//
//     stride T/2 .. 64   as tree_two_loads, a block barrier a level
//     stride 32 .. 1     threads 0..31 alone, a warp barrier between each read and each write
//
// The same additions as tree_two_loads, hence the same bits. As published, the last levels lean on the lanes of a warp
// moving in lockstep; since Volta they need not (CUDA C++ Programming Guide, "Independent Thread Scheduling"), and
// `volatile` does not help. A lane past the stride adds words that no result depends on; it stays so that the whole
// warp meets at each barrier.
//
// No addition is exact by design; threads past the end hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T = blockDim.x a power of two, at least 64; T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/passes.h"

static __device__ void sum_last_warp(reductio_out *shared, unsigned lane) {
    reductio_out sum = shared[lane];
    for (unsigned stride = 32; stride > 0; stride /= 2) {
        sum += shared[lane + stride];
        __syncwarp();
        shared[lane] = sum;
        __syncwarp();
    }
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + thread;
    reductio_out sum = i < n ? from[i] : no_element;
    if (i + blockDim.x < n)
        sum += from[i + blockDim.x];
    shared[thread] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread < 32)
        sum_last_warp(shared, thread);
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static size_t per_block(reductio_shape shape) {
    return size_t(2) * shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads) || shape.threads < 64 || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                                 pass.to);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(
    tree_warp_unrolled,
    .summary =
        "Two loads per thread, shared-memory tree, last warp unrolled with __syncwarp; partial sums in further passes",
    .origin = "first tutorial, v4, with __syncwarp", .workspace_bytes = workspace_bytes,
    .shapes = {{256, 0}, {64, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 2 * 64,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
