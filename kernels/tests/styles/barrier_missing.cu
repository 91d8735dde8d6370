// SPDX-License-Identifier: MIT
// A tree in shared memory without the barrier between its levels.
#include <reductio.h>

template <typename T, int THREADS>
__global__ void tree(const T *in, size_t n, T *out) {
    __shared__ T part[THREADS];
    T sum = 0;
    for (size_t i = threadIdx.x; i < n; i += THREADS)
        sum += in[i];
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = THREADS / 2; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        // __syncthreads() should stand here
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    tree<reductio_in, 128><<<1, 128, 0, stream>>>(in, n, out);
    return cudaGetLastError();
}

REDUCTIO_VARIANT(barrier_missing, .summary = "One block, no barrier between levels");
