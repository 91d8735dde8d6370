// SPDX-License-Identifier: MIT
// CUB's single-call sum with its environment asking for `not_guaranteed`; the order is CUB's own affair.
//
// Documented: no determinism; it may use atomics. Shapes are ignored.
// Not documented: accuracy, which is held to the bound of any order, and what becomes of subnormals, NaN and
// infinities, held to what IEEE additions in any order give. Those claims are ours. In f32 subnormals may be flushed:
// float atomics on global memory do so (PTX ISA, `atom`). CUB allocates its temporary memory itself here, so the time
// includes an allocation from the device's pool.
//
// Backends: cuda
// Types: f32 f64
#include "kernels/vendor/single_call.h"

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    return SINGLE_CALL_SUM(not_guaranteed, in, out, n, stream);
}

REDUCTIO_VARIANT(cub_not_guaranteed, .summary = SINGLE_CALL_SUMMARY("not_guaranteed"), .absent = SINGLE_CALL_ABSENT,
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}},
                 .claims = {.accuracy = REDUCTIO_ACCURACY_NOT_CLAIMED,
                            .same_bits = REDUCTIO_SAME_BITS_NONE,
                            .keeps_subnormals = sizeof(reductio_out) == 8 ? REDUCTIO_YES : REDUCTIO_NO,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .empty = REDUCTIO_YES});
