// SPDX-License-Identifier: MIT
// Floating-point expansions that spill into a superaccumulator; rounded once.
//
//     add      x through four doubles a0 .. a3:  (a0, x) = two_sum(a0, x);  (a1, x) = two_sum(a1, x); ...
//              as soon as x is 0 it is done; what leaves a3 goes into the block's superaccumulator, in shared memory
//     block    the expansions of all threads go there too             integer additions: any order gives the same
//     grid     a second kernel adds the blocks' superaccumulators and rounds once
//
// Elements go to threads as tiles.h tells, WIDTH expansions a thread. Collange, Defour, Graillat and Iakymchuk,
// "Numerical reproducibility for the parallel reduction on multi- and many-core architectures", Parallel Computing 49
// (2015), section 4: expansions of size 4 with early exit. Theirs overflow where a partial sum does; here a number of
// 2^990 or more does not enter an expansion, and 2^33 smaller ones stay below 2^1023.
//
// Every step is exact; bound: half a unit in the last place of the result. -0 only gives -0: an expansion starts at -0,
// which nothing but -0 leaves there. NaN and infinities are counted aside.
//
// Cost an element: 6 double additions for each member that it passes, 2 members or 12 for data of one scale; nothing
// but registers where nothing spills. A spill costs 2 or 3 atomics on shared memory, which is what wide ranges pay.
// 64 double additions a clock are 5.3 elements of 12: an H200's memory brings as many floats, half as many doubles.
//
// Launch: T a power of two; at most 2^30 elements, so that no digit overflows: each spill adds less than 2^32 to one.
//
// Types: f32 f64
#include "kernels/dependent_launch.h"
#include "kernels/exact_combine.h"
#include "kernels/tiles.h"

typedef superaccumulator<double> accumulator;
static constexpr unsigned DIGITS = accumulator::DIGITS;

static __device__ __forceinline__ void spill(superdigit *digits, double x) {
    const long long bits = __double_as_longlong(x);
    const int field = int(bits >> 52 & 2047);
    const long long stored = bits & 0xfffffffffffff, magnitude = field == 0 ? stored : stored | 1ll << 52;
    const int least_bit = (field == 0 ? 1 : field) - 1075; // |x| = magnitude * 2^least_bit
    add_to_digits(digits, bits < 0 ? -magnitude : magnitude, unsigned(least_bit - accumulator::UNIT));
}

struct expansion {
    static constexpr unsigned SIZE = 4;
    double a[SIZE];
    shared_digits<DIGITS> *block;

    static __device__ expansion of(shared_digits<DIGITS> *block) { return {{-0.0, -0.0, -0.0, -0.0}, block}; }

    __device__ void add(reductio_in element) {
        double x = element;
        if (!(fabs(x) < 0x1p990)) {
            add_large(x);
            return;
        }
#pragma unroll
        for (unsigned i = 0; i < SIZE; i++) {
            const double sum = a[i] + x, x_part = sum - a[i], a_part = sum - x_part;
            x = (a[i] - a_part) + (x - x_part);
            a[i] = sum;
            if (x == 0)
                return;
        }
        spill(block->digits, x);
    }

    __device__ void add_large(double x) {
        if (fabs(x) <= DBL_MAX)
            spill(block->digits, x);
        atomicOr(&block->seen, SEEN_NOT_MINUS_ZERO | (fabs(x) <= DBL_MAX ? 0u : class_of_special(x)));
    }

    __device__ void close() {
#pragma unroll
        for (unsigned i = 0; i < SIZE; i++)
            if (a[i] != 0)
                spill(block->digits, a[i]);
        if (__double_as_longlong(a[0]) != __double_as_longlong(-0.0))
            atomicOr(&block->seen, unsigned(SEEN_NOT_MINUS_ZERO));
    }
};

template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, long long *partials) {
    __shared__ shared_digits<DIGITS> shared;
    clear_digits(shared);
    __syncthreads();
    expansion sums[WIDTH];
    for (unsigned w = 0; w < WIDTH; w++)
        sums[w] = expansion::of(&shared);
    add_tiles<ALIGNED>(in, n, sums);
#pragma unroll
    for (unsigned w = 0; w < WIDTH; w++)
        sums[w].close();
    __syncthreads();
    write_digits(shared, partials);
}

static __global__ void __launch_bounds__(combiners<DIGITS>())
    round_sum(const long long *partials, unsigned blocks, reductio_out *out) {
    __shared__ shared_sums<DIGITS> sums;
    wait_for_kernel_before();
    round_partials<reductio_out, accumulator::UNIT>(partials, blocks, sums, out);
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * (DIGITS + 1) * sizeof(long long);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    long long *partials = static_cast<long long *>(workspace);
    if (is_aligned(in))
        sum_blocks<true><<<blocks, shape.threads, 0, stream>>>(in, n, partials);
    else
        sum_blocks<false><<<blocks, shape.threads, 0, stream>>>(in, n, partials);
    cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    dependent_launch second;
    error = prepare_dependent_launch(&second, round_sum, 1, combiners<DIGITS>(), 0, stream);
    if (error != cudaSuccess)
        return error;
    return cudaLaunchKernelEx(&second.config, round_sum, static_cast<const long long *>(partials), blocks, out);
}

REDUCTIO_VARIANT(exact_expansion,
                 .summary = "Expansions of four doubles that spill into a superaccumulator; rounded once",
                 .origin = "Collange, Defour, Graillat and Iakymchuk 2015", .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}, {128, 0}, {32, 0}, {32, 3}}, .max_n = size_t(1) << 30,
                 .claims = {.accuracy = REDUCTIO_CORRECTLY_ROUNDED,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_SHAPE | REDUCTIO_PLACEMENT | REDUCTIO_ORDER |
                                         REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_NO,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
