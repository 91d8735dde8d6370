// SPDX-License-Identifier: MIT
// Compensation by Dekker's three operations, which want the larger of the two first, whichever it is.
// Pretends to be neumaier, in one thread. Where an element is larger than the sum so far, what is lost of the sum is
// not what they find (flang#116897, gam#4349).
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const rounded_sum next = fast_two_sum(sum, in[i]);
        correction += next.error;
        sum = next.sum;
    }
    *out = is_finite(sum) ? sum + correction : sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(kahan_addend_larger,
                 .summary = "Compensated sum whose error term takes the sum for the larger operand",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
                 .claims = SERIAL_CLAIMS(REDUCTIO_COMPENSATED),
                 .fault = {.finding = "beyond bound", .detector = "bound"});
