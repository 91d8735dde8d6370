// SPDX-License-Identifier: MIT
// Kahan as a compiler leaves it that may reassociate (-ffast-math, /fp:fast): (next - sum) - corrected with
// next = sum + corrected is 0 by algebra, so the correction is gone. Written out, since this build may not reassociate.
// Pretends to be kahan, in one thread. (RAJA#1983, QuEST#640)
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0;
    for (size_t i = 0; i < n; i++)
        sum += in[i]; // y = x - c;  t = sum + y;  c = (t - sum) - y = 0;  sum = t
    *out = sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(kahan_reassociated, .summary = "Kahan under a compiler that reassociates: the correction is 0",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}}, .max_n = serial_max_n,
                 .claims = SERIAL_CLAIMS(REDUCTIO_KAHAN), .fault = {.finding = "beyond bound", .detector = "bound"});
