// SPDX-License-Identifier: MIT
// tree_sequential whose threads without an element return before the barrier.
// Since Volta exited threads do not count at a barrier, so nothing hangs: their words of shared memory just stay unset.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    if (i >= n)
        return;
    const reductio_out total = sum_block(from[i], shared);
    if (thread == 0)
        to[blockIdx.x] = total;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(early_return_before_barrier,
                 .summary = "tree_sequential whose threads without an element return before the barrier",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
