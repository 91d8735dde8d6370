// SPDX-License-Identifier: MIT
// f32 data summed in f64 throughout, rounded to the output type once, at the end.
//
//     thread     WIDTH = 4 sums in f64, one for each place in a 16-byte load, over its loads one by one (tiles.h)
//     block      tree over the sums of a thread, then over the threads, in f64                        -> p_b, in f64
//     2nd kernel thread t: p_t + p_(t+T) + ... one by one; then the same tree; then one rounding
//
// Exact: every conversion to f64; every addition as long as the partial sums need no more than 53 bits.
// Bound: u_out |s| (nothing for f32:f64) plus gamma_h A in f64's unit roundoff, 2^29 times smaller than f32's, h the
// height of the whole tree; Higham, Accuracy and Stability, 2nd ed., section 4.2. No partial sum of f32 data overflows
// f64. Sums start at -0, the identity of addition. Launch: T a power of two; T doubles of dynamic shared memory.
//
// Types: f32 f32:f64
#include "kernels/tiles.h"

struct wide_sum {
    double value;
    static __device__ wide_sum nothing() { return {-0.0}; }
    __device__ void add(reductio_in x) { value += double(x); }
    __device__ void merge(wide_sum other) { value += other.value; }
    __device__ reductio_out result() const { return reductio_out(value); }
};

// One per block: its sum to the workspace.
template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, wide_sum *partials) {
    extern __shared__ wide_sum shared[];
    const wide_sum sum = merge_block(sum_tiles<ALIGNED, wide_sum>(in, n), shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const wide_sum *partials, unsigned count, reductio_out *out) {
    extern __shared__ wide_sum shared[];
    const wide_sum sum = merge_block(merge_strided(partials, count), shared);
    if (threadIdx.x == 0)
        *out = sum.result();
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(wide_sum);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    const size_t shared = shape.threads * sizeof(wide_sum);
    wide_sum *partials = static_cast<wide_sum *>(workspace);
    if (is_aligned(in))
        sum_blocks<true><<<blocks, shape.threads, shared, stream>>>(in, n, partials);
    else
        sum_blocks<false><<<blocks, shape.threads, shared, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_partials<<<1, shape.threads, shared, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return n == 0 ? 0 : tile_serial_terms(n, shape) - 1 + tile_merge_height(n, shape);
}

REDUCTIO_VARIANT(f64_accumulator, .summary = "f32 data summed in f64 by a tree, rounded once",
                 .workspace_bytes = workspace_bytes, .shapes = {{512, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_WIDE,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_NO,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
