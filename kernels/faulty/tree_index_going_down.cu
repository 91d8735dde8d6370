// SPDX-License-Identifier: MIT
// The second tutorial's "bank-conflict-free" index, 2 * stride * thread, in a loop whose stride goes down.
// Pretends to be tree_sequential. With stride = T/2 thread 1 already works on word T, the first past the end of the
// shared array.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride) {
            const unsigned left = 2 * stride * thread;
            shared[left] += shared[left + stride];
        }
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(
    tree_index_going_down,
    .summary = "The second tutorial's bank-conflict-free index, 2 * stride * thread, in a loop whose stride goes down",
    .origin = "second tutorial, as printed", .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}},
    .claims = TREE_CLAIMS, .fault = {.finding = "out of bounds", .detector = "guard"});
