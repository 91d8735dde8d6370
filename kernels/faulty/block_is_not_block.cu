// SPDX-License-Identifier: MIT
// A tree of BLOCK words, a constant, launched with half as many threads: nobody stores the upper half.
// The second tutorial's kernel has its block size as a constant and takes another from the launch.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static constexpr unsigned BLOCK = 256;

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    __shared__ reductio_out shared[BLOCK];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned stride = BLOCK / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] += shared[thread + stride];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(block_is_not_block,
                 .summary = "A tree over a constant number of words, launched with half as many threads",
                 .origin = "second tutorial, launched with another block size", .workspace_bytes = workspace_bytes,
                 .shapes = {{128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
