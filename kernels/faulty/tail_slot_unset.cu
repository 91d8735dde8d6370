// SPDX-License-Identifier: MIT
// tree_sequential whose threads without an element leave their words of shared memory as they are: what an earlier
// block left there is added again. Published as partial sums of garbage in the last block (FlagGems#3716, vllm#936).
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    if (i < n)
        shared[thread] = from[i];
    __syncthreads();
    add_halves(shared);
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(tail_slot_unset, .summary = "tree_sequential whose threads without an element leave their words unset",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "poison"});
