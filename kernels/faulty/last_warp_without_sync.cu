// SPDX-License-Identifier: MIT
// tree_sequential whose last six levels are one warp's, with neither __syncwarp nor volatile.
// Lanes need not move in lockstep since Volta, and the compiler may keep a word in a register: a lane may add its
// partner's word before the partner has (HeCBench#91, numba#6127, kokkos#352).
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __device__ void sum_last_warp(reductio_out *shared, unsigned lane) {
    for (unsigned stride = 32; stride > 0; stride /= 2)
        shared[lane] += shared[lane + stride];
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
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

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(last_warp_without_sync,
                 .summary = "tree_sequential, last warp unrolled with neither __syncwarp nor volatile",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "lost elements", .detector = "coverage map"});
