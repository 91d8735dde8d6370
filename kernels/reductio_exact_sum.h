/* SPDX-License-Identifier: MIT */
/* Correctly rounded sums on the GPU, for use in any CUDA program.
 *
 *     size_t bytes = reductio_exact_sum_f32_workspace(n);
 *     cudaMalloc(&workspace, bytes);
 *     reductio_exact_sum_f32(in, n, out, workspace, stream);
 *
 * The result is the exact sum rounded once, to nearest with ties to even: the same bits for every order, device, launch
 * and address, with subnormals kept and no intermediate overflow. NaN or infinities of both signs give NaN, otherwise
 * an infinity wins. No elements give +0, -0 only gives -0, an exact zero is +0.
 *
 * `in` holds n elements of device memory, n up to 2^40, aligned to an element. `out` is one element of device memory.
 * `workspace` is device memory of at least the bytes asked for, aligned to 8; nothing need be in it, and it may be
 * reused as soon as the work is done. Both kernels are queued on `stream`; nothing is allocated and nothing waits.
 * Returns the first error of the launches. The device needs compute capability 7.0. */
#ifndef REDUCTIO_EXACT_SUM_H
#define REDUCTIO_EXACT_SUM_H

#include <cuda_runtime.h>
#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

size_t reductio_exact_sum_f32_workspace(size_t n);
size_t reductio_exact_sum_f64_workspace(size_t n);

cudaError_t reductio_exact_sum_f32(const float *in, size_t n, float *out, void *workspace, cudaStream_t stream);
cudaError_t reductio_exact_sum_f64(const double *in, size_t n, double *out, void *workspace, cudaStream_t stream);

#ifdef __cplusplus
}
#endif
#endif
