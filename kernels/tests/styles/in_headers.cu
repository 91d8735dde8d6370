// SPDX-License-Identifier: MIT
// The kernels are in headers, and the file holds the descriptor alone.
#include "include/block_reduce.cuh"

#include <reductio.h>

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *, reductio_shape,
                          cudaStream_t stream) {
    return acc::Reducer<reductio_in>::run(in, n, out, stream);
}

REDUCTIO_VARIANT(in_headers, .summary = "One block of 64 threads, lanes by a butterfly",
                 .claims = {.same_bits = REDUCTIO_RUN | REDUCTIO_PLACEMENT, .specials = REDUCTIO_YES});
