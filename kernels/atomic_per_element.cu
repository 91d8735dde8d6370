// SPDX-License-Identifier: MIT
// One atomicAdd on the result for each element: the order is the one in which the memory system happens to serve the
// threads.
//
//     out = (...((+0 + x_p1) + x_p2) + ...) + x_pn    for a permutation p that nobody chose
//
// A chain of n - 1 roundings, whatever the permutation, so only the bound of any order holds: (n-1) u A (Rump 2012;
// Jeannerod and Rump 2013), with u of the result's type, in which the sum is kept: from 2^11 ones in f16 and 2^8 in
// bf16 on it stands still. In f32 an atomic on global memory also flushes subnormal inputs and results to zero (PTX
// ISA, `atom`), which adds 2^-126 an atomic; f64, f16 and bf16 do not flush. The result starts at +0, so a sum of -0
// only gives +0. Launch: any T = blockDim.x. The first kernel that most people write, and some 2000 times slower than
// the memory allows.
//
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/trees.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    if (i < n)
        atomicAdd(out, reductio_out(in[i]));
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    const size_t blocks = ceil_div(n, shape.threads);
    if (blocks > max_grid)
        return cudaErrorInvalidConfiguration;
    const cudaError_t error = cudaMemsetAsync(out, 0, sizeof *out, stream);
    if (error != cudaSuccess || n == 0)
        return error;
    add_elements<<<unsigned(blocks), shape.threads, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape) {
    return n == 0 ? 0 : n - 1;
}

static size_t global_atomics(size_t n, reductio_shape) {
    return n;
}

REDUCTIO_VARIANT(atomic_per_element, .summary = "One atomicAdd on the result for each element, in no order",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}, {1024, 0}}, .max_n = max_grid * 128,
                 .claims = {.accuracy = REDUCTIO_ANY_ORDER,
                            .height = height,
                            .global_atomics = global_atomics,
                            .same_bits = REDUCTIO_SAME_BITS_NONE,
                            .keeps_subnormals = sizeof(reductio_out) == 4 ? REDUCTIO_NO : REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
