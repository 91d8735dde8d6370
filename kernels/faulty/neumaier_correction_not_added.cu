// SPDX-License-Identifier: MIT
// Neumaier's sum that gathers the correction with care and returns without it. Pretends to be neumaier, in one thread.
// What is left is the plain loop (flang#116897).
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    rounded_sum total = {0, 0};
    for (size_t i = 0; i < n; i++) {
        const rounded_sum next = two_sum(total.sum, in[i]);
        total = {next.sum, total.error + next.error};
    }
    *out = total.sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(neumaier_correction_not_added, .summary = "Compensated sum that returns without its correction",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
                 .claims = SERIAL_CLAIMS(REDUCTIO_COMPENSATED),
                 .fault = {.finding = "beyond bound", .detector = "bound"});
