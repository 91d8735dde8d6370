// SPDX-License-Identifier: MIT
// tree_sequential whose last thread also takes the element after its block's last: block edges are counted twice.
// Off by one in "my range ends where the next begins".
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    if (thread == blockDim.x - 1 && i + 1 < n)
        shared[thread] += from[i + 1];
    __syncthreads();
    add_halves(shared);
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(double_counts_block_edges,
                 .summary = "tree_sequential whose last thread also takes the element after its block's last: block "
                            "edges are counted twice",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "double-counted", .detector = "coverage map"});
