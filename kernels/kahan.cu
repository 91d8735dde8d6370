// SPDX-License-Identifier: MIT
// Kahan's compensated summation in each thread; the threads' pairs (sum, correction) are merged by a tree of two_sums.
//
//     thread   y = x - c;  t = s + y;  c = (t - s) - y;  s = t       what s really holds is s - c
//     merge    (s1, c1) + (s2, c2):  s = s1 + s2,  e = its exact error;  c = (c1 + c2) - e
//     result   s - c, once, at the end
//
// Elements go to threads as tiles.h tells, WIDTH pairs a thread. Dropping the c of a partial sum, as many published
// kernels do, throws away what the method is for: the error of the merged sum is then that of a plain tree.
//
// Exact: e (Knuth's two_sum). Not exact: c where |y| > |s|, which Kahan's three operations do not allow for; neumaier
// does. Bound: (2u + O(k u^2)) A for the pair s - c of a thread of k terms (Higham, Accuracy and Stability, 2nd ed.,
// section 4.3; Knuth, exercise 4.2.2-19; constants in Hallman and Ipsen, arXiv:2107.01604), then u |s| + (1+u) gamma_h
// gamma_2h A for the merges of height h and the final rounding, the bound of a compensated tree (Ogita, Rump and Oishi
// 2005). Here height() is that of the merges alone and serial_terms() is k.
//
// Textbook Kahan turns {1, Inf, 2} into NaN, since Inf - Inf enters c: the correction is zeroed where s is not finite.
// A pair starts at (+0, 0), so a sum of -0 only gives +0.
// Launch: T a power of two; 2T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/tiles.h"
#include "kernels/two_sum.h"

struct kahan_sum {
    reductio_out sum, correction; // stands for sum - correction

    static __device__ kahan_sum nothing() { return {0, 0}; }

    __device__ void add(reductio_in x) {
        const reductio_out corrected = x - correction;
        const reductio_out next = sum + corrected;
        correction = is_finite(next) ? (next - sum) - corrected : 0;
        sum = next;
    }

    __device__ void merge(kahan_sum other) {
        const rounded_sum merged = two_sum(sum, other.sum);
        correction = (correction + other.correction) - merged.error;
        sum = merged.sum;
    }

    __device__ reductio_out result() const { return is_finite(sum) ? sum - correction : sum; }
};

// One per block: its sum to the workspace.
template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, kahan_sum *partials) {
    extern __shared__ kahan_sum shared[];
    const kahan_sum sum = merge_block(sum_tiles<ALIGNED, kahan_sum>(in, n), shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const kahan_sum *partials, unsigned count, reductio_out *out) {
    extern __shared__ kahan_sum shared[];
    const kahan_sum sum = merge_block(merge_strided(partials, count), shared);
    if (threadIdx.x == 0)
        *out = sum.result();
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(kahan_sum);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    const size_t shared = shape.threads * sizeof(kahan_sum);
    kahan_sum *partials = static_cast<kahan_sum *>(workspace);
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
    return tile_merge_height(n, shape);
}

REDUCTIO_VARIANT(kahan, .summary = "Kahan in each thread, the pairs (sum, correction) merged by a tree of two_sums",
                 .origin = "second tutorial names the method; merged correctly here",
                 .workspace_bytes = workspace_bytes, .shapes = {{512, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_KAHAN_MERGED,
                            .height = height,
                            .serial_terms = tile_serial_terms,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
