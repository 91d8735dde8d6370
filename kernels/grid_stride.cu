// SPDX-License-Identifier: MIT
// The fast one: blocks stride over the data with 16-byte loads, four in flight a thread, and sum by shuffles.
//
//     thread     WIDTH = 4 (f32), 2 (f64) or 8 (f16, bf16) sums, one for each place in a 16-byte load, over its loads
//                (tiles.h); then, for WIDTH = 4, (s0 + s2) + (s1 + s3)
//     warp       lane i += lane i+16, i+8, i+4, i+2, i+1
//     block      its warps' sums in the first warp, the same way                                      -> p_b
//     2nd kernel thread t: p_t + p_(t+T) + ... one by one; then warps and block as above
//
// An input that is not aligned to 16 bytes is read element by element by the same threads in the same order: no base
// address changes a bit. Sums are kept in the result's type. Height: (terms of the longest sum - 1) + log2 WIDTH + log2
// T + (ceil(B/T) - 1) + log2 T, T threads, B blocks.
//
// No addition is exact by design; sums start at -0, the identity of addition, so they round nothing.
// Bound: min(gamma_h, (n-1) u) A with h the height of the tree; Higham, Accuracy and Stability of Numerical Algorithms,
// 2nd ed., section 4.2.
// Launch: T a multiple of 32 up to 1024; any number of blocks.
//
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/tiles.h"

struct plain_sum {
    reductio_out value;
    static __device__ plain_sum nothing() { return {no_element}; }
    __device__ void add(reductio_in x) { value += reductio_out(x); }
    __device__ void merge(plain_sum other) { value += other.value; }
};

static __device__ reductio_out sum_warp(reductio_out sum) {
    for (unsigned offset = 16; offset > 0; offset /= 2)
        sum += __shfl_down_sync(0xffffffff, sum, offset);
    return sum;
}

// The block's sum, in thread 0.
static __device__ reductio_out sum_block(reductio_out sum) {
    __shared__ reductio_out warp_sums[32];
    const unsigned lane = threadIdx.x % 32, warp = threadIdx.x / 32;
    sum = sum_warp(sum);
    if (lane == 0)
        warp_sums[warp] = sum;
    __syncthreads();
    if (warp == 0)
        sum = sum_warp(lane < blockDim.x / 32 ? warp_sums[lane] : no_element);
    return sum;
}

template <bool ALIGNED>
static __global__ void sum_blocks(const reductio_in *in, size_t n, reductio_out *partials) {
    const reductio_out sum = sum_block(sum_tiles<ALIGNED, plain_sum>(in, n).value);
    if (threadIdx.x == 0)
        partials[blockIdx.x] = sum;
}

static __global__ void sum_partials(const reductio_out *partials, unsigned count, reductio_out *out) {
    reductio_out sum = no_element;
    for (unsigned i = threadIdx.x; i < count; i += blockDim.x)
        sum += partials[i];
    sum = sum_block(sum);
    if (threadIdx.x == 0)
        *out = sum;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return tile_blocks(n, shape) * sizeof(reductio_out);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads == 0 || shape.threads % 32 != 0)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const unsigned blocks = unsigned(tile_blocks(n, shape));
    reductio_out *partials = static_cast<reductio_out *>(workspace);
    if (is_aligned(in))
        sum_blocks<true><<<blocks, shape.threads, 0, stream>>>(in, n, partials);
    else
        sum_blocks<false><<<blocks, shape.threads, 0, stream>>>(in, n, partials);
    const cudaError_t error = cudaGetLastError();
    if (error != cudaSuccess)
        return error;
    sum_partials<<<1, shape.threads, 0, stream>>>(partials, blocks, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return n == 0 ? 0 : tile_serial_terms(n, shape) - 1 + tile_merge_height(n, shape);
}

REDUCTIO_VARIANT(grid_stride,
                 .summary = "Blocks stride over the data with 16-byte loads; shuffles within warps and blocks; a "
                            "second kernel for the blocks",
                 .workspace_bytes = workspace_bytes, .shapes = {{512, 0}, {96, 0}, {128, 0}, {32, 0}, {32, 3}},
                 .claims = {.accuracy = REDUCTIO_HEIGHT,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES});
