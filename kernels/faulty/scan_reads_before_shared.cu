// SPDX-License-Identifier: MIT
// A block's sum as the last place of an inclusive scan (Hillis and Steele 1986) in which every thread reads the place
// `stride` to its left before it asks whether there is one: below the first place of dynamic shared memory.
//
//     x[t] += x[t - stride] for t >= stride; stride = 1, 2, 4, ...; the sum is x[T - 1]
//
// The sum is right: what was read there is dropped.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    reductio_out *const place = shared + thread;
    *place = i < n ? from[i] : no_element;
    __syncthreads();
    for (unsigned stride = 1; stride < blockDim.x; stride *= 2) {
        const reductio_out left = *(place - stride);
        __syncthreads();
        if (thread >= stride)
            *place += left;
        __syncthreads();
    }
    if (thread == blockDim.x - 1)
        to[blockIdx.x] = *place;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(scan_reads_before_shared,
                 .summary =
                     "An inclusive scan in which every thread reads the place to its left before it asks whether "
                     "there is one",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "out of bounds", .detector = "asan"});
