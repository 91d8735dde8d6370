// SPDX-License-Identifier: MIT
// A plug-in whose row is given device memory and a stream, as a library's own GPU sum would be:
//
//     nvcc -O3 -shared -Xcompiler -fPIC -o device.so example_device.cu
//     reductio check --plugin ./device.so
//
// One block: each thread adds elements a block apart, then the partial sums are added as a tree,
// ((p_0 + p_128) + (p_64 + p_192)) + ... : ceil(n / 256) - 1 additions a thread and 8 levels above it.
#include "reductio_plugin.h"

#include <cuda_runtime.h>

enum { THREADS = 256, LEVELS = 8 };

static __global__ void sum_block(const float *x, size_t n, float *out) {
    __shared__ float partial[THREADS];
    float sum = -0.0f; // -0 + x is x, also for x = -0
    for (size_t i = threadIdx.x; i < n; i += THREADS)
        sum += x[i];
    partial[threadIdx.x] = sum;
    for (unsigned half = THREADS / 2; half; half /= 2) {
        __syncthreads();
        if (threadIdx.x < half)
            partial[threadIdx.x] += partial[threadIdx.x + half];
    }
    if (threadIdx.x == 0)
        *out = n ? partial[0] : 0.0f;
}

static int launch(const void *in, size_t n, void *out, void *, reductio_shape, void *stream) {
    sum_block<<<1, THREADS, 0, static_cast<cudaStream_t>(stream)>>>(static_cast<const float *>(in), n,
                                                                    static_cast<float *>(out));
    return cudaGetLastError();
}

// The longest path starts at a full thread; a level counts where both sides hold elements.
static size_t height(size_t n, reductio_shape) {
    size_t levels = 0;
    for (size_t full = n < THREADS ? n : THREADS; levels < LEVELS && (full > 1); full = (full + 1) / 2)
        levels++;
    return n ? (n - 1) / THREADS + levels : 0;
}

static const reductio_plugin_row rows[] = {{.name = "block",
                                            .type = "f32",
                                            .summary = "One block of 256 threads, then a tree over them",
                                            .memory = REDUCTIO_DEVICE_MEMORY,
                                            .launch = launch,
                                            .workspace_bytes = nullptr,
                                            .shapes = {{THREADS, 1}},
                                            .max_n = 1 << 20,
                                            .claims = {.accuracy = REDUCTIO_HEIGHT,
                                                       .height = height,
                                                       .serial_terms = nullptr,
                                                       .global_atomics = nullptr,
                                                       .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT,
                                                       .keeps_subnormals = REDUCTIO_YES,
                                                       .may_overflow_early = REDUCTIO_YES,
                                                       .specials = REDUCTIO_YES,
                                                       .all_minus_zero = REDUCTIO_MINUS,
                                                       .empty = REDUCTIO_YES}}};
REDUCTIO_PLUGIN("device", rows)
