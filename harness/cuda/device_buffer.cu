// SPDX-License-Identifier: MIT
#include "harness/cuda/device_buffer.h"
#include "harness/poison.h"

static constexpr size_t ALIGNMENT = 256; // what cudaMalloc gives at least
static constexpr size_t GUARD = size_t(1) << 20;
static constexpr unsigned THREADS = 256, MOST_BLOCKS = 2048;

static size_t round_up(size_t value, size_t unit) {
    return (value + unit - 1) / unit * unit;
}

cudaError_t device_buffer_place(device_buffer *buffer, size_t bytes, size_t offset) {
    if (bytes > SIZE_MAX / 2 || offset > SIZE_MAX / 4)
        return cudaErrorMemoryAllocation;
    const size_t span = 2 * GUARD + round_up(offset + bytes, ALIGNMENT);
    if (span > buffer->capacity) {
        cudaError_t error = cudaFree(buffer->base);
        buffer->base = nullptr;
        buffer->capacity = 0;
        if (error == cudaSuccess)
            error = cudaMalloc(reinterpret_cast<void **>(&buffer->base), span);
        if (error != cudaSuccess)
            return error;
        buffer->capacity = span;
    }
    buffer->span = span;
    buffer->data = buffer->base + GUARD + offset;
    buffer->bytes = bytes;
    return cudaSuccess;
}

static unsigned blocks_for(size_t words) {
    const size_t blocks = (words + THREADS - 1) / THREADS;
    return unsigned(blocks < MOST_BLOCKS ? blocks : MOST_BLOCKS);
}

static __global__ void fill(uint64_t *words, size_t count, uint64_t salt) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        words[i] = poison_pattern(i, salt);
}

cudaError_t device_buffer_poison(const device_buffer *buffer, uint64_t salt, cudaStream_t stream) {
    const size_t words = buffer->span / sizeof(uint64_t);
    fill<<<blocks_for(words), THREADS, 0, stream>>>(reinterpret_cast<uint64_t *>(buffer->base), words, salt);
    return cudaGetLastError();
}

// Bytes from..to-1, counted from the words' origin.
static __global__ void find_change(const uint64_t *words, size_t from, size_t to, uint64_t salt,
                                   unsigned long long *change) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = from / 8 + size_t(blockIdx.x) * blockDim.x + threadIdx.x; i * 8 < to; i += step) {
        const uint64_t difference = words[i] ^ poison_pattern(i, salt);
        if (difference == 0)
            continue;
        for (unsigned byte = 0; byte < 8; byte++) {
            const unsigned long long place = i * 8 + byte;
            if (place >= from && place < to && (difference >> (8 * byte) & 0xff) != 0) {
                atomicMin(change, place);
                break;
            }
        }
    }
}

static cudaError_t find_between(const device_buffer *buffer, size_t from, size_t to, uint64_t salt,
                                unsigned long long *change, cudaStream_t stream) {
    if (from >= to)
        return cudaSuccess;
    const uint64_t *words = reinterpret_cast<const uint64_t *>(buffer->base);
    find_change<<<blocks_for((to - from) / 8 + 2), THREADS, 0, stream>>>(words, from, to, salt, change);
    return cudaGetLastError();
}

cudaError_t device_buffer_find_trespass(const device_buffer *buffer, uint64_t salt, unsigned long long *change,
                                        cudaStream_t stream) {
    if (!buffer->base)
        return cudaSuccess;
    const size_t start = size_t(buffer->data - buffer->base), end = start + buffer->bytes;
    const cudaError_t error = find_between(buffer, 0, start, salt, change, stream);
    return error != cudaSuccess ? error : find_between(buffer, end, buffer->span, salt, change, stream);
}

cudaError_t device_buffer_find_written(const device_buffer *buffer, uint64_t salt, unsigned long long *change,
                                       cudaStream_t stream) {
    const size_t start = size_t(buffer->data - buffer->base);
    return find_between(buffer, start, start + buffer->bytes, salt, change, stream);
}

template <typename word>
static __global__ void find_difference(const word *a, const word *b, size_t count, unsigned long long *change) {
    const size_t step = size_t(gridDim.x) * blockDim.x;
    for (size_t i = size_t(blockIdx.x) * blockDim.x + threadIdx.x; i < count; i += step)
        if (a[i] != b[i])
            atomicMin(change, (unsigned long long)i);
}

template <typename word>
static cudaError_t compare_words(const device_buffer *buffer, const void *original, unsigned long long *change,
                                 cudaStream_t stream) {
    const size_t count = buffer->bytes / sizeof(word);
    find_difference<<<blocks_for(count), THREADS, 0, stream>>>(reinterpret_cast<const word *>(buffer->data),
                                                               static_cast<const word *>(original), count, change);
    return cudaGetLastError();
}

cudaError_t device_buffer_find_difference(const device_buffer *buffer, const void *original, unsigned long long *change,
                                          cudaStream_t stream) {
    if (buffer->bytes == 0)
        return cudaSuccess;
    const bool words = (reinterpret_cast<uintptr_t>(buffer->data) | buffer->bytes) % sizeof(unsigned) == 0;
    return words ? compare_words<unsigned>(buffer, original, change, stream)
                 : compare_words<unsigned char>(buffer, original, change, stream);
}
