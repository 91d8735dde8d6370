// SPDX-License-Identifier: MIT
// Interleaved tree in shared memory, active threads packed at the front: the first tutorial's v1.
//
//     thread 0 adds pair (0, 1), thread 1 pair (2, 3), thread 2 pair (4, 5), ...   stride 1
//     thread 0 adds (01) + (23), thread 1 (45) + (67), ...                         stride 2
//
// The same additions as tree_modulo, hence the same bits, also for any launch shape; only other threads make them.
//
// No addition is exact by design; threads past the end hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T = blockDim.x a power of two; T words of dynamic shared memory. Warps no longer diverge, but the words that
// a warp reads lie 2*stride apart, so they share banks: from stride 16 on, all 32 of them one bank (f32).
//
// Types: f32 f64
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const unsigned left = 2 * stride * thread;
        if (left < blockDim.x)
            shared[left] += shared[left + stride];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static size_t per_block(reductio_shape shape) {
    return shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads) || ceil_div(n, per_block(shape)) > max_grid)
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
    tree_strided,
    .summary = "Interleaved shared-memory tree per block, active threads packed; partial sums in further passes",
    .origin = "first tutorial, v1", .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}, {1024, 0}},
    .max_n = max_grid * 128,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_SHAPE | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
