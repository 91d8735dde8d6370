// SPDX-License-Identifier: MIT
// A variant whose struct has one name in both types and another size and code in each. Compiled without inlining, so
// that the linker has a choice of code to call.
//
// Types: f32 f64
#include "harness/reductio.h"

struct partial {
    reductio_in sum, compensation;
    int terms;

    __device__ void add(partial other) { // its mangled name does not tell the types apart either
        sum += other.sum;
        compensation = -sum;
        terms += other.terms;
    }
};

static __global__ void add_all(const reductio_in *in, size_t n, reductio_out *out) {
    partial total = {0, 0, 0};
    for (size_t i = 0; i < n; i++)
        total.add({in[i], 0, 1});
    *out = total.sum * 16 + reductio_out(total.terms) - (total.sum + total.compensation);
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    add_all<<<1, 1, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(test_own_names, .summary = "16 times the sum, and the number of terms",
                 .workspace_bytes = workspace_bytes, .shapes = {{1, 0}});
