// SPDX-License-Identifier: MIT
// Kahan whose correction is declared inside the loop over tiles: each tile of 8 elements starts without it.
// Pretends to be kahan, in one thread. What the last addition of a tile dropped stays dropped.
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static constexpr size_t TILE = 8;

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0;
    for (size_t first = 0; first < n; first += TILE) {
        reductio_out correction = 0;
        for (size_t i = first; i < n && i < first + TILE; i++) {
            const reductio_out corrected = in[i] - correction;
            const reductio_out next = sum + corrected;
            correction = is_finite(next) ? (next - sum) - corrected : 0;
            sum = next;
        }
    }
    *out = sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(kahan_correction_reset, .summary = "Kahan whose correction starts anew with each tile of 8 elements",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
                 .claims = SERIAL_CLAIMS(REDUCTIO_KAHAN), .fault = {.finding = "beyond bound", .detector = "bound"});
