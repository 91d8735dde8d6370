// SPDX-License-Identifier: MIT
// Neumaier's improved Kahan summation in each thread; the pairs are merged by a tree of two_sums.
//
//     thread   t = s + x;  c += |s| >= |x| ? (s - t) + x : (x - t) + s;  s = t     what s really holds is s + c
//     merge    (s1, c1) + (s2, c2):  s = s1 + s2,  e = its exact error;  c = (c1 + c2) + e
//     result   s + c, once, at the end
//
// Elements go to threads as tiles.h tells, WIDTH pairs a thread. Unlike Kahan's, the correction never enters the sum,
// so the error of each addition is had exactly also where the addend is the larger: {1, 2^100, 1, -2^100} gives 2,
// Kahan gives 0.
//
// Exact: the error of every addition, at each node of the tree. Only the sums of errors round.
// Bound: u |s| + (1+u) gamma_h gamma_2h A, h the height of the whole tree, serial part included: Sum2 of Ogita, Rump
// and Oishi, "Accurate sum and dot product", SIAM J. Sci. Comput. 26 (2005), section 4, carried over to a tree.
// Neumaier, ZAMM 54 (1974).
//
// The correction is left out where the sum is not finite: Inf - Inf would make NaN of it.
// A pair starts at (+0, 0), so a sum of -0 only gives +0.
// Launch: T a power of two; 2T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/tiles.h"
#include "kernels/two_sum.h"

#include <math.h>

struct neumaier_sum {
    reductio_out sum, correction; // stands for sum + correction

    static __device__ neumaier_sum nothing() { return {0, 0}; }

    __device__ void add(reductio_in x) {
        const bool sum_is_larger = fabs(sum) >= fabs(x);
        correction += sum_is_larger ? fast_two_sum(sum, x).error : fast_two_sum(x, sum).error;
        sum += x;
    }

    __device__ void merge(neumaier_sum other) {
        const rounded_sum merged = two_sum(sum, other.sum);
        correction = (correction + other.correction) + merged.error;
        sum = merged.sum;
    }

    __device__ reductio_out result() const { return is_finite(sum) ? sum + correction : sum; }
};

// One per block: its sum to the workspace.
template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, neumaier_sum *partials) {
    extern __shared__ neumaier_sum shared[];
    const neumaier_sum sum = merge_block(sum_tiles<ALIGNED, neumaier_sum>(in, n), shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const neumaier_sum *partials, unsigned count, reductio_out *out) {
    extern __shared__ neumaier_sum shared[];
    const neumaier_sum sum = merge_block(merge_strided(partials, count), shared);
    if (threadIdx.x == 0)
        *out = sum.result();
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(neumaier_sum);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    const size_t shared = shape.threads * sizeof(neumaier_sum);
    neumaier_sum *partials = static_cast<neumaier_sum *>(workspace);
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

REDUCTIO_VARIANT(neumaier,
                 .summary = "Neumaier in each thread, the pairs (sum, correction) merged by a tree of two_sums",
                 .origin = "Neumaier 1974; merged correctly here", .workspace_bytes = workspace_bytes,
                 .shapes = {{512, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_COMPENSATED,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
