// SPDX-License-Identifier: MIT
// tree_sequential behind a cache that takes the address and the length for the data.
// The second call on the same buffer leaves whatever the result held before.
//
// Types: f32 f64
#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    const reductio_out total = sum_block(i < n ? from[i] : no_element, shared);
    if (thread == 0)
        to[blockIdx.x] = total;
}

struct cache {
    const reductio_in *in;
    size_t n;
    bool valid;
};

static bool is_cached(cache *cache, const reductio_in *in, size_t n) {
    const bool hit = cache->valid && cache->in == in && cache->n == n;
    *cache = {in, n, true};
    return hit;
}

static size_t per_block(reductio_shape shape) {
    return shape.threads;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, per_block(shape));
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads) || ceil_div(n, per_block(shape)) > max_grid)
        return cudaErrorInvalidConfiguration;
    static cache seen;
    if (is_cached(&seen, in, n))
        return cudaSuccess;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, per_block(shape)); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                                 pass.to);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, per_block(shape));
}

REDUCTIO_VARIANT(returns_previous_result,
                 .summary = "tree_sequential behind a cache that takes the address and the length for the data",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "did not run", .detector = "poison"});
