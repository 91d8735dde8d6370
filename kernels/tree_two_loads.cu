// SPDX-License-Identifier: MIT
// Tree with sequential addressing whose threads make the first addition while they load: the first tutorial's v3.
//
//     x0+x8  x1+x9  x2+x10 ... x7+x15     from global memory, T = 8 threads for 16 elements
//     then tree_sequential's tree over the 8 sums
//
// Block b sums x[2bT .. 2bT+2T-1], T = blockDim.x: half as many blocks, and no thread idles in the first step.
//
// No addition is exact by design; threads past the end hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a power of two; T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + thread;
    reductio_out sum = i < n ? from[i] : no_element;
    if (i + blockDim.x < n)
        sum += from[i + blockDim.x];
    shared[thread] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
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
    tree_two_loads,
    .summary = "Two loads and an addition per thread, then a shared-memory tree; partial sums in further passes",
    .origin = "first tutorial, v3", .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}, {1024, 0}},
    .max_n = max_grid * 2 * 128,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
