// SPDX-License-Identifier: MIT
// One block that strides over aligned groups of 16 bytes, so which thread takes which element depends on the address;
// sold as independent of it. What comes of peeling a misaligned head.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/trees.h"

#include <stdint.h>

static constexpr size_t WIDTH = 16 / sizeof(reductio_in);

static __global__ void sum_all(const reductio_in *in, size_t n, reductio_out *out) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t past_boundary = reinterpret_cast<uintptr_t>(in) % 16 / sizeof(reductio_in), end = n + past_boundary;
    reductio_out sum = no_element;
    for (size_t group = thread * WIDTH; group < end; group += blockDim.x * WIDTH)
        for (size_t i = group; i < group + WIDTH; i++)
            if (i >= past_boundary && i < end)
                sum += in[i - past_boundary];
    const reductio_out total = sum_block(n == 0 ? 0 : sum, shared);
    if (thread == 0)
        *out = total;
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    sum_all<<<1, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(in, n, out);
    return cudaGetLastError();
}

// Of the address with the longest path.
static size_t height(size_t n, reductio_shape shape) {
    if (n == 0)
        return 0;
    const size_t groups = ceil_div(n + WIDTH - 1, WIDTH);
    const size_t longest = ceil_div(groups, shape.threads) * WIDTH - 1 + ceil_log2(shape.threads);
    return longest < n - 1 ? longest : n - 1; // most threads of a short array add zeros
}

REDUCTIO_VARIANT(claims_placement_invariance,
                 .summary = "One block that strides over aligned groups, sold as independent of the address",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "varied", .detector = "placement"});
