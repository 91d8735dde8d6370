// SPDX-License-Identifier: MIT
// Kahan with the sign of its correction turned: what each addition dropped is dropped twice.
// Pretends to be kahan, in one thread. Exact data do not show it.
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = in[i] + correction;
        const reductio_out next = sum + corrected;
        correction = is_finite(next) ? (next - sum) - corrected : 0;
        sum = next;
    }
    *out = sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(kahan_correction_added,
                 .summary = "Kahan with the sign of its correction turned: what each addition dropped is dropped twice",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
                 .claims = SERIAL_CLAIMS(REDUCTIO_KAHAN), .fault = {.finding = "beyond bound", .detector = "bound"});
