// SPDX-License-Identifier: MIT
// Keeps a share of the GPU's multiprocessors occupied from a stream of its own, so that a sum gets the rest and its
// blocks are served in another order than on an idle machine.
#ifndef REDUCTIO_CUDA_BUSY_LOAD_H
#define REDUCTIO_CUDA_BUSY_LOAD_H

#include <cuda_runtime.h>

struct busy_load {
    cudaStream_t stream = nullptr, releasing = nullptr; // before the first use
    unsigned *page = nullptr;                           // page-locked: [0] non-zero once all blocks are there, [1] a 1
    unsigned *released = nullptr;                       // on the device: non-zero lets the blocks go
    int processors = 0, room = 0; // of the device; bytes of shared memory that leave no block beside it
};

// Occupies `percent` of the multiprocessors, one at least, and returns once they are. Each is held until it is let go,
// or for BUSY_MOST_NS at most: a sum that allocates waits for the whole device in cudaFree, and would wait for ever.
constexpr unsigned long long BUSY_MOST_NS = 3000000;
cudaError_t busy_load_start(busy_load *load, unsigned percent);
// Lets them go and waits until they are idle.
cudaError_t busy_load_stop(busy_load *load);

#endif
