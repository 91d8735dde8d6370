// SPDX-License-Identifier: MIT
// No sum: one operation of the machine on operands that tell what it does with subnormals, NaNs, zeros and rounding.
// `reductio hardware` knows what each must give.
//
// Launch: one warp, of which lane 0 does the work. The operands come from memory, so that no compiler folds them.
//
// Types: f32 f64
#include "harness/reductio.h"
#include "kernels/probes/operations.h"

static __device__ reductio_out add(const reductio_in *operands, size_t count) {
    reductio_out sum = operands[0];
    for (size_t i = 1; i < count; i++)
        sum += operands[i];
    return sum;
}

static __device__ void add_atomically(const reductio_in *operands, size_t count, reductio_out *cell) {
    *cell = operands[0];
    for (size_t i = 1; i < count; i++)
        atomicAdd(cell, operands[i]);
}

static __global__ void operate(const reductio_in *in, size_t n, reductio_out *out) {
    __shared__ reductio_out cell;
    const int operation = int(in[0]);
    const reductio_in *operands = in + 1;
    const bool works = threadIdx.x == 0;
    if (works && operation == PROBE_ADD)
        *out = add(operands, n - 1);
    if (works && operation == PROBE_MULTIPLY_ADD)
        *out = operands[0] * operands[1] + operands[2];
    if (works && operation == PROBE_GLOBAL_ATOMIC)
        add_atomically(operands, n - 1, out);
    if (works && operation == PROBE_SHARED_ATOMIC)
        add_atomically(operands, n - 1, &cell);
    if (works && operation == PROBE_MOVE)
        cell = operands[0];
    __syncthreads();
    const reductio_out moved = __shfl_sync(0xffffffffu, cell, 0);
    if (works && (operation == PROBE_SHARED_ATOMIC || operation == PROBE_MOVE))
        *out = moved;
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    if (n < 2)
        return cudaErrorInvalidValue;
    operate<<<1, shape.threads, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(hardware_probe, .summary = "One operation of the machine, to see what it does",
                 .workspace_bytes = workspace_bytes, .shapes = {{32, 0}}, .is_probe = true);
