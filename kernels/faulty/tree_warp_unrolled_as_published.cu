// SPDX-License-Identifier: MIT
// The first tutorial's v4 as printed: the last warp unrolled with volatile and no __syncwarp.
// Pretends to be tree_warp_unrolled. The lanes of a warp need not move in lockstep since Volta, and volatile orders
// nothing between them: a lane may read its partner's word before it was added to, or after it was added to twice.
//
// Types: f32 f64
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static __device__ void sum_last_warp(volatile reductio_out *shared, unsigned lane) {
    shared[lane] = shared[lane] + shared[lane + 32];
    shared[lane] = shared[lane] + shared[lane + 16];
    shared[lane] = shared[lane] + shared[lane + 8];
    shared[lane] = shared[lane] + shared[lane + 4];
    shared[lane] = shared[lane] + shared[lane + 2];
    shared[lane] = shared[lane] + shared[lane + 1];
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x * 2 + thread;
    reductio_out sum = i < n ? from[i] : no_element;
    if (i + blockDim.x < n)
        sum += from[i + blockDim.x];
    shared[thread] = sum;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 32; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread < 32)
        sum_last_warp(shared, thread);
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static size_t per_block(reductio_shape shape) {
    return size_t(2) * shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads) || shape.threads < 64 || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                                 pass.to);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(tree_warp_unrolled_as_published,
                 .summary = "The first tutorial's v4 as printed: last warp unrolled, volatile, no __syncwarp",
                 .origin = "first tutorial, v4 as published", .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
