// SPDX-License-Identifier: MIT
// The correctly rounded sum of any finite data: thread-private floating-point bins that never round.
//
//     thread   its elements into its own bins, in shared memory       exact_bins_f32.h, exact_bins_f64.h
//     block    bins -> integers -> digits of a superaccumulator       superaccumulator.h; also whenever bins may be
//     full grid     a second kernel adds the blocks' digits and rounds once
//
// Every addition is exact, so the order, the launch shape and the address cannot matter; the sum is rounded once. -0
// only gives -0; NaN and infinities as IEEE 754 adds them. Bound: half a unit in the last place of the result.
//
// Cost: f32 and f64 in the window are bound by global memory, f64 in the rows by shared memory as well (EXACT_BINS.md).
//
// Launch: T = 512, 256 or 32 for f32 (16 T doubles of dynamic shared memory), 384, 128 or 32 for f64 (68 T).
//
// 16-bit elements become floats, exactly, and go through the bins of f32.
//
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/dependent_launch.h"
#include "kernels/exact_bins_f64.h"
#include "kernels/exact_combine.h"
#include "kernels/reductio_exact_sum.h"
#include "kernels/trees.h"

#ifdef REDUCTIO_16_BITS
typedef float binned; // what an element is binned as
#else
typedef reductio_in binned;
#endif

static constexpr bool IS_F32 = sizeof(binned) == sizeof(float);
static constexpr unsigned WIDTH = 16 / sizeof(reductio_in);
// 16-byte loads in flight in each thread, of 16 elements.
static constexpr unsigned LOADS = IS_F32 ? 16 / WIDTH : 8;
static constexpr unsigned COUNT = LOADS * WIDTH;
static constexpr unsigned MOST_THREADS = IS_F32 ? 512 : 384, FEWER_THREADS = IS_F32 ? 256 : 128;
static constexpr unsigned FEWEST_THREADS = 32;
// Threads of an SM that registers must suffice for. For f32 1536 would fit beside their rows, but 1024 have registers
// to load the next tile while they add one, and share the tiles more evenly: 1.07 times as fast at 2^24, 1.01 at 2^28.
static constexpr unsigned RESIDENT = IS_F32 ? 1024 : 384;
static constexpr size_t MOST_BLOCKS = 1024;

typedef superaccumulator<binned> accumulator;
static constexpr unsigned DIGITS = accumulator::DIGITS;

struct alignas(16) load_of_16_bytes {
    reductio_in x[WIDTH];
};

// The bins of all threads, row by row, into the block's digits. |sum| of a row <= 512 * 2^53. Barriers on both sides.
template <unsigned THREADS>
static __device__ void flush_bins(thread_bins<binned, THREADS> &own, const double *bins,
                                  shared_digits<DIGITS> &shared) {
    typedef thread_bins<binned, THREADS> own_bins;
    const unsigned lane = threadIdx.x % 32;
    unsigned found = 0;
    if (!__syncthreads_or(own.fills_rows()))
        return;
    own.prepare_rows();
    __syncthreads();
    for (unsigned row = threadIdx.x / 32; row < own_bins::ROWS; row += THREADS / 32) {
        long long sum = 0;
#pragma unroll
        for (unsigned thread = lane; thread < THREADS; thread += 32)
            sum += own_bins::integer(row, bins[row * THREADS + thread], found);
        if (!__any_sync(WHOLE_WARP, sum != 0))
            continue;
        sum = sum_warp(sum);
        if (lane == 0)
            add_to_digits(shared.digits, sum, own_bins::position(row));
    }
    add_seen(&shared.seen, found);
    __syncthreads();
}

// Tile t is loads t T LOADS .. of the aligned part. Past its end there is -0, which changes no sum.
template <unsigned THREADS>
static __device__ __forceinline__ void load_tile(load_of_16_bytes (&to)[LOADS], const load_of_16_bytes *from,
                                                 size_t tile, size_t loads) {
    const size_t first = tile * (THREADS * LOADS) + threadIdx.x;
    if ((tile + 1) * (THREADS * LOADS) <= loads) {
#pragma unroll
        for (unsigned l = 0; l < LOADS; l++)
            to[l] = from[first + l * THREADS];
    } else {
#pragma unroll
        for (unsigned l = 0; l < LOADS; l++)
            for (unsigned w = 0; w < WIDTH; w++)
                to[l].x[w] = first + l * THREADS < loads ? from[first + l * THREADS].x[w] : reductio_in(-0.0);
    }
}

// Elements before the first 16-byte boundary; the sum is exact, so that no order need be kept.
static __device__ __forceinline__ unsigned elements_before_boundary(const reductio_in *in, size_t n) {
    const unsigned past = unsigned(reinterpret_cast<uintptr_t>(in) / sizeof *in % WIDTH), head = (WIDTH - past) % WIDTH;
    return head < n ? head : unsigned(n);
}

static constexpr unsigned resident_blocks(unsigned threads) {
    return std::min(RESIDENT / threads, 16u);
}

template <unsigned THREADS>
static __global__ void __launch_bounds__(THREADS, resident_blocks(THREADS))
    sum_blocks(const reductio_in *in, size_t n, long long *partials, bool ends_soon) {
    extern __shared__ double bins[];
    __shared__ shared_digits<DIGITS> shared;
    clear_digits(shared);
    thread_bins<binned, THREADS> own(bins);
    wait_for_kernel_before();
    if (ends_soon)
        let_next_kernel_start();

    const unsigned head = elements_before_boundary(in, n);
    const load_of_16_bytes *body = reinterpret_cast<const load_of_16_bytes *>(in + head);
    const size_t loads = (n - head) / WIDTH, tiles = (loads + THREADS * LOADS - 1) / (THREADS * LOADS);
    if (blockIdx.x == 0 && threadIdx.x < head)
        own.add(binned(in[threadIdx.x]));
    if (blockIdx.x == 0 && threadIdx.x < n - head - loads * WIDTH)
        own.add(binned(in[head + loads * WIDTH + threadIdx.x]));

    load_of_16_bytes ahead[LOADS];
    if (blockIdx.x < tiles)
        load_tile<THREADS>(ahead, body, blockIdx.x, loads);
    unsigned added = 2;
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        binned x[COUNT];
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++)
            x[i] = binned(ahead[i / WIDTH].x[i % WIDTH]);
        if (tile + gridDim.x < tiles)
            load_tile<THREADS>(ahead, body, tile + gridDim.x, loads);
        own.add_tile(x);
        added += COUNT;
        if (added + COUNT > own.MOST_ADDED) { // the same for all threads
            flush_bins(own, bins, shared);
            own.reset();
            added = 0;
        }
    }
    flush_bins(own, bins, shared);
    add_seen(&shared.seen, own.close(shared.digits));
    __syncthreads();
    write_digits(shared, partials);
}

static __global__ void __launch_bounds__(combiners<DIGITS>())
    round_sum(const long long *partials, unsigned blocks, reductio_out *out, bool ends_soon) {
    __shared__ shared_sums<DIGITS> sums;
    if (ends_soon)
        let_next_kernel_start();
    wait_for_kernel_before();
    round_partials<reductio_out, accumulator::UNIT>(partials, blocks, sums, out);
}

static size_t tiles_of(size_t n, unsigned threads) {
    return n == 0 ? 0 : ceil_div(n, size_t(threads) * COUNT);
}

static size_t most_blocks(size_t n, reductio_shape shape) {
    const size_t tiles = tiles_of(n, shape.threads);
    return shape.blocks != 0 ? shape.blocks : tiles < MOST_BLOCKS ? tiles : MOST_BLOCKS;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return most_blocks(n, shape) * (DIGITS + 1) * sizeof(long long);
}

static constexpr size_t shared_bytes(unsigned threads) {
    return sizeof(double) * threads * thread_bins<binned, FEWEST_THREADS>::ROWS;
}

// Lowers the number of threads until their bins fit the shared memory of this device: 384 of f64 need 204 KiB. Then as
// many blocks as the device keeps at a time, at most those that the workspace is for: each goes through its data once
// and flushes once. Counted here, for cudaOccupancyMaxActiveBlocksPerMultiprocessor takes 0.25 microseconds.
static cudaError_t fit_shape(size_t n, reductio_shape *shape) {
    constexpr size_t reserved = 1024; // bytes of shared memory that the device takes for itself in every block
    int device = 0, available = 0, processors = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error != cudaSuccess)
        return error;
    const size_t blocks = most_blocks(n, *shape), bins = size_t(available) - sizeof(shared_digits<DIGITS>);
    if (shape->threads == MOST_THREADS && shared_bytes(MOST_THREADS) > bins)
        shape->threads = FEWER_THREADS;
    if (shape->threads == FEWER_THREADS && shared_bytes(FEWER_THREADS) > bins)
        shape->threads = FEWEST_THREADS;
    const size_t beside = size_t(available) / (shared_bytes(shape->threads) + sizeof(shared_digits<DIGITS>) + reserved);
    const size_t resident = std::max<size_t>(1, std::min<size_t>(beside, resident_blocks(shape->threads)));
    shape->blocks = unsigned(shape->blocks != 0 ? blocks : std::min(blocks, resident * unsigned(processors)));
    return cudaSuccess;
}

// Both kernels are launched early. A block with more than one tile keeps the next kernel's blocks away until it ends:
// letting them in while tiles are left takes 1.02 to 1.05 times as long at 2^24 and more. Where no tiles are left it
// makes sums in a graph, 2^14 to 2^17 elements, 1.07 (f64) to 1.15 (f32) times as fast.
template <unsigned THREADS>
static cudaError_t launch_shape(const reductio_in *in, size_t n, reductio_out *out, long long *partials,
                                unsigned blocks, cudaStream_t stream) {
    constexpr size_t shared = shared_bytes(THREADS);
    const bool ends_soon = tiles_of(n, THREADS) <= blocks;
    dependent_launch first, second;
    cudaError_t error = // for this device: 0.4 microseconds, and nothing to remember
        cudaFuncSetAttribute(sum_blocks<THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
    if (error == cudaSuccess)
        error = prepare_dependent_launch(&first, sum_blocks<THREADS>, blocks, THREADS, shared, stream);
    if (error == cudaSuccess)
        error = prepare_dependent_launch(&second, round_sum, 1, combiners<DIGITS>(), 0, stream);
    if (error == cudaSuccess)
        error = cudaLaunchKernelEx(&first.config, sum_blocks<THREADS>, in, n, partials, ends_soon);
    if (error == cudaSuccess)
        error = cudaLaunchKernelEx(&second.config, round_sum, static_cast<const long long *>(partials), blocks, out,
                                   ends_soon);
    return error;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    long long *partials = static_cast<long long *>(workspace);
    const cudaError_t error = fit_shape(n, &shape);
    if (error != cudaSuccess)
        return error;
    switch (shape.threads) {
    case MOST_THREADS:
        return launch_shape<MOST_THREADS>(in, n, out, partials, shape.blocks, stream);
    case FEWER_THREADS:
        return launch_shape<FEWER_THREADS>(in, n, out, partials, shape.blocks, stream);
    case FEWEST_THREADS:
        return launch_shape<FEWEST_THREADS>(in, n, out, partials, shape.blocks, stream);
    }
    return cudaErrorInvalidConfiguration;
}

#ifndef REDUCTIO_16_BITS
// ---- the library's functions for this type: reductio_exact_sum_f32 and reductio_exact_sum_f32_workspace ----

#define EXACT_SUM_SYMBOL_(tag) reductio_exact_sum_##tag
#define EXACT_SUM_SYMBOL(tag)  EXACT_SUM_SYMBOL_(tag)

size_t REDUCTIO_SYMBOL(exact_sum, REDUCTIO_TAG, workspace)(size_t n) {
    return workspace_bytes(n, {MOST_THREADS, 0});
}

cudaError_t EXACT_SUM_SYMBOL(REDUCTIO_TAG)(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                                           cudaStream_t stream) {
    return launch(in, n, out, workspace, {MOST_THREADS, 0}, stream);
}
#endif

REDUCTIO_VARIANT(exact_bins,
                 .summary = "Exact sums in thread-private bins, gathered in a superaccumulator and rounded once",
                 .workspace_bytes = workspace_bytes,
                 .shapes = {{MOST_THREADS, 0}, {FEWER_THREADS, 0}, {MOST_THREADS, 1}, {FEWEST_THREADS, 3}},
                 .claims = {.accuracy = REDUCTIO_CORRECTLY_ROUNDED,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_SHAPE | REDUCTIO_PLACEMENT | REDUCTIO_ORDER |
                                         REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_NO,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
