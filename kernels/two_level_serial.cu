// SPDX-License-Identifier: MIT
// Two kernels, no atomics; the second is one thread that adds the partial sums one by one.
//
//     level 1   block b: tree_sequential's tree over x[bT .. bT+T-1], T = blockDim.x      -> p_b
//     level 2   ((p_0 + p_1) + p_2) + ... + p_(P-1),  P = ceil(n/T)
//
// What summing the partial sums on the host comes to, without the copy. Height: log2 T + P - 1.
//
// No addition is exact by design; threads without an element hold -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a power of two; T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/trees.h"

static __global__ void sum_blocks(const reductio_in *in, size_t n, reductio_out *partials) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? in[i] : no_element;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread == 0)
        partials[blockIdx.x] = shared[0];
}

static __global__ void add_partials(const reductio_out *partials, size_t count, reductio_out *out) {
    reductio_out sum = partials[0];
    for (size_t i = 1; i < count; i++)
        sum += partials[i];
    *out = sum;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return ceil_div(n, shape.threads) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads);
    if (!is_power_of_two(shape.threads) || blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    sum_blocks<<<unsigned(blocks), shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    add_partials<<<1, 1, 0, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    return ceil_log2(n < shape.threads ? n : shape.threads) + ceil_div(n, shape.threads) - 1;
}

REDUCTIO_VARIANT(two_level_serial, .summary = "A tree per block, then one thread adds the partial sums one by one",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 128,
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
