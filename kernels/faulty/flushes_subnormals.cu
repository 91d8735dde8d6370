// SPDX-License-Identifier: MIT
// tree_sequential as -use_fast_math compiles it for f32: subnormal operands and sums become 0, of their own sign.
// Claims to keep them.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

#include <float.h>
#include <math.h>

static constexpr reductio_out smallest_normal = reductio_out(sizeof(reductio_out) == 4 ? FLT_MIN : DBL_MIN);

static __device__ reductio_out flush(reductio_out x) {
    return fabs(x) < smallest_normal ? x * 0 : x;
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? flush(from[i]) : no_element;
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            shared[thread] = flush(shared[thread] + shared[thread + stride]);
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(flushes_subnormals, .summary = "tree_sequential as -use_fast_math compiles it: subnormals become zero",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "flushed", .detector = "bound"});
