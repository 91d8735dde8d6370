// SPDX-License-Identifier: MIT
// Textbook Kahan, in one thread: {1, Inf, 2} gives NaN, because Inf - Inf enters the correction.
// Pretends to be kahan, which zeroes the correction where the sum is not finite.
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = in[i] - correction;
        const reductio_out next = sum + corrected;
        correction = (next - sum) - corrected;
        sum = next;
    }
    *out = sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(
    infinity_turned_nan,
    .summary = "Textbook Kahan, in one thread: {1, Inf, 2} gives NaN, because Inf - Inf enters the correction",
    .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
    .claims = SERIAL_CLAIMS(REDUCTIO_KAHAN), .fault = {.finding = "wrong class", .detector = "specials"});
