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
// Types: f32 f64
#include "kernels/dependent_launch.h"
#include "kernels/exact_bins_f64.h"
#include "kernels/exact_combine.h"
#include "kernels/reductio_exact_sum.h"
#include "kernels/trees.h"

static constexpr bool IS_F32 = sizeof(reductio_in) == sizeof(float);
static constexpr unsigned WIDTH = 16 / sizeof(reductio_in);
static constexpr unsigned LOADS = IS_F32 ? 4 : 8; // 16-byte loads in flight in each thread
static constexpr unsigned COUNT = LOADS * WIDTH;
static constexpr bool PREFETCHES = !IS_F32; // the next tile's loads, where few threads fit beside their rows
static constexpr unsigned MOST_THREADS = IS_F32 ? 512 : 384, FEWER_THREADS = IS_F32 ? 256 : 128;
static constexpr unsigned FEWEST_THREADS = 32;
static constexpr unsigned RESIDENT = IS_F32 ? 1536 : 384; // threads of an SM that registers must suffice for
static constexpr size_t MOST_BLOCKS = 1024;

typedef superaccumulator<reductio_in> accumulator;
static constexpr unsigned DIGITS = accumulator::DIGITS;

struct alignas(16) load_of_16_bytes {
    reductio_in x[WIDTH];
};

// The bins of all threads, row by row, into the block's digits. |sum| of a row <= 512 * 2^53. Barriers on both sides.
template <unsigned THREADS>
static __device__ void flush_bins(thread_bins<reductio_in, THREADS> &own, const double *bins,
                                  shared_digits<DIGITS> &shared) {
    typedef thread_bins<reductio_in, THREADS> own_bins;
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
                to[l].x[w] = first + l * THREADS < loads ? from[first + l * THREADS].x[w] : no_element;
    }
}

// Elements before the first 16-byte boundary; the sum is exact, so that no order need be kept.
static __device__ __forceinline__ unsigned elements_before_boundary(const reductio_in *in, size_t n) {
    const unsigned past = unsigned(reinterpret_cast<uintptr_t>(in) / sizeof *in % WIDTH), head = (WIDTH - past) % WIDTH;
    return head < n ? head : unsigned(n);
}

template <unsigned THREADS>
static __global__ void __launch_bounds__(THREADS, RESIDENT / THREADS < 16 ? RESIDENT / THREADS : 16)
    sum_blocks(const reductio_in *in, size_t n, long long *partials) {
    extern __shared__ double bins[];
    __shared__ shared_digits<DIGITS> shared;
    clear_digits(shared);
    thread_bins<reductio_in, THREADS> own(bins);

    const unsigned head = elements_before_boundary(in, n);
    const load_of_16_bytes *body = reinterpret_cast<const load_of_16_bytes *>(in + head);
    const size_t loads = (n - head) / WIDTH, tiles = (loads + THREADS * LOADS - 1) / (THREADS * LOADS);
    if (blockIdx.x == 0 && threadIdx.x < head)
        own.add(in[threadIdx.x]);
    if (blockIdx.x == 0 && threadIdx.x < n - head - loads * WIDTH)
        own.add(in[head + loads * WIDTH + threadIdx.x]);

    load_of_16_bytes ahead[LOADS];
    if (PREFETCHES && blockIdx.x < tiles)
        load_tile<THREADS>(ahead, body, blockIdx.x, loads);
    unsigned added = 2;
    for (size_t tile = blockIdx.x; tile < tiles; tile += gridDim.x) {
        reductio_in x[COUNT];
        if (!PREFETCHES)
            load_tile<THREADS>(ahead, body, tile, loads);
#pragma unroll
        for (unsigned i = 0; i < COUNT; i++)
            x[i] = ahead[i / WIDTH].x[i % WIDTH];
        if (PREFETCHES && tile + gridDim.x < tiles)
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

static __global__ void __launch_bounds__(COMBINERS)
    round_sum(const long long *partials, unsigned blocks, reductio_out *out) {
    __shared__ shared_digits<DIGITS> shared;
    wait_for_kernel_before();
    round_partials<reductio_out, accumulator::UNIT>(partials, blocks, shared, out);
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

// As many blocks as the device keeps at a time: each goes through its data once and flushes once.
template <unsigned THREADS>
static cudaError_t count_blocks(size_t n, reductio_shape shape, size_t shared, unsigned *blocks) {
    int device = 0, processors = 0, resident = 0;
    *blocks = unsigned(most_blocks(n, shape));
    if (shape.blocks != 0)
        return cudaSuccess;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&processors, cudaDevAttrMultiProcessorCount, device);
    if (error == cudaSuccess)
        error = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&resident, sum_blocks<THREADS>, THREADS, shared);
    const unsigned fit = unsigned(processors) * unsigned(resident);
    *blocks = fit != 0 && fit < *blocks ? fit : *blocks;
    return error;
}

static constexpr size_t shared_bytes(unsigned threads) {
    return sizeof(double) * threads * thread_bins<reductio_in, FEWEST_THREADS>::ROWS;
}

template <unsigned THREADS>
static cudaError_t launch_shape(const reductio_in *in, size_t n, reductio_out *out, void *workspace,
                                reductio_shape shape, cudaStream_t stream) {
    constexpr size_t shared = shared_bytes(THREADS);
    long long *partials = static_cast<long long *>(workspace);
    unsigned blocks = 0;
    cudaError_t error =
        cudaFuncSetAttribute(sum_blocks<THREADS>, cudaFuncAttributeMaxDynamicSharedMemorySize, int(shared));
    if (error == cudaSuccess)
        error = count_blocks<THREADS>(n, shape, shared, &blocks);
    if (error != cudaSuccess)
        return error;
    sum_blocks<THREADS><<<blocks, THREADS, shared, stream>>>(in, n, partials);
    error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    dependent_launch second;
    error = prepare_dependent_launch(&second, round_sum, COMBINERS, stream);
    if (error != cudaSuccess)
        return error;
    return cudaLaunchKernelEx(&second.config, round_sum, static_cast<const long long *>(partials), blocks, out);
}

// Lowers the number of threads until their bins fit the shared memory of this device: 384 of f64 need 204 KiB. The
// blocks stay those of the shape, and so does the workspace.
static cudaError_t fit_threads(unsigned *threads) {
    int device = 0, available = 0;
    cudaError_t error = cudaGetDevice(&device);
    if (error == cudaSuccess)
        error = cudaDeviceGetAttribute(&available, cudaDevAttrMaxSharedMemoryPerBlockOptin, device);
    const size_t bins = size_t(available) - sizeof(shared_digits<DIGITS>);
    if (*threads == MOST_THREADS && shared_bytes(MOST_THREADS) > bins)
        *threads = FEWER_THREADS;
    if (*threads == FEWER_THREADS && shared_bytes(FEWER_THREADS) > bins)
        *threads = FEWEST_THREADS;
    return error;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    unsigned threads = shape.threads;
    const cudaError_t error = fit_threads(&threads);
    if (error != cudaSuccess)
        return error;
    switch (threads) {
    case MOST_THREADS:
        return launch_shape<MOST_THREADS>(in, n, out, workspace, shape, stream);
    case FEWER_THREADS:
        return launch_shape<FEWER_THREADS>(in, n, out, workspace, shape, stream);
    case FEWEST_THREADS:
        return launch_shape<FEWEST_THREADS>(in, n, out, workspace, shape, stream);
    }
    return cudaErrorInvalidConfiguration;
}

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
