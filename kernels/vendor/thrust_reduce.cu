// SPDX-License-Identifier: MIT
// thrust::reduce with plus and an initial value of +0: what most C++ users call. The order is Thrust's own affair.
//
// Documented: nothing about repeatability or accuracy. Accuracy is held to the bound of any order, and subnormals, NaN
// and infinities to what IEEE additions in any order give. Those claims are ours. It starts at +0, so a sum of -0 only
// gives +0. Unlike the other rows it allocates and waits inside the call, since it returns its sum to the host.
//
// Backends: cuda
// Types: f32 f64
#include "kernels/vendor/cccl.h"

#include <thrust/device_ptr.h>
#include <thrust/execution_policy.h>
#include <thrust/reduce.h>
#include <thrust/system_error.h>

#include <new>

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    try {
        const thrust::device_ptr<const reductio_in> first(in);
        const reductio_out sum = thrust::reduce(thrust::cuda::par.on(stream), first, first + n, reductio_out(0));
        return cudaMemcpyAsync(out, &sum, sizeof sum, cudaMemcpyHostToDevice, stream);
    } catch (const thrust::system_error &error) {
        return static_cast<cudaError_t>(error.code().value());
    } catch (const std::bad_alloc &) {
        return cudaErrorMemoryAllocation;
    }
}

REDUCTIO_VARIANT(thrust_reduce, .summary = "thrust::reduce, of " CUB_TEXT, .workspace_bytes = workspace_bytes,
                 .shapes = {{256, 0}},
                 .claims = {.accuracy = REDUCTIO_ACCURACY_NOT_CLAIMED,
                            .same_bits = REDUCTIO_SAME_BITS_NONE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_YES,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_PLUS,
                            .empty = REDUCTIO_YES});
