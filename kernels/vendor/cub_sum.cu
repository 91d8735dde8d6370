// SPDX-License-Identifier: MIT
// CUB's two-phase sum, cub::DeviceReduce::Sum, with its workspace from the caller. The order is CUB's own affair.
//
// Documented: the same bits from run to run on the same device (cub::DeviceReduce, "run-to-run" determinism); shapes
// are ignored. Not documented: accuracy, which is held to the bound of any order, and what becomes of subnormals, NaN
// and infinities, held to what IEEE additions in any order give. Those claims are ours. The accumulator is of the
// result's type: f16 data are summed in f16 unless the result is f32. The latter takes cub::DeviceReduce::Reduce with
// an operator of its own, as CUB's users write it: Sum finds no accumulator for float + __half in every CCCL (3.5).
//
// Backends: cuda
// Types: f32 f64 f16 bf16 f16:f32 bf16:f32
#include "kernels/vendor/cccl.h"

#include <cub/device/device_reduce.cuh>

struct add_as_result {
    __host__ __device__ reductio_out operator()(reductio_out a, reductio_out b) const { return a + b; }
};

static cudaError_t sum(void *workspace, size_t &bytes, const reductio_in *in, reductio_out *out, size_t n,
                       cudaStream_t stream) {
    if constexpr (cuda::std::is_same_v<reductio_in, reductio_out>)
        return cub::DeviceReduce::Sum(workspace, bytes, in, out, n, stream);
    else
        return cub::DeviceReduce::Reduce(workspace, bytes, in, out, n, add_as_result{}, reductio_out{0}, stream);
}

static size_t workspace_bytes(size_t n, reductio_shape) {
    size_t bytes = 0;
    if (sum(nullptr, bytes, nullptr, nullptr, n, nullptr) != cudaSuccess)
        return 0; // the launch meets the same error and returns it
    return bytes;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (workspace == nullptr)
        return cudaErrorInvalidValue; // CUB would take it for a question about its size
    size_t bytes = workspace_bytes(n, shape);
    return sum(workspace, bytes, in, out, n, stream);
}

REDUCTIO_VARIANT(cub_sum, .summary = "cub::DeviceReduce::Sum in two phases, of " CUB_TEXT,
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}},
                 .claims = {.accuracy = REDUCTIO_ACCURACY_NOT_CLAIMED,
                            .same_bits = REDUCTIO_RUN,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
