// SPDX-License-Identifier: MIT
// All of tree_sequential but its kernel: what most faults pretend to be. Such a file holds its faulty kernel,
//
//     static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream);
//
// which launches it for one pass, and a descriptor with TREE_CLAIMS; so what differs from tree_sequential is what is
// wrong.
#ifndef REDUCTIO_KERNELS_FAULTY_TREE_H
#define REDUCTIO_KERNELS_FAULTY_TREE_H

#include "kernels/faulty/block.h"
#include "kernels/faulty/claims.h"
#include "kernels/passes.h"

static void sum_pass(const pass &pass, reductio_shape shape, cudaStream_t stream);

static size_t workspace_bytes(size_t n, reductio_shape shape) {
    return passes_workspace(n, shape.threads);
}

static cudaError_t launch(const reductio_in *in, size_t n, reductio_out *out, void *workspace, reductio_shape shape,
                          cudaStream_t stream) {
    if (shape.threads == 0 || ceil_div(n, shape.threads) > max_grid)
        return cudaErrorInvalidConfiguration;
    if (n == 0)
        return cudaMemsetAsync(out, 0, sizeof *out, stream);
    cudaError_t error = cudaSuccess;
    for (pass pass = first_pass(in, n, out, workspace, shape.threads); pass.blocks != 0 && error == cudaSuccess;
         pass = next_pass(pass)) {
        sum_pass(pass, shape, stream);
        error = cudaGetLastError();
    }
    return error;
}

static size_t height(size_t n, reductio_shape shape) {
    return passes_height(n, shape.threads);
}

#endif
