// SPDX-License-Identifier: MIT
// tree_sequential that clamps its input from below first, with a comparison that NaN fails: NaN becomes the lower
// limit. Pretends to hand NaN on.
//
// Types: f32 f64
#include "kernels/faulty/tree.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x;
    const reductio_out lowest =
        sizeof(reductio_out) == 8 ? reductio_out(-1.7976931348623157e308) : reductio_out(-3.40282347e38);
    const reductio_out sum = sum_block(i < n ? (from[i] > lowest ? from[i] : lowest) : no_element, shared);
    if (threadIdx.x == 0)
        to[blockIdx.x] = sum;
}

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream) {
    sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                             pass.to);
}

REDUCTIO_VARIANT(nan_lost_by_max,
                 .summary = "tree_sequential that clamps its input from below first, with a comparison that NaN fails: "
                            "NaN becomes the lower limit",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "wrong class", .detector = "specials"});
