// SPDX-License-Identifier: MIT
// Two kernels, no atomics: each block leaves a partial sum, then one block sums all the partial sums. The second
// tutorial's scheme.
//
//     level 1   block b: tree_sequential's tree over x[bT .. bT+T-1], T = blockDim.x      -> p_b
//     level 2   thread t: p_t + p_(t+T) + p_(t+2T) + ... one by one; then the same tree over the T sums
//
// The second kernel strides over all partial sums, however many there are; as printed it needs an atomicAdd beyond 256
// of them. Height: log2 T + (ceil(P/T) - 1) + log2 T for P = ceil(n/T) partial sums.
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

static __global__ void sum_partials(const reductio_out *partials, size_t count, reductio_out *out) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    reductio_out sum = no_element;
    for (size_t i = thread; i < count; i += blockDim.x)
        sum += partials[i];
    shared[thread] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread == 0)
        *out = shared[0];
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
    const size_t shared = shape.threads * sizeof(reductio_out);
    sum_blocks<<<unsigned(blocks), shape.threads, shared, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_partials<<<1, shape.threads, shared, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return ceil_log2(n < shape.threads ? n : shape.threads) +
           strided_tree_height(ceil_div(n, shape.threads), shape.threads);
}

REDUCTIO_VARIANT(
    two_level,
    .summary = "A tree per block, then one block strides over the partial sums and sums its threads by a tree",
    .origin = "second tutorial, two-level reduction without atomics", .workspace_bytes = workspace_bytes,
    .shapes = {{256, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 128,
    .claims = {.accuracy = REDUCTIO_HEIGHT,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_MINUS,
               .empty = REDUCTIO_YES});
