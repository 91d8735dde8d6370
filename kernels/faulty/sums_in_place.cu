// SPDX-License-Identifier: MIT
// A tree in global memory, in the input itself: the caller's array is gone afterwards. The sum is right.
// Pretends to be tree_sequential. The first tutorials reduced g_idata in place.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    const size_t first = size_t(blockIdx.x) * blockDim.x, i = first + threadIdx.x;
    const size_t end = n - first < blockDim.x ? n : first + blockDim.x;
    reductio_in *x = const_cast<reductio_in *>(from);
    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (threadIdx.x < stride && i + stride < end)
            x[i] += x[i + stride];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        to[blockIdx.x] = x[i];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, 0, stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(sums_in_place, .summary = "A tree in global memory, in the input itself",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "guard"});
