// SPDX-License-Identifier: MIT
// Sums in two words: every partial sum is an unevaluated pair hi + lo with |lo| <= ulp(hi)/2, renormalised after each
// addition.
//
//     add      (s, e) = two_sum(hi, x);  (hi, lo) = fast_two_sum(s, lo + e)                 algorithm 4
//     merge    (s, e) = two_sum(hi1, hi2);  (t, f) = two_sum(lo1, lo2);
//              (v, w) = fast_two_sum(s, e + t);  (hi, lo) = fast_two_sum(v, f + w)          algorithm 6
//     result   hi
//
// The algorithms are those of Joldes, Muller and Popescu, "Tight and rigorous error bounds for basic building blocks of
// double-word arithmetic", ACM TOMS 44 (2017).
//
// Elements go to threads as tiles.h tells, WIDTH pairs a thread; then threads, block and blocks as a tree of merges.
//
// Exact: every two_sum and fast_two_sum. Rounded: lo + e, e + t, f + w, all about u^2 of the sum.
// Bound: relative 2u^2 for each add, 3u^2 + 13u^3 for each merge (same source), over the height h of the whole tree,
// serial part included, and u |s| for hi alone. Here a partial sum is exact to twice the precision, so cancellation of
// up to 1/u costs nothing that one word can show.
//
// Where the sum is not finite there is no second word: Inf - Inf would make NaN of it.
// A pair starts at (+0, 0), so a sum of -0 only gives +0.
// Launch: T a power of two; 2T words of dynamic shared memory.
//
// Types: f32 f64
#include "kernels/tiles.h"
#include "kernels/two_sum.h"

struct double_word {
    reductio_out hi, lo;

    static __device__ double_word nothing() { return {0, 0}; }

    __device__ void add(reductio_in x) {
        const rounded_sum high = two_sum(hi, x);
        if (!is_finite(high.sum)) {
            *this = {high.sum, 0};
            return;
        }
        const rounded_sum both = fast_two_sum(high.sum, lo + high.error);
        *this = {both.sum, both.error};
    }

    __device__ void merge(double_word other) {
        const rounded_sum high = two_sum(hi, other.hi), low = two_sum(lo, other.lo);
        if (!is_finite(high.sum)) {
            *this = {high.sum, 0};
            return;
        }
        const rounded_sum middle = fast_two_sum(high.sum, high.error + low.sum);
        const rounded_sum both = fast_two_sum(middle.sum, low.error + middle.error);
        *this = {both.sum, both.error};
    }

    __device__ reductio_out result() const { return hi; }
};

// One per block: its sum to the workspace.
template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, double_word *partials) {
    extern __shared__ double_word shared[];
    const double_word sum = merge_block(sum_tiles<ALIGNED, double_word>(in, n), shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const double_word *partials, unsigned count, reductio_out *out) {
    extern __shared__ double_word shared[];
    const double_word sum = merge_block(merge_strided(partials, count), shared);
    if (threadIdx.x == 0)
        *out = sum.result();
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(double_word);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    const size_t shared = shape.threads * sizeof(double_word);
    double_word *partials = static_cast<double_word *>(workspace);
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

REDUCTIO_VARIANT(double_word, .summary = "Double-word sums in each thread, merged by a tree of double-word additions",
                 .origin = "Joldes, Muller and Popescu 2017, algorithms 4 and 6", .workspace_bytes = workspace_bytes,
                 .shapes = {{512, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_DOUBLE_WORD,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
