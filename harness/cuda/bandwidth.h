// SPDX-License-Identifier: MIT
// How fast this GPU reads memory at all: the yardstick of a sum's throughput, measured beside it.
#ifndef REDUCTIO_CUDA_BANDWIDTH_H
#define REDUCTIO_CUDA_BANDWIDTH_H

#include <cuda_runtime.h>

#include <stddef.h>

// As many blocks of the kernel as the current device holds at a time.
cudaError_t bandwidth_blocks(unsigned *blocks);
// Queues one reading of all whole 16-byte words in [from, from + bytes). *sink, on the device, is written to so rarely
// that it costs nothing; its value means nothing.
cudaError_t bandwidth_read(const void *from, size_t bytes, unsigned blocks, unsigned long long *sink,
                           cudaStream_t stream);

#endif
