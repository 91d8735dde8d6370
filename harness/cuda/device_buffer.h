// SPDX-License-Identifier: MIT
// Buffers in device memory between two guard zones. Plain allocations: what lies beyond the zones is not ours to unmap,
// so writes outside are seen by the zones' poison and reads by the NaN that they bring along.
//
//     low guard | low slack | data | high slack | high guard
//     ^ base                ^      ^ all a multiple of 256 bytes
//               256k + offset
#ifndef REDUCTIO_CUDA_DEVICE_BUFFER_H
#define REDUCTIO_CUDA_DEVICE_BUFFER_H

#include <cuda_runtime.h>

#include <stddef.h>
#include <stdint.h>

struct device_buffer {
    const char *name;              // for messages: "the input"
    unsigned char *base = nullptr; // before the first use
    size_t capacity = 0;           // bytes allocated at base
    size_t span = 0;               // of these, in use: guards, slack and data
    unsigned char *data = nullptr;
    size_t bytes = 0;
};

// No byte that differs from the poison.
constexpr unsigned long long NO_CHANGE = ~0ull;

// Makes room; an earlier allocation is reused where it is large enough. The contents are undefined.
cudaError_t device_buffer_place(device_buffer *buffer, size_t bytes, size_t offset);
// Fills data, slack and guards with poison.
cudaError_t device_buffer_poison(const device_buffer *buffer, uint64_t salt, cudaStream_t stream);
// Puts into *change, on the device, the place from base of the first byte of slack and guards that is not poison, if it
// lies before *change.
cudaError_t device_buffer_find_trespass(const device_buffer *buffer, uint64_t salt, unsigned long long *change,
                                        cudaStream_t stream);
// Likewise for the data.
cudaError_t device_buffer_find_written(const device_buffer *buffer, uint64_t salt, unsigned long long *change,
                                       cudaStream_t stream);
// Likewise for the data where they differ from `original`, on the device; the place counts words.
cudaError_t device_buffer_find_difference(const device_buffer *buffer, const void *original, unsigned long long *change,
                                          cudaStream_t stream);

#endif
