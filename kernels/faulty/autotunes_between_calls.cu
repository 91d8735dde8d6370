// SPDX-License-Identifier: MIT
// Two trees of one height, and a tuner that tries the second one the second time it meets an array, finds it no faster
// and stays with the first. Pretends to be tree_sequential: each result is within the bound, and the second call gives
// other bits than the first. Libraries that tune by timing do this wherever two candidates add in different orders.
//
// Types: f32 f64
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

// Adds neighbours first if `neighbours`, else words half a block apart first.
static __global__ void sum_blocks(const reductio_in *from, size_t n, reductio_out *to, bool neighbours) {
    extern __shared__ reductio_out shared[];
    const unsigned thread = threadIdx.x;
    const size_t i = size_t(blockIdx.x) * blockDim.x + thread;
    shared[thread] = i < n ? from[i] : no_element;
    __syncthreads();

    for (unsigned active = blockDim.x / 2; active > 0; active /= 2) {
        const unsigned stride = neighbours ? blockDim.x / 2 / active : active;
        const unsigned left = neighbours ? 2 * stride * thread : thread;
        if (thread < active)
            shared[left] += shared[left + stride];
        __syncthreads();
    }
    if (thread == 0)
        to[blockIdx.x] = shared[0];
}

struct tuner {
    const reductio_in *in;
    size_t n;
    unsigned calls; // in a row on this array
};

static bool tries_second_candidate(tuner *tuner, const reductio_in *in, size_t n) {
    const bool same = tuner->in == in && tuner->n == n;
    *tuner = {in, n, same ? tuner->calls + 1 : 1};
    return tuner->calls == 2;
}

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, shape.threads);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    static tuner tuner;
    if (!is_power_of_two(shape.threads) || ceil_div(n, shape.threads) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    const bool neighbours = tries_second_candidate(&tuner, in, n);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, shape.threads); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_blocks<<<pass.blocks, shape.threads, shape.threads * sizeof(reductio_out), stream>>>(pass.from, pass.n,
                                                                                                 pass.to, neighbours);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, shape.threads);
}

REDUCTIO_VARIANT(autotunes_between_calls,
                 .summary = "A tuner that tries another tree the second time it meets an array",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}}, .claims = TREE_CLAIMS,
                 .fault = {.finding = "varied", .detector = "repeats"});
