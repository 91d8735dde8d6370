// SPDX-License-Identifier: MIT
// Kahan with flush-to-zero: a correction that is subnormal becomes 0, and so does a subnormal sum.
// Pretends to be kahan, in one thread; claims to keep subnormals. Flushing breaks even the exactness of the error term,
// which gradual underflow guarantees (RAJA#1983, QuEST#640).
//
// Types: f32 f64
#include "kernels/faulty/serial.h"

#include <float.h>
#include <math.h>

static constexpr reductio_out smallest_normal = reductio_out(sizeof(reductio_out) == 4 ? FLT_MIN : DBL_MIN);

static __device__ reductio_out flush(reductio_out x) {
    return fabs(x) < smallest_normal ? x * 0 : x;
}

static __global__ void add_elements(const reductio_in *in, size_t n, reductio_out *out) {
    reductio_out sum = 0, correction = 0;
    for (size_t i = 0; i < n; i++) {
        const reductio_out corrected = flush(in[i] - correction);
        const reductio_out next = flush(sum + corrected);
        correction = is_finite(next) ? flush(flush(next - sum) - corrected) : 0;
        sum = next;
    }
    *out = sum;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_elements<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(kahan_flushed, .summary = "Kahan with flush-to-zero", .workspace_bytes = workspace_bytes,
                 .shapes = {{1, 0}}, .max_n = serial_max_n, .claims = SERIAL_CLAIMS(REDUCTIO_KAHAN),
                 .fault = {.finding = "flushed", .detector = "bound"});
