// SPDX-License-Identifier: MIT
// single_pass_last_block without the fence before the ticket: the last block may see the ticket of a block whose
// partial sum is still on its way to memory. No schedule of this or any other machine needs to show it; a race detector
// that knows fences and atomics does.
//
// Types: f32 f64
#include "kernels/faulty/last_block.h"

static __global__ void sum_in_one_pass(one_pass pass) {
    extern __shared__ reductio_out shared[];
    __shared__ bool is_last;
    const size_t start = size_t(blockIdx.x) * blockDim.x + threadIdx.x, step = size_t(gridDim.x) * blockDim.x;
    reductio_out sum = sum_block(sum_strided(pass.in, pass.n, start, step), shared);
    if (threadIdx.x == 0) {
        pass.partials[blockIdx.x] = sum;
        is_last = atomicInc(pass.counter, gridDim.x) == gridDim.x - 1;
        __threadfence();
    }
    __syncthreads();

    if (is_last) {
        sum = sum_block(sum_strided(pass.partials, gridDim.x, threadIdx.x, blockDim.x), shared);
        if (threadIdx.x == 0)
            *pass.out = sum;
    }
}

static void sum_all(const one_pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_in_one_pass<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass);
}

REDUCTIO_VARIANT(last_block_no_release, .summary = "single_pass_last_block without the fence before the ticket",
                 .workspace_bytes = workspace_bytes, .shapes = {{64, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "raced", .detector = "tsan"});
