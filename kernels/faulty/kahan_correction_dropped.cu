// SPDX-License-Identifier: MIT
// Compensated sums whose corrections are dropped when partial sums merge, as in many published kernels.
// Pretends to be neumaier, with one addition a thread: what is left is a plain tree.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"
#include "kernels/two_sum.h"

struct compensated {
    reductio_out sum, correction;
};

static __device__ compensated add(compensated a, reductio_out x) {
    const rounded_sum next = two_sum(a.sum, x);
    return {next.sum, a.correction + next.error};
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ compensated merged[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    merged[thread] = {i < n ? from[i] : 0, 0};
    __syncthreads();

    for (unsigned stride = blockDim.x / 2; stride > 0; stride /= 2) {
        if (thread < stride)
            merged[thread] = {add(merged[thread], merged[thread + stride].sum).sum, 0};
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = merged[0].sum + merged[0].correction;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(compensated), stream>>>(pass.from, pass.n, pass.to);
}

REDUCTIO_VARIANT(
    kahan_correction_dropped,
    .summary = "Compensated sums whose corrections are dropped when partial sums merge, as in many published kernels",
    .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}},
    .claims = {.accuracy = REDUCTIO_COMPENSATED,
               .height = height,
               .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
               .keeps_subnormals = REDUCTIO_YES,
               .may_overflow_early = REDUCTIO_YES,
               .specials = REDUCTIO_YES,
               .all_minus_zero = REDUCTIO_PLUS,
               .empty = REDUCTIO_YES},
    .fault = {.finding = "beyond bound", .detector = "bound"});
