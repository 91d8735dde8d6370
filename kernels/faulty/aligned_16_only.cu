// SPDX-License-Identifier: MIT
// Rounds the array's address up to 16 bytes for the sake of its loads and forgets the elements before it.
// Pretends to be grid_stride. Right for what an allocator returns, wrong for a slice of it.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

#include <stdint.h>

static __device__ size_t misaligned_elements(const reductio_in *from) {
    const size_t past = reinterpret_cast<uintptr_t>(from) % 16;
    return past == 0 ? 0 : (16 - past) / sizeof(reductio_in);
}

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out sum = sum_block(i < n && i >= misaligned_elements(from) ? from[i] : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(
    aligned_16_only,
    .summary = "Rounds the array's address up to 16 bytes for the sake of its loads and forgets the elements before it",
    .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
    .fault = {.finding = "lost elements", .detector = "coverage map"});
