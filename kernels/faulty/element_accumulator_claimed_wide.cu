// SPDX-License-Identifier: MIT
// Data summed in their own type and converted at the end, sold as a sum in a wider one: f32 in f64, f16 and bf16 in
// f32. Pretends to be f64_accumulator, with one block. The conversion stands at the wrong place: double(sum) for
// double(x). Of 16 bits: ml_dtypes#63, candle#3718, triton#1960.
//
// Types: f32 f32:f64 f16 bf16
#include "kernels/faulty/block.h"
#include "kernels/trees.h"

static __global__ void sum_all(const reductio_in *in, size_t n, reductio_out *out) {
    extern __shared__ reductio_in shared[];
    const unsigned thread = threadIdx.x;
    reductio_in sum = reductio_in(-0.0);
    for (size_t i = thread; i < n; i += blockDim.x)
        sum += in[i];
    const reductio_in total = sum_block(n == 0 ? reductio_in(0) : sum, shared);
    if (thread == 0)
        *out = reductio_out(total);
}

static size_t workspace_bytes(size_t, reductio_shape) {
    return 0;
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape shape,
                          cudaStream_t stream) {
    if (!is_power_of_two(shape.threads))
        return cudaErrorInvalidConfiguration;
    sum_all<<<1, shape.threads, shape.threads * sizeof(reductio_in), stream>>>(in, n, out);
    return cudaGetLastError();
}

static size_t height(size_t n, reductio_shape shape) {
    return strided_tree_height(n, shape.threads);
}

REDUCTIO_VARIANT(element_accumulator_claimed_wide,
                 .summary = "Data summed in their own type and converted at the end, sold as a sum in a wider one",
                 .workspace_bytes = workspace_bytes, .shapes = {{256, 0}, {128, 0}},
                 .claims = {.accuracy = REDUCTIO_WIDE,
                            .height = height,
                            .same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT | REDUCTIO_DEVICE,
                            .keeps_subnormals = REDUCTIO_YES,
                            .may_overflow_early = REDUCTIO_NO,
                            .specials = REDUCTIO_YES,
                            .all_minus_zero = REDUCTIO_MINUS,
                            .empty = REDUCTIO_YES},
                 .fault = {.finding = "beyond bound", .detector = "bound"});
