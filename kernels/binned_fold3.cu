// SPDX-License-Identifier: MIT
// A reproducible sum: each element is cut into slices on a fixed grid of exponents, and only the three highest rows of
// the grid that any element reaches are kept.
//
//     row v     counts multiples of L(v) = 2^(W v + C), C the exponent of the least subnormal; W = 13 in f32, 40 in f64
//     top       T, the least row >= 2 with |x| < 2^(W-1) L(T) for all x met so far
//     add       x / L(T) = q0 + r0, q0 the nearest integer; r0 2^W = q1 + r1; r1 2^W = q2 + r2, and r2 is dropped;
//               each |q| <= 2^(W-1) goes to the count of row T, T-1, T-2
//     raise     a larger x lifts T: counts of rows below T-2 are dropped
//     result    counts of rows T, T-1, T-2, added exactly and rounded once
//
// A slice depends on x and the row alone: in rows above its own top an element has slice 0, in rows below it the same
// remainder is cut, whichever T its thread had. So the three counts are a function of the set of elements, and all
// orders, shapes, devices and addresses give the same bits. Ahrens, Demmel and Nguyen, "Algorithms for efficient
// reproducible floating point summation", ACM Trans. Math. Softw. 46 (2020), sections 3 to 5: slices, rows, width and
// fold of their binned sum. Different here: counts are integers, so that nothing is renormalised, and the end rounds
// once.
//
// Bound: n 2^(-2W + e) + rounding the kept sum once, e = floor(log2 max|x|): the dropped part of an element is at most
// L(T-2) / 2, and L(T) <= 2^(e+1) unless T = 2, where nothing is dropped. bound_binned_fold3 of reference/bounds.h;
// theirs is n 2^(-2W) max|x| + 7 u |s|.
//
// Exact: division by L(T), a power of two (where it underflows all slices are 0 anyway), the nearest integers, by
// adding and subtracting 1.5 * 2^(p-1); their sums in floats, at most 2^11 between two moves to integers; all the rest.
// NaN and infinities are counted aside; -0 only gives -0.
//
// Cost an element: 3 multiplications, 12 additions of the type, 1 comparison; 4 or 8 bytes. f64: 64 a clock and SM are
// 4.5 elements; an H200's memory brings 2.7.
// Launch: T a power of two.
//
// Types: f32 f64
#include "kernels/exact_combine.h"
#include "kernels/tiles.h"

typedef superaccumulator<reductio_in> accumulator;
static constexpr bool IS_F32 = sizeof(reductio_in) == sizeof(float);
static constexpr int PRECISION = IS_F32 ? FLT_MANT_DIG : DBL_MANT_DIG;
static constexpr int W = IS_F32 ? 13 : 40;
static constexpr int C = IS_F32 ? -149 : -1074;
static constexpr unsigned FOLD = 3, DIGITS = accumulator::DIGITS;
// Threads of the second kernel's block; where races are looked for, no more than every ThreadSanitizer can tell apart.
#ifdef REDUCTIO_SIMT_TSAN
static constexpr unsigned MERGERS = 128;
#else
static constexpr unsigned MERGERS = 512;
#endif
static constexpr unsigned MOST_ADDED = 1 << 11; // slices of 2^(W-1) that a float surely holds: 2^(p-W+1) at least

// 2^exponent for a normal number; infinity beyond.
static __device__ __forceinline__ reductio_in power_of_two(int exponent) {
    if constexpr (IS_F32)
        return __int_as_float(min(exponent + 127, 255) << 23);
    else
        return __hiloint2double(min(exponent + 1023, 2047) << 20, 0);
}

static __device__ __forceinline__ int exponent_field(reductio_in x) {
    if constexpr (IS_F32)
        return int(__float_as_uint(x) >> 23 & 255) - 127;
    else
        return (__double2hiint(x) >> 20 & 2047) - 1023;
}

static __device__ __forceinline__ bool is_minus_zero(reductio_in x) {
    return x == 0 && signbit(x);
}

// Three integers of more than 64 bits: low words without a sign and the rest, carries pending.
struct binned_count {
    long long low[FOLD], high[FOLD];

    __device__ __forceinline__ void add(unsigned k, long long slices) {
        low[k] += slices & 0xffffffff;
        high[k] += slices >> 32;
    }
};

struct binned_sum {
    reductio_in slices[FOLD];
    binned_count count;
    int top;
    unsigned seen, added;

    static __device__ binned_sum nothing() { return {{0, 0, 0}, {{0, 0, 0}, {0, 0, 0}}, FOLD - 1, 0, 0}; }

    __device__ __forceinline__ void settle() {
#pragma unroll
        for (unsigned k = 0; k < FOLD; k++) {
            count.add(k, static_cast<long long>(slices[k]));
            slices[k] = 0;
        }
        added = 0;
    }

    // Rows move down the fold; those beyond it are dropped.
    __device__ void raise(int new_top) {
        settle();
        for (; top < new_top; top++) {
#pragma unroll
            for (unsigned k = FOLD - 1; k > 0; k--) {
                count.low[k] = count.low[k - 1];
                count.high[k] = count.high[k - 1];
            }
            count.low[0] = count.high[0] = 0;
        }
    }

    __device__ __forceinline__ void add(reductio_in x) {
        const int exponent = W * top + C; // L(top) = 2^exponent
        if (!(fabs(x) < power_of_two(exponent + W - 1)) && !raise_for(x))
            return;
        constexpr reductio_in magic = reductio_in(3ull << (PRECISION - 2)), step = reductio_in(1ull << W);
        reductio_in rest = x * power_of_two(-(W * top + C));
#pragma unroll
        for (unsigned k = 0; k < FOLD; k++) {
            const reductio_in slice = (rest + magic) - magic; // nearest integer, ties to even
            slices[k] += slice;
            rest = (rest - slice) * step;
        }
        seen |= is_minus_zero(x) ? 0u : unsigned(SEEN_NOT_MINUS_ZERO);
        if (++added == MOST_ADDED)
            settle();
    }

    // False if x is no number.
    __device__ bool raise_for(reductio_in x) {
        if (!is_number(x)) {
            seen |= class_of_special(x) | SEEN_NOT_MINUS_ZERO;
            return false;
        }
        raise((exponent_field(x) + 2 - C - 1) / W); // the least v with exponent + 1 <= W v + C + W - 1
        return true;
    }

    static __device__ bool is_number(reductio_in x) {
        return x - x == 0;
    }

    __device__ void merge(binned_sum other) {
        other.settle();
        raise(max(top, other.top));
        other.raise(top);
#pragma unroll
        for (unsigned k = 0; k < FOLD; k++) {
            count.low[k] += other.count.low[k];
            count.high[k] += other.count.high[k];
        }
        seen |= other.seen;
    }

    // Row top - k starts at bit W (top - k) above 2^C. The work of the block's first warp, which all hold this sum.
    __device__ reductio_out result(shared_digits<DIGITS> &shared) {
        settle();
        for (unsigned k = 0; k < FOLD && threadIdx.x == 0; k++) {
            const unsigned position = unsigned(W * (top - int(k)) + C - accumulator::UNIT);
            add_to_digits(shared.digits, count.low[k], position);
            add_to_digits(shared.digits, count.high[k], position + 32);
        }
        __syncwarp();
        return round_digits<reductio_out, accumulator::UNIT, DIGITS>(shared.digits, seen);
    }
};

template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, binned_sum *partials) {
    extern __shared__ binned_sum shared[];
    const binned_sum sum = merge_block(sum_tiles<ALIGNED, binned_sum>(in, n), shared);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const binned_sum *partials, unsigned count, reductio_out *out) {
    extern __shared__ binned_sum shared[];
    __shared__ shared_digits<DIGITS> digits;
    clear_digits(digits);
    binned_sum sum = merge_block(merge_strided(partials, count), shared);
    if (threadIdx.x >= 32)
        return;
    const reductio_out result = sum.result(digits);
    if (threadIdx.x == 0)
        *out = result;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(binned_sum);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    const size_t shared = shape.threads * sizeof(binned_sum);
    binned_sum *partials = static_cast<binned_sum *>(workspace);
    if (is_aligned(in))
        sum_blocks<true><<<blocks, shape.threads, shared, stream>>>(in, n, partials);
    else
        sum_blocks<false><<<blocks, shape.threads, shared, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    const size_t combining = MERGERS * sizeof(binned_sum);
    sum_partials<<<1, MERGERS, combining, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(binned_fold3,
                 .summary = "Slices on a fixed grid of exponents, the three highest rows kept exactly, rounded once",
                 .origin = "Ahrens, Demmel and Nguyen 2020; integer counts here", .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_BINNED,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_SHAPE | REDUCTIO_PLACEMENT | REDUCTIO_ORDER |
                                         REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_NO,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
