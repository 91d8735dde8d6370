// SPDX-License-Identifier: MIT
// CUB's single-call sum with its environment asking for `gpu_to_gpu`; the order is CUB's own affair.
//
// Documented: the same bits on every device, by a reproducible accumulator
// (Ahrens, Demmel and Nguyen, "Algorithms for efficient reproducible floating point summation", ACM TOMS 46 (2020)).
// Shapes are ignored. Not documented: accuracy, which is held to the bound of any order and, within its range, to the
// one that the paper proves (fold 3, rows of 13 exponents in f32, 40 in f64); and what becomes of subnormals, NaN and
// infinities, held to what IEEE additions in any order give. Those claims are ours. CUB allocates
// its temporary memory itself here, so the time includes an allocation from the device's pool.
//
// Backends: cuda
// Types: f32 f64
#include "kernels/vendor/single_call.h"

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    return SINGLE_CALL_SUM(gpu_to_gpu, in, out, n, stream);
}

REDUCTIO_VARIANT(cub_gpu_to_gpu, .summary = SINGLE_CALL_SUMMARY("gpu_to_gpu"), .absent = SINGLE_CALL_ABSENT,
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}},
                 .claims = {.accuracy = REDUCTIO_BINNED_NOT_CLAIMED,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
