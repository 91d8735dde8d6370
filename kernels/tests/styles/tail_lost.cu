// SPDX-License-Identifier: MIT
// float4 loads that forget what is left when n is no multiple of four.
//
// Types: f32
#include <reductio.h>

__global__ void sum4(const float4 *in, size_t n4, float *out) {
    __shared__ float part[256];
    float sum = 0;
    for (size_t i = threadIdx.x; i < n4; i += 256)
        sum += (in[i].x + in[i].y) + (in[i].z + in[i].w);
    part[threadIdx.x] = sum;
    __syncthreads();
    for (int half = 128; half > 0; half /= 2) {
        if (threadIdx.x < half)
            part[threadIdx.x] += part[threadIdx.x + half];
        __syncthreads();
    }
    if (threadIdx.x == 0)
        *out = part[0];
}

static cudaError_t launch(const float *in, size_t n, float *out, void *, reductio_shape, cudaStream_t stream) {
    sum4<<<1, 256, 0, stream>>>((const float4 *)in, n / 4, out); // and the tail?
    return cudaGetLastError();
}

REDUCTIO_VARIANT(tail_lost, .summary = "float4, one block", .fixed_placement = true);
