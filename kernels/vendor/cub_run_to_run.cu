// SPDX-License-Identifier: MIT
// CUB's single-call sum with its environment asking for `run_to_run`; the order is CUB's own affair.
//
// Documented: the same bits from run to run on the same device. Shapes are ignored.
// Not documented: accuracy, which is held to the bound of any order, and what becomes of subnormals, NaN and
// infinities, held to what IEEE additions in any order give. Those claims are ours. CUB allocates its temporary memory
// itself here, so the time includes an allocation from the device's pool.
//
// Backends: cuda
// Types: f32 f64
#include "kernels/vendor/single_call.h"

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    return SINGLE_CALL_SUM(run_to_run, in, out, n, stream);
}

REDUCTIO_VARIANT(cub_run_to_run, .summary = SINGLE_CALL_SUMMARY("run_to_run"), .absent = SINGLE_CALL_ABSENT,
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}},
                 .claims = {.accuracy = REDUCTIO_ACCURACY_NOT_CLAIMED,
                            .same_bits = REDUCTIO_RUN,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
